package probe

import (
	"fmt"
	"math"
	"time"

	"firstscreen/e2e/link/profile"
	"firstscreen/e2e/link/shape"
)

// Result is what a check found. Deviations are relative to the profile for RTT and rates, differences for losses.
type Result struct {
	OK                    bool        `json:"ok"`
	RTTMs                 float64     `json:"rttMs"`
	RTTExpectedMs         float64     `json:"rttExpectedMs"`
	DownRateBitsPerSecond float64     `json:"downRateBitsPerSecond"`
	UpRateBitsPerSecond   float64     `json:"upRateBitsPerSecond"`
	LossDown              float64     `json:"lossDown"`
	LossUp                float64     `json:"lossUp"`
	Deviations            Deviations  `json:"deviations"`
	Servers               []ServerRTT `json:"servers,omitempty"`  // where servers have delays of their own
	BothHops              *Result     `json:"bothHops,omitempty"` // link and second hop as one
	Failures              []string    `json:"failures"`
}

// ServerRTT is the round trip to servers that are farther away.
type ServerRTT struct {
	Prefix        string  `json:"prefix"`
	RTTMs         float64 `json:"rttMs"`
	RTTExpectedMs float64 `json:"rttExpectedMs"`
}

type Deviations struct {
	RTT      float64 `json:"rtt"`
	DownRate float64 `json:"downRate"`
	UpRate   float64 `json:"upRate"`
	LossDown float64 `json:"lossDown"`
	LossUp   float64 `json:"lossUp"`
}

// tolerance is how far off a link may be, beyond what its own jitter and loss explain at this sample size.
const tolerance = 0.05

// judge compares both samples with the profile. Reported but not judged are RTT, rate and loss of a direction that goes over the air, which
// depend on who contends for it, and the rate behind a queue that holds no train long enough to measure it.
func judge(down, up sample) Result {
	r := Result{Failures: []string{}}
	fail := func(format string, args ...any) { r.Failures = append(r.Failures, fmt.Sprintf(format, args...)) }

	r.RTTMs, r.RTTExpectedMs, r.Deviations.RTT = judgeRTT("RTT", down, up, fail)

	for _, d := range []struct {
		name                            string
		sample                          sample
		rate, rateOff, lost, lostBeyond *float64
	}{
		{"down", down, &r.DownRateBitsPerSecond, &r.Deviations.DownRate, &r.LossDown, &r.Deviations.LossDown},
		{"up", up, &r.UpRateBitsPerSecond, &r.Deviations.UpRate, &r.LossUp, &r.Deviations.LossUp},
	} {
		c := d.sample.config
		spacingNs, errorNs, sizeBytes := d.sample.spacing()
		if math.IsNaN(spacingNs) || spacingNs <= 0 {
			fail("%s: fewer than two rate probes arrived", d.name)
		} else {
			*d.rate = float64(sizeBytes*8) / spacingNs * float64(time.Second)
			*d.rateOff = *d.rate/float64(c.RateBitsPerSecond) - 1
			allowed := tolerance + confidence*errorNs/spacingNs
			_, trainLength := train(c)
			if c.Air == nil && trainLength >= minTrain && math.Abs(*d.rateOff) > allowed {
				fail("%s rate %.0f bit/s, expected %d +-%.1f %%", d.name, *d.rate, c.RateBitsPerSecond, allowed*100)
			}
		}
		share, low, high := d.sample.lostShare()
		expected := d.sample.expectedLoss()
		*d.lost, *d.lostBeyond = share, share-expected
		if c.Air == nil && (expected*(1+tolerance) < low || expected*(1-tolerance) > high) {
			fail("%s loss %.4f of %d probes (interval %.4f to %.4f), expected %.4f", d.name, share, len(d.sample.probes), low, high, expected)
		}
	}
	r.OK = len(r.Failures) == 0
	return r
}

// judgeRTT compares the sum of the two directions' median delays with the profile.
func judgeRTT(name string, down, up sample, fail func(format string, args ...any)) (rttMs, expectedRTTMs, deviation float64) {
	downMs, upMs := down.delaysMs(), up.delaysMs()
	rttMs, expectedRTTMs = median(downMs)+median(upMs), expectedMs(down.config)+expectedMs(up.config)
	if math.IsNaN(rttMs) {
		fail("%s: no latency probe arrived", name)
		return 0, expectedRTTMs, 0 // JSON has no NaN; the failure says it
	}
	deviation = rttMs/expectedRTTMs - 1
	isOverAir := down.config.Air != nil || up.config.Air != nil
	allowed := tolerance + confidence*math.Hypot(medianErrorMs(down, len(downMs)), medianErrorMs(up, len(upMs)))/expectedRTTMs
	if !isOverAir && math.Abs(deviation) > allowed {
		fail("%s %.3f ms, expected %.3f ms +-%.1f %%", name, rttMs, expectedRTTMs, allowed*100)
	}
	return rttMs, expectedRTTMs, deviation
}

// judgeServer adds what was found about servers that are farther away.
func (r *Result) judgeServer(server profile.ServerDelay, down, up sample) {
	fail := func(format string, args ...any) { r.Failures = append(r.Failures, fmt.Sprintf(format, args...)) }
	rttMs, expectedRTTMs, _ := judgeRTT("RTT to "+server.Prefix.String(), down, up, fail)
	r.Servers = append(r.Servers, ServerRTT{Prefix: server.Prefix.String(), RTTMs: rttMs, RTTExpectedMs: expectedRTTMs})
	r.OK = len(r.Failures) == 0
}

// judgeBothHops adds what was found about the link and the second hop as one.
func (r *Result) judgeBothHops(down, up sample) {
	both := judge(down, up)
	r.BothHops = &both
	for _, failure := range both.Failures {
		r.Failures = append(r.Failures, "over both hops: "+failure)
	}
	r.OK = len(r.Failures) == 0
}

// expectedMs is a latency probe's way through an empty direction.
func expectedMs(c shape.Config) float64 {
	return c.DelayMs + float64(c.TransmissionNs(smallBytes))/float64(time.Millisecond)
}

// medianErrorMs is the standard error of the median of n normal delays: 1.2533 times that of the mean.
func medianErrorMs(s sample, n int) float64 {
	return math.Sqrt(math.Pi/2) * s.config.JitterMs / math.Sqrt(float64(n))
}
