package e2e

import (
	"net"
	"testing"
	"time"
)

const nameServer = farIPv4 + ":53"

// echoNames answers each question with itself: the driver reads no more of DNS than a message's number.
func (h *host) echoNames(t *testing.T) {
	t.Helper()
	h.do(func() error {
		server, err := net.ListenPacket("udp", nameServer)
		if err != nil {
			return err
		}
		t.Cleanup(func() { server.Close() })
		go func() {
			buffer := make([]byte, 1<<16)
			for {
				n, from, err := server.ReadFrom(buffer)
				if err != nil {
					return
				}
				server.WriteTo(buffer[:n], from)
			}
		}()
		return nil
	})
}

func (h *host) dialNames(t *testing.T) (resolver net.Conn) {
	t.Helper()
	h.do(func() (err error) {
		resolver, err = net.Dial("udp", nameServer)
		return err
	})
	t.Cleanup(func() { resolver.Close() })
	resolver.SetDeadline(time.Now().Add(patience))
	return resolver
}
