package replay

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"firstscreen/e2e/hosting/warc"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

const html = "<!DOCTYPE html><img src=\"https://img.test/a.png\"><a href='https://other.example/'>x</a>" +
	"<script integrity=\"sha256-abc\" src=https://img.test/s.js></script>{\"u\":\"https:\\/\\/img.test\\/j\"} and again and again and again"

// testPage holds one object per case; url is "https://a.test" + path.
func testPage(protocol Protocol, objects map[string]*warc.Response) *Page {
	list := []recording{{"https://a.test/", Address{"a.test", "/", ""}, &warc.Response{Status: 200, Header: http.Header{}}}}
	list = append(list, recording{"https://img.test/a.png", Address{"img.test", "/a.png", ""}, &warc.Response{Status: 200, Header: http.Header{}}})
	for path, response := range objects {
		list = append(list, recording{"https://a.test" + path, Address{"a.test", path, ""}, response})
	}
	return newPage("test", protocol, list)
}

func recorded(body []byte, fields ...string) *warc.Response {
	header := http.Header{}
	for i := 0; i < len(fields); i += 2 {
		header.Add(fields[i], fields[i+1])
	}
	return &warc.Response{Status: 200, Header: header, Body: body}
}

func get(p *Page, path string, secure bool, fields ...string) Response {
	header := http.Header{}
	for i := 0; i < len(fields); i += 2 {
		header.Set(fields[i], fields[i+1])
	}
	return p.Respond(Request{Method: "GET", Authority: "a.test", Target: path, TLS: secure, Header: header}, now)
}

func encode(coding string, body []byte) []byte {
	var out bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w = gzip.NewWriter(&out)
	case "deflate":
		w = zlib.NewWriter(&out)
	case "br":
		w = brotli.NewWriter(&out)
	}
	_, _ = w.Write(body)
	_ = w.Close()
	return out.Bytes()
}

func TestRecordedCodingsAreServedAsGzipOrIdentity(t *testing.T) {
	for _, coding := range []string{"gzip", "deflate", "br"} {
		page := testPage(ProtocolRecorded, map[string]*warc.Response{
			"/x": recorded(encode(coding, []byte(html)), "Content-Type", "text/html", "Content-Encoding", coding),
		})
		plain := get(page, "/x", false)
		if string(plain.Body) != html || plain.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s to a client without gzip: %q as %q", coding, plain.Body, plain.Header.Get("Content-Encoding"))
		}
		zipped := get(page, "/x", false, "Accept-Encoding", "gzip, deflate, br")
		from, err := gzip.NewReader(bytes.NewReader(zipped.Body))
		if err != nil {
			t.Fatal(coding, err)
		}
		if body, _ := io.ReadAll(from); string(body) != html || zipped.Header.Get("Content-Encoding") != "gzip" {
			t.Errorf("%s to a client with gzip: %q", coding, body)
		}
		for _, response := range []Response{plain, zipped} {
			if response.Header.Get("Vary") != "Accept-Encoding" || response.Header.Get("Content-Length") != strconv.Itoa(len(response.Body)) {
				t.Errorf("%s: %v", coding, response.Header)
			}
		}
	}
}

func TestUndecodableBodyIsServedAsRecorded(t *testing.T) {
	page := testPage(ProtocolRecorded, map[string]*warc.Response{
		"/x": recorded([]byte("no gzip"), "Content-Type", "text/html", "Content-Encoding", "gzip"),
		"/y": recorded([]byte("plain"), "Content-Type", "text/html", "Content-Encoding", "null"),
	})
	if r := get(page, "/x", false); string(r.Body) != "no gzip" || r.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("%q %v", r.Body, r.Header)
	}
	if r := get(page, "/y", false); string(r.Body) != "plain" || r.Header.Get("Content-Encoding") != "" {
		t.Errorf("%q %v", r.Body, r.Header)
	}
}

func TestImagesAreNeverCompressed(t *testing.T) {
	page := testPage(ProtocolRecorded, map[string]*warc.Response{
		"/x": recorded(bytes.Repeat([]byte("a"), 1000), "Content-Type", "image/gif"),
		"/s": recorded(bytes.Repeat([]byte("a"), 1000), "Content-Type", "image/svg+xml"),
	})
	if r := get(page, "/x", false, "Accept-Encoding", "gzip"); len(r.Body) != 1000 {
		t.Errorf("image/gif: %d bytes", len(r.Body))
	}
	if r := get(page, "/s", false, "Accept-Encoding", "gzip"); len(r.Body) > 100 {
		t.Errorf("image/svg+xml is text: %d bytes", len(r.Body))
	}
}

func TestAcceptsGzip(t *testing.T) {
	for field, want := range map[string]bool{
		"": false, "gzip": true, "deflate, GZIP": true, "gzip;q=0": false, "gzip; q=0.0": false, "gzip;q=0.5": true, "br": false, "x-gzipped": false,
	} {
		if got := acceptsGzip(field); got != want {
			t.Errorf("%q: %v", field, got)
		}
	}
}

func TestFieldsOfTheRecordedConnectionAreDropped(t *testing.T) {
	fields := []string{"Content-Type", "text/html", "X-Kept", "yes", "Set-Cookie", "a=1", "Set-Cookie", "b=2", "Content-Security-Policy", "img-src https:"}
	for _, name := range droppedFields {
		if name != "Content-Type" && name != "Content-Encoding" {
			fields = append(fields, name, "recorded")
		}
	}
	page := testPage(ProtocolRecorded, map[string]*warc.Response{"/x": recorded([]byte("<p>"), fields...)})
	r := get(page, "/x", true)
	for name, values := range r.Header {
		for _, value := range values {
			if value == "recorded" {
				t.Errorf("%s is still there", name)
			}
		}
	}
	if r.Header.Get("X-Kept") != "yes" || len(r.Header["Set-Cookie"]) != 2 {
		t.Errorf("lost: %v", r.Header)
	}
	if policies := strings.Join(r.Header["Content-Security-Policy"], "|"); policies != "img-src https:" {
		t.Errorf("policies over TLS: %s", policies)
	}
	if policies := strings.Join(get(page, "/x", false).Header["Content-Security-Policy"], "|"); policies != "img-src https:" {
		t.Errorf("policies over plain HTTP: %s", policies)
	}
}

func TestExpiresMovesWithTheClock(t *testing.T) {
	page := testPage(ProtocolRecorded, map[string]*warc.Response{
		"/x":     recorded(nil, "Date", "Thu, 05 Apr 2018 00:01:06 GMT", "Expires", "Thu, 05 Apr 2018 01:01:06 GMT"),
		"/never": recorded(nil, "Date", "Thu, 05 Apr 2018 00:01:06 GMT", "Expires", "-1"),
		"/when":  recorded(nil, "Expires", "Thu, 05 Apr 2018 01:01:06 GMT", "Set-Cookie", "a=1; expires=Thu, 05 Apr 2018 01:01:06 GMT"),
	})
	for path, expires := range map[string]string{"/never": "-1", "/when": "Thu, 05 Apr 2018 01:01:06 GMT"} {
		if got := get(page, path, false).Header.Get("Expires"); got != expires {
			t.Errorf("%s: %s", path, got)
		}
	}
	if r := get(page, "/x", false); r.Header.Get("Expires") != "Sat, 21 Nov 2026 13:00:00 GMT" || r.Header.Get("Date") != "Sat, 21 Nov 2026 12:00:00 GMT" {
		t.Errorf("%v", r.Header)
	}
}

func TestCookiesLiveAsLongAsTheyDid(t *testing.T) {
	for recordedCookie, want := range map[string]string{
		"a=1; path=/; Expires=Thu, 05 Apr 2018 01:01:06 GMT; HttpOnly": "a=1; path=/; Expires=Sat, 21 Nov 2026 13:00:00 GMT; HttpOnly",
		"a=1;expires=Thu, 05-Apr-2018 01:01:06 GMT":                    "a=1;expires=Sat, 21 Nov 2026 13:00:00 GMT",
		"a=; expires=Thu, 01-Jan-1970 00:00:00 GMT":                    "a=; expires=Sat, 19 Aug 1978 11:58:54 GMT",
		"a=expires=1; expires=soon; Max-Age=60":                        "a=expires=1; expires=soon; Max-Age=60",
		"a=1":                                                          "a=1",
	} {
		page := testPage(ProtocolRecorded, map[string]*warc.Response{"/x": recorded(nil, "Date", "Thu, 05 Apr 2018 00:01:06 GMT", "Set-Cookie", recordedCookie)})
		// the second answer is as the first: what is recorded is not changed
		for range 2 {
			if got := get(page, "/x", false).Header.Get("Set-Cookie"); got != want {
				t.Errorf("%s is served as %s", recordedCookie, got)
			}
		}
	}
}

func TestHTTP1RewritesLinksToRecordedHosts(t *testing.T) {
	page := testPage(ProtocolHTTP1, map[string]*warc.Response{
		"/x": recorded([]byte(html), "Content-Type", "text/html", "Content-Security-Policy", "img-src https:"),
		"/i": recorded([]byte("https://img.test/"), "Content-Type", "image/png"),
	})
	want := strings.NewReplacer("https://img.test", "http://img.test", `https:\/\/img.test`, `http:\/\/img.test`, ` integrity="sha256-abc"`, "").Replace(html)
	r := get(page, "/x", false)
	if string(r.Body) != want {
		t.Errorf("got  %s\nwant %s", r.Body, want)
	}
	if r.Header.Get("Content-Security-Policy") != "" {
		t.Errorf("%v", r.Header)
	}
	if r := get(page, "/i", false); string(r.Body) != "https://img.test/" {
		t.Errorf("an image was changed: %q", r.Body)
	}
	if page.EntryURL != "http://a.test/" {
		t.Errorf("entry %s", page.EntryURL)
	}
}

func TestRedirects(t *testing.T) {
	redirect := func(location string) *warc.Response {
		return &warc.Response{Status: 302, Header: http.Header{"Location": {location}}}
	}
	for protocol, want := range map[Protocol]string{
		ProtocolRecorded: "https://img.test/a.png", ProtocolHTTP1: "http://img.test/a.png", ProtocolH2: "https://img.test/a.png",
	} {
		page := testPage(protocol, map[string]*warc.Response{"/r": redirect("https://img.test/a.png")})
		if r := get(page, "/r", false); r.Status != 302 || r.Header.Get("Location") != want {
			t.Errorf("%s: %d %s", protocol, r.Status, r.Header.Get("Location"))
		}
	}
	loop := Address{"a.test", "/r", ""}
	for location, want := range map[string]bool{
		"https://a.test/r": false, "http://a.test/r": false, "/r": false, "/s": true, "https://b.test/r": true, "": false,
	} {
		if got := servable("http://a.test/r", loop, redirect(location)); got != want {
			t.Errorf("redirect to %q: servable %v", location, got)
		}
	}
}

func TestUnknownURL(t *testing.T) {
	r := get(testPage(ProtocolRecorded, nil), "/nothing", false)
	if r.Status != 404 || r.Match != MatchNone || r.RecordedURL != "" || string(r.Body) != notFoundBody {
		t.Errorf("%+v", r)
	}
}

func TestHeadHasTheLengthAndNoBody(t *testing.T) {
	page := testPage(ProtocolRecorded, map[string]*warc.Response{"/x": recorded([]byte("12345"), "Content-Type", "image/png")})
	r := page.Respond(Request{Method: "HEAD", Authority: "a.test", Target: "/x", Header: http.Header{}}, now)
	if len(r.Body) != 0 || r.Header.Get("Content-Length") != "5" {
		t.Errorf("%+v", r)
	}
}

func TestNoContentHasNoLength(t *testing.T) {
	page := testPage(ProtocolRecorded, map[string]*warc.Response{"/x": {Status: 204, Header: http.Header{}}})
	if r := get(page, "/x", false); r.Header.Get("Content-Length") != "" || len(r.Body) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestRanges(t *testing.T) {
	page := testPage(ProtocolRecorded, map[string]*warc.Response{
		"/x": recorded([]byte("0123456789"), "Content-Type", "image/png", "Etag", `"v1"`),
	})
	cases := []struct {
		field, ifRange, body, contentRange string
		status                             int
	}{
		{"bytes=0-3", "", "0123", "bytes 0-3/10", 206},
		{"bytes=4-", "", "456789", "bytes 4-9/10", 206},
		{"bytes=-3", "", "789", "bytes 7-9/10", 206},
		{"bytes=-30", "", "0123456789", "bytes 0-9/10", 206},
		{"bytes=8-99", "", "89", "bytes 8-9/10", 206},
		{"bytes=0-3", `"v1"`, "0123", "bytes 0-3/10", 206},
		{"bytes=0-3", `"v2"`, "0123456789", "", 200},
		{"bytes=10-", "", "", "bytes */10", 416},
		{"bytes=-0", "", "", "bytes */10", 416},
		{"bytes=3-1", "", "0123456789", "", 200},
		{"bytes=0-1,4-5", "", "0123456789", "", 200},
		{"items=0-1", "", "0123456789", "", 200},
		{"bytes=a-b", "", "0123456789", "", 200},
	}
	for _, c := range cases {
		r := get(page, "/x", false, "Range", c.field, "If-Range", c.ifRange)
		if r.Status != c.status || string(r.Body) != c.body || r.Header.Get("Content-Range") != c.contentRange {
			t.Errorf("%s (%s): %d %q %s", c.field, c.ifRange, r.Status, r.Body, r.Header.Get("Content-Range"))
		}
	}
}

func TestContentTypeFallback(t *testing.T) {
	for _, c := range []struct{ recorded, path, body, want string }{
		{"image/gif", "/x.css", "", "image/gif"},
		{"", "/x.css", "a{}", "text/css"},
		{"", "/x.JS", "a()", "text/javascript"},
		{"", "/photo", "\xff\xd8\xff\xe0", "image/jpeg"},
		{"", "/", "<!DOCTYPE html>", "text/html; charset=utf-8"},
	} {
		if got := contentType(c.recorded, c.path, []byte(c.body)); got != c.want {
			t.Errorf("%s: %s, want %s", c.path, got, c.want)
		}
	}
}
