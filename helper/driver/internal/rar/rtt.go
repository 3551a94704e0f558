package rar

import (
	"net/netip"
	"time"
)

// What a round trip is taken to be until one was measured on the interface: of a 3G link.
const assumedRTT = 150 * time.Millisecond

// maxDestinations bounds what is remembered; who is not among them is taken to be as far as others are.
const maxDestinations = 1024

// weight of a new flow's round trip in the mean of its destination (RFC 6298's alpha).
const meanWeight = 8

// destinations remembers round trips where no flow of its own tells one yet: a new connection's.
type destinations struct {
	byAddr      map[netip.Addr]time.Duration
	byInterface map[int]time.Duration
}

func newDestinations() destinations {
	return destinations{byAddr: map[netip.Addr]time.Duration{}, byInterface: map[int]time.Duration{}}
}

func (d *destinations) learn(to netip.Addr, on int, rtt time.Duration) {
	if _, known := d.byAddr[to]; !known && len(d.byAddr) >= maxDestinations {
		for other := range d.byAddr { // any: their order is random
			delete(d.byAddr, other)
			break
		}
	}
	d.byAddr[to] = mean(d.byAddr[to], rtt)
	d.byInterface[on] = mean(d.byInterface[on], rtt)
}

func (d *destinations) expected(to netip.Addr, on int) time.Duration {
	for _, rtt := range []time.Duration{d.byAddr[to], d.byInterface[on]} {
		if rtt > 0 {
			return rtt
		}
	}
	return assumedRTT
}

func mean(old, sample time.Duration) time.Duration {
	if old == 0 {
		return sample
	}
	return old + (sample-old)/meanWeight
}
