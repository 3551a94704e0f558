package shape

import (
	"math"
	"testing"
)

// lossRun is the share of packets lost and the mean length of a run of losses.
func lossRun(c Config, packets, sizeBytes int) (share, meanRun float64) {
	d := NewDirection(c, 42, 0, 0)
	lost, runs, inRun := 0, 0, false
	for i := range int64(packets) {
		fate, _ := d.Arrive(i*1_000_000, sizeBytes)
		if fate == DroppedByLoss {
			lost++
			if !inRun {
				runs++
			}
		}
		inRun = fate == DroppedByLoss
	}
	return float64(lost) / float64(packets), float64(lost) / float64(max(1, runs))
}

func lossConfig() Config { return Config{RateBitsPerSecond: 100_000_000, QueueBytes: 1 << 20} }

func TestIndependentLossIsWithinBinomialBounds(t *testing.T) {
	const packets = 100_000
	for _, probability := range []float64{0, 0.001, 0.01, 0.08, 0.5, 1} {
		c := lossConfig()
		c.Loss = probability
		share, meanRun := lossRun(c, packets, 100)
		bound := 4 * math.Sqrt(probability*(1-probability)/packets)
		if math.Abs(share-probability) > bound {
			t.Errorf("loss %g gave %g, more than %g off", probability, share, bound)
		}
		if expected := 1 / (1 - probability); probability > 0 && probability < 1 && math.Abs(meanRun/expected-1) > 0.1 {
			t.Errorf("loss %g: runs of %g on average, independent loss has %g", probability, meanRun, expected)
		}
	}
}

// The values are computed by other means: 1-(1-ber)^(8n).
func TestBitErrorsHitLongPacketsMoreOften(t *testing.T) {
	const packets = 100_000
	for _, example := range []struct {
		rate      float64
		sizeBytes int
		loss      float64
	}{{1e-6, 1500, 0.011928}, {1.5e-5, 1500, 0.164731}, {1.5e-5, 52, 0.006221}, {1e-4, 1500, 0.698824}, {0, 1500, 0}, {1, 40, 1}} {
		c := lossConfig()
		c.BitErrorRate = example.rate
		if got := c.LossOf(example.sizeBytes); math.Abs(got-example.loss) > 1e-6 {
			t.Errorf("%g, %d bytes: probability %g, not %g", example.rate, example.sizeBytes, got, example.loss)
		}
		share, _ := lossRun(c, packets, example.sizeBytes)
		if bound := 4 * math.Sqrt(example.loss*(1-example.loss)/packets); math.Abs(share-example.loss) > bound {
			t.Errorf("%g, %d bytes: lost %g, more than %g off %g", example.rate, example.sizeBytes, share, bound, example.loss)
		}
	}
}

func TestGilbertHasItsStationaryLossAndBursts(t *testing.T) {
	const packets = 400_000
	for _, g := range []Gilbert{
		{P: 0.01, R: 0.25, Good: 0, Bad: 1},
		{P: 0.05, R: 0.5, Good: 0.01, Bad: 0.6},
		{P: 0.5, R: 0.5, Good: 0.1, Bad: 0.1},
	} {
		c := lossConfig()
		c.Gilbert = &g
		share, meanRun := lossRun(c, packets, 100)
		memory := 1 - g.P - g.R
		deviation := math.Sqrt(g.MeanLoss() * (1 - g.MeanLoss()) / packets * (1 + memory) / (1 - memory))
		if math.Abs(share-g.MeanLoss()) > 4*deviation {
			t.Errorf("%+v: lost %g, stationary %g +- %g", g, share, g.MeanLoss(), deviation)
		}
		if g.Good == 0 && g.Bad == 1 && math.Abs(meanRun*g.R-1) > 0.05 {
			t.Errorf("%+v: runs of %g on average, expected %g", g, meanRun, 1/g.R)
		}
	}
}
