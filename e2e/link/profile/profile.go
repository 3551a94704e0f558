// Package profile turns the command line into the two directions of a link.
package profile

import (
	"net/netip"
	"time"

	"firstscreen/e2e/link/police"
	"firstscreen/e2e/link/shape"
)

// Profile is a link by name. Down is towards the near side.
type Profile struct {
	Name string       `json:"name"`
	Down shape.Config `json:"down"`
	Up   shape.Config `json:"up"`
	// Servers farther away than the link's end; an address in several prefixes has the first one's delay.
	Servers []ServerDelay `json:"servers,omitempty"`
	// Police is what each TCP connection may have on the way down, in front of the link; nil: all.
	Police *police.Config `json:"police,omitempty"`
	// SecondHop is each way of the link between the relay and the origins; nil: there is neither.
	SecondHop *shape.Config `json:"secondHop,omitempty"`
}

// HopProfile is the second hop as a link by itself.
func (p Profile) HopProfile() Profile {
	return Profile{Name: "second hop", Down: *p.SecondHop, Up: *p.SecondHop}
}

// BothHops is the link and the second hop as one: the delays of both, behind the slower one's rate and the smaller one's queue.
// A packet of probeBytes also spends its transmission at the faster one.
func (p Profile) BothHops(probeBytes int) Profile {
	p.Down, p.Up = inSeries(p.Down, *p.SecondHop, probeBytes), inSeries(p.Up, *p.SecondHop, probeBytes)
	return p
}

func inSeries(link, hop shape.Config, probeBytes int) shape.Config {
	fasterNs := min(link.TransmissionNs(probeBytes), hop.TransmissionNs(probeBytes))
	link.DelayMs += hop.DelayMs + float64(fasterNs)/float64(time.Millisecond)
	link.RateBitsPerSecond = min(link.RateBitsPerSecond, hop.RateBitsPerSecond)
	if link.QueueBytes > 0 {
		link.QueueBytes = min(link.QueueBytes, hop.QueueBytes)
	}
	return link
}

// ServerDelay is what a round trip to servers of some addresses takes longer, all of it on the way up behind the bottleneck: so answers
// meet the bottleneck when they would, and a TCP connection cannot tell the ways apart.
type ServerDelay struct {
	Prefix  netip.Prefix `json:"prefix"`
	DelayMs float64      `json:"delayMs"`
}

// ProbeAddress is where a check measures the delay: the second address of the prefix, which the far side answers at.
func (s ServerDelay) ProbeAddress() netip.Addr { return s.Prefix.Masked().Addr().Next() }

// DefaultName is the profile used when none is named.
const DefaultName = "lossless"

// The named links. Sources:
//
//   - wlan, wwan, sat: A3 section 2.1. The rates and losses hold for each direction, the RTT is split evenly.
//   - gprs: the WWAN study, section 2: CS-2 and a "3+1" phone, so three slots down (39.6 kbit/s ideal) and one up (a third of that);
//     first packets see 400 ms to 3 s; RLC retransmission is on, so no loss but jitter. 600 ms and the jitter are this project's choice
//     within that range.
//   - umts: the WWAN study, section 5: 384 kbit/s ideal. The study gives neither an uplink nor an RTT; 128 kbit/s and 150 ms are this
//     project's choice (a common 3GPP release 99 bearer).
//   - 3g-fast: WebPageTest's profile of that name.
//   - lossless: wlan without its loss; fast: a link that is hardly in the way.
var named = []Profile{
	symmetric("wlan", 5_000_000, 5, 0.01),
	symmetric("wwan", 100_000, 200, 0.08),
	symmetric("sat", 1_000_000, 1000, 0.03),
	{
		Name: "gprs",
		Down: shape.Config{RateBitsPerSecond: 39_600, DelayMs: 300, JitterMs: 50},
		Up:   shape.Config{RateBitsPerSecond: 13_200, DelayMs: 300, JitterMs: 50},
	},
	{
		Name: "umts",
		Down: shape.Config{RateBitsPerSecond: 384_000, DelayMs: 75},
		Up:   shape.Config{RateBitsPerSecond: 128_000, DelayMs: 75},
	},
	{
		Name: "3g-fast",
		Down: shape.Config{RateBitsPerSecond: 1_600_000, DelayMs: 75},
		Up:   shape.Config{RateBitsPerSecond: 768_000, DelayMs: 75},
	},
	symmetric("lossless", 5_000_000, 5, 0),
	symmetric("fast", 100_000_000, 5, 0),
}

func symmetric(name string, rateBitsPerSecond int64, rttMs, loss float64) Profile {
	direction := shape.Config{RateBitsPerSecond: rateBitsPerSecond, DelayMs: rttMs / 2, Loss: loss}
	return Profile{Name: name, Down: direction, Up: direction}
}

// minQueueBytes is the least default queue. Cellular buffers are deep ("generous buffer provisioning", WWAN study section 4.3), and a
// queue below TCP's initial windows of a few connections would make every profile a lossy one.
const minQueueBytes = 64 << 10

// settle fills in what depends on the other values of both directions: the queue holds a bandwidth-delay product unless it was set.
func (p *Profile) settle() {
	rttMs := p.Down.DelayMs + p.Up.DelayMs
	if p.SecondHop != nil {
		rttMs += 2 * p.SecondHop.DelayMs // connections cross both hops, and either can be their bottleneck
	}
	for _, direction := range []*shape.Config{&p.Down, &p.Up, p.SecondHop} {
		if direction == nil {
			continue
		}
		if direction.Gilbert != nil {
			direction.Loss = direction.Gilbert.MeanLoss()
		}
		if direction.Air != nil {
			direction.Air.RateBitsPerSecond, direction.Loss = direction.RateBitsPerSecond, direction.Air.Loss()
		}
		if direction.QueueBytes == 0 && direction.QueuePackets == 0 {
			const msTimesBitsPerByte = 8000
			productBytes := float64(direction.RateBitsPerSecond) * rttMs / msTimesBitsPerByte
			direction.QueueBytes = max(minQueueBytes, int(productBytes))
		}
	}
}

// All are the named profiles with their defaults filled in.
func All() []Profile {
	all := make([]Profile, len(named))
	for i, p := range named {
		p.settle()
		all[i] = p
	}
	return all
}

func find(name string) (Profile, bool) {
	for _, p := range named {
		if p.Name == name {
			return p, true
		}
	}
	return Profile{}, false
}

func names() []string {
	var all []string
	for _, p := range named {
		all = append(all, p.Name)
	}
	return all
}
