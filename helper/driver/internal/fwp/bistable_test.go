package fwp

import (
	"bytes"
	"testing"
)

// lost tells what becomes of a hole, in segments, with the state of the switch that was before.
func (b *bed) lost(entry bpfFwpFlow, segments int, rtt uint32) (isFilled bool) {
	b.Helper()
	b.put(entry)
	s := b.segment(int(entry.SegmentBytes)*segments, randomPayload(100, 1))
	s.rtt = rtt
	packet := b.packet(s)
	isFilled = !bytes.Equal(b.run(packet), packet)
	b.drained()
	return isFilled
}

func TestTheBistableSwitch(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	for name, c := range map[string]struct {
		change   func(f *bpfFwpFlow)
		segments int
		isFilled bool
	}{
		"one of a hundred":                         {func(*bpfFwpFlow) {}, 1, true},
		"as many as expected":                      {func(f *bpfFwpFlow) { f.Loss.Now.Lost = 4 }, 1, true},
		"more, as happens with so few":             {func(f *bpfFwpFlow) { f.Loss.Now.Lost = 9 }, 1, true},
		"many more":                                {func(f *bpfFwpFlow) { f.Loss.Now.Lost = 11 }, 1, false},
		"many more at once":                        {func(*bpfFwpFlow) {}, 12, false},
		"many of a window that was as long before": {func(f *bpfFwpFlow) { f.Loss.Before = f.Loss.Now; f.Loss.Now.Segments = 10; f.Loss.Now.Lost = 8 }, 1, true},
		"the same, and it was not":                 {func(f *bpfFwpFlow) { f.Loss.Now.Segments = 10; f.Loss.Now.Lost = 8 }, 1, false},
		"one, where hardly any is expected":        {func(f *bpfFwpFlow) { f.Loss.ErrorRate = rateOne / 1000 }, 1, true},
		"three, where hardly any is":               {func(f *bpfFwpFlow) { f.Loss.ErrorRate = rateOne / 1000; f.Loss.Now.Lost = 2 }, 1, false},
		"a queue that has stood for the window":    {func(f *bpfFwpFlow) { f.Loss.LeastMs = 20; f.Loss.LongestQueueMs = 30 }, 1, false},
		"the same, where queues have been longer":  {func(f *bpfFwpFlow) { f.Loss.LeastMs = 36; f.Loss.LongestQueueMs = 30 }, 1, true},
		"a short one, as long as it ever was":      {func(f *bpfFwpFlow) { f.Loss.LeastMs = 36; f.Loss.LongestQueueMs = 4 }, 1, false},
		"what rounding makes":                      {func(f *bpfFwpFlow) { f.Loss.LeastMs = 38 }, 1, true},
		"a queue in the window before, and too few samples since": {func(f *bpfFwpFlow) {
			f.Loss.LeastMs, f.Loss.LongestQueueMs = 20, 30
			f.Loss.Before, f.Loss.Now.Segments = f.Loss.Now, 3
		}, 1, false},
		"a queue now, and none in the window before": {func(f *bpfFwpFlow) {
			f.Loss.LeastMs, f.Loss.LongestQueueMs = 20, 30
			f.Loss.Before = f.Loss.Now
			f.Loss.Before.ShortestMs = 21
		}, 1, false},
		"four times the variation without a queue": {func(f *bpfFwpFlow) { f.Loss.LeastMs, f.Loss.VariationEighthsMs = 20, 8*5 }, 1, true},
		"more than that": {func(f *bpfFwpFlow) { f.Loss.LeastMs, f.Loss.VariationEighthsMs = 19, 8*5 }, 1, false},
		"a queue in the window before, and none since": {func(f *bpfFwpFlow) {
			f.Loss.LeastMs, f.Loss.LongestQueueMs = 20, 30
			f.Loss.Before, f.Loss.Now.ShortestMs = f.Loss.Now, 21
		}, 1, true},
		"while it is inhibited":   {func(f *bpfFwpFlow) { f.Loss.InhibitedUntilMs += 10_000 }, 1, false},
		"when it is no longer":    {func(f *bpfFwpFlow) { f.Loss.InhibitedUntilMs -= 10 }, 1, true},
		"after days of no effect": {func(f *bpfFwpFlow) { f.Loss.InhibitedUntilMs += 1 << 31 }, 1, true},
	} {
		entry := b.flow()
		c.change(&entry)
		if got := b.lost(entry, c.segments, 40); got != c.isFilled {
			t.Errorf("%s: filled %v, then %+v", name, got, b.entry().Loss)
		}
	}
}

func TestASignOfCongestionInhibitsForTwoRoundTrips(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	for name, change := range map[string]func(f *bpfFwpFlow, s *segment){
		"a queue":  func(f *bpfFwpFlow, _ *segment) { f.Loss.LeastMs = 10 },
		"the rate": func(f *bpfFwpFlow, _ *segment) { f.Loss.Now.Lost = 50 },
		"a mark":   func(_ *bpfFwpFlow, s *segment) { s.service = 3 },
	} {
		entry, s := b.flow(), b.segment(1000, randomPayload(100, 1))
		change(&entry, &s)
		b.put(entry)
		before := nowMs()
		b.run(b.packet(s))
		until := b.entry().Loss.InhibitedUntilMs
		if until < before+80 || until > nowMs()+82 {
			t.Errorf("%s: inhibited for %d ms", name, until-before)
		}
	}
	if counts := (&Flows{programs: b.Programs}).Counts(); counts.Holes != 0 || counts.Congested != 3 {
		t.Errorf("%+v", counts)
	}
}

func TestAWindowLastsARoundTrip(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	entry := b.flow()
	entry.Loss.Now.BeganMs -= 39
	entry.Loss.Now.ShortestMs, entry.Loss.Now.Lost = 55, 3
	s := b.segment(0, randomPayload(100, 1))
	s.rtt = 1000
	b.put(entry)
	b.run(b.packet(s))
	if after := b.entry().Loss; after.Now.Segments != 101 || after.Before.Segments != 0 {
		t.Errorf("before its end: %+v", after)
	}
	entry.Loss.Now.BeganMs -= 1000
	b.put(entry)
	b.run(b.packet(s))
	after := b.entry().Loss
	if after.Now.Segments != 1 || after.Now.Lost != 0 || after.Before.Segments != 100 || after.Before.Lost != 3 || after.LongestQueueMs != 15 {
		t.Errorf("after its end: %+v", after)
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
	after := func(lost, shortest, isLearning uint32) float64 {
		entry := b.flow()
		entry.Loss.IsLearning, entry.Loss.Now.Lost, entry.Loss.Now.ShortestMs = isLearning, lost, shortest
		for range 100 {
			entry.Loss.Now.BeganMs = nowMs() - 1000
			b.put(entry)
			b.run(b.packet(b.segment(0, randomPayload(100, 1))))
			entry.Loss.ErrorRate = b.entry().Loss.ErrorRate
		}
		return float64(entry.Loss.ErrorRate) / rateOne
	}
	for name, c := range map[string]struct {
		lost, shortest, isLearning uint32
		least, most                float64
	}{
		"three of a hundred":      {3, 40, 1, 0.028, 0.030},
		"none":                    {0, 40, 1, 0.0099, 0.0101},
		"a half":                  {100, 40, 1, 0.0999, 0.1001},
		"with a queue":            {3, 60, 1, 0.0499, 0.0501},
		"where somebody has told": {3, 40, 0, 0.0499, 0.0501},
	} {
		if rate := after(c.lost, c.shortest, c.isLearning); rate < c.least || rate > c.most {
			t.Errorf("%s: %v", name, rate)
		}
	}
}
