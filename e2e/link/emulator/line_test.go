package emulator

import (
	"math/rand/v2"
	"testing"
)

func TestLineIsFirstInFirstOutWhileItGrows(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var l line
	pushed, popped := int64(0), int64(0)
	for range 50_000 {
		// More pushes than pops at first, then the other way, so that the ring grows and wraps and runs empty.
		if random.Int64N(100) < 70-popped/400 {
			buffer := l.buffer()
			buffer[0] = byte(pushed)
			l.push(held{atNs: pushed, bytes: 1, buffer: buffer})
			pushed++
			continue
		}
		first, ok := l.first()
		if ok != (popped < pushed) {
			t.Fatalf("a first packet: %t, with %d pushed and %d popped", ok, pushed, popped)
		}
		if !ok {
			continue
		}
		if first.atNs != popped || first.buffer[0] != byte(popped) {
			t.Fatalf("packet %d came instead of %d", first.atNs, popped)
		}
		l.pop()
		l.recycle(first.buffer)
		popped++
	}
}

func TestLatenessQuantiles(t *testing.T) {
	var down, up, both latenessHistogram
	for us := range int64(99) {
		down.add(us * 1000)
	}
	up.add(2_000_000_000) // far beyond the buckets
	both.merge(&down)
	both.merge(&up)
	expected := Lateness{P50Us: 49, P99Us: 98, MaxUs: 2_000_000, Samples: 100}
	if got := both.summary(); got != expected {
		t.Errorf("%+v, expected %+v", got, expected)
	}
	var none latenessHistogram
	if got := none.summary(); got != (Lateness{}) {
		t.Errorf("no samples: %+v", got)
	}
}
