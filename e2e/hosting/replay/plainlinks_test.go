package replay

import (
	"net/http"
	"testing"
	"time"

	"firstscreen/e2e/hosting/warc"
)

func TestUpgradePolicyOnlyWhereAPageNamesPlainSubresources(t *testing.T) {
	for _, c := range []struct {
		document, style string
		expected        bool
	}{
		{`<img src="http://img.test/a.png">`, "", true},
		{`<img srcset="/a.png 1x, http://img.test/b.png 2x">`, "", true},
		{`<link rel="shortcut icon" href="http://img.test/i.ico">`, "", true},
		{`<base href="http://a.test/">`, "", true},
		{`<div style="background: url(http://img.test/a.png)">`, "", true},
		{`<style>b { background: url(http://img.test/a.png) }</style>`, "", true},
		{`<script>u = "http:\/\/img.test\/a.png"</script>`, "", true},
		{"", `b { background: url(http://img.test/a.png) }`, true},
		{`<img src="https://img.test/a.png"><img src="//img.test/a.png"><img src="a.png">`, "", false},
		{`<a href="http://img.test/">away</a> http://img.test/`, "", false},
		{`<link rel="canonical" href="http://a.test/">`, "", false},
		{`<img src="http://elsewhere.test/a.png">`, "", false},
		{`<!-- <img src="http://img.test/a.png"> -->`, "", false},
	} {
		recorded := func(rawURL, contentType, body string) recording {
			address, _ := ParseAddress(rawURL)
			return recording{rawURL, address, &warc.Response{Status: http.StatusOK, Header: http.Header{"Content-Type": {contentType}}, Body: []byte(body)}}
		}
		page := newPage("p", ProtocolRecorded, []recording{
			recorded("https://a.test/", "text/html", c.document),
			recorded("https://a.test/a.css", "text/css", c.style),
			recorded("https://img.test/a.png", "image/png", "png"),
		})
		for _, tls := range []bool{true, false} {
			r := page.Respond(Request{Method: http.MethodGet, Authority: "a.test", Target: "/", TLS: tls, Header: http.Header{}}, time.Now())
			if got := r.Header.Get("Content-Security-Policy") != ""; got != (c.expected && tls) {
				t.Errorf("%q %q over TLS %t: policy %t", c.document, c.style, tls, got)
			}
		}
	}
}
