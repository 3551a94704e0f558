package e2e

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

func TestARequestWithOptionsOfIP(t *testing.T) {
	w, _ := wireWithDriver(t, false, delay, protecting(port, "rar"))
	connection := w.near.dial(farIPv4, port)
	const doNothing = "\x01\x01\x01\x01" // RFC 791, section 3.1
	if err := onSocket(connection, func(fd int) error { return unix.SetsockoptString(fd, unix.IPPROTO_IP, unix.IP_OPTIONS, doNothing) }); err != nil {
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
	expectRepeated(t, w, w.near.dial(farIPv4, port), request)
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
	w, d := wireWithDriver(t, false, 5*time.Millisecond, protecting(port, "rar"))
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
			d.await("the request is protected", func() bool { return d.status().Counters.RAR.Protected > before })
		})
	}
}
