package dnsserver

import (
	"errors"
	"net"

	"github.com/miekg/dns"

	"firstscreen/e2e/hosting"
)

// Server answers over UDP and TCP at one address.
type Server struct {
	udp, tcp *dns.Server
}

// Start listens at address ("ip:port") and serves until Close.
func Start(address string, resolve Resolve, asked Asked) (*Server, error) {
	packets, err := net.ListenPacket("udp4", address)
	if err != nil {
		return nil, listenError(address, err)
	}
	// The same port for TCP, also when address left the choice to the kernel.
	listener, err := net.Listen("tcp4", packets.LocalAddr().String())
	if err != nil {
		return nil, errors.Join(listenError(address, err), packets.Close())
	}
	handler := dns.HandlerFunc(func(w dns.ResponseWriter, query *dns.Msg) {
		for _, question := range query.Question {
			asked(w.RemoteAddr().String(), hostName(question.Name))
		}
		reply := answer(query, resolve)
		if w.LocalAddr().Network() == "udp" {
			reply.Truncate(dns.MinMsgSize)
		}
		// A client that is gone needs no answer.
		_ = w.WriteMsg(reply)
	})
	s := &Server{
		udp: &dns.Server{PacketConn: packets, Handler: handler},
		tcp: &dns.Server{Listener: listener, Handler: handler},
	}
	go serve(s.udp)
	go serve(s.tcp)
	return s, nil
}

// serve runs until its socket is closed, which is the only way it ends.
func serve(s *dns.Server) { _ = s.ActivateAndServe() }

// Address is where the server listens.
func (s *Server) Address() string { return s.udp.PacketConn.LocalAddr().String() }

// Close ends both listeners.
func (s *Server) Close() error {
	return errors.Join(s.udp.PacketConn.Close(), s.tcp.Listener.Close())
}

func listenError(address string, cause error) error {
	return &hosting.Error{
		Code: "E_HOSTING_LISTEN", Message: "cannot answer DNS at " + address, Cause: cause,
		Next: "end what holds the port, or run in a network namespace of its own",
	}
}
