package rar

import (
	"testing"
	"time"
)

const unknown = -1

const slowByte = 80 * time.Microsecond // 100 kbit/s

func paceOf(samples ...RoundTrip) time.Duration {
	p := &pace{}
	for _, sample := range samples {
		p.learn(sample)
	}
	each, isKnown := p.perByte()
	if !isKnown {
		return unknown
	}
	return each
}

func TestTheTimeOfAByteComesFromRoundTripsOfDifferentSizes(t *testing.T) {
	at := func(bytes int, late time.Duration) RoundTrip {
		return RoundTrip{bytes, 200*ms + time.Duration(bytes)*slowByte + late}
	}
	for _, c := range []struct {
		name    string
		samples []RoundTrip
		wanted  time.Duration
	}{
		{"nothing", nil, unknown},
		{"one size only", []RoundTrip{at(1, 0), at(100, 0), at(1, 30*ms)}, unknown},
		{"large ones only", []RoundTrip{at(1000, 0)}, 0},
		{"two sizes", []RoundTrip{at(0, 0), at(1000, 0)}, slowByte},
		{"the larger one first", []RoundTrip{at(1000, 0), at(0, 0)}, slowByte},
		{"one late acknowledgement", []RoundTrip{at(0, 0), at(1000, 40*ms), at(1000, 0)}, slowByte},
		{"a queue on the small ones", []RoundTrip{at(0, 90*ms), at(0, 0), at(1000, 0)}, slowByte},
		{"a fast link", []RoundTrip{{0, 5 * ms}, {1000, 5 * ms}}, 0},
	} {
		if got := paceOf(c.samples...); got != c.wanted {
			t.Errorf("%s: %v a byte, expected %v", c.name, got, c.wanted)
		}
	}
}

func TestALinkThatHasBecomeFastIsNoticed(t *testing.T) {
	p := &pace{}
	p.learn(RoundTrip{1, 200 * ms})
	p.learn(RoundTrip{1000, 280 * ms})
	for range paceSamples {
		p.learn(RoundTrip{1, 20 * ms})
		p.learn(RoundTrip{1000, 21 * ms})
	}
	if got, _ := p.perByte(); got > 2*time.Microsecond {
		t.Errorf("%v a byte", got)
	}
}
