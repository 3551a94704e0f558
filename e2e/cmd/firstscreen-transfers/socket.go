package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	dialLimit = 30 * time.Second // first segments may be lost several times
	dialEvery = 50 * time.Millisecond
)

// control sets a socket's congestion control before it connects or listens; empty: the machine's.
func control(congestion string) func(_, _ string, raw syscall.RawConn) error {
	return func(_, _ string, raw syscall.RawConn) (err error) {
		if congestion == "" {
			return nil
		}
		outer := raw.Control(func(fd uintptr) {
			err = unix.SetsockoptString(int(fd), unix.IPPROTO_TCP, unix.TCP_CONGESTION, congestion)
		})
		if err != nil {
			return fmt.Errorf("congestion control %q: %w; /proc/sys/net/ipv4/tcp_available_congestion_control has those that there are", congestion, err)
		}
		return outer
	}
}

// listen: what is accepted inherits the congestion control. Multipath TCP, which Go asks for by itself, would not hand it on.
func listen(address, congestion string) (net.Listener, error) {
	config := net.ListenConfig{Control: control(congestion)}
	config.SetMultipathTCP(false)
	return config.Listen(context.Background(), "tcp4", address)
}

// dial connects, also to a server that does not listen yet.
func dial(address, congestion string) (*net.TCPConn, error) {
	dialer := net.Dialer{Timeout: dialLimit, Control: control(congestion)}
	for until := time.Now().Add(dialLimit); ; time.Sleep(dialEvery) {
		connection, err := dialer.Dial("tcp4", address)
		if err == nil {
			return connection.(*net.TCPConn), nil
		}
		if !errors.Is(err, unix.ECONNREFUSED) || time.Now().After(until) {
			return nil, err
		}
	}
}

// progress is what a connection has carried so far, in bytes: what the peer has acknowledged, and what has come in order.
type progress struct{ up, down uint64 }

func progressOf(connection *net.TCPConn) (p progress, err error) {
	raw, err := connection.SyscallConn()
	if err != nil {
		return p, err
	}
	outer := raw.Control(func(fd uintptr) {
		var info *unix.TCPInfo
		if info, err = unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO); err == nil {
			p = progress{info.Bytes_acked, info.Bytes_received}
		}
	})
	if outer != nil {
		return p, outer
	}
	return p, err
}
