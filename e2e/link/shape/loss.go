package shape

import (
	"math"
	"math/rand/v2"
	"time"
)

// Gilbert is the two-state loss model of Gilbert (1960) and Elliott (1963) in continuous time: a Markov process changes between a good
// and a bad state, each with its own loss probability. The states last as long as they last whatever is sent, as fades do: a burst is
// over when its time is, not when enough packets have been lost to it.
type Gilbert struct {
	GoodMs   float64 `json:"goodMs"`   // mean duration of the good state
	BadMs    float64 `json:"badMs"`    // mean duration of the bad state
	GoodLoss float64 `json:"goodLoss"` // loss probability of a packet in the good state
	BadLoss  float64 `json:"badLoss"`  // loss probability of a packet in the bad state
}

// BadShare is the share of time that the bad state takes.
func (g Gilbert) BadShare() float64 { return g.BadMs / (g.GoodMs + g.BadMs) }

// MeanLoss is the stationary loss probability.
func (g Gilbert) MeanLoss() float64 { return (1-g.BadShare())*g.GoodLoss + g.BadShare()*g.BadLoss }

// CorrelationNs is the time in which the correlation of the state with itself falls to 1/e.
func (g Gilbert) CorrelationNs() float64 {
	return g.GoodMs * g.BadMs / (g.GoodMs + g.BadMs) * float64(time.Millisecond)
}

// bitErrorLoss is the probability that a packet is lost in which each bit is wrong with a probability of its own: the longer, the more
// often (NSF report, section VII). The bytes are those of the IP packet, without a header of the link.
func bitErrorLoss(rate float64, sizeBytes int) float64 {
	const bitsPerByte = 8
	return -math.Expm1(bitsPerByte * float64(sizeBytes) * math.Log1p(-rate))
}

// lossModel decides about one packet after the other; the times, at which they have been sent, do not fall.
type lossModel interface {
	lose(sentNs int64, sizeBytes int) bool
}

func newLossModel(c Config, losses, states *rand.Rand, startNs int64) lossModel {
	if c.Gilbert != nil {
		return newGilbertLoss(*c.Gilbert, losses, states, startNs)
	}
	return independentLoss{probability: c.LossOf, random: losses}
}

type independentLoss struct {
	probability func(sizeBytes int) float64
	random      *rand.Rand
}

func (l independentLoss) lose(_ int64, sizeBytes int) bool {
	return l.random.Float64() < l.probability(sizeBytes)
}

// gilbertLoss draws the states from a stream of their own, so that they are a function of seed and time alone.
type gilbertLoss struct {
	Gilbert
	losses, states *rand.Rand
	bad            bool
	untilNs        float64 // the end of the state
}

// newGilbertLoss begins in the stationary distribution; what remains of a state that has begun before is exponential, too.
func newGilbertLoss(g Gilbert, losses, states *rand.Rand, startNs int64) *gilbertLoss {
	l := &gilbertLoss{Gilbert: g, losses: losses, states: states, untilNs: float64(startNs)}
	l.bad = states.Float64() < g.BadShare()
	l.stay()
	return l
}

func (l *gilbertLoss) stay() {
	meanMs := l.GoodMs
	if l.bad {
		meanMs = l.BadMs
	}
	l.untilNs += l.states.ExpFloat64() * meanMs * float64(time.Millisecond)
}

func (l *gilbertLoss) lose(sentNs int64, _ int) bool {
	for l.untilNs <= float64(sentNs) {
		l.bad = !l.bad
		l.stay()
	}
	probability := l.GoodLoss
	if l.bad {
		probability = l.BadLoss
	}
	return l.losses.Float64() < probability
}
