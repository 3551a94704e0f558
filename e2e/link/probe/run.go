package probe

import (
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"firstscreen/e2e/link/clock"
	"firstscreen/e2e/link/profile"
	"firstscreen/e2e/link/shape"
)

// port is bound on both ends of the link, on the link's own addresses only.
const port = 9099

// Open makes a probe socket in the calling thread's network namespace. The kernel stamps what it receives.
func Open(address string) (fd int, err error) {
	fd, err = unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return -1, err
	}
	// All probes of a check fit, so that none is lost behind the link. Where forcing is not allowed the default does on a quiet machine.
	const roomBytes = 4 << 20
	_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, roomBytes)
	local := &unix.SockaddrInet4{Port: port, Addr: netip.MustParseAddr(address).As4()}
	if err = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1); err == nil {
		err = unix.Bind(fd, local)
	}
	if err != nil {
		unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

// Checker runs checks over the sides' probe sockets.
type Checker struct {
	profile           profile.Profile
	near, far, beyond *net.UDPConn
	nearAt            netip.AddrPort
	farAt, beyondAt   netip.AddrPort
	mutex             sync.Mutex // one check at a time: two would be each other's load
	runs              uint64
}

// End is a side as the check sees it: what Open made there, and where.
type End struct {
	Socket  *os.File
	Address string
}

// NewChecker takes over the sockets. The link is between near and far; beyond is the second hop's end, and far where there is none.
func NewChecker(p profile.Profile, near, far, beyond End) (*Checker, error) {
	at := func(end End) netip.AddrPort { return netip.AddrPortFrom(netip.MustParseAddr(end.Address), port) }
	c := &Checker{profile: p, nearAt: at(near), farAt: at(far), beyondAt: at(beyond)}
	for _, end := range []struct {
		file *os.File
		conn **net.UDPConn
	}{{near.Socket, &c.near}, {far.Socket, &c.far}, {beyond.Socket, &c.beyond}} {
		conn, err := net.FilePacketConn(end.file) // a duplicate, still of the side's namespace
		if err != nil {
			return nil, err
		}
		defer end.file.Close()
		*end.conn = conn.(*net.UDPConn)
	}
	return c, nil
}

// Check measures both directions at once.
func (c *Checker) Check() (Result, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	down, up, err := c.bothWays(c.profile, c.far, c.farAt)
	if err != nil {
		return Result{}, err
	}
	result := judge(down, up)
	path := c.profile
	if c.profile.SecondHop != nil {
		path = c.profile.BothHops(smallBytes)
		if down, up, err = c.bothWays(path, c.beyond, c.beyondAt); err != nil {
			return Result{}, err
		}
		result.judgeBothHops(down, up)
	}
	for _, server := range path.Servers {
		c.runs++
		config := path.Up
		config.DelayMs += server.DelayMs
		delayed, err := measure(config, latencyPlan(config), c.runs, c.near, c.beyond, netip.AddrPortFrom(server.ProbeAddress(), port))
		if err != nil {
			return Result{}, err
		}
		result.judgeServer(server, down, delayed)
	}
	return result, nil
}

// bothWays measures between the near side and another one, both directions at once.
func (c *Checker) bothWays(path profile.Profile, other *net.UDPConn, otherAt netip.AddrPort) (down, up sample, err error) {
	c.runs++
	var errDown, errUp error
	var both sync.WaitGroup
	both.Go(func() { down, errDown = measure(path.Down, plan(path.Down), c.runs, other, c.near, c.nearAt) })
	both.Go(func() { up, errUp = measure(path.Up, plan(path.Up), c.runs, c.near, other, otherAt) })
	both.Wait()
	return down, up, errors.Join(errDown, errUp)
}

// measure sends a schedule through one direction and gathers what arrives.
func measure(config shape.Config, probes []planned, run uint64, from, to *net.UDPConn, address netip.AddrPort) (sample, error) {
	s := sample{config: config, probes: probes, received: map[int32]int64{}}
	s.sent = make([]int64, len(s.probes))
	if err := to.SetReadDeadline(time.Time{}); err != nil {
		return s, err
	}
	received := make(chan error, 1)
	go func() { received <- s.gather(run, to) }()
	if err := s.send(run, from, address); err != nil {
		to.SetReadDeadline(time.Now())
		return s, errors.Join(err, <-received)
	}
	const jitters, margin = 6, 100 * time.Millisecond
	last := config.DelayNs() + jitters*config.JitterNs() + config.TransmissionNs(smallBytes)
	to.SetReadDeadline(time.Now().Add(time.Duration(last) + margin))
	return s, <-received
}

func (s *sample) send(run uint64, from *net.UDPConn, to netip.AddrPort) error {
	payload := make([]byte, largeBytes)
	binary.BigEndian.PutUint64(payload, run)
	startNs := clock.MonotonicNs()
	for number, p := range s.probes {
		if ahead := startNs + p.atNs - clock.MonotonicNs(); ahead > 0 {
			clock.SleepUntil(startNs + p.atNs)
		} else {
			startNs -= ahead // being late moves the rest too: catching up would be a burst, which a short queue drops
		}
		binary.BigEndian.PutUint32(payload[8:], uint32(number))
		s.sent[number] = clock.RealtimeNs()
		if _, err := from.WriteToUDPAddrPort(payload[:p.sizeBytes-headerBytes], to); err != nil {
			return err
		}
	}
	return nil
}

// gather reads until every probe of this run is there or the deadline has come.
func (s *sample) gather(run uint64, to *net.UDPConn) error {
	payload, control := make([]byte, payloadBytes), make([]byte, unix.CmsgSpace(timespecBytes))
	for len(s.received) < len(s.probes) {
		n, nControl, _, _, err := to.ReadMsgUDPAddrPort(payload, control)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil
		}
		if err != nil {
			return err
		}
		if n == payloadBytes && binary.BigEndian.Uint64(payload) == run {
			s.received[int32(binary.BigEndian.Uint32(payload[8:]))] = arrivalNs(control[:nControl])
		}
	}
	return nil
}

// timespecBytes is the size of the kernel's struct __kernel_timespec.
const timespecBytes = 16

// arrivalNs is the kernel's receive timestamp (SO_TIMESTAMPNS, on every packet since Open asked for it).
func arrivalNs(control []byte) int64 {
	messages, err := unix.ParseSocketControlMessage(control)
	if err != nil || len(messages) == 0 {
		return clock.RealtimeNs()
	}
	seconds, nanoseconds := binary.NativeEndian.Uint64(messages[0].Data), binary.NativeEndian.Uint64(messages[0].Data[8:])
	return int64(seconds)*int64(time.Second) + int64(nanoseconds)
}
