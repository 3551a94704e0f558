package replay

import (
	"net/url"
	"regexp"
	"strings"
)

// Address is a URL as far as it selects a recorded response: no scheme (the same object is served over both), no port, no fragment.
type Address struct {
	Host  string
	Path  string
	Query string
}

// ParseAddress reads an absolute http or https URL.
func ParseAddress(raw string) (Address, bool) {
	scheme, rest, found := strings.Cut(raw, "://")
	if !found || (!strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https")) {
		return Address{}, false
	}
	rest, _, _ = strings.Cut(rest, "#")
	authority, target := rest, "/"
	if at := strings.IndexAny(rest, "/?"); at >= 0 {
		authority, target = rest[:at], rest[at:]
	}
	host := hostOf(authority)
	if host == "" {
		return Address{}, false
	}
	return NewAddress(host, target), true
}

// NewAddress joins an authority (Host field or :authority) and a request target in origin form.
func NewAddress(authority, target string) Address {
	path, query, _ := strings.Cut(target, "?")
	if path == "" {
		path = "/"
	}
	return Address{Host: hostOf(authority), Path: canonical(path), Query: canonical(query)}
}

// hostOf is the host name without user information and port, in lower case, as DNS compares it.
func hostOf(authority string) string {
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		authority = authority[at+1:]
	}
	host := (&url.URL{Host: authority}).Hostname()
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// delimiters keep their percent-encoding: decoded they would split a path or a query elsewhere, or begin an escape.
const delimiters = "/?#&=+;%"

// escape is a percent-encoded byte.
var escape = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// escapedEscape is an escape whose percent sign is escaped itself.
var escapedEscape = regexp.MustCompile(`%25([0-9A-Fa-f]{2})`)

// canonical makes equal what names the same object. Beyond RFC 3986, 6.2.2 it decodes all escapes but those of delimiters, because
// recorders stored what the page said and browsers send what the URL standard makes of it (spaces and letters beyond ASCII escaped,
// brackets not); and it takes double escapes for single ones, because recordings made from flattened files (tp5n) name "%5C" what their
// pages link as "%255C".
func canonical(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	for escapedEscape.MatchString(s) {
		s = escapedEscape.ReplaceAllString(s, "%$1")
	}
	return escape.ReplaceAllStringFunc(s, func(found string) string {
		decoded, _ := url.PathUnescape(found)
		if strings.Contains(delimiters, decoded) {
			return strings.ToUpper(found)
		}
		return decoded
	})
}
