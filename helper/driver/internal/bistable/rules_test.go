package bistable

import "testing"

const (
	nowMs = 1_000_000
	rttMs = 40
)

// arrival of a segment on a flow of which a hundred have come in this window, of a round trip of 40 ms, while one of twenty is expected to be lost.
func arrival(lost uint32) *bpfArrival {
	a := &bpfArrival{NowMs: nowMs, RttMs: rttMs, Segments: 1, Lost: lost}
	a.State.LeastMs, a.State.ErrorRate, a.State.InhibitedUntilMs = rttMs, rateOne/20, nowMs
	a.State.Now.BeganMs, a.State.Now.ShortestMs = nowMs, rttMs
	a.State.Now.Segments, a.State.Now.Clear = 100, 100
	return a
}

// endWindow with this segment.
func (a *bpfArrival) endWindow() { a.State.Now.BeganMs = nowMs - rttMs }

func TestWhatIsTakenForCongestion(t *testing.T) {
	j := newJudge(t)
	stood := func(a *bpfArrival) { a.State.Before = a.State.Now }
	for name, c := range map[string]struct {
		lost    uint32
		change  func(a *bpfArrival)
		verdict verdict
	}{
		"one of a hundred":                    {1, func(*bpfArrival) {}, filled},
		"the last that the bucket has":        {1, func(a *bpfArrival) { a.State.Spent = 9 * rateOne }, filled},
		"one more":                            {1, func(a *bpfArrival) { a.State.Spent = 10 * rateOne }, sign},
		"all that it has at once":             {10, func(*bpfArrival) {}, filled},
		"more at once":                        {11, func(*bpfArrival) {}, sign},
		"as much at once as there can be":     {4000, func(*bpfArrival) {}, sign},
		"a queue of over a half of the least": {1, func(a *bpfArrival) { stood(a); a.State.LeastMs = 26 }, sign},
		"a shorter one":                       {1, func(a *bpfArrival) { stood(a); a.State.LeastMs = 28 }, filled},
		"as long as one that has lost":        {1, func(a *bpfArrival) { stood(a); a.State.LeastMs, a.State.FullQueueMs = 30, 12 }, sign},
		"less than such a one":                {1, func(a *bpfArrival) { stood(a); a.State.LeastMs, a.State.FullQueueMs = 32, 12 }, filled},
		"what rounding makes":                 {1, func(a *bpfArrival) { stood(a); a.State.LeastMs, a.State.FullQueueMs = 39, 2 }, filled},
		"four times the variation":            {1, func(a *bpfArrival) { stood(a); a.State.LeastMs, a.State.VariationEighthsMs = 21, 8*5 }, filled},
		"more than that":                      {1, func(a *bpfArrival) { stood(a); a.State.LeastMs, a.State.VariationEighthsMs = 18, 8*5 }, sign},
		"a queue that has not stood so long":  {1, func(a *bpfArrival) { stood(a); a.State.LeastMs, a.State.Before.ShortestMs = 20, 21 }, filled},
		"one that stands no more":             {1, func(a *bpfArrival) { stood(a); a.State.LeastMs, a.State.Now.ShortestMs = 20, 21 }, filled},
		"one of too few samples":              {1, func(a *bpfArrival) { stood(a); a.State.LeastMs, a.State.Before.Segments = 20, 7 }, filled},
		"while it is inhibited":               {1, func(a *bpfArrival) { a.State.InhibitedUntilMs += 10_000 }, left},
		"when it is no longer":                {1, func(a *bpfArrival) { a.State.InhibitedUntilMs -= 10 }, filled},
		"after days of no effect":             {1, func(a *bpfArrival) { a.State.InhibitedUntilMs += 1 << 31 }, filled},
	} {
		a := arrival(c.lost)
		c.change(a)
		if got := j.of(a); got != c.verdict {
			t.Errorf("%s: %d, then %+v", name, got, a.State)
		}
	}
}

func TestASignInhibitsForARoundTrip(t *testing.T) {
	j := newJudge(t)
	for name, change := range map[string]func(a *bpfArrival){
		"a queue":  func(a *bpfArrival) { a.State.LeastMs, a.State.Before = 10, a.State.Now },
		"the rate": func(a *bpfArrival) { a.State.Spent = 10 * rateOne },
	} {
		a := arrival(1)
		change(a)
		j.of(a)
		after := a.State
		if after.InhibitedUntilMs != nowMs+rttMs || after.Now.BeganMs != nowMs+rttMs || after.Before.Segments != 0 || after.Spent != 0 {
			t.Errorf("%s: %+v", name, after)
		}
	}
}

func TestAQueueIsKnownToLoseWhenMoreIsLostThanExpected(t *testing.T) {
	j := newJudge(t)
	for least, full := range map[uint32]uint32{30: 10, 39: 0} { // of 2 ms nobody knows whether it is one
		a := arrival(1)
		a.State.LeastMs, a.State.Before, a.State.Spent = least, a.State.Now, 10*rateOne
		if j.of(a); a.State.FullQueueMs != full {
			t.Errorf("over %d ms: %d", least, a.State.FullQueueMs)
		}
	}
}

func TestAWindowLastsARoundTrip(t *testing.T) {
	j := newJudge(t)
	a := arrival(0)
	a.State.FullQueueMs, a.State.Now.ShortestMs, a.State.Now.Lost = 5, 55, 3
	a.State.Before = a.State.Now
	a.State.Now.BeganMs, a.RttMs = nowMs-999, 1000
	if j.of(a); a.State.Now.Segments != 101 || a.State.FullQueueMs != 5 {
		t.Errorf("before its end: %+v", a.State)
	}
	a.NowMs++
	j.of(a)
	after := a.State
	if after.Now.Segments != 1 || after.Now.Lost != 0 || after.Before.Segments != 101 || after.Before.Lost != 3 || after.FullQueueMs != 15 {
		t.Errorf("after its end: %+v", after)
	}
}

func TestWhatComesEarnsLossesInTheBucket(t *testing.T) {
	j := newJudge(t)
	for spent, after := range map[uint32]uint32{rateOne: rateOne - rateOne/20*3/2, 5: 0} {
		a := arrival(0)
		a.State.Spent = spent
		if j.of(a); a.State.Spent != after {
			t.Errorf("of %d: %d", spent, a.State.Spent)
		}
	}
}

func TestTheVariationOfRoundTripsIsSmoothed(t *testing.T) {
	j := newJudge(t)
	a := arrival(0)
	for i := range uint32(100) {
		a.endWindow()
		a.State.Now.Segments, a.State.Now.ShortestMs = 100, 50+i%2*6
		j.of(a)
	}
	if varies := a.State.VariationEighthsMs; varies < 8*5 || varies > 8*7 {
		t.Errorf("%d eighths of a ms", varies)
	}
}

func TestARateThatNobodyHasToldIsLearnt(t *testing.T) {
	j := newJudge(t)
	after := func(lost, clear uint32, most float64) float64 {
		a := arrival(0)
		a.State.MostLearnt = uint32(most * rateOne)
		for range 100 {
			a.endWindow()
			a.State.Now.Lost, a.State.Now.Clear, a.State.LearntSegments = lost, clear, 0
			j.of(a)
		}
		return float64(a.State.ErrorRate) / rateOne
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
	j := newJudge(t)
	for _, c := range []struct{ last, rtt, count uint32 }{{40, 40, 1}, {40, 45, 1}, {40, 46, 0}, {46, 40, 0}} { // over 40 ms an eighth more is none
		a := arrival(1)
		a.State.LastMs, a.RttMs = c.last, c.rtt
		j.of(a)
		if after := a.State.Now; after.Segments != 101 || after.Clear != 100+c.count || after.Lost != c.count {
			t.Errorf("%d, then %d ms: %+v", c.last, c.rtt, after)
		}
	}
}

func TestTheBucketHoldsWhatSoManySegmentsMayLose(t *testing.T) {
	j := newJudge(t)
	for rate, most := range map[float64]uint32{0: 0, 0.0004: 0, 0.001: 1, 0.005: 5, 0.02: 10, 0.5: 10} {
		for _, lost := range []uint32{max(most, 1), most + 1} {
			a := arrival(lost)
			a.State.ErrorRate = uint32(rate * rateOne)
			if isFilled := j.of(a) == filled; isFilled != (lost <= most) {
				t.Errorf("%d at %v: filled %v", lost, rate, isFilled)
			}
		}
	}
}
