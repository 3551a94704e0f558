package replay

import (
	"net/http"
	"regexp"
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

// cookieExpiry is where a cookie says until when it is kept.
var cookieExpiry = regexp.MustCompile(`(?i);\s*expires=[^;]*`)

// cookieDate is how many servers write it still (RFC 6265, 5.1.1 takes nearly anything).
const cookieDate = "Mon, 02-Jan-2006 15:04:05 MST"

// moveExpiries lets a response and its cookies expire as long after now as they did after the recording. Served years later, fresh things
// would be stale, and cookies gone as they come. What is no date stays.
func moveExpiries(header http.Header, recorded, now time.Time) {
	moved := func(date string) string {
		expires, err := http.ParseTime(date)
		if err != nil {
			expires, err = time.Parse(cookieDate, date)
		}
		if err != nil {
			return date
		}
		return now.Add(expires.Sub(recorded)).UTC().Format(http.TimeFormat)
	}
	for i, date := range header["Expires"] {
		header["Expires"][i] = moved(date)
	}
	for i, cookie := range header["Set-Cookie"] {
		header["Set-Cookie"][i] = cookieExpiry.ReplaceAllStringFunc(cookie, func(found string) string {
			name, date, _ := strings.Cut(found, "=")
			return name + "=" + moved(strings.TrimSpace(date))
		})
	}
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
