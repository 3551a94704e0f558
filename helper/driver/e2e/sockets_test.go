package e2e

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A first segment that is lost is sent again by TCP itself after the round trip that the driver knows, not after a second.
func TestTheTimeOutOfAFirstSegment(t *testing.T) {
	withCgroup2(t)
	w := newWire(t, false, delay)
	w.far.serve(port, echo)
	d := startDriver(t, w.near, `{}`)
	say(t, d.connect(), "register", fmt.Sprintf(`{"process":%d,"policy":["rar"]}`, os.Getpid()))
	expectEarlyFirstSegment(t, w, d)
}

// expectEarlyFirstSegment of a registered process, where all copies are lost, too.
func expectEarlyFirstSegment(t *testing.T, w *wire, d *driver) {
	t.Helper()
	if err := exchange(w.near.dial(farIPv4, port), []byte("GET /")); err != nil { // learns the round trip
		t.Fatal(err)
	}
	w.forget()
	lost := 0
	w.setRule(func(p packet) bool { // TCP's own segment, its copies, and all of the driver's second round
		s, is := parseSegment(p, false)
		if is && isSyn(s) {
			lost++
		}
		return is && isSyn(s) && lost <= 6
	})
	if err := exchange(w.near.dial(farIPv4, port), []byte("GET /")); err != nil {
		t.Fatal(err)
	}
	sent := w.segments(isSyn)
	byTCP := slices.IndexFunc(sent, func(s segment) bool { return !bytes.Equal(s.bytes, sent[0].bytes) }) // with another timestamp
	if d.status().Counters.Programs.Retransmitted == 0 || byTCP < 0 || sent[byTCP].at.Sub(sent[0].at) > 700*time.Millisecond {
		t.Errorf("TCP sent nothing again within 700 ms: %v", sent)
	}
}

// One acknowledgement that took three seconds must not make later connections wait longer than without the driver.
func TestTheTimeOutOfAFirstSegmentIsNeverLongerThanTheKernelsOwn(t *testing.T) {
	withCgroup2(t)
	w := newWire(t, false, 800*time.Millisecond)
	w.far.serve(port, echo)
	d := startDriver(t, w.near, `{}`)
	say(t, d.connect(), "register", fmt.Sprintf(`{"process":%d,"policy":["rar"]}`, os.Getpid()))
	if err := exchange(w.near.dial(farIPv4, port), []byte("GET /")); err != nil { // learns a round trip of 1.6 s
		t.Fatal(err)
	}
	w.forget()
	w.near.dial(farIPv4, port)
	sent := w.segments(isSyn)
	byTCP := slices.IndexFunc(sent, func(s segment) bool { return !bytes.Equal(s.bytes, sent[0].bytes) }) // with another timestamp
	if byTCP < 0 || sent[byTCP].at.Sub(sent[0].at) > 1200*time.Millisecond {
		t.Errorf("TCP sent nothing again within 1.2 s: %v", sent)
	}
}

func TestTimeOutsStayLinearWhileLittleIsOnTheWay(t *testing.T) {
	withCgroup2(t)
	w := newWire(t, false, 0)
	w.far.serve(port, echo)
	d := startDriver(t, w.near, `{}`)
	before := w.near.dial(farIPv4, port)
	helper := d.connect()
	say(t, helper, "register", fmt.Sprintf(`{"process":%d,"policy":["rar"]}`, os.Getpid()))
	registered := w.near.dial(farIPv4, port)
	for connection, wanted := range map[*net.TCPConn]int{before: 0, registered: 1} {
		raw, err := connection.SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		var got int
		raw.Control(func(fd uintptr) {
			got, err = unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_THIN_LINEAR_TIMEOUTS)
		})
		if err != nil || got != wanted {
			t.Errorf("%d (%v), expected %d", got, err, wanted)
		}
	}
}
