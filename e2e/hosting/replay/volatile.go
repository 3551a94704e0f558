package replay

import (
	"regexp"
	"slices"
	"strings"
)

// parameter is one part of a query; a part without "=" is a name without a value.
type parameter struct{ name, value string }

func parameters(query string) []parameter {
	var list []parameter
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		list = append(list, parameter{name, value})
	}
	return list
}

// volatileNames are parameters that exist to make a URL unique, whatever they hold.
var volatileNames = map[string]bool{
	"_": true, "cb": true, "cache": true, "cachebust": true, "cachebuster": true, "nocache": true, "no_cache": true,
	"ord": true, "rnd": true, "rand": true, "random": true, "t": true, "ts": true, "time": true, "timestamp": true,
	"now": true, "dt": true, "correlator": true, "tile_ord": true,
}

// volatileValues are forms of values that differ from one visit to the next under any name.
var volatileValues = []*regexp.Regexp{
	// A time (seconds since 1970 have ten digits, milliseconds thirteen) or a whole random number.
	regexp.MustCompile(`^\d{10,}(\.\d+)?$`),
	// Math.random() as it is printed.
	regexp.MustCompile(`^0?\.\d{8,}$`),
	// RFC 9562 UUID.
	regexp.MustCompile(`^(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`),
	// A name made for one call: jQuery's JSONP callbacks are a word, a random number and a time.
	regexp.MustCompile(`^[A-Za-z$_.]+\d{10,}(_\d+)*$`),
}

// isVolatile says whether a parameter tells nothing about which object is meant.
func isVolatile(p parameter) bool {
	if volatileNames[strings.ToLower(p.name)] {
		return true
	}
	text := p.value
	if text == "" {
		// "/pixel.gif?1301234567": a bare cache buster stands where a name would.
		text = p.name
	}
	for _, form := range volatileValues {
		if form.MatchString(text) {
			return true
		}
	}
	return false
}

// stable leaves out volatile parameters and keeps the order of the rest.
func stable(query string) []parameter {
	var kept []parameter
	for _, p := range parameters(query) {
		if !isVolatile(p) {
			kept = append(kept, p)
		}
	}
	return kept
}

// overlap counts the parameters both sides share. ok is false when the two name different objects: a name that both carry with different
// values, or both say something and nothing of it is shared.
func overlap(a, b []parameter) (shared int, ok bool) {
	values := make(map[string][]string, len(b))
	for _, p := range b {
		values[p.name] = append(values[p.name], p.value)
	}
	for _, p := range a {
		known, present := values[p.name]
		if !present {
			continue
		}
		at := slices.Index(known, p.value)
		if at < 0 {
			return 0, false
		}
		shared++
		if known = append(known[:at:at], known[at+1:]...); len(known) == 0 {
			delete(values, p.name)
		} else {
			values[p.name] = known
		}
	}
	if shared == 0 && len(a) > 0 && len(b) > 0 {
		return 0, false
	}
	return shared, true
}
