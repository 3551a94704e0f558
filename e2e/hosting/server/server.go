package server

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"

	"firstscreen/e2e/hosting/authority"
	"firstscreen/e2e/hosting/network"
	"firstscreen/e2e/hosting/replay"
)

// Config is what a server needs; addresses are "ip:port", an empty ip means all of the namespace.
type Config struct {
	HTTPAddress  string
	HTTPSAddress string
	Congestion   string
	Authority    *authority.Authority
	Logger       *slog.Logger
}

// Server serves the current page on both ports.
type Server struct {
	config Config
	page   atomic.Pointer[replay.Page]
	hosts  *network.Hosts
	log    requestLog
	conns  *connSet
	plain  net.Listener
	secure net.Listener
	http   *http.Server
}

// Start listens and serves until Close.
func Start(config Config) (*Server, error) {
	plain, err := network.Listen(config.HTTPAddress, config.Congestion)
	if err != nil {
		return nil, err
	}
	secure, err := network.Listen(config.HTTPSAddress, config.Congestion)
	if err != nil {
		return nil, errors.Join(err, plain.Close())
	}
	s := &Server{config: config, hosts: network.NewHosts(), conns: newConnSet(), plain: plain, secure: secure}
	s.http = s.newHTTPServer()
	go s.serve(countingListener{plain, s.conns})
	go s.serve(tls.NewListener(countingListener{secure, s.conns}, s.tlsConfig()))
	return s, nil
}

// serve ends when the listener is closed.
func (s *Server) serve(listener net.Listener) {
	if err := s.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		s.config.Logger.Error("stopped accepting connections", "scope", "server", "address", listener.Addr().String(), "error", err)
	}
}

// Close ends all connections and listeners.
func (s *Server) Close() error {
	err := s.http.Close()
	s.conns.closeAll(false)
	return err
}

// Addresses are where plain HTTP and TLS are served.
func (s *Server) Addresses() (plain, secure net.Addr) { return s.plain.Addr(), s.secure.Addr() }

// Congestion is the congestion control of every connection.
func (s *Server) Congestion() string { return s.config.Congestion }

// SetPage serves another page from now on: connections of the one before are closed and the log is cleared.
func (s *Server) SetPage(page *replay.Page) {
	for _, host := range page.Hosts {
		s.hosts.Address(host)
	}
	s.page.Store(page)
	s.conns.closeAll(false)
	s.log.clear()
}

// Page is the current page, or nil before the first.
func (s *Server) Page() *replay.Page { return s.page.Load() }

// Reset clears the log and closes idle connections.
func (s *Server) Reset() {
	s.conns.closeAll(true)
	s.log.clear()
}

// Log copies the requests since the page was set or the log was reset.
func (s *Server) Log() []Entry { return s.log.snapshot() }

// Asked notes a question for a name; client is "ip:port".
func (s *Server) Asked(client, host string) { s.log.asked(client, host) }

// Names are the questions for names since the page was set or the log was reset.
func (s *Server) Names() []Name { return s.log.askedNames() }

// Resolve answers the address of a host of the current page.
func (s *Server) Resolve(host string) (netip.Addr, bool) {
	page := s.page.Load()
	if page == nil || !page.KnowsHost(host) {
		return netip.Addr{}, false
	}
	return s.hosts.Address(host), true
}
