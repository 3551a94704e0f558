package aggregation

import (
	"slices"
	"testing"
	"time"
)

// ride is what became of packets that were numbered in the order of their arrival.
type ride struct {
	released []int
	atNs     []int64
	lost     []int
}

// carry sends packets over the air, one each gap, and lets all of them come to an end.
func carry(t *testing.T, air *Air[int], packets int, gap time.Duration) (r ride) {
	t.Helper()
	release := func(atNs int64, packet int) { r.released, r.atNs = append(r.released, packet), append(r.atNs, atNs) }
	lose := func(packet int) { r.lost = append(r.lost, packet) }
	nowNs := int64(0)
	for i := range packets {
		nowNs += int64(gap)
		air.Advance(nowNs, release, lose)
		if !air.Accept(nowNs, frameBytes, i) {
			t.Fatalf("packet %d was refused", i)
		}
	}
	for nextNs, waits := air.NextNs(); waits; nextNs, waits = air.NextNs() {
		air.Advance(nextNs, release, lose)
	}
	return r
}

const roomBytes = 1 << 30

func airOf(rate float64, own Scheme, others int) *Air[int] {
	return NewAir[int](at(rate, 64), Stations{Own: own, Others: AMPDU, OtherCount: others}, Limit{Bytes: roomBytes}, 1, 0)
}

func TestEachPacketComesOnceInOrderOrIsLost(t *testing.T) {
	for _, scheme := range []Scheme{AMPDU, FWP} {
		for _, others := range []int{0, 4} {
			for _, rate := range []float64{0, 0.05, 0.5} {
				r := carry(t, airOf(rate, scheme, others), 5_000, 30*time.Microsecond)
				if !slices.IsSorted(r.released) || !slices.IsSorted(r.atNs) {
					t.Errorf("%s, %d others, %g: out of order", scheme, others, rate)
				}
				all := slices.Sorted(slices.Values(slices.Concat(r.released, r.lost)))
				if len(all) != 5_000 || len(slices.Compact(all)) != 5_000 {
					t.Errorf("%s, %d others, %g: %d packets came and %d were lost", scheme, others, rate, len(r.released), len(r.lost))
				}
				if rate == 0 && len(r.lost) > 0 || scheme == FWP && rate > 0 && len(r.lost) == 0 {
					t.Errorf("%s, %d others, %g: %d were lost", scheme, others, rate, len(r.lost))
				}
			}
		}
	}
}

func TestAloneAnAMPDUStationLosesNothing(t *testing.T) {
	// 40 ms are many opportunities: no frame is lost in all of them
	if r := carry(t, airOf(0.1, AMPDU, 0), 20_000, 30*time.Microsecond); len(r.lost) > 0 {
		t.Errorf("%d packets were lost", len(r.lost))
	}
}

// A station that waits long for the air has its frames again too late for the receiver ("must also beat the MAC reorder buffer timeout",
// section I).
func TestWhatComesAgainTooLateIsLost(t *testing.T) {
	if r := carry(t, airOf(0.5, AMPDU, 20), 5_000, 30*time.Microsecond); len(r.lost) == 0 {
		t.Error("nothing was late")
	}
}

func TestOnePacketTakesItsContentionHeaderAndTransmission(t *testing.T) {
	air := airOf(0, FWP, 0)
	r := carry(t, air, 1, time.Millisecond)
	least := int64(time.Millisecond + difs + air.parameters.dataTime(frameBytes))
	if len(r.atNs) != 1 || r.atNs[0] < least || r.atNs[0] > least+int64(maxBackoff) {
		t.Errorf("it came at %v, expected %d to %d", r.atNs, least, least+int64(maxBackoff))
	}
}

// Time that nobody asked about is the others'; a packet that comes then still waits for the end of what is sent.
func TestAnIdleStationFindsTheAirInUse(t *testing.T) {
	waits := 0
	for seed := range uint64(20) {
		air := NewAir[int](at(0.1, 64), Stations{Own: FWP, Others: AMPDU, OtherCount: 3}, Limit{Packets: 1}, seed, 0)
		nowNs := int64(time.Hour)
		if !air.Accept(nowNs, frameBytes, 0) || air.Accept(nowNs, frameBytes, 1) {
			t.Fatal("the queue is for one packet")
		}
		nextNs, ok := air.NextNs()
		if !ok || nextNs < nowNs || nextNs > nowNs+int64(20*time.Millisecond) {
			t.Fatalf("the air is free at %d", nextNs)
		}
		if nextNs > nowNs {
			waits++
		}
	}
	if waits == 0 {
		t.Error("it has never waited for the others")
	}
}
