package rar

import (
	"net/netip"
	"time"
)

// What a round trip is taken to be until one was measured on the interface: of a 3G link.
const assumedRTT = 150 * time.Millisecond

// maxDestinations bounds what is remembered; who is not among them is taken to be as far as others are.
const maxDestinations = 1024

// Weights of a round trip in the mean of its destination, and in its variation (RFC 6298's 1/alpha and 1/beta).
const (
	meanWeight      = 8
	variationWeight = 4
)

// distance is how far a destination is, and how slow the way there.
type distance struct {
	rtt, variation time.Duration
	pace           pace
}

// learn as RFC 6298 section 2 does.
func (d *distance) learn(sample RoundTrip) {
	d.pace.learn(sample)
	if d.rtt == 0 {
		d.rtt, d.variation = sample.Took, sample.Took/2
		return
	}
	d.variation += ((sample.Took - d.rtt).Abs() - d.variation) / variationWeight
	d.rtt += (sample.Took - d.rtt) / meanWeight
}

// destinations remembers round trips where no flow of its own tells one yet: a new connection's.
type destinations struct {
	byAddr      map[netip.Addr]*distance
	byInterface map[int]*distance
}

func newDestinations() destinations {
	return destinations{byAddr: map[netip.Addr]*distance{}, byInterface: map[int]*distance{}}
}

func (d *destinations) learn(to netip.Addr, on int, sample RoundTrip) {
	if d.byAddr[to] == nil {
		if len(d.byAddr) >= maxDestinations {
			for other := range d.byAddr { // any: their order is random
				delete(d.byAddr, other)
				break
			}
		}
		d.byAddr[to] = &distance{}
	}
	if d.byInterface[on] == nil {
		d.byInterface[on] = &distance{}
	}
	d.byAddr[to].learn(sample)
	d.byInterface[on].learn(sample)
}

// expected round trip, and how much it varies.
func (d *destinations) expected(to netip.Addr, on int) (rtt, variation time.Duration) {
	for _, known := range []*distance{d.byAddr[to], d.byInterface[on]} {
		if known != nil {
			return known.rtt, known.variation
		}
	}
	return assumedRTT, assumedRTT / 2
}

// least round trip that was seen lately to a destination, and the mean; 0 where none was.
func (d *destinations) least(to netip.Addr) (least, mean time.Duration) {
	known := d.byAddr[to]
	if known == nil {
		return 0, 0
	}
	return known.pace.least().Took, known.rtt
}

// perByteOn an interface; 0: not known.
func (d *destinations) perByteOn(on int) time.Duration {
	if d.byInterface[on] == nil {
		return 0
	}
	each, _ := d.byInterface[on].pace.perByte()
	return each
}

// perByte is how long a byte takes on the way there, if that is known.
func (d *destinations) perByte(to netip.Addr, on int) (time.Duration, bool) {
	for _, way := range []*distance{d.byAddr[to], d.byInterface[on]} {
		if way == nil {
			continue
		}
		if each, isKnown := way.pace.perByte(); isKnown {
			return each, true
		}
	}
	return 0, false
}
