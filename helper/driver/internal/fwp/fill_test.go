package fwp

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

const (
	roomBytes    = 4095  // that one call of the kernel's makes (ROOM_BYTES in bpf/placeholder.h)
	maxHoleBytes = 14000 // that any packet here can be grown by; the limits themselves have a test
)

func randomPayload(n int, seed uint64) []byte {
	payload := make([]byte, n)
	random := rand.New(rand.NewPCG(seed, seed))
	for i := range payload {
		payload[i] = byte(random.Uint32())
	}
	return payload
}

// lengths of holes: all short ones, all about what one call makes, and of each remainder of small numbers between.
func lengths() (all []int) {
	for hole := 1; hole <= maxHoleBytes; hole++ {
		if rest := hole % roomBytes; hole <= 128 || rest <= 64 || rest >= roomBytes-64 || hole%13 == 0 {
			all = append(all, hole)
		}
	}
	return all
}

func TestAHoleOfAnyLengthIsFilled(t *testing.T) {
	for name, address := range bothFamilies {
		t.Run(name, func(t *testing.T) {
			b := newBed(t, address)
			for _, hole := range lengths() {
				for _, isLeft := range []bool{false, true} {
					entry := b.flow()
					entry.SegmentBytes = maxHoleBytes // it is one of many
					b.put(entry)
					s := b.segment(hole, randomPayload(1+hole%1400, uint64(hole)))
					s.isLeft = isLeft
					before := b.packet(s)
					b.expectFilled(s, before, b.run(before), hole)
				}
			}
		})
	}
}

func TestWhatIsFilledIsExpectedNoMore(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	b.put(b.flow())
	b.run(b.packet(b.segment(1000, randomPayload(500, 1))))
	entry := b.entry()
	if entry.Expected != b.state.Received+1500 || entry.HolesFrom != b.state.Received || entry.HolesTo != b.state.Received+1000 || entry.HoleBytes != 1000 {
		t.Errorf("%+v", entry)
	}
	if counts := (&Flows{programs: b.Programs}).Counts(); counts.Holes != 1 || counts.HoleBytes != 1000 {
		t.Errorf("%+v", counts)
	}
}

func TestAPacketInOrderPassesAsItIs(t *testing.T) {
	for name, address := range bothFamilies {
		t.Run(name, func(t *testing.T) {
			b := newBed(t, address)
			b.put(b.flow())
			packet := b.packet(b.segment(0, randomPayload(1000, 1)))
			if !slices.Equal(b.run(packet), packet) || len(b.drained()) != 0 || b.entry().Expected != b.state.Received+1000 {
				t.Errorf("%+v", b.entry())
			}
		})
	}
}

func TestSegmentsThatWereMergedAreCounted(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	b.put(b.flow())
	b.runMerged(b.packet(b.segment(0, randomPayload(2500, 1))), 1000)
	if entry := b.entry(); entry.SegmentBytes != 1000 || entry.Loss.Now.Segments != 100+3 {
		t.Errorf("%+v", entry)
	}
}

func TestTheFirstPacketSaysWhatIsExpected(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	entry := b.flow()
	entry.Expected = unknown
	b.put(entry)
	packet := b.packet(b.segment(3000, randomPayload(1000, 1)))
	if !slices.Equal(b.run(packet), packet) || b.entry().Expected != b.state.Received+4000 {
		t.Errorf("%+v", b.entry())
	}
}

// edge is the offset from what TCP has received to the end of its window.
func (b *bed) edge() int { return int(b.windowEnd - b.state.Base - uint32(b.state.Received)) }

func TestWhatMayBeFilled(t *testing.T) {
	const hole, size = 2000, 1000
	cases := map[string]struct {
		change func(b *bed, s *segment, f *bpfFwpFlow)
		filled int
		stays  bool // what was expected before is still
	}{
		"a hole":                              {func(*bed, *segment, *bpfFwpFlow) {}, hole, false},
		"before the end of the stream":        {func(_ *bed, s *segment, _ *bpfFwpFlow) { s.payload, s.flags = nil, ack|fin }, hole, false},
		"before the last bytes":               {func(_ *bed, s *segment, _ *bpfFwpFlow) { s.flags |= fin }, hole, false},
		"up to the end that was asked for":    {func(b *bed, _ *segment, f *bpfFwpFlow) { f.End = b.state.Received + hole }, hole, false},
		"beyond it":                           {func(b *bed, _ *segment, f *bpfFwpFlow) { f.End = b.state.Received + hole - 1 }, 0, false},
		"up to the window's edge":             {func(b *bed, s *segment, _ *bpfFwpFlow) { s.ahead = b.edge() - len(s.payload) }, 0, false},
		"beyond the window":                   {func(b *bed, s *segment, _ *bpfFwpFlow) { s.ahead = b.edge() - len(s.payload) + 1 }, 0, true},
		"older than what has come":            {func(b *bed, s *segment, _ *bpfFwpFlow) { s.value-- }, 0, true},
		"that acknowledges what was not sent": {func(_ *bed, s *segment, _ *bpfFwpFlow) { s.acknowledges++ }, 0, true},
		"that acknowledges what is long past": {func(_ *bed, s *segment, _ *bpfFwpFlow) { s.acknowledges -= 1 << 30 }, 0, true},
		"without timestamps":                  {func(_ *bed, s *segment, _ *bpfFwpFlow) { s.isBare = true }, 0, false},
		"with an echo of long ago":            {func(_ *bed, s *segment, _ *bpfFwpFlow) { s.rtt = 70_000 }, 0, false},
		"with an echo of the time to come":    {func(_ *bed, s *segment, _ *bpfFwpFlow) { s.rtt = ^uint32(1000) }, 0, false},
		"an acknowledgement alone":            {func(_ *bed, s *segment, _ *bpfFwpFlow) { s.payload = nil }, 0, true},
		"a segment that is none":              {func(_ *bed, s *segment, _ *bpfFwpFlow) { s.flags = psh }, 0, true},
		"a first segment":                     {func(_ *bed, s *segment, _ *bpfFwpFlow) { s.flags |= syn }, 0, true},
		"a reset":                             {func(_ *bed, s *segment, _ *bpfFwpFlow) { s.flags |= rst }, 0, true},
		"with urgent data":                    {func(_ *bed, s *segment, _ *bpfFwpFlow) { s.flags |= urg }, 0, true},
		"on another interface":                {func(_ *bed, _ *segment, f *bpfFwpFlow) { f.Ifindex++ }, 0, true},
		"of a connection that took its place": {func(_ *bed, _ *segment, f *bpfFwpFlow) { f.IsClosed = 1 }, 0, true},
		"where a half is holes":               {func(_ *bed, _ *segment, f *bpfFwpFlow) { f.HoleBytes = 256<<10 - hole + 1 }, 0, false},
		"where nearly a half is":              {func(_ *bed, _ *segment, f *bpfFwpFlow) { f.HoleBytes = 256<<10 - hole }, hole, false},
		"that TCP has in part":                {func(b *bed, s *segment, f *bpfFwpFlow) { f.Expected -= 4; f.From -= 4 }, hole, false},
		"that TCP has":                        {func(b *bed, s *segment, f *bpfFwpFlow) { s.ahead = 0; f.Expected -= 4; f.From -= 4 }, 0, false},
		"before the stream":                   {func(_ *bed, s *segment, _ *bpfFwpFlow) { s.ahead = -100 }, 0, true},
		"with a router's mark":                {func(_ *bed, s *segment, _ *bpfFwpFlow) { s.service = 3 }, 0, false},
		"of an ECN-capable transport":         {func(_ *bed, s *segment, _ *bpfFwpFlow) { s.service = 2 }, hole, false},
		"longer than a packet can be":         {func(_ *bed, s *segment, _ *bpfFwpFlow) { s.ahead = 15_000 }, 0, false},
	}
	for family, address := range bothFamilies {
		t.Run(family, func(t *testing.T) {
			b := newBed(t, address)
			for name, c := range cases {
				entry, s := b.flow(), b.segment(hole, randomPayload(size, 1))
				c.change(b, &s, &entry)
				b.put(entry)
				packet := b.packet(s)
				after := b.run(packet)
				if c.filled > 0 {
					b.expectFilled(s, packet, after, c.filled)
					continue
				}
				if !bytes.Equal(after, packet) || len(b.drained()) != 0 {
					t.Errorf("%s: it was changed", name)
				}
				if stays := b.entry().Expected == entry.Expected; stays != c.stays {
					t.Errorf("%s: expected %d, then %d", name, entry.Expected, b.entry().Expected)
				}
			}
		})
	}
}

func TestAFlowIsClosedByAFirstSegmentOfAnotherConnectionOnly(t *testing.T) {
	for family, address := range bothFamilies {
		t.Run(family, func(t *testing.T) {
			b := newBed(t, address)
			first := -int(b.state.Received) - 1
			for name, c := range map[string]struct {
				ahead    int
				flags    byte
				isClosed uint32
			}{
				"its own": {first, syn | ack, 0}, "its own, where the peer has connected": {first, syn, 0},
				"another's": {first - 1000, syn | ack, 1}, "another's peer's": {first + 1, syn, 1},
			} {
				s := b.segment(c.ahead, nil)
				s.flags = c.flags
				b.put(b.flow())
				b.run(b.packet(s))
				if isClosed := b.entry().IsClosed; isClosed != c.isClosed {
					t.Errorf("%s: closed %d", name, isClosed)
				}
			}
		})
	}
}

// They are another program's, perhaps another user's, until the daemon has seen that the connection is another one.
func TestBytesOfAConnectionThatTookItsPlaceAreNotTold(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	b.put(b.flow())
	b.run(b.packet(b.segment(1000, randomPayload(500, 1))))
	first := b.segment(-int(b.state.Received)-1001, nil)
	first.flags = syn | ack
	b.run(b.packet(first))
	b.drained()
	b.run(b.packet(b.segment(0, randomPayload(1000, 2))))
	if events := b.drained(); len(events) != 0 {
		t.Errorf("events %+v", events)
	}
}

// A hole up to the window's edge is filled where a packet can be made so long: the kernel's first window is longer, so the segment before is let through first.
func TestAHoleUpToTheEdgeOfTheWindow(t *testing.T) {
	for past, isFilled := range map[int]bool{0: true, 1: false} {
		b := newBed(t, "127.0.0.1")
		entry := b.flow()
		entry.Expected = b.state.Received + uint64(b.edge()) - 3000
		b.put(entry)
		s := b.segment(b.edge()-1000+past, randomPayload(1000, 1))
		packet := b.packet(s)
		after := b.run(packet)
		if isFilled {
			b.expectFilled(s, packet, after, 2000)
		} else if !bytes.Equal(after, packet) || b.entry().Expected != entry.Expected {
			t.Errorf("%d bytes past it: %+v", past, b.entry())
		}
	}
}

func TestPacketsThatAreNotUnderstoodPassAsTheyAre(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	b.put(b.flow())
	whole := b.packet(b.segment(2000, randomPayload(1000, 1)))
	options := slices.Insert(slices.Clone(whole), ethernet+20, 1, 1, 1, 1)
	options[ethernet] = 0x46
	binary.BigEndian.PutUint16(options[ethernet+2:], uint16(len(options)-ethernet))
	fragment := slices.Clone(whole)
	fragment[ethernet+6] = 0x20
	for name, packet := range map[string][]byte{"with options of IP": options, "a fragment": fragment, "cut": whole[:100]} {
		b.put(b.flow())
		if after := b.run(packet); !bytes.Equal(after, packet) || len(b.drained()) != 0 {
			t.Errorf("%s: it was changed", name)
		}
	}
}

func TestNothingIsFilledThatNobodyCanBeToldOf(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	entry := b.flow()
	entry.HolesFrom, entry.HolesTo = 0, unknown
	b.put(entry)
	old := b.packet(b.segment(-5, randomPayload(1400, 1)))
	for range 1 << 20 / 1400 { // more than the ring holds
		b.run(old)
	}
	b.put(b.flow())
	packet := b.packet(b.segment(2000, randomPayload(1000, 1)))
	for range 100 { // what little room is left
		b.put(b.flow())
		b.run(packet)
	}
	b.put(b.flow())
	if !bytes.Equal(b.run(packet), packet) {
		t.Error("it was changed")
	}
	if counts := (&Flows{programs: b.Programs}).Counts(); counts.NoRoom == 0 {
		t.Errorf("%+v", counts)
	}
	b.drained()
	b.put(b.flow())
	s := b.segment(2000, randomPayload(1000, 1))
	packet = b.packet(s)
	b.expectFilled(s, packet, b.run(packet), 2000)
}

func TestNothingIsFilledWithoutADaemon(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	for silent, isFilled := range map[uint32]bool{0: true, 2500: true, 3001: false, 1 << 30: false} {
		b.put(b.flow())
		if err := b.loaded.DaemonSeenMs.Set(nowMs() - silent); err != nil {
			t.Fatal(err)
		}
		packet := b.packet(b.segment(1000, randomPayload(500, 1)))
		if got := !bytes.Equal(b.run(packet), packet); got != isFilled {
			t.Errorf("silent for %d ms: filled %v", silent, got)
		}
	}
}

func TestAnOriginalThatComesLateIsTold(t *testing.T) {
	for name, address := range bothFamilies {
		t.Run(name, func(t *testing.T) {
			b := newBed(t, address)
			for _, isLeft := range []bool{false, true} {
				b.put(b.flow())
				b.run(b.packet(b.segment(1000, randomPayload(500, 1))))
				b.drained()
				original := b.segment(0, randomPayload(1000, 2))
				original.isLeft = isLeft
				packet := b.packet(original)
				if !bytes.Equal(b.run(packet), packet) {
					t.Error("it was changed")
				}
				events := b.drained()
				if len(events) != 1 || events[0].offset != b.state.Received || !events[0].isWhole(keyOf(b.connection)) {
					t.Fatalf("left to the device: %v, events %+v", isLeft, events)
				}
				if payload := events[0].segment[events[0].headers:]; !bytes.Equal(payload, original.payload) {
					t.Errorf("told is %x", payload)
				}
				packet[len(packet)-1] ^= 1
				packet[len(packet)-40] ^= 1
				b.run(packet)
				if events := b.drained(); !isLeft && (len(events) != 1 || events[0].isWhole(keyOf(b.connection))) {
					t.Error("a damaged one is taken for whole")
				}
			}
		})
	}
}

func TestWhatComesAgainAndWasNoHoleIsNotTold(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	b.put(b.flow())
	b.run(b.packet(b.segment(0, randomPayload(1000, 1))))
	b.run(b.packet(b.segment(0, randomPayload(1000, 1))))
	forged := b.segment(0, randomPayload(1000, 2))
	forged.acknowledges++
	b.run(b.packet(b.segment(2000, randomPayload(1000, 1))))
	b.drained()
	b.run(b.packet(forged))
	if events := b.drained(); len(events) != 0 {
		t.Errorf("events %+v", events)
	}
}
