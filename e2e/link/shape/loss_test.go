package shape

import (
	"math"
	"slices"
	"testing"
	"time"
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

// fates sends small packets at a fixed distance, with further copies of each at the same moment, and says which first ones are lost.
func fates(g Gilbert, seed uint64, packets, copies int, everyNs int64) []bool {
	c := lossConfig()
	c.Gilbert = &g
	d := NewDirection(c, seed, 0, 0)
	lost := make([]bool, packets)
	for i := range lost {
		fate, _ := d.Arrive(int64(i)*everyNs, 20)
		lost[i] = fate == DroppedByLoss
		for range copies {
			d.Arrive(int64(i)*everyNs, 20)
		}
	}
	return lost
}

// runs are the mean lengths of the runs of lost and of delivered packets.
func runs(lost []bool) (meanLost, meanDelivered float64) {
	var packets, count [2]float64
	for i, now := range lost {
		kind := 0
		if now {
			kind = 1
		}
		packets[kind]++
		if i == 0 || lost[i-1] != now {
			count[kind]++
		}
	}
	return packets[1] / count[1], packets[0] / count[0]
}

const everyMs = int64(time.Millisecond)

func TestGilbertHasItsStationaryLoss(t *testing.T) {
	const packets = 100_000
	for _, g := range []Gilbert{
		{GoodMs: 1000, BadMs: 50, BadLoss: 1},
		{GoodMs: 200, BadMs: 100, GoodLoss: 0.01, BadLoss: 0.6},
		{GoodMs: 10, BadMs: 10, GoodLoss: 0.1, BadLoss: 0.1},
		{GoodMs: 5, BadMs: 2000, GoodLoss: 0, BadLoss: 0.2},
	} {
		for _, everyNs := range []int64{everyMs / 10, everyMs, 20 * everyMs} {
			lost := 0
			for _, l := range fates(g, 42, packets, 0, everyNs) {
				if l {
					lost++
				}
			}
			share, mean, bad := float64(lost)/packets, g.MeanLoss(), g.BadShare()
			memory := math.Exp(-float64(everyNs) / g.CorrelationNs())
			variance := mean*(1-mean) + 2*bad*(1-bad)*math.Pow(g.BadLoss-g.GoodLoss, 2)*memory/(1-memory)
			if deviation := math.Sqrt(variance / packets); math.Abs(share-mean) > 4*deviation {
				t.Errorf("%+v, a packet every %d ns: lost %g, stationary %g +- %g", g, everyNs, share, mean, deviation)
			}
		}
	}
}

// A packet follows a lost one into the same burst with the probability 1-leave, so runs are geometric, and their length in time is the
// same at every packet rate.
func TestBurstsLastTheirTimeWhateverIsSent(t *testing.T) {
	g := Gilbert{GoodMs: 300, BadMs: 60, BadLoss: 1}
	for _, everyNs := range []int64{everyMs / 2, 2 * everyMs, 10 * everyMs} {
		for _, copies := range []int{0, 3} {
			meanLost, meanDelivered := runs(fates(g, 7, int(1_000_000*everyMs/everyNs), copies, everyNs))
			move := 1 - math.Exp(-float64(everyNs)/g.CorrelationNs()) // of the two-state process between two packets
			for _, run := range []struct{ got, expected float64 }{
				{meanLost, 1 / (move * (1 - g.BadShare()))}, {meanDelivered, 1 / (move * g.BadShare())},
			} {
				if math.Abs(run.got/run.expected-1) > 0.05 {
					t.Errorf("every %d ns, %d copies: runs of %g packets, expected %g", everyNs, copies, run.got, run.expected)
				}
			}
		}
	}
}

// The states are a function of seed and time: more packets in between change no other packet's fate.
func TestCopiesDoNotDrainABurst(t *testing.T) {
	g := Gilbert{GoodMs: 300, BadMs: 60, BadLoss: 1}
	alone, copied := fates(g, 3, 20_000, 0, everyMs), fates(g, 3, 20_000, 3, everyMs)
	for i := range alone {
		if alone[i] != copied[i] {
			t.Fatalf("packet %d: lost %t alone, %t with copies", i, alone[i], copied[i])
		}
	}
	if other := fates(g, 4, 20_000, 0, everyMs); slices.Equal(alone, other) {
		t.Error("another seed has the same bursts")
	}
}
