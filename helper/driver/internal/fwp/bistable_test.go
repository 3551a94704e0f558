package fwp

import (
	"bytes"
	"testing"
)

// lost tells what becomes of a hole, in segments, with the state of the switch that was before.
func (b *bed) lost(entry bpfFwpFlow, segments int) (isFilled bool) {
	b.Helper()
	b.put(entry)
	s := b.segment(int(entry.SegmentBytes)*segments, randomPayload(100, 1))
	packet := b.packet(s)
	isFilled = !bytes.Equal(b.run(packet), packet)
	b.drained()
	return isFilled
}

func TestTheBistableSwitch(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	stood := func(f *bpfFwpFlow) { f.Loss.Before = f.Loss.Now }
	for name, c := range map[string]struct {
		change   func(f *bpfFwpFlow)
		segments int
		isFilled bool
	}{
		"one of a hundred":                    {func(*bpfFwpFlow) {}, 1, true},
		"the last that the bucket has":        {func(f *bpfFwpFlow) { f.Loss.Spent = 9 * rateOne }, 1, true},
		"one more":                            {func(f *bpfFwpFlow) { f.Loss.Spent = 10 * rateOne }, 1, false},
		"all that it has at once":             {func(*bpfFwpFlow) {}, 10, true},
		"more at once":                        {func(*bpfFwpFlow) {}, 11, false},
		"as much at once as there can be":     {func(f *bpfFwpFlow) { f.SegmentBytes = 1 }, 4000, false},
		"a queue of over a half of the least": {func(f *bpfFwpFlow) { stood(f); f.Loss.LeastMs = 26 }, 1, false},
		"a shorter one":                       {func(f *bpfFwpFlow) { stood(f); f.Loss.LeastMs = 28 }, 1, true},
		"as long as one that has lost":        {func(f *bpfFwpFlow) { stood(f); f.Loss.LeastMs, f.Loss.FullQueueMs = 30, 12 }, 1, false},
		"less than such a one":                {func(f *bpfFwpFlow) { stood(f); f.Loss.LeastMs, f.Loss.FullQueueMs = 32, 12 }, 1, true},
		"what rounding makes":                 {func(f *bpfFwpFlow) { stood(f); f.Loss.LeastMs, f.Loss.FullQueueMs = 39, 2 }, 1, true},
		"four times the variation":            {func(f *bpfFwpFlow) { stood(f); f.Loss.LeastMs, f.Loss.VariationEighthsMs = 21, 8*5 }, 1, true},
		"more than that":                      {func(f *bpfFwpFlow) { stood(f); f.Loss.LeastMs, f.Loss.VariationEighthsMs = 18, 8*5 }, 1, false},
		"a queue that has not stood so long":  {func(f *bpfFwpFlow) { stood(f); f.Loss.LeastMs, f.Loss.Before.ShortestMs = 20, 21 }, 1, true},
		"one that stands no more":             {func(f *bpfFwpFlow) { stood(f); f.Loss.LeastMs, f.Loss.Now.ShortestMs = 20, 21 }, 1, true},
		"one of too few samples":              {func(f *bpfFwpFlow) { stood(f); f.Loss.LeastMs, f.Loss.Before.Segments = 20, 7 }, 1, true},
		"while it is inhibited":               {func(f *bpfFwpFlow) { f.Loss.InhibitedUntilMs += 10_000 }, 1, false},
		"when it is no longer":                {func(f *bpfFwpFlow) { f.Loss.InhibitedUntilMs -= 10 }, 1, true},
		"after days of no effect":             {func(f *bpfFwpFlow) { f.Loss.InhibitedUntilMs += 1 << 31 }, 1, true},
	} {
		entry := b.flow()
		c.change(&entry)
		if got := b.lost(entry, c.segments); got != c.isFilled {
			t.Errorf("%s: filled %v, then %+v", name, got, b.entry().Loss)
		}
	}
}

func TestASignOfCongestionInhibitsForARoundTrip(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	for name, change := range map[string]func(f *bpfFwpFlow, s *segment){
		"a queue":  func(f *bpfFwpFlow, _ *segment) { f.Loss.LeastMs, f.Loss.Before = 10, f.Loss.Now },
		"the rate": func(f *bpfFwpFlow, _ *segment) { f.Loss.Spent = 10 * rateOne },
		"a mark":   func(_ *bpfFwpFlow, s *segment) { s.service = 3 },
	} {
		entry, s := b.flow(), b.segment(1000, randomPayload(100, 1))
		change(&entry, &s)
		b.put(entry)
		before := nowMs()
		b.run(b.packet(s))
		after := b.entry().Loss
		if until := after.InhibitedUntilMs; until < before+40 || until > nowMs()+42 || after.Now.BeganMs != until || after.Before.Segments != 0 || after.Spent != 0 {
			t.Errorf("%s: at %d, %+v", name, before, after)
		}
	}
	if counts := (&Flows{programs: b.Programs}).Counts(); counts.Holes != 0 || counts.Congested != 3 {
		t.Errorf("%+v", counts)
	}
}

func TestAQueueIsKnownToLoseWhenMoreIsLostThanExpected(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	for least, full := range map[uint32]uint32{30: 10, 39: 0} { // of 2 ms nobody knows whether it is one
		entry := b.flow()
		entry.Loss.LeastMs, entry.Loss.Before, entry.Loss.Spent = least, entry.Loss.Now, 10*rateOne
		b.lost(entry, 1)
		if got := b.entry().Loss.FullQueueMs; got < full || got > 2*full {
			t.Errorf("over %d ms: %d", least, got)
		}
	}
}

func TestAWindowLastsARoundTrip(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	entry := b.flow()
	entry.Loss.Now.BeganMs -= 39
	entry.Loss.FullQueueMs, entry.Loss.Now.ShortestMs, entry.Loss.Now.Lost = 5, 55, 3
	entry.Loss.Before = entry.Loss.Now
	s := b.segment(0, randomPayload(100, 1))
	s.rtt = 1000
	b.put(entry)
	b.run(b.packet(s))
	if after := b.entry().Loss; after.Now.Segments != 101 || after.FullQueueMs != 5 {
		t.Errorf("before its end: %+v", after)
	}
	entry.Loss.Now.BeganMs -= 1000
	b.put(entry)
	b.run(b.packet(s))
	after := b.entry().Loss
	if after.Now.Segments != 1 || after.Now.Lost != 0 || after.Before.Segments != 100 || after.Before.Lost != 3 || after.FullQueueMs != 15 {
		t.Errorf("after its end: %+v", after)
	}
}

func TestWhatComesEarnsLossesInTheBucket(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	for spent, after := range map[uint32]uint32{rateOne: rateOne - rateOne/20*3/2, 5: 0} {
		entry := b.flow()
		entry.Loss.Spent = spent
		b.put(entry)
		b.run(b.packet(b.segment(0, randomPayload(100, 1))))
		if got := b.entry().Loss.Spent; got != after {
			t.Errorf("of %d: %d", spent, got)
		}
	}
}

func TestTheVariationOfRoundTripsIsSmoothed(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	entry := b.flow()
	for i := range 100 {
		entry.Loss.Now.BeganMs = nowMs() - 1000
		entry.Loss.Now.Segments, entry.Loss.Now.ShortestMs = 100, 50+uint32(i%2)*6
		b.put(entry)
		b.run(b.packet(b.segment(0, randomPayload(100, 1))))
		entry = b.entry()
		entry.Expected = b.state.Received
	}
	if varies := entry.Loss.VariationEighthsMs; varies < 8*5 || varies > 8*7 {
		t.Errorf("%d eighths of a ms", varies)
	}
}

func TestARateThatNobodyHasToldIsLearnt(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	after := func(lost, clear uint32, most float64) float64 {
		entry := b.flow()
		entry.Loss.MostLearnt, entry.Loss.Now.Lost, entry.Loss.Now.Clear = unitsOf(most), lost, clear
		for range 100 {
			entry.Loss.Now.BeganMs = nowMs() - 1000
			b.put(entry)
			b.run(b.packet(b.segment(0, randomPayload(100, 1))))
			entry.Loss.ErrorRate = b.entry().Loss.ErrorRate
		}
		return float64(entry.Loss.ErrorRate) / rateOne
	}
	for name, c := range map[string]struct {
		lost, clear      uint32
		may, least, most float64
	}{
		"three of a hundred":      {3, 100, 0.1, 0.028, 0.030},
		"none":                    {0, 100, 0.1, 0, 0.0001},
		"ten":                     {10, 100, 0.1, 0.089, 0.092},
		"a burst":                 {100, 100, 0.1, 0.049, 0.051},
		"more than may be":        {10, 100, 0.06, 0.0599, 0.0601},
		"all saw a queue":         {0, 0, 0.1, 0.0499, 0.0501},
		"where somebody has told": {3, 100, 0, 0.0499, 0.0501},
	} {
		if rate := after(c.lost, c.clear, c.may); rate < c.least || rate > c.most {
			t.Errorf("%s: %v", name, rate)
		}
	}
}

func TestTheRateIsLearntOfWhatSawNoQueue(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	for _, c := range []struct{ last, rtt, count uint32 }{{40, 40, 1}, {40, 47, 0}, {47, 40, 0}} { // over 40 ms an eighth more is none
		entry, s := b.flow(), b.segment(1000, randomPayload(100, 1))
		entry.Loss.LastMs, s.rtt = c.last, c.rtt
		b.put(entry)
		b.run(b.packet(s))
		if after := b.entry().Loss.Now; after.Segments != 101 || after.Clear != 100+c.count || after.Lost != c.count {
			t.Errorf("%d, then %d ms: %+v", c.last, c.rtt, after)
		}
	}
}

func TestTheBucketHoldsWhatSoManySegmentsMayLose(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	for rate, most := range map[float64]int{0: 0, 0.0004: 0, 0.001: 1, 0.005: 5, 0.02: 10, 0.5: 10} {
		for _, lost := range []int{max(most, 1), most + 1} {
			entry := b.flow()
			entry.Loss.ErrorRate = unitsOf(rate)
			if isFilled := b.lost(entry, lost); isFilled != (lost <= most) {
				t.Errorf("%d at %v: filled %v", lost, rate, isFilled)
			}
		}
	}
}
