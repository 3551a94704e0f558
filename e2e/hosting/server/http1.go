package server

import (
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"

	"firstscreen/e2e/hosting/h2"
	"firstscreen/e2e/hosting/replay"
)

type connKey struct{}

// newHTTPServer lets net/http speak HTTP/1.1 and gives connections that agreed on h2 to our own server.
func (s *Server) newHTTPServer() *http.Server {
	return &http.Server{
		Handler: http.HandlerFunc(s.serveHTTP1),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, below(c))
		},
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){
			"h2": func(_ *http.Server, c *tls.Conn, _ http.Handler) { s.serveH2(c) },
		},
		// Handshakes that browsers give up are no errors of ours.
		ErrorLog: slog.NewLogLogger(s.config.Logger.Handler(), slog.LevelDebug),
	}
}

// serveHTTP1 writes the whole answer and flushes it, so that the count below is where it ends in the TCP stream: HTTP/1.1 answers one
// request after the other (RFC 9112, 9.3), and with Content-Length nothing follows the body.
func (s *Server) serveHTTP1(w http.ResponseWriter, r *http.Request) {
	// A server answers what it has read; a browser that leaves meanwhile is noticed when writing.
	_, _ = io.Copy(io.Discard, r.Body)
	c := r.Context().Value(connKey{}).(*conn)
	e := s.begin(c, protocolHTTP1, replay.Request{
		Method: r.Method, Authority: r.Host, Target: r.URL.RequestURI(), TLS: r.TLS != nil, Header: r.Header,
	})
	header := w.Header()
	for name, values := range e.response.Header {
		header[name] = values
	}
	w.WriteHeader(e.response.Status)
	_, err := w.Write(e.response.Body)
	if err == nil || len(e.response.Body) == 0 {
		err = http.NewResponseController(w).Flush()
	}
	if err != nil {
		e.abort()
		return
	}
	e.finish()
}

func (s *Server) serveH2(secure *tls.Conn) {
	c := below(secure)
	h2.Serve(secure, func(request h2.Request) h2.Answer {
		e := s.begin(c, protocolH2, replay.Request{
			Method: request.Method, Authority: request.Authority, Target: request.Path, TLS: true, Header: request.Header,
		})
		return h2.Answer{
			Status: e.response.Status, Header: e.response.Header, Body: e.response.Body, Sent: e.finish, Aborted: e.abort,
		}
	})
}
