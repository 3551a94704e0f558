package replay

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Request is what of a request decides the answer.
type Request struct {
	Method    string
	Authority string
	// Target is the request target in origin form: path and query.
	Target string
	TLS    bool
	Header http.Header
}

// Response is a complete answer; Body is empty for HEAD although Content-Length is not.
type Response struct {
	Status      int
	Header      http.Header
	Body        []byte
	ContentType string
	// RecordedURL is empty when nothing recorded fits.
	RecordedURL string
	Match       Match
}

const (
	notFoundType = "text/plain"
	notFoundBody = "not recorded\n"
)

// Respond answers a request at a time. It is pure: the same page, request and time give the same answer.
func (p *Page) Respond(request Request, now time.Time) Response {
	object, match := p.index.find(NewAddress(request.Authority, request.Target))
	if object == nil {
		object = p.notFound
	}
	response := object.respond(request, now)
	response.Match = match
	if match != MatchNone {
		response.RecordedURL = object.URL
	}
	if request.Method == http.MethodHead {
		response.Body = nil
	}
	return response
}

func (o *Object) respond(request Request, now time.Time) Response {
	header := o.header.Clone()
	header.Set("Date", now.UTC().Format(http.TimeFormat))
	if !o.recorded.IsZero() {
		moveExpiries(header, o.recorded, now)
	}
	response := Response{Status: o.Status, Header: header, ContentType: o.ContentType}
	if !bodyAllowed(o.Status) {
		return response
	}
	header.Set("Content-Type", o.ContentType)
	if request.TLS && o.upgrade {
		// A field of its own beside recorded ones: browsers apply every policy (CSP Level 3, 8.1).
		header.Add("Content-Security-Policy", "upgrade-insecure-requests")
	}
	response.Body = o.identity
	if o.coding != "" {
		header.Set("Content-Encoding", o.coding)
	}
	if o.gzip != nil {
		addVary(header, "Accept-Encoding")
	}
	if o.gzip != nil && acceptsGzip(request.Header.Get("Accept-Encoding")) {
		header.Set("Content-Encoding", "gzip")
		response.Body = o.gzip
	} else if o.Status == http.StatusOK {
		header.Set("Accept-Ranges", "bytes")
		o.cut(&response, request)
	}
	header.Set("Content-Length", strconv.Itoa(len(response.Body)))
	return response
}

// cut reduces a complete answer to the range asked for (RFC 9110, 14).
func (o *Object) cut(response *Response, request Request) {
	if request.Method != http.MethodGet || !o.unchanged(request.Header.Get("If-Range")) {
		return
	}
	size := len(response.Body)
	from, to, kind := byteRange(request.Header.Get("Range"), size)
	switch kind {
	case rangeSatisfied:
		response.Status = http.StatusPartialContent
		response.Header.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to-1, size))
		response.Body = response.Body[from:to]
	case rangeUnsatisfiable:
		response.Status = http.StatusRequestedRangeNotSatisfiable
		response.Header.Set("Content-Range", fmt.Sprintf("bytes */%d", size))
		response.Body = nil
	case rangeIgnored:
	}
}

// unchanged evaluates If-Range (RFC 9110, 13.1.5). A recording never changes, so any validator it gave out holds.
func (o *Object) unchanged(ifRange string) bool {
	return ifRange == "" || ifRange == o.header.Get("Etag") || ifRange == o.header.Get("Last-Modified")
}

// bodyAllowed: RFC 9110, 6.4.1.
func bodyAllowed(status int) bool {
	return status >= 200 && status != http.StatusNoContent && status != http.StatusNotModified
}
