// Package police is a policer of single flows, as operators have in front of access links: a token bucket for each TCP connection, and
// what finds none is dropped, without a queue (Flach et al., An Internet-Wide Analysis of Traffic Policing, SIGCOMM 2016).
package police

import (
	"maps"
	"time"

	"firstscreen/e2e/link/flow"
)

// Config is what one connection may send: at a rate of IP bits, and so much at once after a rest.
type Config struct {
	RateBitsPerSecond int64 `json:"rateBitsPerSecond"`
	BurstBytes        int   `json:"burstBytes"`
}

// DefaultBurst is the burst as time at the rate, where none is given: that of Cisco's class-based policing.
const DefaultBurst = 250 * time.Millisecond

// MinBurstBytes is a full packet, or none would pass.
const MinBurstBytes = 1500

// Policer judges the packets of one direction. It is not safe for concurrent use.
type Policer struct {
	config Config
	// fullNs is when each connection's bucket will be full again, if nothing takes from it: all that there is to know of a bucket.
	fullNs map[flow.Connection]int64
}

func New(config Config) *Policer {
	return &Policer{config: config, fullNs: map[flow.Connection]int64{}}
}

// Admit says whether a packet may pass that arrives at a time, which must not fall from call to call. All that is no TCP passes.
func (p *Policer) Admit(nowNs int64, packet []byte) bool {
	connection, ok := flow.ConnectionOf(packet)
	if !ok {
		return true
	}
	before, known := p.fullNs[connection]
	if !known {
		p.forgetFull(nowNs)
	}
	fullNs := max(before, nowNs) + p.fillNs(len(packet))
	if fullNs-nowNs > p.fillNs(p.config.BurstBytes) {
		return false
	}
	p.fullNs[connection] = fullNs
	return true
}

// forgetFull forgets connections whose buckets are as those of new ones.
func (p *Policer) forgetFull(nowNs int64) {
	maps.DeleteFunc(p.fullNs, func(_ flow.Connection, fullNs int64) bool { return fullNs <= nowNs })
}

// fillNs is how long so many tokens take to come.
func (p *Policer) fillNs(sizeBytes int) int64 {
	const bitsPerByteTimesNsPerSecond = 8 * int64(time.Second)
	return int64(sizeBytes) * bitsPerByteTimesNsPerSecond / p.config.RateBitsPerSecond
}
