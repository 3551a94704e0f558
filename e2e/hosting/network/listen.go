package network

import (
	"context"
	"errors"
	"net"
	"syscall"

	"golang.org/x/sys/unix"

	"firstscreen/e2e/hosting"
)

// notSentLowAtBytes bounds what a socket takes beyond what it has sent (TCP_NOTSENT_LOWAT). Priorities between HTTP/2 streams hold only
// for what is not yet in the socket; 16 KiB is what Cloudflare and h2o deploy.
const notSentLowAtBytes = 16 << 10

// defaultCongestion lists what is tried in turn when none is asked for: cubic is what most servers of the web run, reno is in every kernel.
var defaultCongestion = []string{"cubic", "reno"}

// ChooseCongestion answers the congestion control to use: the wanted one, or the default where wanted is empty.
func ChooseCongestion(wanted string) (string, error) {
	candidates := defaultCongestion
	if wanted != "" {
		candidates = []string{wanted}
	}
	var err error
	for _, name := range candidates {
		if err = probeCongestion(name); err == nil {
			return name, nil
		}
	}
	return "", &hosting.Error{
		Code: "E_HOSTING_CONGESTION", Message: "cannot use congestion control " + candidates[len(candidates)-1], Cause: err,
		Next: "choose one of /proc/sys/net/ipv4/tcp_available_congestion_control",
	}
}

func probeCongestion(name string) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return unix.SetsockoptString(fd, unix.IPPROTO_TCP, unix.TCP_CONGESTION, name)
}

// Listen opens a TCP listener; accepted sockets inherit congestion control and the bound on unsent bytes.
func Listen(address, congestion string) (net.Listener, error) {
	config := net.ListenConfig{Control: func(_, _ string, raw syscall.RawConn) error {
		var set error
		err := raw.Control(func(fd uintptr) {
			set = errors.Join(
				unix.SetsockoptString(int(fd), unix.IPPROTO_TCP, unix.TCP_CONGESTION, congestion),
				unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_NOTSENT_LOWAT, notSentLowAtBytes),
			)
		})
		return errors.Join(err, set)
	}}
	// Go asks for Multipath TCP where the kernel has it, and such listeners do not hand the bound on.
	config.SetMultipathTCP(false)
	listener, err := config.Listen(context.Background(), "tcp4", address)
	if err != nil {
		return nil, &hosting.Error{
			Code: "E_HOSTING_LISTEN", Message: "cannot listen on " + address, Cause: err,
			Next: "end what holds the port, or run in a network namespace of its own",
		}
	}
	return listener, nil
}
