package fwp

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"firstscreen/driver/internal/fault"
)

// Whatever is filled and comes late in whatever order: each hole is told once, before or as `through` passes it, and each of its bytes at most once as late, and
// as the peer has sent it.
func TestEachHoleAndEachOriginalIsToldOnce(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		stream := randomPayload(100_000, seed)
		l := ledger{room: &lateRoom{}}
		holes, patched := make([]bool, len(stream)), make([]bool, len(stream))
		told, through := []hole(nil), uint64(0)
		expected := uint64(0)
		for expected < uint64(len(stream)) {
			bytes := uint64(1 + random.IntN(3000))
			switch end := min(expected+bytes, uint64(len(stream))); random.IntN(4) {
			case 0:
				l.filled(hole{expected, end})
				for i := expected; i < end; i++ {
					holes[i] = true
				}
				expected = end
			case 1:
				from := uint64(random.IntN(int(expected) + 1))
				to := min(from+bytes, expected)
				l.came(from, stream[from:to])
			case 2:
				expected = end
			default:
				answer := l.tell(expected)
				if answer.Through < through || answer.Through > expected {
					t.Fatalf("seed %d: through %d after %d of %d", seed, answer.Through, through, expected)
				}
				through = answer.Through
				for _, one := range answer.Holes {
					told = append(told, hole{one[0], one[0] + one[1]})
				}
				for _, late := range answer.Late {
					for i, value := range late.Data {
						at := int(late.Offset) + i
						if !holes[at] || patched[at] || value != stream[at] {
							t.Fatalf("seed %d: late at %d: a hole %v, told before %v", seed, at, holes[at], patched[at])
						}
						patched[at] = true
					}
				}
			}
		}
		for _, one := range l.tell(expected).Holes {
			told = append(told, hole{one[0], one[0] + one[1]})
		}
		for _, one := range told {
			for i := one.from; i < one.to; i++ {
				if !holes[i] {
					t.Fatalf("seed %d: %d was told and no hole, or twice", seed, i)
				}
				holes[i] = false
			}
		}
		if slices.Contains(holes, true) {
			t.Errorf("seed %d: a hole was not told", seed)
		}
	}
}

func TestAnAnswerFitsALineAndTheRestIsToldLater(t *testing.T) {
	l := ledger{room: &lateRoom{}}
	const far, count = 1 << 52, 3000 // as long in digits as JavaScript counts
	for i := range uint64(count) {
		l.filled(hole{far + i*40_000, far + i*40_000 + 30_000})
		l.came(far+i*40_000, make([]byte, 300))
	}
	told, bytesLate := 0, 0
	for answers := 0; told < count || bytesLate < count*300; answers++ {
		answer := l.tell(far + count*40_000)
		reason := Congested
		answer.Reason = &reason
		text, err := json.Marshal(answer)
		if err != nil || len(text) > 64_000 || answers > 1000 {
			t.Fatalf("answer %d: %d bytes, %v", answers, len(text), err)
		}
		if told += len(answer.Holes); told < count && answer.Through != far+uint64(told)*40_000 {
			t.Fatalf("%d holes told, through %d", told, answer.Through-far)
		}
		for _, late := range answer.Late {
			bytesLate += len(late.Data)
		}
	}
}

func TestAnAnswerHasTheFormThatHelpersKnow(t *testing.T) {
	l := ledger{room: &lateRoom{}}
	if text, err := json.Marshal(l.tell(5)); err != nil || string(text) != `{"through":5,"holes":[],"late":[],"reason":null}` {
		t.Errorf("%s, %v", text, err)
	}
	l.filled(hole{10, 30})
	l.came(8, []byte("0123456789"))
	reason := Congested
	answer := l.tell(40)
	answer.Reason = &reason
	if text, err := json.Marshal(answer); err != nil || string(text) != `{"through":40,"holes":[[10,20]],"late":[{"offset":10,"data":"MjM0NTY3ODk="}],"reason":"congested"}` {
		t.Errorf("%s, %v", text, err)
	}
}

func TestALedgerHasLimits(t *testing.T) {
	l := ledger{room: &lateRoom{}}
	isMore := true
	for i := uint64(0); isMore; i += 2 {
		isMore = l.filled(hole{i, i + 1})
	}
	if len(l.untold) != maxHoles || len(l.open) != maxHoles {
		t.Errorf("%d holes, of which %d are open", len(l.untold), len(l.open))
	}
	l = ledger{room: &lateRoom{}}
	l.filled(hole{0, 4 << 20})
	for i := range uint64(1000) {
		l.came(i*4000, bytes.Repeat([]byte{1}, 4000))
	}
	if l.bytes > maxLateBytes {
		t.Errorf("%d bytes are kept", l.bytes)
	}
}

func TestAllLedgersTogetherHaveALimit(t *testing.T) {
	room := &lateRoom{}
	ledgers := make([]ledger, 2*maxAllLateBytes/maxLateBytes)
	kept := 0
	for i := range ledgers {
		ledgers[i].room = room
		ledgers[i].filled(hole{0, maxLateBytes})
		for offset := uint64(0); offset < maxLateBytes; offset += 4096 {
			ledgers[i].came(offset, make([]byte, 4096))
		}
		kept += ledgers[i].bytes
	}
	if kept != maxAllLateBytes || room.bytes != kept {
		t.Errorf("%d bytes are kept, %d counted", kept, room.bytes)
	}
	for i := range ledgers {
		for i%2 == 0 && ledgers[i].bytes > 0 {
			ledgers[i].tell(maxLateBytes)
		}
		ledgers[i].end()
	}
	if room.bytes != 0 {
		t.Errorf("%d bytes are counted of nothing", room.bytes)
	}
}

func TestOnlySoManyFlows(t *testing.T) {
	flows := NewFlows(nil, nil, Rates{}, nil)
	for number := range uint32(maxFlows) {
		flows.all[number] = &Flow{}
	}
	if _, err := flows.Repair(Connection{}, 1); err == nil || fault.Of(err).Code != fault.Limit {
		t.Error(err)
	}
}

func FuzzDecodeEvents(f *testing.F) {
	f.Add(make([]byte, 32))
	f.Add(make([]byte, 100))
	f.Fuzz(func(t *testing.T, sample []byte) {
		e, err := decode(sample)
		if err == nil && e.segment != nil && len(e.segment) != e.headers+int(e.bytes) {
			t.Errorf("%x is read as %+v", sample, e)
		}
		if err == nil && e.segment != nil {
			e.isWhole(bpfFlowKey{})
		}
	})
}

func TestWhatIsOfNoHoleCostsALook(t *testing.T) {
	l := ledger{room: &lateRoom{}}
	for i := range uint64(maxHoles - 1) {
		l.filled(hole{i * 3000, i*3000 + 1460})
	}
	payload := make([]byte, 1460)
	for _, offset := range []uint64{1460, 1_000_000/3000*3000 + 1460, maxHoles * 3000} {
		if allocations := testing.AllocsPerRun(10, func() { l.came(offset, payload) }); allocations != 0 {
			t.Errorf("at %d: %v allocations", offset, allocations)
		}
	}
	if len(l.open) != maxHoles-1 || len(l.late) != 0 {
		t.Errorf("%d open, %d late", len(l.open), len(l.late))
	}
}
