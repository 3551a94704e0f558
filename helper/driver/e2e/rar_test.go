package e2e

import (
	"bytes"
	"errors"
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

const (
	delay = 50 * time.Millisecond // a way: copies are 10 and 20 ms behind
	rtt   = 2 * delay
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

func TestALostHandshakeOrRequestCostsNoTimeOut(t *testing.T) {
	forEachDevice(t, func(t *testing.T, isTAP bool, address string) {
		w := newWire(t, isTAP, delay)
		w.far.serve(port, echo)
		startDriver(t, w.near, protecting(port, "rar"))
		if err := exchange(w.near.dial(address, port), []byte("GET /")); err != nil { // learns the round trip, and neighbours
			t.Fatal(err)
		}
		w.forget()
		w.setRule(dropNth(0, isTAP, isSyn))
		connection := w.near.dial(address, port)
		w.setRule(dropNth(0, isTAP, isRequest))
		if err := exchange(connection, []byte("GET /again")); err != nil {
			t.Fatal(err)
		}
		for name, isMeant := range map[string]func(segment) bool{"the first segment": isSyn, "the request": isRequest} {
			sent := w.segments(isMeant)
			if len(sent) < 2 {
				t.Fatalf("%s was not sent again: %v", name, sent)
			}
			first, second := sent[0], sent[1]
			if !bytes.Equal(first.bytes, second.bytes) {
				t.Errorf("%s: the copy is another packet:\n%x\n%x", name, first.bytes, second.bytes)
			}
			// TCP itself waits a second for the first segment, and 200 ms for a request; a tenth of the round trip is 10 ms
			if apart := second.at.Sub(first.at); apart < rtt/20 || apart >= 150*time.Millisecond {
				t.Errorf("%s: the copy came %v later", name, apart)
			}
		}
	})
}

func TestWhatIsNotRegisteredIsNotTouched(t *testing.T) {
	w := newWire(t, false, delay)
	w.far.serve(port, echo)
	w.far.serve(port+1, echo)
	d := startDriver(t, w.near, protecting(port+1, "rar"))
	connection := w.near.dial(farIPv4, port)
	for range 3 {
		if err := exchange(connection, []byte("GET /")); err != nil {
			t.Fatal(err)
		}
	}
	if sent := w.segments(isSyn); len(sent) != 1 {
		t.Errorf("the first segment: %v", sent)
	}
	if sent := w.segments(isRequest); len(sent) != 3 {
		t.Errorf("requests: %v", sent)
	}
	if status := d.status(); status.Counters.RAR.Messages != 0 {
		t.Errorf("counted %+v", status.Counters)
	}
}

func TestAllCopiesOfAMessageAreOutWithinAFifthOfTheRoundTrip(t *testing.T) {
	w := newWire(t, false, delay)
	w.far.serve(port, echo)
	startDriver(t, w.near, protecting(port, "rar"))
	connection := w.near.dial(farIPv4, port)
	if err := exchange(connection, []byte("GET /")); err != nil {
		t.Fatal(err)
	}
	sent := w.segments(isRequest)
	if len(sent) != 3 {
		t.Fatalf("sent %v", sent)
	}
	for i, s := range sent[1:] {
		if apart := s.at.Sub(sent[i].at); apart < rtt/20 {
			t.Errorf("copy %d came %v after the packet before", i+1, apart)
		}
	}
}

func TestAMessageOfSeveralSegmentsIsCopiedWhole(t *testing.T) {
	for _, isTAP := range []bool{false, true} {
		w := newWire(t, isTAP, delay)
		w.far.serve(port, echo)
		startDriver(t, w.near, protecting(port, "rar"))
		hello, _ := randomBytes(3000, 1)
		learnPace(t, w, hello)
		connection := w.near.dial(farIPv4, port)
		w.forget()
		w.setRule(dropNth(1, isTAP, func(s segment) bool { return isRequest(s) })) // the middle one of three
		began := time.Now()
		if err := exchange(connection, hello); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 2*rtt+rtt/2 {
			t.Errorf("took %v", took)
		}
		if sent := w.segments(isRequest); len(sent) < 6 {
			t.Errorf("sent %v", sent)
		}
	}
}

// All copies of the first packet are lost, the others come. What the driver sends is the packet that was there before; TCP's own has another timestamp.
func TestAHoleIsSentAgainWhenThePeerTellsOfIt(t *testing.T) {
	w := newWire(t, false, delay)
	w.far.serve(port, echo)
	startDriver(t, w.near, protecting(port, "rar"))
	hello, _ := randomBytes(3000, 3)
	learnPace(t, w, hello)
	connection := w.near.dial(farIPv4, port)
	w.forget()
	isFirst := func(s segment) bool { return isRequest(s) && bytes.HasPrefix(hello, s.payload) }
	lost := 0
	w.setRule(func(p packet) bool {
		s, is := parseSegment(p, false)
		if is && isFirst(s) {
			lost++
		}
		return is && isFirst(s) && lost <= 1+2 // with its copies
	})
	if err := exchange(connection, hello); err != nil {
		t.Fatal(err)
	}
	first := w.segments(isFirst)
	if len(first) < 4 || !slices.ContainsFunc(first[3:], func(s segment) bool { return bytes.Equal(s.bytes, first[0].bytes) }) {
		t.Errorf("the hole was sent %v", first)
	}
	// each at once and, where the copies of a message of several segments take long, the last one twice
	if others := w.segments(func(s segment) bool { return isRequest(s) && !isFirst(s) }); len(others) > 2*3 {
		t.Errorf("what the peer has was sent %v", others)
	}
}

func TestBulkIsNeverSentTwice(t *testing.T) {
	w := newWire(t, false, 5*time.Millisecond)
	w.far.serve(port, echo)
	d := startDriver(t, w.near, protecting(port, "rar"))
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

// A name server on the same network must not make the way to a server far away look slow.
func TestANewDestinationHasCopiesWhereTwoOthersAreNotEquallyFar(t *testing.T) {
	const nearResolver, farServer, newServer = "10.77.0.3", "10.77.0.4", "10.77.0.5"
	w := newWire(t, false, 1500*time.Microsecond)
	w.farther = map[string]time.Duration{farServer: 20 * time.Millisecond, newServer: 20 * time.Millisecond}
	w.far.do(func() (err error) {
		device, err := netlink.LinkByName(deviceName)
		for _, server := range []string{nearResolver, farServer, newServer} {
			err = errors.Join(err, address(device, netip.MustParsePrefix(server+"/24")))
		}
		return err
	})
	w.far.serve(port, echo)
	startDriver(t, w.near, protecting(port, "rar"))
	small, large := []byte("name?"), bytes.Repeat([]byte("GET /"), 120)
	for range 8 {
		for server, message := range map[string][]byte{nearResolver: small, farServer: large} {
			if err := exchange(w.near.dial(server, port), message); err != nil {
				t.Fatal(err)
			}
		}
	}
	connection := w.near.dial(newServer, port)
	if err := exchange(connection, large); err != nil {
		t.Fatal(err)
	}
	local := uint16(connection.LocalAddr().(*net.TCPAddr).Port) // copies to the others may still be on the way
	if sent := w.segments(func(s segment) bool { return isRequest(s) && s.source == local }); len(sent) != 3 {
		t.Errorf("sent %v", sent)
	}
}

// The data of a first segment may be acted on twice (RFC 7413, section 6.1.1): it is not copied.
func TestAFirstSegmentWithDataHasNoCopies(t *testing.T) {
	w := newWire(t, false, delay)
	w.far.serve(port, echo)
	startDriver(t, w.near, protecting(port, "rar"))
	var sent []segment
	w.near.do(func() error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		if err := unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_FASTOPEN_NO_COOKIE, 1); err != nil {
			return err
		}
		to := netip.MustParseAddr(farIPv4).As4()
		err = unix.Sendto(fd, []byte("GET /buy"), unix.MSG_FASTOPEN, &unix.SockaddrInet4{Port: port, Addr: to})
		time.Sleep(rtt / 2) // copies would be out
		sent = w.segments(isSyn)
		return err
	})
	if len(sent) != 1 || len(sent[0].payload) == 0 {
		t.Errorf("sent %v", sent)
	}
}
