package e2e

import (
	"bytes"
	"io"
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const (
	delay = 50 * time.Millisecond // a way: copies are 10 and 20 ms behind
	rtt   = 2 * delay

	firstAndRequest = 2 // messages of a connection with one request
)

// dropNth loses the n-th (from 0) of what is meant, and only that.
func dropNth(n int, isTAP bool, isMeant func(segment) bool) func(packet) bool {
	count := 0
	return func(p packet) bool {
		s, is := parseSegment(p, isTAP)
		if !is || !isMeant(s) {
			return false
		}
		count++
		return count-1 == n
	}
}

// onlyCopies loses each packet that is meant when it comes for the first time. What gets through is a copy, the same to the last bit: TCP's own has another timestamp.
func onlyCopies(isTAP bool, isMeant func(segment) bool) func(packet) bool {
	seen := map[string]bool{}
	return func(p packet) bool {
		s, is := parseSegment(p, isTAP)
		if !is || !isMeant(s) || seen[string(p.bytes)] {
			return false
		}
		seen[string(p.bytes)] = true
		return true
	}
}

// copies among packets: those that are the same as one before.
func copies(sent []segment) (count int) {
	seen := map[string]bool{}
	for _, s := range sent {
		if seen[string(s.bytes)] {
			count++
		}
		seen[string(s.bytes)] = true
	}
	return count
}

// expectRepeated: a request of which only copies get through is answered, however late they come.
func expectRepeated(t *testing.T, w *wire, connection *net.TCPConn, request []byte) {
	t.Helper()
	expectRepeatedThrough(t, w, connection, connection, request)
}

// expectRepeatedThrough a writer to the connection.
func expectRepeatedThrough(t *testing.T, w *wire, writer io.Writer, connection *net.TCPConn, request []byte) {
	t.Helper()
	w.setRule(onlyCopies(w.near.isTAP, isRequest))
	if err := exchangeThrough(writer, connection, request); err != nil {
		t.Fatalf("no copy comes: %v", err)
	}
	w.setRule(func(packet) bool { return false })
}

// expectUntouched: a request on each of them has no copies.
func expectUntouched(t *testing.T, w *wire, connections ...*net.TCPConn) {
	t.Helper()
	request := []byte("GET /untouched")
	for _, connection := range connections {
		if err := exchange(connection, request); err != nil {
			t.Fatal(err)
		}
	}
	if sent := w.segments(func(s segment) bool { return s.up && bytes.Equal(s.payload, request) }); copies(sent) > 0 {
		t.Errorf("sent %v", sent)
	}
}

func isSyn(s segment) bool     { return s.up && s.flags&(syn|ack) == syn }
func isRequest(s segment) bool { return s.up && s.protocol == unix.IPPROTO_TCP && len(s.payload) > 0 }

func forEachDevice(t *testing.T, test func(t *testing.T, isTAP bool, address string)) {
	for _, c := range []struct {
		name    string
		isTAP   bool
		address string
	}{
		{"layer 3, IPv4", false, farIPv4},
		{"layer 3, IPv6", false, farIPv6},
		{"Ethernet, IPv4", true, farIPv4},
		{"Ethernet, IPv6", true, farIPv6},
	} {
		t.Run(c.name, func(t *testing.T) { test(t, c.isTAP, c.address) })
	}
}

func TestACopyStandsInForALostHandshakeOrRequest(t *testing.T) {
	forEachDevice(t, func(t *testing.T, isTAP bool, address string) {
		w, _ := wireWithDriver(t, isTAP, delay, protecting(port, "rar"))
		w.setRule(onlyCopies(isTAP, isSyn))
		expectRepeated(t, w, w.near.dial(address, port), []byte("GET /"))
	})
}

func TestWhatIsNotRegisteredIsNotTouched(t *testing.T) {
	w := newWire(t, false, delay)
	w.far.serve(port, echo)
	w.far.serve(port+1, echo)
	d := startDriver(t, w.near, protecting(port+1, "rar"))
	connection := w.near.dial(farIPv4, port)
	expectUntouched(t, w, connection, connection, connection)
	if sent := w.segments(isSyn); copies(sent) > 0 {
		t.Errorf("the first segment: %v", sent)
	}
	if status := d.status(); status.Counters.RAR.Messages != 0 {
		t.Errorf("counted %+v", status.Counters)
	}
}

func TestARequestOfSeveralSegments(t *testing.T) {
	for _, isTAP := range []bool{false, true} {
		w, _ := wireWithDriver(t, isTAP, delay, protecting(port, "rar"))
		hello, _ := randomBytes(3000, 1)
		expectRepeated(t, w, w.near.dial(farIPv4, port), hello)
	}
}

// oneByOne has each segment of a message leave by itself (MSG_MORE), as BBR does on a slow link: only the last one has PSH.
type oneByOne struct{ *net.TCPConn }

func (c oneByOne) Write(message []byte) (written int, err error) {
	err = onSocket(c, func(fd int) error {
		info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
		if err != nil {
			return err
		}
		for segment := range slices.Chunk(message, int(info.Snd_mss)) {
			flags := unix.MSG_MORE
			if written += len(segment); written == len(message) {
				flags = 0
			}
			if err := unix.Sendto(fd, segment, flags, nil); err != nil {
				return err
			}
		}
		return nil
	})
	return written, err
}

func TestARequestWhoseSegmentsLeaveOneByOne(t *testing.T) {
	forEachDevice(t, func(t *testing.T, isTAP bool, address string) {
		w, d := wireWithDriver(t, isTAP, delay, protecting(port, "rar"))
		hello, _ := randomBytes(3000, 1)
		connection := w.near.dial(address, port)
		expectRepeatedThrough(t, w, oneByOne{connection}, connection, hello)
		isWithoutPush := func(s segment) bool { return isRequest(s) && s.flags&psh == 0 }
		if sent := w.segments(isWithoutPush); len(sent) == 0 {
			t.Error("all segments have PSH: the test shows nothing")
		}
		if counted := d.status().Counters.RAR.Messages; counted != firstAndRequest {
			t.Errorf("%d messages were seen", counted)
		}
	})
}

func TestBulkIsNeverSentTwice(t *testing.T) {
	w, d := wireWithDriver(t, false, 5*time.Millisecond, protecting(port, "rar"))
	connection := w.near.dial(farIPv4, port)
	body, _ := randomBytes(1<<20, 2)
	if err := exchangeBoth(connection, body); err != nil {
		t.Fatal(err)
	}
	counts := d.status().Counters.RAR
	if most := uint64(len(body) / 20); counts.CopyBytes > most {
		t.Errorf("%d bytes of copies of %d bytes", counts.CopyBytes, len(body))
	}
}

func TestAQueryOfDNSThatIsLost(t *testing.T) {
	w := newWire(t, false, delay)
	w.far.echoNames(t)
	startDriver(t, w.near, protecting(53, "rar"))
	resolver := w.near.dialNames(t)
	w.setRule(dropNth(0, false, func(s segment) bool { return s.up && s.protocol == unix.IPPROTO_UDP }))
	if err := exchange(resolver, []byte("\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x01")); err != nil {
		t.Fatal(err)
	}
}

// The data of a first segment may be acted on twice (RFC 7413, section 6.1.1): it is not copied.
func TestAFirstSegmentWithDataHasNoCopies(t *testing.T) {
	w, _ := wireWithDriver(t, false, delay, protecting(port, "rar"))
	w.near.do(func() error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
		if err != nil {
			return err
		}
		t.Cleanup(func() { unix.Close(fd) })
		if err := unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_FASTOPEN_NO_COOKIE, 1); err != nil {
			return err
		}
		to := netip.MustParseAddr(farIPv4).As4()
		return unix.Sendto(fd, []byte("GET /buy"), unix.MSG_FASTOPEN, &unix.SockaddrInet4{Port: port, Addr: to})
	})
	expectRepeated(t, w, w.near.dial(farIPv4, port), []byte("GET /")) // copies are sent in the order in which they are due
	sent := w.segments(func(s segment) bool { return isSyn(s) && len(s.payload) > 0 })
	if len(sent) == 0 || copies(sent) > 0 {
		t.Errorf("sent %v", sent)
	}
}
