package bistable

import "time"

const (
	endless        = 1 << 30
	registeredRtts = 4 // connection, head, and the ranges that are tried first (ADR 70)
)

// flow is one download through the bottleneck.
type flow struct {
	*world
	*bottleneck
	sender     *sender
	receiver   *receiver
	registered time.Duration // when the program begins to see it
	end        int           // packets
	isLost     func(w *world) bool
	queueDrops int
	timeouts   int
}

func newFlow(b *bottleneck, c control, j *judge) *flow {
	f := &flow{world: b.world, bottleneck: b, registered: registeredRtts * b.rtt, end: endless, isLost: b.isLost}
	f.sender = &sender{flow: f, control: c}
	f.receiver = &receiver{flow: f, judge: j}
	return f
}
