//go:build vm

package e2e

import (
	"io"
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func setClockBy(t *testing.T, jump time.Duration) {
	t.Helper()
	now := unix.NsecToTimeval(time.Now().Add(jump).UnixNano())
	if err := unix.Settimeofday(&now); err != nil {
		t.Fatal(err)
	}
}

// Only in the virtual machine (helper/driver/qemu), whose clock may be set.
func TestAClockThatIsSetHarmsNothing(t *testing.T) {
	w, _ := wireWithDriver(t, false, delay, protecting(port, "rar"))
	connection := w.near.dial(farIPv4, port)
	local := uint16(connection.LocalAddr().(*net.TCPAddr).Port)
	isMeant := func(s segment) bool { return isRequest(s) && s.source == local }
	jumps := []time.Duration{6 * time.Hour, -12 * time.Hour, 6 * time.Hour}
	for _, jump := range jumps {
		if err := exchange(connection, []byte("GET /")); err != nil {
			t.Fatal(err)
		}
		w.forget()
		w.setRule(dropNth(0, false, isMeant))
		setClockBy(t, jump/2)
		request := []byte("GET /again")
		if _, err := connection.Write(request); err != nil {
			t.Fatal(err)
		}
		setClockBy(t, jump/2) // before the copies are due
		back := make([]byte, len(request))
		if _, err := io.ReadFull(connection, back); err != nil || string(back) != string(request) {
			t.Errorf("%v: answered %q, %v", jump, back, err)
		}
		if sent := w.segments(isMeant); len(sent) < 2 || sent[1].at.Sub(sent[0].at) >= 150*time.Millisecond {
			t.Errorf("%v: a lost request was not sent again: %v", jump, sent)
		}
	}
	// Transfers come last: while a link is modelled busy it gets no copies.
	for _, jump := range jumps {
		body, _ := randomBytes(1<<20, 6)
		bulk, done := w.near.dial(farIPv4, port), make(chan error)
		go func() { done <- exchangeBoth(bulk, body) }()
		setClockBy(t, jump)
		setClockBy(t, -jump)
		if err := <-done; err != nil {
			t.Errorf("%v: a transfer: %v", jump, err)
		}
	}
}
