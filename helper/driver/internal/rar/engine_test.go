package rar

import (
	"math/rand/v2"
	"net/netip"
	"reflect"
	"testing"
	"time"
)

const (
	ms       = time.Millisecond
	frameLen = 500
	slowByte = 80 * time.Microsecond // 100 kbit/s
)

// peers are a host's flows, and what its interfaces have sent.
type peers struct {
	flows map[Flow]Progress
	sent  map[int]uint64
}

func newPeers() *peers { return &peers{map[Flow]Progress{}, map[int]uint64{}} }

func (p *peers) Progress(flow Flow, _ int) (Progress, bool) {
	progress, known := p.flows[flow]
	return progress, known
}

func (p *peers) SentBytes(on int) uint64 { return p.sent[on] }

// show an engine a message that the host sends.
func (p *peers) show(e *Engine, m Message, losses uint64) {
	p.sent[m.Interface] += uint64(bytesOf(m.Frames))
	if _, known := p.flows[m.Flow]; !known {
		p.flows[m.Flow] = m.State
	}
	e.Shown(m, losses)
}

var far = netip.MustParseAddr("198.51.100.1")

func key(port uint16) Flow { return port }

// setFrames of such lengths, each of which takes one sequence number.
func (m *Message) setFrames(lengths ...int) {
	m.First, m.SegmentBytes, m.Frames = m.End-uint32(len(lengths)), 1, nil
	for _, length := range lengths {
		m.Frames = append(m.Frames, make([]byte, length))
	}
}

func message(port uint16, end uint32, at time.Duration) Message {
	m := Message{
		Flow: key(port), Remote: far, Interface: 1, End: end, At: at,
		State: Progress{Acknowledged: end - 10, RTT: 200 * ms, LeastRTT: 200 * ms},
	}
	m.setFrames(frameLen)
	return m
}

// sendTimes runs an engine until a time and tells when it sends.
func sendTimes(e *Engine, from, until time.Duration) (times []time.Duration) {
	for now := from; now <= until; now += ms {
		for range e.Due(now) {
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

// on a link whose bytes take so long, and a distance of 200 ms that does not vary.
func on(perByte time.Duration) (*Engine, *peers) {
	p := newPeers()
	e := New(p)
	for range 40 {
		e.distances.learn(far, 1, 200*ms)
	}
	e.link(1).learn(1000+smallestBytes, 1000*perByte)
	return e, p
}

func fast() (*Engine, *peers) { return on(0) }

func TestTwoCopiesATenthOfTheRoundTripApart(t *testing.T) {
	e, host := fast()
	host.show(e, message(1, 100, 0), 0)
	expectTimes(t, sendTimes(e, 0, 240*ms), 20*ms, 40*ms)
}

func TestWhatIsAcknowledgedIsNotSentAgain(t *testing.T) {
	e, host := fast()
	host.show(e, message(1, 100, 0), 0)
	expectTimes(t, sendTimes(e, 0, 30*ms), 20*ms)
	host.flows[key(1)] = Progress{Acknowledged: 100}
	expectTimes(t, sendTimes(e, 31*ms, 10*time.Second))
	if _, waits := e.Next(); waits {
		t.Errorf("something is still followed: %+v", e.Counts)
	}
}

func TestSequenceNumbersWrap(t *testing.T) {
	e, host := fast()
	m := message(1, 50, 0)
	m.State.Acknowledged = 0xffffff00
	host.show(e, m, 0)
	expectTimes(t, sendTimes(e, 0, 30*ms), 20*ms)
	host.flows[key(1)] = Progress{Acknowledged: 60}
	expectTimes(t, sendTimes(e, 31*ms, time.Second))
}

func TestRoundsBeginAnewAfterTheRoundTripAndAlphaEachTwiceAsLong(t *testing.T) {
	e, host := fast()
	e.distances[way{far, 1}].variation = 25 * ms // alpha 100 ms
	e.flows[key(1)] = &account{isTimed: true}
	m := message(1, 100, 0)
	m.setFrames(60)
	host.show(e, m, 0)
	expectTimes(t, sendTimes(e, 0, time.Minute),
		20*ms, 40*ms,
		301*ms, 321*ms, 341*ms,
		902*ms, 922*ms, 942*ms,
		2103*ms, 2123*ms, 2143*ms)
	if e.Counts.Rounds != 3 {
		t.Errorf("counted %+v", e.Counts)
	}
}

func TestWhatNobodyMayHaveAskedForOrNothingAnswersHasNoRounds(t *testing.T) {
	for _, c := range []struct {
		name  string
		kind  Kind
		known bool
		sent  int
	}{{"an answer to a first segment", FirstAnswer, false, 2}, {"a query", Query, true, 2}, {"a query whose socket is closed", Query, false, 0}} {
		e, host := fast()
		m := message(1, 100, 0)
		m.Kind, m.State = c.kind, Progress{}
		host.show(e, m, 0)
		if !c.known {
			delete(host.flows, m.Flow)
		}
		if sent := sendTimes(e, 0, time.Minute); len(sent) != c.sent {
			t.Errorf("%s: sent at %v", c.name, sent)
		}
	}
}

func TestCopiesAreOutWithinAFifthOfTheRoundTripOnASlowLinkToo(t *testing.T) {
	for _, c := range []struct {
		name    string
		lengths []int
		wanted  []time.Duration
	}{
		{"a small message", []int{150}, []time.Duration{20 * ms, 40 * ms}},
		{"one of a message that takes 32 ms", []int{400}, []time.Duration{32 * ms}},
		{"none of one that takes longer than two staggers", []int{501}, nil},
		{"of several segments the last, behind them", []int{1450, 350}, []time.Duration{144 * ms}},
		{"twice, if that is short", []int{1500, 100}, []time.Duration{128 * ms, 148 * ms}},
		{"none of a last one that takes longer", []int{350, 1450}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := message(1, 100, 0)
			m.setFrames(c.lengths...)
			e, host := on(slowByte)
			host.show(e, m, 0)
			expectTimes(t, sendTimes(e, 0, 240*ms), c.wanted...)
		})
	}
}

// What others send, registered or not, is ahead of copies.
func TestCopiesWaitUntilTheLinkIsIdle(t *testing.T) {
	for _, c := range []struct {
		others uint64
		wanted []time.Duration
	}{{0, []time.Duration{20 * ms, 40 * ms}}, {200, []time.Duration{24 * ms, 40 * ms}}, {400, []time.Duration{40 * ms}}, {1500, nil}} {
		e, host := on(slowByte)
		m := message(1, 100, 0)
		m.setFrames(100)
		host.show(e, m, 0)
		host.sent[1] += c.others
		e.link(1).looked(host.sent[1], 0, 0)
		expectTimes(t, sendTimes(e, 0, 240*ms), c.wanted...)
		if isBusy := len(c.wanted) < redundancy; (e.Counts.LinkBusy > 0) != isBusy {
			t.Errorf("%d bytes of others: counted %+v", c.others, e.Counts)
		}
	}
}

func TestALinkThatIsAlwaysBusyIsIdleASecondLater(t *testing.T) {
	e, host := on(slowByte)
	host.show(e, message(1, 100, 0), 0)
	sendTimes(e, 0, 10*time.Second)
	host.sent[1] += 1 << 30
	host.show(e, message(2, 100, 10*time.Second), 0)
	if l := e.link(1); l.idleAt > 11*time.Second {
		t.Errorf("idle at %v", l.idleAt)
	}
}

func TestWithoutARateItIsTakenToBeSlow(t *testing.T) {
	for bytes, wanted := range map[int]int{600: 2, 1200: 1, 1300: 0} {
		host := newPeers()
		e := New(host)
		m := message(1, 100, 0)
		m.setFrames(bytes)
		host.show(e, m, 0)
		if sent := sendTimes(e, 0, 240*ms); len(sent) != wanted {
			t.Errorf("%d bytes: sent at %v", bytes, sent)
		}
	}
}

// exchange has a message acknowledged after a time, as TCP's smoothed round trip tells it.
func exchange(e *Engine, host *peers, port uint16, bytes int, least, took time.Duration, now *time.Duration) {
	m := message(port, 100, *now)
	m.State = Progress{Acknowledged: 90, RTT: least, LeastRTT: least}
	m.setFrames(bytes)
	host.show(e, m, 0)
	sendTimes(e, *now, *now+took)
	host.flows[m.Flow] = Progress{Acknowledged: 100, RTT: least + (took-least)/8, LeastRTT: least}
	sendTimes(e, *now+took, *now+took+time.Second)
	*now += 2 * time.Second
}

// A name server on the same network, and a server far away: that is no slow link.
func TestDistanceIsNotTakenForSlowness(t *testing.T) {
	host := newPeers()
	e, now := New(host), time.Duration(0)
	for range 20 {
		exchange(e, host, 53, 100, 3*ms, 3*ms, &now)
		exchange(e, host, 80, 600, 43*ms, 43*ms+100*time.Microsecond, &now)
	}
	if got := e.link(1).perByte(); got != leastPerByte {
		t.Errorf("a byte is taken to need %v", got)
	}
	first := message(81, 100, now)
	first.State = Progress{Acknowledged: 90, RTT: 43 * ms, LeastRTT: 43 * ms}
	host.show(e, first, 0)
	if sent := sendTimes(e, now, now+20*ms); len(sent) != redundancy {
		t.Errorf("a new destination has copies at %v", sent)
	}
}

func TestASlowLinkIsLearntFromWhatLargerMessagesTakeLonger(t *testing.T) {
	host := newPeers()
	e, now := New(host), time.Duration(0)
	exchange(e, host, 80, 600+smallestBytes, 200*ms, 200*ms+600*slowByte, &now)
	if got := e.link(1).perByte(); (got - slowByte).Abs() > time.Microsecond {
		t.Errorf("a byte is taken to need %v", got)
	}
}

// TCP tells the mean of several acknowledgements; when all are there is seen.
func TestWhatAMessageOfSeveralSegmentsTakesIsNotTakenForTheDistance(t *testing.T) {
	host := newPeers()
	e, now := New(host), time.Duration(0)
	for port := range uint16(20) {
		m := message(port, 100, now)
		m.setFrames(1450, 350)
		host.show(e, m, 0)
		took := 200*ms + 1800*slowByte
		sendTimes(e, now, now+took-ms)
		host.flows[m.Flow] = Progress{Acknowledged: 100, RTT: 230 * ms, LeastRTT: 200 * ms}
		sendTimes(e, now+took, now+took+time.Second)
		now += 2 * time.Second
	}
	if got := e.link(1).perByte(); (got - slowByte).Abs() > slowByte/10 {
		t.Errorf("a byte is taken to need %v", got)
	}
	if rtt, variation := e.distances.expected(far, 1); rtt > 220*ms || variation > 20*ms {
		t.Errorf("it is taken to be %v away, varying by %v", rtt, variation)
	}
}

func TestARoundWaitsForWhatTheLinkNeedsForTheMessage(t *testing.T) {
	e, host := on(slowByte)
	m := message(1, 100, 0)
	m.setFrames(1400, 1350) // 220 ms
	host.show(e, m, 0)
	expectTimes(t, sendTimes(e, 0, 600*ms), 470*ms) // with alpha, 50 ms
}

func TestOnlyWhatIsMissingOfAMessageIsSentOnceMore(t *testing.T) {
	e, host := fast()
	m := message(1, 100, 0)
	m.setFrames(1400, 700, 60)
	host.show(e, m, 0)
	whole := e.Due(20 * ms)
	host.flows[key(1)] = Progress{Acknowledged: m.First + 1}
	rest := e.Due(40 * ms)
	if len(whole) != 1 || len(whole[0].Frames) != 3 || len(rest) != 1 || !reflect.DeepEqual(rest[0].Frames, m.Frames[1:]) {
		t.Errorf("sent %v, then %v", whole, rest)
	}
	if again := e.Due(260 * ms); len(again) != 1 || len(again[0].Frames) != 2 {
		t.Errorf("sent again %v", again)
	}
}

// A ClientHello of two segments at 100 kbit/s: the peer has the second one.
func TestAHoleIsSentOnceWhenThePeerTellsOfIt(t *testing.T) {
	e, host := on(slowByte)
	m := message(1, 100, 0)
	m.setFrames(1450, 350) // 144 ms
	host.show(e, m, 0)
	sendTimes(e, 0, 344*ms)
	host.flows[m.Flow] = Progress{Acknowledged: m.First, Sacked: 1, RTT: 200 * ms, LeastRTT: 200 * ms}
	var sent [][][]byte
	for now := 345 * ms; now < 700*ms; now += ms {
		for _, copy := range e.Due(now) {
			sent = append(sent, copy.Frames)
			if late := now - 345*ms; late > 10*ms {
				t.Errorf("sent %v after the peer has told", late)
			}
		}
	}
	if !reflect.DeepEqual(sent, [][][]byte{m.Frames[:1]}) {
		t.Errorf("sent %v packets", sent)
	}
}

func TestEachHoleHasARoundOfItsOwn(t *testing.T) {
	e, host := fast()
	m := message(1, 100, 0)
	m.setFrames(1400, 700, 60)
	m.Frames[0][0], m.Frames[1][0] = 1, 2
	host.show(e, m, 0)
	sendTimes(e, 0, 199*ms)
	for i, hole := range m.Frames[:2] {
		host.flows[m.Flow] = Progress{Acknowledged: m.First + uint32(i), Sacked: 1, RTT: 200 * ms, LeastRTT: 200 * ms}
		at := 300 * ms * time.Duration(i)
		for _, copy := range append(e.Due(at+200*ms), e.Due(at+220*ms)...) {
			if !reflect.DeepEqual(copy.Frames, [][]byte{hole}) {
				t.Errorf("hole %d: sent %d packets, the first of %d bytes", i, len(copy.Frames), len(copy.Frames[0]))
			}
		}
		if e.Counts.Rounds != uint64(i+1) {
			t.Errorf("hole %d: %d rounds", i, e.Counts.Rounds)
		}
		sendTimes(e, at+221*ms, at+499*ms)
	}
}

// What lies behind the hole may be another message's.
func TestAHoleBeforeAMessageIsNotItsOwn(t *testing.T) {
	e, host := fast()
	one, several := message(1, 100, 0), message(1, 102, 0)
	several.setFrames(1400, 700)
	host.show(e, one, 0)
	host.show(e, several, 0)
	sendTimes(e, 0, 199*ms)
	host.flows[one.Flow] = Progress{Acknowledged: one.First - 1, Sacked: 1, RTT: 200 * ms, LeastRTT: 200 * ms}
	expectTimes(t, sendTimes(e, 200*ms, 700*ms))
}

func TestTheLastPacketIsSentAgainWhereOnlyItsEndIsMissing(t *testing.T) {
	e, host := fast()
	m := message(1, 100, 0)
	m.setFrames(1400, 700)
	m.End++ // FIN
	host.show(e, m, 0)
	host.flows[key(1)] = Progress{Acknowledged: m.End - 1}
	if again := e.Due(20 * ms); len(again) != 1 || !reflect.DeepEqual(again[0].Frames, m.Frames[1:]) {
		t.Errorf("sent %v", again)
	}
}

func TestAForgottenFlowIsLeftAlone(t *testing.T) {
	e, host := fast()
	host.show(e, message(1, 100, 0), 0)
	delete(host.flows, key(1))
	expectTimes(t, sendTimes(e, 0, time.Minute))
}

func TestTheRoundTripOfANewFlowIsThatOfItsDestination(t *testing.T) {
	host := newPeers()
	e := New(host)
	host.show(e, message(1, 100, 0), 0)
	first := message(2, 100, time.Second)
	first.Kind, first.State = First, Progress{Acknowledged: 99}
	first.setFrames(74)
	host.flows[key(1)] = Progress{Acknowledged: 100, RTT: 200 * ms, LeastRTT: 200 * ms}
	sendTimes(e, 0, 999*ms)
	host.show(e, first, 0)
	expectTimes(t, sendTimes(e, time.Second, 1200*ms), 1020*ms, 1040*ms)
}

func TestOnlySoManyMessagesAreFollowed(t *testing.T) {
	host := newPeers()
	e := New(host)
	for port := range uint16(maxMessages + 10) {
		host.show(e, message(port, 1000, 0), 0)
	}
	if e.Counts.TooMany != 10 || len(e.queue) != maxMessages {
		t.Errorf("%d followed, %d too many", len(e.queue), e.Counts.TooMany)
	}
}

// settle has messages sent and acknowledged, and the peer report of each so many copies that it had the original.
func settle(e *Engine, host *peers, messages int, duplicates uint32, now *time.Duration) {
	for range messages {
		progress := host.flows[key(1)]
		m := message(1, progress.Acknowledged+100, *now)
		m.State.Duplicates = progress.Duplicates
		host.show(e, m, e.losses)
		sent := len(sendTimes(e, *now, *now+50*ms))
		progress.Acknowledged += 100
		if sent > 0 {
			progress.Duplicates += duplicates
		}
		host.flows[key(1)] = progress
		sendTimes(e, *now+51*ms, *now+450*ms)
		*now += 600 * ms
	}
}

func TestALinkThatLosesNothingHasNoCopiesButProbes(t *testing.T) {
	e, host := fast()
	now := time.Duration(0)
	settle(e, host, settledCopies/redundancy, redundancy, &now)
	before := e.Counts.Copies
	settle(e, host, 2*probeEvery, redundancy, &now)
	if probes := e.Counts.Copies - before; probes != 2*redundancy {
		t.Errorf("%d copies of %d messages", probes, 2*probeEvery)
	}

	t.Run("until TCP has to send something again", func(t *testing.T) {
		host.show(e, message(1, host.flows[key(1)].Acknowledged+100, now), e.losses+1)
		if got := len(sendTimes(e, now, now+50*ms)); got != redundancy {
			t.Errorf("%d copies", got)
		}
	})
}

func TestAConnectionOfTheSameEndsIsAccountedForByItself(t *testing.T) {
	e, host := fast()
	now := time.Duration(0)
	rest := func() { sendTimes(e, now, now+time.Second); now += time.Second }
	settle(e, host, 5, redundancy, &now)
	rest()
	before := e.Counts.Duplicates
	first := message(1, 1000, now)
	first.Kind, first.State = First, Progress{}
	host.flows[key(1)] = Progress{Acknowledged: 999}
	host.show(e, first, e.losses)
	host.flows[key(1)] = Progress{Acknowledged: 1000}
	rest()
	settle(e, host, 1, 0, &now)
	rest()
	if before == 0 || e.Counts.Duplicates != before {
		t.Errorf("%d duplicates, then %d", before, e.Counts.Duplicates)
	}
}

func TestALinkThatLosesHasCopies(t *testing.T) {
	e, host := fast()
	now := time.Duration(0)
	settle(e, host, settledCopies, 1, &now) // every second copy is lost
	if e.Counts.NotPaying > 0 {
		t.Errorf("%d messages were not protected", e.Counts.NotPaying)
	}
}

// Whatever happens, in any order: nothing is followed for ever, nothing is sent that was answered, and copies take no more than the link's rate.
func TestAnyCourse(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		host := newPeers()
		e, last, now := New(host), map[uint16]uint32{}, time.Duration(0)
		for range 300 {
			now += time.Duration(random.IntN(60)) * ms
			port := uint16(random.IntN(5))
			switch random.IntN(4) {
			case 0, 1:
				last[port] += 100
				m := message(port, last[port], now)
				m.State.RTT = time.Duration(random.IntN(400)) * ms
				m.State.LeastRTT = m.State.RTT / time.Duration(1+random.IntN(3))
				m.setFrames(1 + random.IntN(1500))
				m.Frames[0][0] = byte(port)
				host.show(e, m, uint64(random.IntN(2)))
			case 2:
				host.flows[key(port)] = Progress{Acknowledged: last[port], Duplicates: random.Uint32N(9), RTT: time.Duration(random.IntN(400)) * ms, LeastRTT: time.Duration(random.IntN(40)) * ms}
			case 3:
				delete(host.flows, key(port))
			}
			for _, copy := range e.Due(now) {
				port := uint16(copy.Frames[0][0])
				if progress, known := host.flows[key(port)]; !known || progress.Acknowledged == last[port] {
					t.Fatalf("seed %d: sent after it was answered, or forgotten", seed)
				}
			}
		}
		if most := uint64(now / leastPerByte); e.Counts.CopyBytes > most {
			t.Fatalf("seed %d: %d bytes of copies, the link takes %d", seed, e.Counts.CopyBytes, most)
		}
		for range 2 * maxRounds * (redundancy + 1) {
			now += time.Minute
			e.Due(now)
		}
		if _, waits := e.Next(); waits {
			t.Fatalf("seed %d: something is followed for ever", seed)
		}
	}
}
