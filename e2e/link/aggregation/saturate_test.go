package aggregation

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"
)

func at(frameErrorRate float64, ampduFrames int) Parameters {
	return Parameters{RateBitsPerSecond: DefaultRateBitsPerSecond, FrameErrorRates: SameOnAllStreams(frameErrorRate), AMPDU: Size{ampduFrames, ampduFrames}}
}

func perOpportunity(t Throughput) float64 {
	return float64(t.FramesReceived) / float64(t.Opportunities)
}

// alone is the throughput of one station whose aggregates are all full: frames over the time of one opportunity, with half of the contention
// window in the mean.
func alone(p Parameters, scheme Scheme, frames int, received float64) float64 {
	r := p.rulesOf(scheme)
	opportunity := difs + maxBackoff/2 + p.dataTime(frames*frameBytes) + r.ackTime()
	return received * Streams * frameBytes * 8 / opportunity.Seconds()
}

func TestWithoutErrorsThroughputIsThatOfFullAggregates(t *testing.T) {
	for _, c := range []struct {
		scheme Scheme
		frames int
	}{{FWP, fwpSize.Aggregate}, {AMPDU, 32}, {AMPDU, 64}} {
		p := at(0, c.frames)
		got, expected := Saturate(p, []Scheme{c.scheme}, 20*time.Second, 1)[0], alone(p, c.scheme, c.frames, float64(c.frames))
		if math.Abs(got.BitsPerSecond/expected-1) > 0.001 {
			t.Errorf("%s of %d frames: %.0f bit/s, expected %.0f", c.scheme, c.frames, got.BitsPerSecond, expected)
		}
		if perOpportunity(got) != float64(Streams*c.frames) || got.FramesSent != got.FramesReceived {
			t.Errorf("%s of %d frames: %+v", c.scheme, c.frames, got)
		}
	}
}

// "The throughput with FWP is always linear with frame loss" (section V-A).
func TestThroughputOfFWPIsLinearInTheFrameErrorRate(t *testing.T) {
	for _, rate := range []float64{0.05, 0.2, 0.5} {
		p := at(rate, 64)
		got, expected := Saturate(p, []Scheme{FWP}, 20*time.Second, 1)[0], alone(p, FWP, fwpSize.Aggregate, float64(fwpSize.Aggregate)*(1-rate))
		if math.Abs(got.BitsPerSecond/expected-1) > 0.005 {
			t.Errorf("at %g: %.0f bit/s, expected %.0f", rate, got.BitsPerSecond, expected)
		}
	}
}

// With windows of one frame and of two the states of a stream are few enough to be solved by hand: with one each opportunity brings 1-p.
// With two, either both are sent (state A) or, when only the second has been received, the first by itself (B). A leads to B with p(1-p), B
// leads to A with 1-p: so A holds in 1/(1+p) of the opportunities, which bring 2(1-p), and B in the rest, which bring 1-p.
func TestSmallWindowsHaveTheirClosedForms(t *testing.T) {
	for _, rate := range []float64{0.05, 0.2, 0.5} {
		for frames, expected := range map[int]float64{1: 1 - rate, 2: (1 - rate) * (2 + rate) / (1 + rate)} {
			got := perOpportunity(Saturate(at(rate, frames), []Scheme{AMPDU}, 5*time.Second, 1)[0]) / Streams
			if math.Abs(got/expected-1) > 0.01 {
				t.Errorf("window of %d at %g: %.4f frames an opportunity, expected %.4f", frames, rate, got, expected)
			}
		}
	}
}

// Whatever the window, a frame is sent until it is received: 1/(1-p) times.
func TestFramesOfAMPDUsAreSentUntilTheyAreReceived(t *testing.T) {
	for _, rate := range []float64{0.01, 0.1, 0.5} {
		got := Saturate(at(rate, 64), []Scheme{AMPDU}, 10*time.Second, 1)[0]
		if share := float64(got.FramesReceived) / float64(got.FramesSent); math.Abs(share-(1-rate)) > 0.01 {
			t.Errorf("at %g: %.4f of the frames sent are received", rate, share)
		}
	}
}

func TestStreamsLoseByThemselves(t *testing.T) {
	p := at(0, 64)
	p.FrameErrorRates = [Streams]float64{0, 0.1, 0.2, 0.5}
	got := Saturate(p, []Scheme{FWP}, 20*time.Second, 1)[0]
	if share := float64(got.FramesReceived) / float64(got.FramesSent); math.Abs(share-0.8) > 0.005 || p.MeanFrameErrorRate() != 0.2 {
		t.Errorf("%.4f of the frames are received, expected 0.8", share)
	}
}

func TestStationsWinTheAirAlikeAndShareIt(t *testing.T) {
	schemes := []Scheme{FWP, AMPDU, AMPDU, AMPDU}
	results := Saturate(at(0.1, 32), schemes, 60*time.Second, 3)
	opportunities, busy := int64(0), 0.0
	for _, r := range results {
		opportunities += r.Opportunities
		busy += float64(r.FramesSent*frameBytes*8) / DefaultRateBitsPerSecond
	}
	for i, r := range results {
		if share := float64(r.Opportunities) / float64(opportunities); r.Scheme != schemes[i] || math.Abs(share-0.25) > 0.01 {
			t.Errorf("station %d, %s, has had %.3f of the opportunities", i, r.Scheme, share)
		}
	}
	if busy > 60 {
		t.Errorf("frames of %.1f s were sent in 60 s", busy)
	}
}

func TestSeedsRepeatARun(t *testing.T) {
	run := func(seed uint64) []Throughput {
		return Saturate(at(0.2, 32), []Scheme{FWP, AMPDU}, time.Second, seed)
	}
	if !slices.Equal(run(1), run(1)) || slices.Equal(run(1), run(2)) {
		t.Error("a run is no function of its seed")
	}
}

// As long as no window is full, aggregates are: a window that is larger than they are takes losses up.
func TestAWindowLargerThanAggregatesHardlyStalls(t *testing.T) {
	p := at(0.05, 64)
	p.AMPDU.Aggregate = 32
	got := Saturate(p, []Scheme{AMPDU}, 20*time.Second, 1)[0]
	if share := float64(got.FramesSent) / float64(got.Opportunities) / Streams / 32; share < 0.95 || share > 1 {
		t.Errorf("aggregates are full to %.3f", share)
	}
}

func TestWhatCanNotBeIsRefused(t *testing.T) {
	for _, rate := range []float64{1, -0.1, math.NaN()} {
		if at(rate, 64).Check() == nil {
			t.Errorf("a frame error rate of %g was taken", rate)
		}
	}
	if err := at(0.5, 64).Check(); err != nil {
		t.Error(err)
	}
	if _, err := ParseScheme("amsdu"); err == nil {
		t.Error("A-MSDU was taken")
	}
	for _, text := range []string{"", "0", "65", "32/64", "64/0", "64/x", "64/32/16"} {
		if size, err := ParseSize(text); err == nil {
			t.Errorf("%q was taken as %v", text, size)
		}
	}
	for text, expected := range map[string]Size{"64": StandardSize, "32": fwpSize, "64/32": {64, 32}} {
		if size, err := ParseSize(text); err != nil || size != expected {
			t.Errorf("%q: %v, %v", text, size, err)
		}
	}
}

func ExampleSaturate() {
	for _, r := range Saturate(at(0, 32), []Scheme{FWP, AMPDU}, time.Second, 1) {
		fmt.Println(r.Scheme, r.FramesReceived == r.FramesSent)
	}
	// Output:
	// fwp true
	// ampdu true
}
