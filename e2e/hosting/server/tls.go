package server

import (
	"crypto/tls"
	"errors"
	"strings"

	"firstscreen/e2e/hosting/replay"
)

var errNotRecorded = errors.New("the server name belongs to no recorded host")

// tlsConfig offers what the current page's protocol wants, with a certificate for the name the client asks for.
func (s *Server) tlsConfig() *tls.Config {
	base := &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: s.certificate}
	offers := map[replay.Protocol]*tls.Config{}
	for _, protocol := range []replay.Protocol{replay.ProtocolRecorded, replay.ProtocolHTTP1, replay.ProtocolH1, replay.ProtocolH2} {
		offer := base.Clone()
		offer.NextProtos = protocol.ALPN()
		offers[protocol] = offer
	}
	base.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) {
		page := s.page.Load()
		if page == nil {
			return nil, errNotRecorded
		}
		return offers[page.Protocol], nil
	}
	return base
}

func (s *Server) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	host := strings.ToLower(hello.ServerName)
	// The page may change between hello and certificate; a name it does not know gets none either way.
	if page := s.page.Load(); page == nil || !page.KnowsHost(host) {
		return nil, errNotRecorded
	}
	return s.config.Authority.Certificate(host)
}
