package replay

import (
	"net/http"
	"strings"
	"time"
)

// droppedFields belong to the recorded connection or point away from the test bed.
var droppedFields = []string{
	// Framing and the connection: this server makes its own (RFC 9110, 7.6.1; RFC 9113, 8.2.2 forbids them in HTTP/2).
	"Connection", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding", "Te", "Trailer", "Upgrade", "Content-Length",
	// Made anew for what is served.
	"Content-Encoding", "Content-Range", "Content-Type", "Accept-Ranges", "Date", "Content-Md5", "Digest",
	// They would change how the browser reaches the next host, or make it refuse our certificates.
	"Strict-Transport-Security", "Alt-Svc", "Public-Key-Pins", "Public-Key-Pins-Report-Only", "Expect-Ct",
	// They make the browser report to hosts that are not there, over the measured link.
	"Nel", "Report-To", "Reporting-Endpoints",
}

// freshness is how long after its Date a recorded response expired. Served years later, a recorded Expires would make fresh things stale.
type freshness struct {
	known    bool
	lifetime time.Duration
}

func readFreshness(recorded http.Header) freshness {
	date, dateErr := http.ParseTime(recorded.Get("Date"))
	expires, expiresErr := http.ParseTime(recorded.Get("Expires"))
	if dateErr != nil || expiresErr != nil {
		return freshness{}
	}
	return freshness{known: true, lifetime: expires.Sub(date)}
}

// servedHeader copies a recorded header without what must not be served. scheme, unless empty, replaces that of links to recorded hosts.
func servedHeader(recorded http.Header, scheme string, isRecorded func(host string) bool) http.Header {
	header := recorded.Clone()
	for _, name := range droppedFields {
		header.Del(name)
	}
	if scheme == "" {
		return header
	}
	for _, name := range []string{"Location", "Access-Control-Allow-Origin", "Link"} {
		for i, value := range header[name] {
			header[name][i] = string(rewriteLinks([]byte(value), scheme, isRecorded))
		}
	}
	if scheme == "http" {
		// Policies of an https page name https sources; over plain HTTP they would forbid the page its own objects.
		header.Del("Content-Security-Policy")
		header.Del("Content-Security-Policy-Report-Only")
	}
	return header
}

// addVary names a field the response depends on (RFC 9110, 12.5.5) unless it is named already.
func addVary(header http.Header, field string) {
	for _, value := range header["Vary"] {
		if strings.Contains(strings.ToLower(value), strings.ToLower(field)) {
			return
		}
	}
	header.Add("Vary", field)
}
