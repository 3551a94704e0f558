package bistable

import (
	"math"
	"time"
)

// control of congestion.
type control interface {
	reduce(window float64) (threshold float64)
	grow(window float64, came int, now, leastRtt time.Duration) float64
}

const leastThreshold = 2

type reno struct{}

func (reno) reduce(window float64) float64 { return max(leastThreshold, window/2) }
func (reno) grow(window float64, came int, _, _ time.Duration) float64 {
	return window + float64(came)/window
}

// cubic is RFC 9438.
type cubic struct {
	most, origin, k, reno float64
	epoch                 time.Duration
	hasEpoch              bool
}

const (
	cubicC    = 0.4
	cubicBeta = 0.7
)

func (c *cubic) reduce(window float64) float64 {
	c.hasEpoch = false
	if window < c.most {
		c.most = window * (1 + cubicBeta) / 2
	} else {
		c.most = window
	}
	return max(leastThreshold, window*cubicBeta)
}

func (c *cubic) grow(window float64, came int, now, leastRtt time.Duration) float64 {
	if !c.hasEpoch {
		c.hasEpoch, c.epoch, c.reno = true, now, window
		c.origin, c.k = window, 0
		if window < c.most {
			c.origin, c.k = c.most, math.Cbrt((c.most-window)/cubicC)
		}
	}
	c.reno += float64(came) / window * 3 * (1 - cubicBeta) / (1 + cubicBeta)
	at := (now - c.epoch + leastRtt).Seconds() - c.k
	target := max(c.origin+cubicC*at*at*at, c.reno)
	target = min(max(target, window), 1.5*window)
	return window + float64(came)*(target-window)/window
}
