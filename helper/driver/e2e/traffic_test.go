package e2e

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const port = 8080

// dial connects from a host.
func (h *host) dial(address string, port uint16) (connection *net.TCPConn) {
	h.t.Helper()
	h.do(func() error {
		dialer := net.Dialer{Timeout: patience}
		made, err := dialer.DialContext(context.Background(), "tcp", netip.AddrPortFrom(netip.MustParseAddr(address), port).String())
		if err == nil {
			connection = made.(*net.TCPConn)
		}
		return err
	})
	h.t.Cleanup(func() { connection.Close() })
	connection.SetDeadline(time.Now().Add(patience))
	return connection
}

// dialAgain connects with a socket that a port has refused before.
func (h *host) dialAgain(address string, refused, port int) (connection *net.TCPConn) {
	h.t.Helper()
	h.do(func() error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return err
		}
		file := os.NewFile(uintptr(fd), "socket")
		defer file.Close()
		to := netip.MustParseAddr(address).As4()
		if err := unix.Connect(fd, &unix.SockaddrInet4{Port: refused, Addr: to}); !errors.Is(err, unix.ECONNREFUSED) {
			return fmt.Errorf("port %d does not refuse: %v", refused, err)
		}
		if err := unix.Connect(fd, &unix.SockaddrInet4{Port: port, Addr: to}); err != nil {
			return err
		}
		made, err := net.FileConn(file)
		if err == nil {
			connection = made.(*net.TCPConn)
		}
		return err
	})
	h.t.Cleanup(func() { connection.Close() })
	connection.SetDeadline(time.Now().Add(patience))
	return connection
}

// onSocket of a connection does a job.
func onSocket(of syscall.Conn, job func(fd int) error) error {
	raw, err := of.SyscallConn()
	if err != nil {
		return err
	}
	controlErr := raw.Control(func(fd uintptr) { err = job(int(fd)) })
	return errors.Join(controlErr, err)
}

// serve on a host, each connection by a handler of its own.
func (h *host) serve(port uint16, handle func(*net.TCPConn)) {
	h.t.Helper()
	h.do(func() error {
		listener, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.IPv6Unspecified(), port)))
		if err != nil {
			return err
		}
		h.t.Cleanup(func() { listener.Close() })
		go func() {
			for {
				connection, err := listener.AcceptTCP()
				if err != nil {
					return
				}
				go func() {
					defer connection.Close()
					handle(connection)
				}()
			}
		}()
		return nil
	})
}

// echo answers each message with itself.
func echo(connection *net.TCPConn) { io.Copy(connection, connection) }

// wireWithDriver joins a host with a driver to one that echoes.
func wireWithDriver(t *testing.T, isTAP bool, delay time.Duration, config string) (*wire, *driver) {
	t.Helper()
	w := newWire(t, isTAP, delay)
	w.far.serve(port, echo)
	return w, startDriver(t, w.near, config)
}

// exchange sends a message and waits for it to come back.
func exchange(connection net.Conn, message []byte) error {
	return exchangeThrough(connection, connection, message)
}

// exchangeThrough a writer to the connection.
func exchangeThrough(writer io.Writer, connection net.Conn, message []byte) error {
	if _, err := writer.Write(message); err != nil {
		return err
	}
	back := make([]byte, len(message))
	if _, err := io.ReadFull(connection, back); err != nil {
		return err
	}
	if string(back) != string(message) {
		return errors.New("another answer came than was sent")
	}
	return nil
}

// randomBytes and their sum.
func randomBytes(n int, seed byte) ([]byte, [sha256.Size]byte) {
	bytes := make([]byte, n)
	rand.NewChaCha8([32]byte{seed}).Read(bytes)
	return bytes, sha256.Sum256(bytes)
}

// exchangeBoth writes and reads at once, as much as the two windows do not hold.
func exchangeBoth(connection *net.TCPConn, message []byte) error {
	written := make(chan error, 1)
	go func() {
		_, err := connection.Write(message)
		written <- errors.Join(err, connection.CloseWrite())
	}()
	back, err := io.ReadAll(connection)
	if err == nil && sha256.Sum256(back) != sha256.Sum256(message) {
		err = errors.New("other bytes came than were sent")
	}
	return errors.Join(err, <-written)
}
