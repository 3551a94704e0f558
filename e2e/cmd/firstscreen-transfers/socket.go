package main

import (
	"context"
	"fmt"
	"net"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	dialLimit = 30 * time.Second // first segments may be lost several times, and the server may start a little later
	dialEvery = 50 * time.Millisecond
)

// socketOptions are set before a socket connects or listens.
type socketOptions struct {
	congestion    string // empty: the machine's
	bitsPerSecond uint64 // 0: no limit
}

func (o socketOptions) set(_, _ string, raw syscall.RawConn) (err error) {
	const bitsPerByte = 8
	outer := raw.Control(func(fd uintptr) {
		if o.congestion != "" {
			if err = unix.SetsockoptString(int(fd), unix.IPPROTO_TCP, unix.TCP_CONGESTION, o.congestion); err != nil {
				err = fmt.Errorf("congestion control %q is none of /proc/sys/net/ipv4/tcp_available_congestion_control: %w", o.congestion, err)
				return
			}
		}
		if o.bitsPerSecond > 0 {
			err = unix.SetsockoptUint64(int(fd), unix.SOL_SOCKET, unix.SO_MAX_PACING_RATE, o.bitsPerSecond/bitsPerByte)
		}
	})
	if outer != nil {
		return outer
	}
	return err
}

// listen: what is accepted inherits the congestion control. Multipath TCP, which Go asks for by itself, would not hand it on.
func listen(address, congestion string) (net.Listener, error) {
	config := net.ListenConfig{Control: socketOptions{congestion: congestion}.set}
	config.SetMultipathTCP(false)
	return config.Listen(context.Background(), "tcp4", address)
}

// dial connects, also to a server that is not there yet.
func (o socketOptions) dial(address string) (*net.TCPConn, error) {
	dialer := net.Dialer{Timeout: dialLimit, Control: o.set}
	for until := time.Now().Add(dialLimit); ; time.Sleep(dialEvery) {
		connection, err := dialer.Dial("tcp4", address)
		if err == nil {
			return connection.(*net.TCPConn), nil
		}
		if time.Now().After(until) {
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
