package rar

import (
	"math/rand/v2"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"firstscreen/driver/internal/flow"
)

const (
	ms       = time.Millisecond
	frameLen = 500
)

// peers are flows as the programs would tell of them.
type peers map[flow.Key]Progress

func (p peers) Progress(key flow.Key) (Progress, bool) {
	progress, known := p[key]
	return progress, known
}

func key(port uint16) flow.Key {
	return flow.NewTCP(netip.MustParseAddrPort("192.0.2.1:1"), netip.AddrPortFrom(netip.MustParseAddr("198.51.100.1"), port))
}

// frames of such lengths, the last of which ends a message.
func frames(end uint32, lengths ...int) (frames []Frame) {
	for i, length := range lengths {
		frames = append(frames, Frame{End: end - uint32(len(lengths)-1-i), Bytes: make([]byte, length)})
	}
	return frames
}

func message(port uint16, end uint32, at time.Duration) Message {
	return Message{
		Key: key(port), Interface: 1, End: end, RTT: 200 * ms, LeastRTT: 200 * ms, At: at, Frames: frames(end, frameLen),
		Report: Report{RoundTrips: tellingRoundTrips, Last: RoundTrip{Bytes: 100, Took: 200 * ms}},
	}
}

// sendTimes runs an engine until a time and tells when it sends.
func sendTimes(e *Engine, flows Flows, from, until time.Duration) (times []time.Duration) {
	for now := from; now <= until; now += ms {
		for range e.Due(now, flows) {
			times = append(times, now)
		}
	}
	return times
}

func expectTimes(t *testing.T, got []time.Duration, wanted ...time.Duration) {
	t.Helper()
	if !reflect.DeepEqual(got, wanted) {
		t.Errorf("sent at %v, expected %v", got, wanted)
	}
}

func TestTwoCopiesATenthOfTheRoundTripApart(t *testing.T) {
	e, flows := New(), peers{key(1): {Acknowledged: 10}}
	e.Shown(message(1, 100, 0), 0)
	expectTimes(t, sendTimes(e, flows, 0, 240*ms), 20*ms, 40*ms)
}

func TestWhatIsAcknowledgedIsNotSentAgain(t *testing.T) {
	e, flows := New(), peers{key(1): {Acknowledged: 10}}
	e.Shown(message(1, 100, 0), 0)
	expectTimes(t, sendTimes(e, flows, 0, 30*ms), 20*ms)
	flows[key(1)] = Progress{Acknowledged: 100}
	expectTimes(t, sendTimes(e, flows, 31*ms, 10*time.Second))
	if _, waits := e.Next(); waits || e.Counts.Answered != 1 {
		t.Errorf("something is still followed, or not counted: %+v", e.Counts)
	}
}

func TestSequenceNumbersWrap(t *testing.T) {
	e, flows := New(), peers{key(1): {Acknowledged: 0xffffff00}}
	e.Shown(message(1, 50, 0), 0)
	expectTimes(t, sendTimes(e, flows, 0, 30*ms), 20*ms)
	flows[key(1)] = Progress{Acknowledged: 60}
	expectTimes(t, sendTimes(e, flows, 31*ms, time.Second))
}

func TestRoundsBeginAnewAfterTheRoundTripAndAlphaEachTwiceAsLong(t *testing.T) {
	e, flows := New(), peers{key(1): {}}
	m := message(1, 100, 0)
	m.Variation = 25 * ms // alpha 100 ms
	e.Shown(m, 0)
	expectTimes(t, sendTimes(e, flows, 0, time.Minute),
		20*ms, 40*ms,
		300*ms, 320*ms, 340*ms,
		900*ms, 920*ms, 940*ms,
		2100*ms, 2120*ms, 2140*ms)
	if e.Counts.GivenUp != 1 || e.Counts.Rounds != 3 {
		t.Errorf("counted %+v", e.Counts)
	}
}

// fast is an engine that knows of a link on which a kilobyte takes no time.
func fast() *Engine {
	e := New()
	e.distances.learn(key(1).RemoteAddr(), 1, RoundTrip{Bytes: 1001, Took: 200 * ms})
	return e
}

// slow is an engine that knows of a link of 100 kbit/s and a round trip of 200 ms.
func slow() *Engine {
	e := New()
	for range tellingRoundTrips {
		e.distances.learn(key(1).RemoteAddr(), 1, RoundTrip{Bytes: 1, Took: 200 * ms})
		e.distances.learn(key(1).RemoteAddr(), 1, RoundTrip{Bytes: 1001, Took: 200*ms + 1000*slowByte})
	}
	return e
}

func TestCopiesAreOutWithinAFifthOfTheRoundTripOnASlowLinkToo(t *testing.T) {
	for _, c := range []struct {
		name    string
		lengths []int
		wanted  []time.Duration
	}{
		{"a small message", []int{150}, []time.Duration{20 * ms, 40 * ms}},
		{"one of a message that takes 38 ms with what is answered to it", []int{400}, []time.Duration{32 * ms}},
		{"none of one that takes longer than two staggers", []int{500}, nil},
		{"none of several segments", []int{400, 400}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := message(1, 100, 0)
			m.Frames = frames(m.End, c.lengths...)
			e := slow()
			e.Shown(m, 0)
			expectTimes(t, sendTimes(e, peers{key(1): {}}, 0, 240*ms), c.wanted...)
		})
	}
}

func TestWhereSomethingWaitsForASlowLinkCopiesTakeHardlyAnyOfIt(t *testing.T) {
	for name, c := range map[string]struct {
		engine *Engine
		copies int
	}{"slow": {slow(), 0}, "fast": {fast(), 1}} {
		m := message(1, 100, 0)
		m.RTT, m.Frames = 500*ms, frames(m.End, 60)
		c.engine.Shown(m, 0)
		if sent := sendTimes(c.engine, peers{key(1): {}}, 0, 400*ms); len(sent) != c.copies {
			t.Errorf("%s: sent at %v", name, sent)
		}
	}
}

func TestWithoutARateOnlyRequestsHaveCopiesBesideThem(t *testing.T) {
	for bytes, wanted := range map[int]int{requestBytes: 2, requestBytes + 1: 0} {
		e := New()
		m := message(1, 100, 0)
		m.Frames = frames(m.End, bytes)
		e.Shown(m, 0)
		if sent := sendTimes(e, peers{key(1): {}}, 0, 240*ms); len(sent) != wanted {
			t.Errorf("%d bytes: sent at %v", bytes, sent)
		}
	}
}

func TestASlowLinkHasASmallerBudget(t *testing.T) {
	e, flows := slow(), peers{}
	for port := range uint16(500) {
		flows[key(port)] = Progress{}
		m := message(port, 1000, 0)
		m.Frames = frames(m.End, 100)
		e.Shown(m, 0)
	}
	sendTimes(e, flows, 0, time.Second)
	share := budgetShare * time.Second.Seconds() / slowByte.Seconds()
	if most := uint64(leastBurstBytes + share); e.Counts.CopyBytes > most || e.Counts.CopyBytes < leastBurstBytes-100 {
		t.Errorf("%d bytes of copies, at most %d may be", e.Counts.CopyBytes, most)
	}
}

func TestTheLargestMessageIsAffordedOnASlowLink(t *testing.T) {
	e := slow()
	m := message(1, 100, 0)
	m.Frames = frames(m.End, 1514, 1514, 1514)
	e.Shown(m, 0)
	if sent := sendTimes(e, peers{key(1): {}}, 0, time.Second); len(sent) == 0 {
		t.Errorf("nothing was sent again: %+v", e.Counts)
	}
}

func TestARoundWaitsForWhatTheLinkNeedsForTheMessage(t *testing.T) {
	e, flows := slow(), peers{key(1): {}}
	m := message(1, 100, 0)
	m.Frames = frames(m.End, 1400, 1350) // 220 ms
	e.Shown(m, 0)
	expectTimes(t, sendTimes(e, flows, 0, 600*ms), 470*ms) // with alpha, 50 ms
}

func TestOnlyWhatIsMissingOfAMessageIsSentOnceMore(t *testing.T) {
	e, flows := fast(), peers{key(1): {}}
	m := message(1, 100, 0)
	m.Frames = frames(m.End, 1400, 700, 60)
	e.Shown(m, 0)
	whole := e.Due(20*ms, flows)
	flows[key(1)] = Progress{Acknowledged: m.Frames[0].End}
	rest := e.Due(40*ms, flows)
	if len(whole) != 1 || len(whole[0].Frames) != 3 || whole[0].IsAgain || !reflect.DeepEqual(rest[0].Frames, m.Frames[1:]) {
		t.Errorf("sent %v, then %v", whole, rest)
	}
	again := e.Due(250*ms, flows)
	if len(again) != 1 || len(again[0].Frames) != 2 || !again[0].IsAgain {
		t.Errorf("sent again %v", again)
	}
}

func TestAFlowThatHasJustBegunVariesAsOthersToItsDestination(t *testing.T) {
	for _, c := range []struct {
		roundTrips uint32
		again      time.Duration
	}{{1, 250 * ms}, {tellingRoundTrips, 600 * ms}} {
		e, flows := New(), peers{key(2): {}}
		for range 30 {
			e.distances.learn(key(2).RemoteAddr(), 1, RoundTrip{Bytes: 1, Took: 200 * ms})
		}
		m := message(2, 100, 0)
		m.Variation, m.Report.RoundTrips = 100*ms, c.roundTrips
		e.Shown(m, 0)
		if sent := sendTimes(e, flows, 0, 610*ms); len(sent) < 3 || sent[2] != c.again {
			t.Errorf("after %d round trips: %v", c.roundTrips, sent)
		}
	}
}

func TestAForgottenFlowIsLeftAlone(t *testing.T) {
	e := New()
	e.Shown(message(1, 100, 0), 0)
	expectTimes(t, sendTimes(e, peers{}, 0, time.Minute))
}

func TestTheRoundTripOfANewFlowIsThatOfItsDestination(t *testing.T) {
	e, flows := New(), peers{key(1): {Acknowledged: 100}, key(2): {}}
	known := message(1, 100, 0)
	e.Shown(known, 0)
	sendTimes(e, flows, 0, time.Second)
	first := message(2, 1, time.Second)
	first.RTT, first.LeastRTT, first.IsSYN = 0, 0, true
	e.Shown(first, 0)
	expectTimes(t, sendTimes(e, flows, time.Second, 1200*ms), 1020*ms, 1040*ms)
}

func TestOneFlowTakesNoMoreThanItsPart(t *testing.T) {
	e, flows := New(), peers{key(1): {}}
	for i := range uint32(100) {
		e.Shown(message(1, 1000+i, 0), 0)
	}
	sendTimes(e, flows, 0, time.Second)
	if most := uint64(flowBurstBytes + flowBytesPerSecond); e.Counts.CopyBytes > most || e.Counts.CopyBytes < flowBurstBytes-frameLen {
		t.Errorf("%d bytes of copies, at most %d may be", e.Counts.CopyBytes, most)
	}
	if e.Counts.OverBudget == 0 {
		t.Error("what was not sent is not counted")
	}
}

func TestAllFlowsTogetherTakeNoMoreThanTheWhole(t *testing.T) {
	e, flows := New(), peers{}
	for port := range uint16(500) {
		flows[key(port)] = Progress{}
		e.Shown(message(port, 1000, 0), 0)
	}
	sendTimes(e, flows, 0, time.Second)
	if most := uint64(interfaceBurstBytes + interfaceBytesPerSecond); e.Counts.CopyBytes > most || e.Counts.CopyBytes < interfaceBurstBytes-frameLen {
		t.Errorf("%d bytes of copies, at most %d may be", e.Counts.CopyBytes, most)
	}
}

func TestOnlySoManyMessagesAreFollowed(t *testing.T) {
	e, flows := New(), peers{}
	for port := range uint16(maxMessages + 10) {
		flows[key(port)] = Progress{}
		e.Shown(message(port, 1000, 0), 0)
	}
	if e.Counts.TooMany != 10 || len(e.queue) != maxMessages {
		t.Errorf("%d followed, %d too many", len(e.queue), e.Counts.TooMany)
	}
}

func TestFewerCopiesWhereLossLooksLikeCongestion(t *testing.T) {
	for _, c := range []struct {
		name   string
		bytes  int
		losses uint64
		rtt    time.Duration
		wanted []time.Duration
	}{
		{"single losses", frameLen, 2, 200 * ms, []time.Duration{120 * ms, 140 * ms}},
		{"several in a round trip", frameLen, 3, 200 * ms, []time.Duration{120 * ms}},
		{"a rising delay", frameLen, 0, 500 * ms, []time.Duration{150 * ms}},
		{"both", frameLen, 3, 500 * ms, nil},
		{"an answer, single losses", 1400, 2, 200 * ms, []time.Duration{120 * ms, 140 * ms}},
		{"an answer, several losses", 1400, 3, 200 * ms, nil},
		{"an answer, a rising delay", 1400, 0, 500 * ms, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, flows := fast(), peers{key(1): {Acknowledged: 100}, key(2): {}}
			e.Shown(message(1, 100, 0), 0)
			sendTimes(e, flows, 0, 99*ms)
			m := message(2, 100, 100*ms)
			m.RTT, m.Frames = c.rtt, frames(m.End, c.bytes)
			e.Shown(m, c.losses)
			expectTimes(t, sendTimes(e, flows, 100*ms, 300*ms), c.wanted...)
		})
	}
}

func TestANewFlowHasFewerCopiesWhereTheDelayToItsDestinationHasRisen(t *testing.T) {
	e, flows := New(), peers{key(2): {}}
	e.distances.learn(key(2).RemoteAddr(), 1, RoundTrip{Bytes: 1, Took: 200 * ms})
	for range paceSamples - 1 {
		e.distances.learn(key(2).RemoteAddr(), 1, RoundTrip{Bytes: 1, Took: 600 * ms})
	}
	first := message(2, 100, 0)
	first.RTT, first.LeastRTT, first.IsSYN = 0, 0, true
	e.Shown(first, 0)
	if sent := sendTimes(e, flows, 0, 300*ms); len(sent) != 1 {
		t.Errorf("sent at %v", sent)
	}
}

// settle has messages sent and acknowledged, and the peer report of each so many copies that it had the original.
func settle(e *Engine, flows peers, messages int, duplicates uint32, now *time.Duration) {
	for range messages {
		progress := flows[key(1)]
		m := message(1, progress.Acknowledged+100, *now)
		m.Frames = frames(m.End, 60) // within the budget
		m.Report.Duplicates = progress.Report.Duplicates
		e.Shown(m, e.losses)
		sent := len(sendTimes(e, flows, *now, *now+50*ms))
		progress.Acknowledged += 100
		if sent > 0 {
			progress.Report.Duplicates += duplicates
		}
		flows[key(1)] = progress
		sendTimes(e, flows, *now+51*ms, *now+400*ms)
		*now += 500 * ms
	}
}

func TestALinkThatLosesNothingHasNoCopiesButProbes(t *testing.T) {
	e, flows, now := New(), peers{key(1): {}}, time.Duration(0)
	settle(e, flows, settledCopies/redundancy, redundancy, &now)
	before := e.Counts.Copies
	settle(e, flows, 2*probeEvery, redundancy, &now)
	if probes := e.Counts.Copies - before; probes != 2*redundancy {
		t.Errorf("%d copies of %d messages", probes, 2*probeEvery)
	}

	t.Run("until TCP has to send something again", func(t *testing.T) {
		before, e.losses = e.Counts.Copies, 0
		e.Shown(message(1, flows[key(1)].Acknowledged+100, now), 1)
		if got := len(sendTimes(e, flows, now, now+50*ms)); got != redundancy {
			t.Errorf("%d copies", got)
		}
	})
}

func TestALinkThatLosesHasCopies(t *testing.T) {
	e, flows, now := New(), peers{key(1): {}}, time.Duration(0)
	settle(e, flows, settledCopies, 1, &now) // every second copy is lost
	if e.Counts.NotPaying > 0 {
		t.Errorf("%d messages were not protected", e.Counts.NotPaying)
	}
}

// Whatever happens, in any order: nothing is followed for ever, nothing is sent that was answered, and the whole keeps within its budget.
func TestAnyCourse(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		e, flows := New(), peers{}
		last := map[uint16]uint32{}
		now := time.Duration(0)
		for range 300 {
			now += time.Duration(random.IntN(60)) * ms
			port := uint16(random.IntN(5))
			switch random.IntN(4) {
			case 0, 1:
				last[port] += 100
				m := message(port, last[port], now)
				m.RTT = time.Duration(random.IntN(400)) * ms
				m.LeastRTT = m.RTT / time.Duration(1+random.IntN(3))
				m.Frames = []Frame{{End: m.End, Bytes: []byte{byte(port)}}}
				if _, known := flows[key(port)]; !known {
					flows[key(port)] = Progress{}
				}
				e.Shown(m, uint64(random.IntN(2)))
			case 2:
				flows[key(port)] = Progress{Acknowledged: last[port], Report: Report{Duplicates: random.Uint32N(9), RoundTrips: random.Uint32N(9), Last: RoundTrip{Bytes: random.IntN(4000), Took: time.Duration(random.IntN(400)) * ms}}}
			case 3:
				delete(flows, key(port))
			}
			for _, copy := range e.Due(now, flows) {
				port := uint16(copy.Frames[0].Bytes[0])
				if progress, known := flows[key(port)]; !known || progress.Acknowledged == last[port] {
					t.Fatalf("seed %d: sent after it was answered, or forgotten", seed)
				}
			}
		}
		for range 2 * maxRounds * (redundancy + 1) {
			now += time.Minute
			e.Due(now, flows)
		}
		if _, waits := e.Next(); waits {
			t.Fatalf("seed %d: something is followed for ever", seed)
		}
	}
}
