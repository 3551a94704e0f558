package shape

import "math/rand/v2"

// Fate is what becomes of a packet.
type Fate int

const (
	Delivered Fate = iota
	DroppedByQueue
	DroppedByLoss
)

// Direction is one direction of the link. It is not safe for concurrent use.
type Direction struct {
	queue  queue
	server rateServer
	loss   lossModel
	delay  delayLine
}

// Random streams of one seed; each model draws from its own, so that changing one leaves the others' draws alone.
const (
	lossStream = iota
	jitterStream
	burstStream
	streamsPerDirection
)

// NewDirection makes a direction whose bursts, if any, start at startNs. Directions with different numbers draw independently.
func NewDirection(c Config, seed uint64, number int, startNs int64) *Direction {
	stream := func(purpose int) *rand.Rand {
		return rand.New(rand.NewPCG(seed, uint64(number*streamsPerDirection+purpose)))
	}
	return &Direction{
		queue:  queue{limitBytes: c.QueueBytes, limitPackets: c.QueuePackets},
		server: rateServer{config: c},
		loss:   newLossModel(c, stream(lossStream), stream(burstStream), startNs),
		delay:  delayLine{delayNs: c.DelayNs(), jitterNs: c.JitterNs(), random: stream(jitterStream)},
	}
}

// Arrive takes a packet at a time, which must not fall from call to call, and says what becomes of it and, when it is delivered, when.
// Delivery times do not fall either.
func (d *Direction) Arrive(nowNs int64, sizeBytes int) (Fate, int64) {
	d.queue.leave(nowNs)
	if beginNs := d.server.begin(nowNs); beginNs > nowNs {
		if !d.queue.admits(sizeBytes) {
			return DroppedByQueue, 0
		}
		d.queue.enter(beginNs, sizeBytes)
	}
	sentNs := d.server.serve(nowNs, sizeBytes)
	if d.loss.lose(sentNs, sizeBytes) {
		return DroppedByLoss, 0
	}
	return Delivered, d.Propagate(sentNs)
}

// Propagate is when a packet is delivered that has been sent at a time, which must not fall from call to call. It is all that is left of a
// direction whose packets go over the air.
func (d *Direction) Propagate(sentNs int64) int64 { return d.delay.pass(sentNs) }
