package rar

import "testing"

const segment = 1000 // bytes of payload, of tests

// part of a flow's message, with the segments from `first` on and the last one of some bytes.
func part(first uint32, isOpen bool, segments int, last uint32) Message {
	m := message(1, first+uint32(segments-1)*segment+last, 0)
	m.First, m.State.Acknowledged, m.IsOpen, m.SegmentBytes, m.Frames = first, 1, isOpen, 0, nil
	if segments > 1 {
		m.SegmentBytes = segment
	}
	for range segments {
		m.Frames = append(m.Frames, make([]byte, frameLen))
	}
	return m
}

// BBR on a slow link gives it one segment after the other.
func TestSegmentsThatLeaveOneByOneAreOneMessage(t *testing.T) {
	e, host := fast()
	for i, m := range []Message{part(1, true, 1, segment), part(1+segment, true, 1, segment), part(1+2*segment, false, 1, 100)} {
		if host.show(e, m, 0); e.Counts.Messages != uint64(i/2) {
			t.Errorf("after part %d: %+v", i, e.Counts)
		}
	}
	copies := e.Due(20 * ms)
	if len(copies) != 1 || len(copies[0].Frames) != 3 {
		t.Fatalf("copies are %+v", copies)
	}
	host.flows[key(1)] = Progress{Acknowledged: 1 + segment, Sacked: 1, RTT: 200 * ms}
	if copies = e.Due(40 * ms); len(copies) != 1 || len(copies[0].Frames) != 1 {
		t.Errorf("of a hole: %+v", copies)
	}
}

func TestWhatIsNotOfOneMessageIsNotJoined(t *testing.T) {
	other := part(1+segment, false, 1, 100)
	other.Interface = 2
	for name, c := range map[string]struct {
		before, then Message
		frames       int
	}{
		"a part behind it":                   {part(1, true, 1, segment), part(1+segment, false, 1, 100), 2},
		"several segments behind one":        {part(1, true, 1, segment), part(1+segment, false, 2, 100), 3},
		"a message behind a whole one":       {part(1, false, 1, segment), part(1+segment, false, 1, 100), 1},
		"a message behind something unseen":  {part(1, true, 1, segment), part(2+segment, false, 1, 100), 1},
		"a part that left by another device": {part(1, true, 1, segment), other, 1},
		"a longer segment":                   {part(1, true, 1, 500), part(501, false, 1, 501), 1},
		"bulk":                               {part(1, true, 4, segment), part(1+4*segment, false, 1, 500), 1},
	} {
		t.Run(name, func(t *testing.T) {
			o := openMessages{}
			o.join(c.before)
			if m, isWhole := o.join(c.then); !isWhole || len(m.Frames) != c.frames || m.End != c.then.End {
				t.Errorf("whole %v: %d frames until %d", isWhole, len(m.Frames), m.End)
			}
			if len(o) > 0 {
				t.Errorf("left: %+v", o)
			}
		})
	}
}

func TestBulkThatNeverEndsTakesNoMemory(t *testing.T) {
	o := openMessages{}
	for i := range uint32(1000) {
		m := part(1+i*segment, true, 1, segment)
		if joined, isWhole := o.join(m); isWhole || joined.End-joined.First > maxOpenBytes {
			t.Fatalf("segment %d: %d to %d", i, joined.First, joined.End)
		}
		m.Flow = key(uint16(i))
		o.join(m)
	}
	if len(o) > maxOpen {
		t.Errorf("%d messages are kept", len(o))
	}
}
