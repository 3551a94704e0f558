package shape

import (
	"math/rand/v2"
	"testing"
	"time"
)

// arrival is one packet of a made-up load, and what became of it.
type arrival struct {
	atNs        int64
	sizeBytes   int
	fate        Fate
	deliveredNs int64
}

// offer sends a random load through a direction: bursts and pauses, sizes from an ACK to a full packet.
func offer(d *Direction, packets int, meanGapNs float64, seed uint64) []arrival {
	random := rand.New(rand.NewPCG(seed, 99))
	load := make([]arrival, packets)
	nowNs := int64(1)
	for i := range load {
		if random.Float64() < 0.3 {
			nowNs += int64(random.ExpFloat64() * meanGapNs / 0.3)
		}
		a := arrival{atNs: nowNs, sizeBytes: 40 + random.IntN(1461)}
		a.fate, a.deliveredNs = d.Arrive(a.atNs, a.sizeBytes)
		load[i] = a
	}
	return load
}

// The directions that every property below is tried on, each at half, full and double its rate.
var directions = map[string]Config{
	"constant":        {RateBitsPerSecond: 2_000_000, DelayMs: 20, QueueBytes: 20_000},
	"jitter":          {RateBitsPerSecond: 2_000_000, DelayMs: 20, JitterMs: 10, QueueBytes: 20_000},
	"packet queue":    {RateBitsPerSecond: 2_000_000, DelayMs: 20, QueuePackets: 3},
	"lossy":           {RateBitsPerSecond: 2_000_000, DelayMs: 20, Loss: 0.1, QueueBytes: 20_000},
	"gilbert":         {RateBitsPerSecond: 2_000_000, DelayMs: 20, Gilbert: &Gilbert{GoodMs: 500, BadMs: 80, BadLoss: 0.8}, QueueBytes: 20_000},
	"slow, no delay":  {RateBitsPerSecond: 13_200, QueueBytes: 64 << 10},
	"fast, one place": {RateBitsPerSecond: 1_000_000_000, DelayMs: 1, QueuePackets: 1},
}

func always(Config) bool { return true }

// Jitter compresses what the server spaced.
func spacedByServer(c Config) bool { return c.JitterMs == 0 }

// With loss on top, some transmissions cannot be seen from outside.
func transmissionsVisible(c Config) bool { return spacedByServer(c) && c.Loss == 0 && c.Gilbert == nil }

func forEachLoad(t *testing.T, applies func(Config) bool, check func(t *testing.T, c Config, load []arrival)) {
	const meanBytes = 770
	for name, c := range directions {
		if !applies(c) {
			continue
		}
		for _, share := range []float64{0.5, 1, 2} {
			t.Run(name, func(t *testing.T) {
				for seed := range uint64(5) {
					gapNs := float64(c.TransmissionNs(meanBytes)) / share
					check(t, c, offer(NewDirection(c, seed, 0, 0), 2000, gapNs, seed))
				}
			})
		}
	}
}

func TestDeliveriesKeepTheOrderAndTheDelay(t *testing.T) {
	forEachLoad(t, always, func(t *testing.T, c Config, load []arrival) {
		lastNs := int64(0)
		for _, a := range load {
			if a.fate != Delivered {
				continue
			}
			if a.deliveredNs < lastNs {
				t.Fatalf("delivered at %d after one delivered at %d", a.deliveredNs, lastNs)
			}
			lastNs = a.deliveredNs
			if c.JitterMs == 0 && a.deliveredNs < a.atNs+c.DelayNs() {
				t.Fatalf("arrived at %d, delivered at %d, before the delay of %d", a.atNs, a.deliveredNs, c.DelayNs())
			}
		}
	})
}

// Without jitter the deliveries are the transmissions' ends, so what is delivered in any window was transmitted in one of that length.
func TestRateIsNeverExceededOverAnyWindow(t *testing.T) {
	forEachLoad(t, spacedByServer, func(t *testing.T, c Config, load []arrival) {
		var delivered []arrival
		for _, a := range load {
			if a.fate == Delivered {
				delivered = append(delivered, a)
			}
		}
		for first := range delivered {
			transmissionNs := int64(0)
			for last := first + 1; last < min(len(delivered), first+50); last++ {
				transmissionNs += c.TransmissionNs(delivered[last].sizeBytes)
				if spanNs := delivered[last].deliveredNs - delivered[first].deliveredNs; spanNs < transmissionNs {
					t.Fatalf("packets %d to %d within %d ns, their transmission takes %d ns", first, last, spanNs, transmissionNs)
				}
			}
		}
	})
}

// The server never idles while a packet waits: a packet leaves at its arrival or at the end of the one before, plus its transmission.
func TestServerConservesWork(t *testing.T) {
	forEachLoad(t, transmissionsVisible, func(t *testing.T, c Config, load []arrival) {
		freeNs := int64(0)
		for _, a := range load {
			if a.fate != Delivered {
				continue
			}
			freeNs = max(freeNs, a.atNs) + c.TransmissionNs(a.sizeBytes)
			if a.deliveredNs != freeNs+c.DelayNs() {
				t.Fatalf("delivered at %d, expected %d", a.deliveredNs, freeNs+c.DelayNs())
			}
		}
	})
}

// The queue's content, counted from outside: what was admitted and whose transmission has not begun.
func TestQueueDropsExactlyWhenFull(t *testing.T) {
	forEachLoad(t, transmissionsVisible, func(t *testing.T, c Config, load []arrival) {
		for i, a := range load {
			waitingBytes, waitingPackets, busy := 0, 0, false
			for _, before := range load[:i] {
				if before.fate != Delivered {
					continue
				}
				endNs := before.deliveredNs - c.DelayNs()
				busy = busy || endNs > a.atNs
				if endNs-c.TransmissionNs(before.sizeBytes) > a.atNs {
					waitingBytes += before.sizeBytes
					waitingPackets++
				}
			}
			fits := waitingBytes+a.sizeBytes <= c.QueueBytes
			if c.QueuePackets > 0 {
				fits = waitingPackets < c.QueuePackets
			}
			if shouldDrop := busy && !fits; shouldDrop != (a.fate == DroppedByQueue) {
				t.Fatalf("packet %d: fate %d with %d bytes in %d packets waiting", i, a.fate, waitingBytes, waitingPackets)
			}
		}
	})
}

func TestSameSeedSameFates(t *testing.T) {
	c := Config{RateBitsPerSecond: 1_000_000, DelayMs: 10, JitterMs: 5, Loss: 0.2, QueueBytes: 1 << 20}
	run := func(seed uint64, number int) []arrival {
		return offer(NewDirection(c, seed, number, 0), 500, float64(10*time.Millisecond), 7)
	}
	same := func(a, b []arrival) bool {
		for i := range a {
			if a[i] != b[i] {
				return false
			}
		}
		return true
	}
	if !same(run(1, 0), run(1, 0)) {
		t.Error("one seed gave two outcomes")
	}
	if same(run(1, 0), run(2, 0)) || same(run(1, 0), run(1, 1)) {
		t.Error("another seed or direction gave the same outcome")
	}
}

func TestJitterHasItsDeviation(t *testing.T) {
	c := Config{RateBitsPerSecond: 1_000_000_000, DelayMs: 100, JitterMs: 10, QueueBytes: 1 << 20}
	d := NewDirection(c, 1, 0, 0)
	const packets = 4000
	var sumMs, squaresMs float64
	for i := range int64(packets) {
		atNs := i * int64(time.Second) // so far apart that order never matters
		_, deliveredNs := d.Arrive(atNs, 40)
		ms := float64(deliveredNs-atNs) / float64(time.Millisecond)
		sumMs += ms
		squaresMs += ms * ms
	}
	mean := sumMs / packets
	variance := squaresMs/packets - mean*mean
	if mean < 99 || mean > 101 || variance < 90 || variance > 110 {
		t.Errorf("mean %.2f ms and variance %.1f ms2, expected 100 and 100", mean, variance)
	}
}
