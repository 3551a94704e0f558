package server

import (
	"net/http"
	"time"

	"firstscreen/e2e/hosting/replay"
)

const (
	protocolHTTP1 = "http/1.1"
	protocolH2    = "h2"
)

// exchange is one request with its answer, from the first header to the last byte.
type exchange struct {
	server   *Server
	conn     *conn
	entry    *Entry
	response replay.Response
}

// begin answers a request and enters it in the log. The exchange must be ended by finish or abort.
func (s *Server) begin(c *conn, protocol string, request replay.Request) *exchange {
	response := s.respond(request)
	scheme := "http"
	if request.TLS {
		scheme = "https"
	}
	entry := Entry{
		Client: c.RemoteAddr().String(), Server: c.LocalAddr().String(),
		Protocol: protocol, TLS: request.TLS, Method: request.Method,
		URL:    scheme + "://" + request.Authority + request.Target,
		Match:  response.Match,
		Status: response.Status, ContentType: response.ContentType, BodyBytes: len(response.Body),
		Headers: logged(request.Header),
	}
	if response.RecordedURL != "" {
		entry.RecordedURL = &response.RecordedURL
	}
	c.answering.Add(1)
	return &exchange{server: s, conn: c, entry: s.log.begin(entry), response: response}
}

func (s *Server) respond(request replay.Request) replay.Response {
	page := s.page.Load()
	if page == nil {
		return replay.Response{Status: http.StatusServiceUnavailable, Header: http.Header{}, Match: replay.MatchNone}
	}
	return page.Respond(request, time.Now())
}

// finish is called when the last byte of the answer was written and nothing after it.
func (e *exchange) finish() {
	e.server.log.finish(e.entry, e.conn.written.Load())
	e.conn.answering.Add(-1)
}

func (e *exchange) abort() {
	e.server.log.abort(e.entry)
	e.conn.answering.Add(-1)
}
