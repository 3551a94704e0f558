//go:build systemd

package wireless

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const (
	httpPort = 8080
	// pacedBytesPerSecond are less than the air takes, so that no queue stands: the driver takes what is lost behind one for congestion.
	pacedBytesPerSecond = 2 << 20
	// validator of the body, a strong one (RFC 9110, 8.8.1).
	validator = `"body"`
)

// origin is a server of one body, whole and in ranges.
type origin struct {
	address string
	body    []byte
	whole   *net.TCPConn // that the body was last sent on
}

// connectionKey of a request's connection, in its context.
type connectionKey struct{}

// serveBody on a station.
func serveBody(t *testing.T, on *station, body []byte) *origin {
	t.Helper()
	o := &origin{address: netip.AddrPortFrom(on.address, httpPort).String(), body: body}
	server := &http.Server{Handler: o, ConnContext: func(ctx context.Context, connection net.Conn) context.Context {
		return context.WithValue(ctx, connectionKey{}, connection)
	}}
	on.do(func() error {
		listener, err := (&net.ListenConfig{Control: paced}).Listen(t.Context(), "tcp4", o.address)
		if err == nil {
			go server.Serve(listener)
		}
		return err
	})
	t.Cleanup(func() { server.Close() })
	return o
}

// paced are the connections of a listener.
func paced(_, _ string, listener syscall.RawConn) (err error) {
	controlErr := listener.Control(func(descriptor uintptr) {
		err = unix.SetsockoptInt(int(descriptor), unix.SOL_SOCKET, unix.SO_MAX_PACING_RATE, pacedBytesPerSecond)
	})
	if controlErr != nil {
		return controlErr
	}
	return err
}

func (o *origin) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	if request.Header.Get("Range") == "" {
		o.whole = request.Context().Value(connectionKey{}).(*net.TCPConn)
	}
	response.Header().Set("ETag", validator)
	response.Header().Set("Content-Type", "application/octet-stream")
	http.ServeContent(response, request, "", time.Time{}, bytes.NewReader(o.body))
}

// sentAgain by TCP on the connection that the body was last sent on.
func (o *origin) sentAgain() (segments int, err error) {
	raw, err := o.whole.SyscallConn()
	if err != nil {
		return 0, err
	}
	controlErr := raw.Control(func(descriptor uintptr) {
		var info *unix.TCPInfo
		if info, err = unix.GetsockoptTCPInfo(int(descriptor), unix.IPPROTO_TCP, unix.TCP_INFO); err == nil {
			segments = int(info.Total_retrans)
		}
	})
	if controlErr != nil {
		return 0, fmt.Errorf("the connection of the body: %w", controlErr)
	}
	return segments, err
}
