// Package aggregation models the aggregation of 802.11n frames over several MIMO streams, as the two emulators of the FWP paper do (Havey
// and Almeroth, section V): A-MPDU, where a block-ACK window on each stream brings lost frames again, and FWP, where the MAC acknowledges
// nothing and they stay lost.
//
//	packets -> round robin -> [window of each stream] -> aggregates of all streams at once -> (frame losses) -> [reorder buffer] -> packets
//
// Time is an argument: the same model runs as fast as it can, with stations that always have something to send (Saturate), and as the way
// of a link's packets (Air).
package aggregation

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Scheme is how a station sends.
type Scheme string

const (
	AMPDU Scheme = "ampdu"
	FWP   Scheme = "fwp"
)

// Streams of a station, with an aggregation queue each; a frame is lost on one of them (section V).
const Streams = 4

// DefaultRateBitsPerSecond is "the theoretical maximum of 802.11n" (section VI-A), all streams together.
const DefaultRateBitsPerSecond = 600_000_000

// Parameters of the air.
type Parameters struct {
	// RateBitsPerSecond of all streams together, while frames are sent.
	RateBitsPerSecond int64 `json:"rateBitsPerSecond"`
	// FrameErrorRates of the streams: the share of frames that are lost, each by itself.
	FrameErrorRates [Streams]float64 `json:"frameErrorRates"`
	// AMPDU is the size of A-MPDUs. FWP has its own.
	AMPDU Size `json:"ampdu"`
}

// Size of aggregates, in frames.
type Size struct {
	Window    int `json:"window"`    // at most so far from the first missing frame to the last one sent
	Aggregate int `json:"aggregate"` // at most so many are sent at once
}

// The paper's A-MPDUs. Section III-B has the standard's (IEEE 802.11n-2009, 9.21.7): 64 frames in both. In the emulator's example (figure
// 4) an aggregate has 32, as in the Atheros driver, and so has the window.
var (
	StandardSize = Size{64, 64}
	fwpSize      = Size{32, 32} // section V-A; without acknowledgements a window is the aggregate
)

// MaxFrames is what a block acknowledgement of the standard can speak of.
const MaxFrames = 64

// ParseSize reads WINDOW/AGGREGATE, or one number for both.
func ParseSize(text string) (Size, error) {
	window, aggregate, two := strings.Cut(text, "/")
	if !two {
		aggregate = window
	}
	w, windowErr := strconv.Atoi(window)
	a, aggregateErr := strconv.Atoi(aggregate)
	if windowErr != nil || aggregateErr != nil || a < 1 || a > w || w > MaxFrames {
		return Size{}, fmt.Errorf("%q is no size of A-MPDUs: give the frames of the window and of an aggregate, as 64/32, at most %d", text, MaxFrames)
	}
	return Size{w, a}, nil
}

// SameOnAllStreams is one frame error rate for all streams.
func SameOnAllStreams(frameErrorRate float64) (rates [Streams]float64) {
	for i := range rates {
		rates[i] = frameErrorRate
	}
	return rates
}

// MeanFrameErrorRate over the streams, which carry the same number of packets.
func (p Parameters) MeanFrameErrorRate() float64 {
	sum := 0.0
	for _, rate := range p.FrameErrorRates {
		sum += rate
	}
	return sum / Streams
}

// ParseScheme is the scheme of a name.
func ParseScheme(name string) (Scheme, error) {
	for _, scheme := range []Scheme{AMPDU, FWP} {
		if string(scheme) == name {
			return scheme, nil
		}
	}
	return "", fmt.Errorf("%q is no way of aggregating: ampdu and fwp are", name)
}

// Check says what is wrong with parameters. A frame that is always lost would hold up its window for ever.
func (p Parameters) Check() error {
	for _, rate := range p.FrameErrorRates {
		if !(rate >= 0 && rate < 1) {
			return errors.New("a frame error rate is from 0 to below 1")
		}
	}
	return nil
}

// rules are what a scheme means for a stream.
type rules struct {
	Size
	acknowledged   bool // lost frames are sent again until they are received
	reorderTimeout time.Duration
}

// reorderTimeout is "the MAC reorder buffer timeout (typically 40 ms)" (section I), which is zero in FWP (section IV).
const reorderTimeout = 40 * time.Millisecond

func (p Parameters) rulesOf(scheme Scheme) rules {
	if scheme == FWP {
		return rules{Size: fwpSize}
	}
	return rules{Size: p.AMPDU, acknowledged: true, reorderTimeout: reorderTimeout}
}
