package replay

import "testing"

// indexOfURLs makes an index in which each object's URL is the recorded URL.
func indexOfURLs(t *testing.T, urls ...string) index {
	t.Helper()
	x := index{}
	for _, u := range urls {
		address, ok := ParseAddress(u)
		if !ok {
			t.Fatalf("cannot parse %s", u)
		}
		x.add(address, &Object{URL: u, Status: 200})
	}
	return x
}

func TestMatch(t *testing.T) {
	recorded := []string{
		"http://a.test/",
		"http://a.test/list?page=1",
		"http://a.test/list?page=2",
		"http://a.test/ad?site=news&size=300&ord=123",
		"http://a.test/ad?site=news&size=728&ord=456",
		"http://a.test/pixel.gif?1301234567",
		"http://a.test/beacon?id=7&x=0.8472634521",
		"http://a.test/beacon?id=8&x=0.1111111111",
		"http://a.test/call?callback=jQuery1510123456789_1301234567890&q=a",
		"http://a.test/script.js",
		"http://a.test/t%C3%A4st%20page?q=a%2Fb",
		"http://a.test/raw space",
		"http://a.test/%5Cflat%5Cname@u=a%2Fb",
		"http://a.test/[x]'y",
		"http://a.test/tie?t=1",
		"http://a.test/tie?t=2",
		"http://a.test/more?a=1&b=2",
		"http://a.test/more?a=1&b=2&c=3",
	}
	x := indexOfURLs(t, recorded...)
	cases := []struct {
		name, request, want string
		match               Match
	}{
		{"exact", "http://a.test/list?page=2", "http://a.test/list?page=2", MatchExact},
		{"the scheme does not count", "https://a.test/list?page=1", "http://a.test/list?page=1", MatchExact},
		{"nor the case of the host, nor the port", "https://A.TEST:443/", "http://a.test/", MatchExact},
		{"an empty path is the root", "http://a.test", "http://a.test/", MatchExact},
		{"an empty query is none", "http://a.test/script.js?", "http://a.test/script.js", MatchExact},
		{"the fragment is never sent", "http://a.test/script.js#x", "http://a.test/script.js", MatchExact},
		{"escapes in another case", "http://a.test/t%c3%a4st%20page?q=a%2fb", "http://a.test/t%C3%A4st%20page?q=a%2Fb", MatchExact},
		{"raw letters beyond ASCII", "http://a.test/täst page?q=a%2Fb", "http://a.test/t%C3%A4st%20page?q=a%2Fb", MatchExact},
		{"an escaped delimiter is not the delimiter", "http://a.test/t%C3%A4st%20page?q=a/b", "", MatchNone},
		{"recorded with a space, sent escaped", "http://a.test/raw%20space", "http://a.test/raw space", MatchExact},

		{"escaped once more, as in flattened recordings", "http://a.test/%255Cflat%255Cname@u=a%252Fb", "http://a.test/%5Cflat%5Cname@u=a%2Fb", MatchExact},
		{"escapes that browsers do not make", "http://a.test/%5Bx%5D%27y", "http://a.test/[x]'y", MatchExact},

		{"another cache buster", "http://a.test/ad?site=news&size=728&ord=999", "http://a.test/ad?site=news&size=728&ord=456", MatchVolatile},
		{"another order of parameters", "http://a.test/ad?ord=999&size=300&site=news", "http://a.test/ad?site=news&size=300&ord=123", MatchVolatile},
		{"no cache buster at all", "http://a.test/ad?site=news&size=300", "http://a.test/ad?site=news&size=300&ord=123", MatchVolatile},
		{"a bare time", "http://a.test/pixel.gif?1409876543210", "http://a.test/pixel.gif?1301234567", MatchVolatile},
		{"Math.random", "http://a.test/beacon?id=8&x=0.55512398471", "http://a.test/beacon?id=8&x=0.1111111111", MatchVolatile},
		{"a JSONP callback", "http://a.test/call?callback=jQuery1510999999999_1409876543210&q=a", "http://a.test/call?callback=jQuery1510123456789_1301234567890&q=a", MatchVolatile},
		{"a cache buster on what was recorded without", "http://a.test/script.js?_=1409876543210", "http://a.test/script.js", MatchVolatile},
		{"ties go to the first recorded", "http://a.test/tie?t=3", "http://a.test/tie?t=1", MatchVolatile},
		{"the greatest overlap wins", "http://a.test/more?a=1&b=2&c=3&t=1", "http://a.test/more?a=1&b=2&c=3", MatchVolatile},
		{"then the fewest strangers", "http://a.test/more?a=1&b=2&t=1", "http://a.test/more?a=1&b=2", MatchVolatile},
		{"a part of the parameters", "http://a.test/more?a=1", "http://a.test/more?a=1&b=2", MatchVolatile},

		{"a stable value differs", "http://a.test/list?page=3", "", MatchNone},
		{"one of two stable values differs", "http://a.test/ad?site=sports&size=300&ord=123", "", MatchNone},
		{"nothing shared", "http://a.test/list?section=3", "", MatchNone},
		{"another path", "http://a.test/lists?page=1", "", MatchNone},
		{"another host", "http://b.test/", "", MatchNone},
	}
	for _, c := range cases {
		address, ok := ParseAddress(c.request)
		if !ok {
			t.Errorf("%s: cannot parse %s", c.name, c.request)
			continue
		}
		object, match := x.find(address)
		got := ""
		if object != nil {
			got = object.URL
		}
		if got != c.want || match != c.match {
			t.Errorf("%s: %s -> %q (%s), want %q (%s)", c.name, c.request, got, match, c.want, c.match)
		}
	}
}

func TestVolatileParameters(t *testing.T) {
	cases := []struct {
		name, value string
		volatile    bool
	}{
		{"_", "1", true}, {"CB", "x", true}, {"ord", "5", true}, {"t", "", true},
		{"time", "1301234567", true}, {"v", "1301234567", true}, {"v", "1301234567.25", true},
		{"v", "123456789", false}, {"id", "4711", false}, {"w", "1366", false},
		{"x", "0.123456789", true}, {"x", ".12345678", true}, {"zoom", "0.5", false},
		{"session", "d8af7809-c609-4893-8de5-3bd1777c4ec2", true}, {"hash", "d8af7809c6094893", false},
		{"callback", "jQuery15101234567890_1301234567890", true}, {"callback", "show", false}, {"img", "photo12", false},
		{"1301234567890", "", true}, {"2011", "", false}, {"ver", "3.1.2", false},
	}
	for _, c := range cases {
		if got := isVolatile(parameter{c.name, c.value}); got != c.volatile {
			t.Errorf("%s=%s: volatile is %v", c.name, c.value, got)
		}
	}
}

func TestFirstSuccessStays(t *testing.T) {
	x := index{}
	address, _ := ParseAddress("http://a.test/")
	redirect, success, later := &Object{Status: 302}, &Object{Status: 200}, &Object{Status: 200}
	for _, object := range []*Object{redirect, success, later} {
		x.add(address, object)
	}
	if found, _ := x.find(address); found != success {
		t.Errorf("found the object with status %d", found.Status)
	}
}

func TestParseAddressRefuses(t *testing.T) {
	for _, raw := range []string{"", "dns:a.test", "httpdisabled://a.test/", "http://", "http:///x", "ftp://a.test/", "a.test/x"} {
		if address, ok := ParseAddress(raw); ok {
			t.Errorf("%q is taken as %+v", raw, address)
		}
	}
}
