package rar

import (
	"net/netip"
	"time"
)

// What a round trip is taken to be until one was measured on the interface: of a 3G link.
const assumedRTT = 150 * time.Millisecond

// maxDestinations bounds what is remembered; who is not among them is taken to be as far as others are.
const maxDestinations = 1024

// Weights of a round trip in the mean, and in its variation (RFC 6298's 1/alpha and 1/beta).
const (
	meanWeight      = 8
	variationWeight = 4
)

// distance is how far a destination is.
type distance struct{ rtt, variation time.Duration }

// learn as RFC 6298 section 2 does.
func (d *distance) learn(sample time.Duration) {
	if d.rtt == 0 {
		d.rtt, d.variation = sample, sample/2
		return
	}
	d.variation += ((sample - d.rtt).Abs() - d.variation) / variationWeight
	d.rtt += (sample - d.rtt) / meanWeight
}

// way to a destination; without an address: the mean of an interface.
type way struct {
	to netip.Addr
	on int
}

// destinations remembers round trips where no flow of its own tells one yet: a new connection's.
type destinations map[way]*distance

func (d destinations) learn(to netip.Addr, on int, sample time.Duration) {
	for _, way := range []way{{to, on}, {on: on}} {
		if d[way] == nil {
			if len(d) >= maxDestinations {
				for other := range d { // any: their order is random
					delete(d, other)
					break
				}
			}
			d[way] = &distance{}
		}
		d[way].learn(sample)
	}
}

// expected round trip, and how much it varies.
func (d destinations) expected(to netip.Addr, on int) (rtt, variation time.Duration) {
	for _, way := range []way{{to, on}, {on: on}} {
		if known := d[way]; known != nil {
			return known.rtt, known.variation
		}
	}
	return assumedRTT, assumedRTT / 2
}
