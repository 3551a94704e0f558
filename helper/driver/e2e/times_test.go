//go:build vm

package e2e

import (
	"bytes"
	"slices"
	"testing"
	"time"
)

// When copies are sent. Only in the virtual machine (helper/driver/qemu): its time does not pass while it has to wait for a processor.

func TestAllCopiesOfAMessageAreOutWithinAFifthOfTheRoundTrip(t *testing.T) {
	w, _ := wireWithDriver(t, false, delay, protecting(port, "rar"))
	for range 2 { // the first one tells the round trip to the server
		w.forget()
		if err := exchange(w.near.dial(farIPv4, port), []byte("GET /")); err != nil {
			t.Fatal(err)
		}
	}
	for name, isMeant := range map[string]func(segment) bool{"the first segment": isSyn, "the request": isRequest} {
		sent := w.segments(isMeant)
		if len(sent) != 3 {
			t.Fatalf("%s: sent %v", name, sent)
		}
		for i, s := range sent {
			const tolerance = rtt / 20
			if behind, due := s.at.Sub(sent[0].at), time.Duration(i)*rtt/10; (behind - due).Abs() > tolerance {
				t.Errorf("%s: copy %d came after %v", name, i, behind)
			}
		}
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

func TestAMessageOfSeveralSegmentsIsCopiedWhole(t *testing.T) {
	for _, isTAP := range []bool{false, true} {
		w, _ := wireWithDriver(t, isTAP, delay, protecting(port, "rar"))
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
	w, _ := wireWithDriver(t, false, delay, protecting(port, "rar"))
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
