// Package shape is the pure core of the link: what happens to a packet that arrives at a time, without sockets, clocks or threads.
//
//	arrival -> [drop-tail queue] -> (rate server) -> (loss) -> [delay line] -> delivery
//
// The queue stands before the server, so that a slow link delays by queueing as real ones do. Loss comes behind the server: a packet
// lost on the air has used its air time. The delay line is unbounded and keeps the order.
package shape

import (
	"math"
	"time"

	"firstscreen/e2e/link/aggregation"
)

// Config describes one direction of the link.
type Config struct {
	RateBitsPerSecond int64    `json:"rateBitsPerSecond"`      // IP bits
	DelayMs           float64  `json:"delayMs"`                // one way
	JitterMs          float64  `json:"jitterMs"`               // standard deviation of the delay
	Loss              float64  `json:"loss"`                   // independent loss; the stationary mean when Gilbert is given
	BitErrorRate      float64  `json:"bitErrorRate,omitempty"` // instead of Loss: longer packets are lost more often
	Gilbert           *Gilbert `json:"gilbert,omitempty"`
	QueueBytes        int      `json:"queueBytes,omitempty"`   // exactly one of the two
	QueuePackets      int      `json:"queuePackets,omitempty"` // limits is set
	Air               *Air     `json:"air,omitempty"`          // in place of rate server and loss
}

// Air is a wireless medium that carries the direction's packets in aggregates of frames.
type Air struct {
	aggregation.Stations
	aggregation.Parameters
}

// Loss is the share of packets that are lost: of FWP all that were lost as frames, of A-MPDU none, as they are sent again.
func (a Air) Loss() float64 {
	if a.Own == aggregation.FWP {
		return a.MeanFrameErrorRate()
	}
	return 0
}

// TransmissionNs is the time the rate server needs for a packet.
func (c Config) TransmissionNs(sizeBytes int) int64 {
	const bitsPerByteTimesNsPerSecond = 8 * int64(time.Second)
	return int64(sizeBytes) * bitsPerByteTimesNsPerSecond / c.RateBitsPerSecond
}

// LossOf is the probability that a packet of so many bytes is lost; the stationary mean when Gilbert is given.
func (c Config) LossOf(sizeBytes int) float64 {
	if c.BitErrorRate > 0 {
		return bitErrorLoss(c.BitErrorRate, sizeBytes)
	}
	return c.Loss
}

// DelayNs and JitterNs are the delay line's parameters on the clock's scale.
func (c Config) DelayNs() int64  { return msToNs(c.DelayMs) }
func (c Config) JitterNs() int64 { return msToNs(c.JitterMs) }

func msToNs(ms float64) int64 { return int64(math.Round(ms * float64(time.Millisecond))) }
