package e2e

import (
	"bytes"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// expectRepeated: a request that is lost is sent again, the same to the last bit, before TCP itself would.
func expectRepeated(t *testing.T, w *wire, connection *net.TCPConn, request []byte) {
	t.Helper()
	w.forget()
	w.setRule(dropNth(0, w.near.isTAP, isRequest))
	if err := exchange(connection, request); err != nil {
		t.Fatal(err)
	}
	sent := w.segments(isRequest)
	if len(sent) < 2 || !bytes.Equal(sent[0].bytes, sent[1].bytes) || !bytes.Equal(sent[0].payload, request) {
		t.Fatalf("sent %v", sent)
	}
	if apart := sent[1].at.Sub(sent[0].at); apart >= 150*time.Millisecond {
		t.Errorf("sent again %v later", apart)
	}
}

// learnPace has large messages sent until the driver knows how little of the link they take: the soonest acknowledgement tells.
func learnPace(t *testing.T, w *wire, message []byte) {
	t.Helper()
	for range 8 {
		if err := exchange(w.near.dial(farIPv4, port), message); err != nil {
			t.Fatal(err)
		}
	}
}

// dialAndLearn connects and learns the round trip.
func dialAndLearn(t *testing.T, w *wire, address string) *net.TCPConn {
	t.Helper()
	connection := w.near.dial(address, port)
	if err := exchange(connection, []byte("GET /")); err != nil {
		t.Fatal(err)
	}
	return connection
}

func TestARequestWithOptionsOfIP(t *testing.T) {
	w := newWire(t, false, delay)
	w.far.serve(port, echo)
	startDriver(t, w.near, protecting(port, "rar"))
	connection := dialAndLearn(t, w, farIPv4)
	raw, err := connection.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	const doNothing = "\x01\x01\x01\x01" // RFC 791, section 3.1
	raw.Control(func(fd uintptr) { err = unix.SetsockoptString(int(fd), unix.IPPROTO_IP, unix.IP_OPTIONS, doNothing) })
	if err != nil {
		t.Fatal(err)
	}
	expectRepeated(t, w, connection, []byte("GET /with-options"))
	if words := w.segments(isRequest)[0].bytes[0] & 15; words != 6 {
		t.Errorf("a header of %d words: the test shows nothing", words)
	}
}

func TestARequestInAJumboFrame(t *testing.T) {
	w := newWire(t, true, delay)
	for _, h := range []*host{w.near, w.far} {
		h.do(func() error {
			device, err := netlink.LinkByName(deviceName)
			return errors.Join(err, netlink.LinkSetMTU(device, 9000))
		})
	}
	w.far.serve(port, echo)
	startDriver(t, w.near, protecting(port, "rar"))
	request, _ := randomBytes(4000, 7)
	learnPace(t, w, request)
	expectRepeated(t, w, dialAndLearn(t, w, farIPv4), request)
}

func TestFragmentsPassUntouched(t *testing.T) {
	w := newWire(t, false, 5*time.Millisecond)
	w.far.echoNames(t)
	d := startDriver(t, w.near, protecting(53, "rar"))
	resolver := w.near.dialNames(t)
	query, _ := randomBytes(4000, 8)
	resolver.Write(query)
	back := make([]byte, 1<<16)
	if n, err := resolver.Read(back); err != nil || !bytes.Equal(back[:n], query) {
		t.Errorf("%d bytes came back, %v", n, err)
	}
	if status := d.status(); status.Counters.RAR.Messages != 0 {
		t.Errorf("counted %+v", status.Counters)
	}
}

// Beside each packet of a transfer come others that say of the same flow what can not be.
func TestATransferBesideSegmentsWithWrongLengths(t *testing.T) {
	const versionAndLength, ipLength, dataOffset = 0, 2, 20 + 12
	w := newWire(t, false, 5*time.Millisecond)
	w.far.serve(port, echo)
	d := startDriver(t, w.near, protecting(port, "rar"))
	for name, spoil := range map[string]func(p []byte) []byte{
		"a longer packet":         func(p []byte) []byte { p[ipLength] += 4; return p },
		"a packet of nothing":     func(p []byte) []byte { p[ipLength], p[ipLength+1] = 0, 0; return p },
		"a shorter header of IP":  func(p []byte) []byte { p[versionAndLength] = 0x44; return p },
		"a longer header of IP":   func(p []byte) []byte { p[versionAndLength] = 0x4f; return p },
		"a shorter header of TCP": func(p []byte) []byte { p[dataOffset] = 0x40; return p },
		"a longer header of TCP":  func(p []byte) []byte { p[dataOffset] = 0xf0; return p },
		"a header that is cut":    func(p []byte) []byte { return p[:30] },
	} {
		t.Run(name, func(t *testing.T) {
			before := d.status().Counters.RAR.Protected
			w.setRule(func(p packet) bool {
				if _, is := parseSegment(p, false); is && !p.up && p.bytes[0] == 0x45 {
					w.near.device.Write(spoil(bytes.Clone(p.bytes)))
				}
				return false
			})
			body, _ := randomBytes(1<<20, 9)
			if err := exchangeBoth(w.near.dial(farIPv4, port), body); err != nil {
				t.Error(err)
			}
			connection := w.near.dial(farIPv4, port)
			if err := exchange(connection, []byte("GET /")); err != nil {
				t.Error(err)
			}
			if status := d.status(); status.Counters.RAR.Protected == before {
				t.Errorf("counted %+v", status.Counters)
			}
		})
	}
}
