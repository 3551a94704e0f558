package rar

import "time"

const (
	// bulkLosses in one round trip: a queue that overflows drops several, the air one here and there.
	bulkLosses = 3
	// risingDelay: a flow's round trip is so many times its least one, and so much longer.
	risingDelay   = 2
	risingDelayBy = 50 * time.Millisecond
	// backOff after losses that look like congestion.
	backOff = 2 * time.Second
	// requestBytes: most requests are no longer with their headers; answers are.
	requestBytes = 1_000
)

// congestion is judged from what TCP itself had to send again on registered flows, and from their round trips.
type congestion struct {
	losses  uint64 // when the period began
	began   time.Duration
	backOff time.Duration // until then
	seen    bool
}

// observe takes the count of segments that TCP has sent again so far.
func (c *congestion) observe(losses uint64, rtt, now time.Duration) {
	if !c.seen || now-c.began > rtt {
		c.seen, c.began, c.losses = true, now, losses
		return
	}
	if losses-c.losses >= bulkLosses {
		c.backOff = now + backOff
	}
}

// copies that a message may have beside it: two; one when either sign of congestion is seen, but none of more than a request, which a queue would feel;
// none when both are.
func (c *congestion) copies(bytes int, rtt, least, now time.Duration) int {
	signs := 0
	if now < c.backOff {
		signs++
	}
	if least > 0 && rtt > risingDelay*least && rtt-least > risingDelayBy {
		signs++
	}
	if signs > 0 && bytes > requestBytes {
		return 0
	}
	return redundancy - signs
}
