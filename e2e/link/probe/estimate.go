package probe

import (
	"math"
	"slices"
	"time"

	"firstscreen/e2e/link/shape"
)

// sample is what came of one direction's schedule.
type sample struct {
	config   shape.Config
	probes   []planned
	sent     []int64         // by number, CLOCK_REALTIME
	received map[int32]int64 // by number, CLOCK_REALTIME
}

// delaysMs are the latency probes' one-way delays.
func (s sample) delaysMs() []float64 {
	var delays []float64
	for number, at := range s.received {
		if s.probes[number].phase == latency {
			delays = append(delays, float64(at-s.sent[number])/float64(time.Millisecond))
		}
	}
	return delays
}

// spacing is the time between the train's packets behind the server, by a least-squares line through their arrivals; lost ones took
// their air time, so numbers count and not arrivals. The error is the line's standard error from the configured jitter.
func (s sample) spacing() (ns, errorNs float64, sizeBytes int) {
	var numbers, arrivals []float64
	for number, p := range s.probes {
		if at, ok := s.received[int32(number)]; ok && p.phase == rate {
			numbers = append(numbers, float64(number))
			arrivals = append(arrivals, float64(at-s.sent[0]))
			sizeBytes = p.sizeBytes
		}
	}
	meanNumber, meanArrival := mean(numbers), mean(arrivals)
	var across, along float64
	for i := range numbers {
		across += (numbers[i] - meanNumber) * (arrivals[i] - meanArrival)
		along += (numbers[i] - meanNumber) * (numbers[i] - meanNumber)
	}
	return across / along, float64(s.config.JitterNs()) / math.Sqrt(along), sizeBytes
}

// expectedLoss is the mean over the probes, which are of different sizes.
func (s sample) expectedLoss() (mean float64) {
	for _, p := range s.probes {
		mean += s.config.LossOf(p.sizeBytes) / float64(len(s.probes))
	}
	return mean
}

// lostShare is the loss over all probes, with its Wilson interval. Under Gilbert-Elliott losses come in bursts, so the sample is worth
// fewer independent packets.
func (s sample) lostShare() (share, low, high float64) {
	size := float64(len(s.probes))
	share = 1 - float64(len(s.received))/size
	if g := s.config.Gilbert; g != nil {
		size /= s.inflation(*g)
	}
	low, high = wilson(share, size)
	return share, low, high
}

// inflation is how many times the variance of the share is that of independent losses. The covariance of two packets' losses is that of
// the states at the times they are sent, which falls exponentially with the distance; the sum over all pairs runs along the schedule.
func (s sample) inflation(g shape.Gilbert) float64 {
	independent := g.MeanLoss() * (1 - g.MeanLoss())
	if independent == 0 {
		return 1
	}
	var sentNs int64
	var before, pairs float64 // exp(-distance) summed over the packets before this one, and over all pairs
	for i, p := range s.probes {
		lastNs := sentNs
		sentNs = max(sentNs, p.atNs) + s.config.TransmissionNs(p.sizeBytes)
		if i > 0 {
			before = (before + 1) * math.Exp(-float64(sentNs-lastNs)/g.CorrelationNs())
		}
		pairs += before
	}
	covariance := g.BadShare() * (1 - g.BadShare()) * math.Pow(g.BadLoss-g.GoodLoss, 2)
	return 1 + 2*pairs*covariance/(float64(len(s.probes))*independent)
}

// confidence is the half-width of every interval in standard errors: wide enough (6 in 100,000) that good links are not refused over
// thousands of starts.
const confidence = 4

// wilson is the score interval of a binomial share (Wilson 1927), which holds for small samples and shares too.
func wilson(share, size float64) (low, high float64) {
	z2 := float64(confidence * confidence)
	centre := (share + z2/(2*size)) / (1 + z2/size)
	half := confidence / (1 + z2/size) * math.Sqrt(share*(1-share)/size+z2/(4*size*size))
	const rounding = 1e-12 // at a share of 0 the lower bound is 0 in exact arithmetic only
	return max(0, centre-half-rounding), min(1, centre+half+rounding)
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	middle := len(values) / 2
	if len(values)%2 == 1 {
		return values[middle]
	}
	return (values[middle-1] + values[middle]) / 2
}
