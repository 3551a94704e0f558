package emulator

import (
	"math/rand/v2"
	"net/netip"
	"testing"

	"firstscreen/e2e/link/profile"
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

func TestPacketsToNearServersOvertakeThoseToFarOnes(t *testing.T) {
	servers := []profile.ServerDelay{
		{Prefix: netip.MustParsePrefix("20.100.128.0/17"), DelayMs: 80}, {Prefix: netip.MustParsePrefix("20.100.0.0/16"), DelayMs: 10},
	}
	destinations := [][4]byte{{20, 100, 200, 1}, {10, 99, 0, 2}, {20, 100, 1, 1}, {20, 100, 128, 7}}
	all := make(lines, 1+len(servers))
	for i, destination := range destinations {
		buffer := all.buffer()
		buffer[0] = 0x45
		copy(buffer[16:], destination[:])
		number, delayNs := route(servers, buffer[:40])
		all[number].push(held{atNs: int64(i) + delayNs, bytes: 40, buffer: buffer})
	}
	for _, expected := range []int64{1, 10_000_002, 80_000_000, 80_000_003} {
		number, next, ok := all.first()
		if !ok || next.atNs != expected {
			t.Fatalf("at %d (%t), expected %d", next.atNs, ok, expected)
		}
		all[number].pop()
	}
	if _, _, ok := all.first(); ok {
		t.Error("a packet is left")
	}
	if number, _ := route(servers, []byte{0x60}); number != 0 {
		t.Error("a packet that is not IPv4 has a server delay")
	}
}
