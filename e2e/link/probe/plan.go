// Package probe checks the running link against its profile, by UDP probes between its own two namespaces.
//
// Each direction is probed by itself, both at once. A probe's delay is the kernel's receive timestamp less the time it was sent, on one
// clock, so the check sees the link and not the scheduling of its own reader; the two medians add up to the RTT.
package probe

import (
	"time"

	"firstscreen/e2e/link/shape"
)

// phase is what a probe is for. The phases follow each other in one schedule that is known beforehand, so nothing waits for an answer.
type phase int

const (
	latency phase = iota // small and apart: they meet an empty queue
	rate                 // large, all at once: the server spaces them out
	loss                 // small, as many as time allows, a little below the rate
)

type planned struct {
	atNs      int64 // since the start
	sizeBytes int   // of the IP packet
	phase     phase
}

const (
	headerBytes  = 28 // IPv4 and UDP
	payloadBytes = 16 // run, number, room
	smallBytes   = headerBytes + payloadBytes
	largeBytes   = 1500

	latencyProbes  = 11
	minSpacing     = 15 * time.Millisecond // so that a stall of a virtual machine spoils a few of them and not the median
	spacingJitters = 4                     // probes so far apart hardly ever wait for a delayed one before them
	spacingPackets = 4

	rateTime                     = time.Second
	minTrain, maxTrain           = 8, 200
	minTrainBytes                = 100
	lossTime                     = 750 * time.Millisecond
	minLossProbes, maxLossProbes = 20, 1000
	lossLoad                     = 0.7                    // of the rate
	minLossSpacing               = 100 * time.Microsecond // what the reader can be behind must fit its socket buffer
	drainMargin                  = 20 * time.Millisecond
)

// plan is the schedule for one direction.
func plan(c shape.Config) []planned {
	probes := latencyPlan(c)
	add := func(atNs int64, sizeBytes int, p phase) { probes = append(probes, planned{atNs, sizeBytes, p}) }

	smallNs := c.TransmissionNs(smallBytes)
	startNs := latencyProbes * latencySpacingNs(c)
	size, count := train(c)
	for range count {
		add(startNs, size, rate)
	}

	startNs += int64(count)*c.TransmissionNs(size) + int64(drainMargin)
	lossSpacingNs := max(int64(minLossSpacing), int64(float64(smallNs)/lossLoad))
	lossProbes := min(max(int64(lossTime)/lossSpacingNs, minLossProbes), maxLossProbes)
	for i := range lossProbes {
		add(startNs+i*lossSpacingNs, smallBytes, loss)
	}
	return probes
}

// latencyPlan is the first phase, which is all that a server's delay needs.
func latencyPlan(c shape.Config) (probes []planned) {
	for i := range int64(latencyProbes) {
		probes = append(probes, planned{i * latencySpacingNs(c), smallBytes, latency})
	}
	return probes
}

func latencySpacingNs(c shape.Config) int64 {
	return max(int64(minSpacing), spacingJitters*c.JitterNs(), spacingPackets*c.TransmissionNs(smallBytes))
}

// train is the size and number of the rate packets: about a second of the link, and no more than its queue holds.
func train(c shape.Config) (sizeBytes, count int) {
	perPacketNs := int64(rateTime) / minTrain
	sizeBytes = int(min(largeBytes, max(minTrainBytes, c.RateBitsPerSecond*perPacketNs/(8*int64(time.Second)))))
	count = min(maxTrain, max(minTrain, int(int64(rateTime)/c.TransmissionNs(sizeBytes))))
	const inService = 1
	if c.QueuePackets > 0 {
		return sizeBytes, min(count, c.QueuePackets+inService)
	}
	return sizeBytes, min(count, c.QueueBytes/sizeBytes+inService)
}
