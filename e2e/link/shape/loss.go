package shape

import (
	"math"
	"math/rand/v2"
)

// Gilbert is the two-state loss model of Gilbert (1960) and Elliott (1963): a Markov chain that steps once a packet between a good
// and a bad state, each with its own loss probability. It gives the bursts that independent loss lacks.
type Gilbert struct {
	P    float64 `json:"p"`    // good -> bad
	R    float64 `json:"r"`    // bad -> good
	Good float64 `json:"good"` // loss probability in the good state
	Bad  float64 `json:"bad"`  // loss probability in the bad state
}

// MeanLoss is the stationary loss probability: the chain is bad for P/(P+R) of the packets.
func (g Gilbert) MeanLoss() float64 {
	bad := g.P / (g.P + g.R)
	return (1-bad)*g.Good + bad*g.Bad
}

// bitErrorLoss is the probability that a packet is lost in which each bit is wrong with a probability of its own: the longer, the more
// often (NSF report, section VII). The bytes are those of the IP packet, without a header of the link.
func bitErrorLoss(rate float64, sizeBytes int) float64 {
	const bitsPerByte = 8
	return -math.Expm1(bitsPerByte * float64(sizeBytes) * math.Log1p(-rate))
}

// lossModel decides about one packet after the other.
type lossModel interface{ lose(sizeBytes int) bool }

func newLossModel(c Config, random *rand.Rand) lossModel {
	if c.Gilbert != nil {
		return &gilbertLoss{Gilbert: *c.Gilbert, random: random}
	}
	return independentLoss{probability: c.LossOf, random: random}
}

type independentLoss struct {
	probability func(sizeBytes int) float64
	random      *rand.Rand
}

func (l independentLoss) lose(sizeBytes int) bool {
	return l.random.Float64() < l.probability(sizeBytes)
}

type gilbertLoss struct {
	Gilbert
	random *rand.Rand
	bad    bool
}

func (l *gilbertLoss) lose(int) bool {
	leave, probability := l.P, l.Good
	if l.bad {
		leave, probability = l.R, l.Bad
	}
	lost := l.random.Float64() < probability
	if l.random.Float64() < leave {
		l.bad = !l.bad
	}
	return lost
}
