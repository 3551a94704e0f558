package aggregation

import "math/rand/v2"

// frame is a packet on its way over the air.
type frame[P any] struct {
	number    int64 // in the order of arrival, over all streams
	sizeBytes int
	done      bool // received, or lost for good
	packet    P
}

// station sends its packets in aggregates, one on each stream.
type station[P any] struct {
	rules
	errorRates [Streams]float64
	random     *rand.Rand
	streams    [Streams][]frame[P] // from the first frame on that is not done: the window, and what waits behind it
	accepted   int64               // packets so far
	frames     int                 // that are not done
	bytes      int                 // of these
}

func newStation[P any](p Parameters, scheme Scheme, random *rand.Rand) *station[P] {
	return &station[P]{rules: p.rulesOf(scheme), errorRates: p.FrameErrorRates, random: random}
}

// enqueue takes a packet into the queue whose turn it is.
func (s *station[P]) enqueue(sizeBytes int, packet P) {
	s.enqueueOn(int(s.accepted%Streams), sizeBytes, packet)
}

func (s *station[P]) enqueueOn(stream, sizeBytes int, packet P) {
	s.streams[stream] = append(s.streams[stream], frame[P]{number: s.accepted, sizeBytes: sizeBytes, packet: packet})
	s.accepted++
	s.frames++
	s.bytes += sizeBytes
}

// sent is what a station has used a transmission opportunity for.
type sent struct {
	frames       int
	longestBytes int // of the aggregate that took longest
}

// transmit sends an aggregate on each stream: what is not done within its window, the oldest first. It tells of each frame that is done now.
func (s *station[P]) transmit(tell func(f frame[P], received bool)) (all sent) {
	for i := range s.streams {
		on := s.transmitOn(i, tell)
		all.frames += on.frames
		all.longestBytes = max(all.longestBytes, on.longestBytes)
	}
	return all
}

func (s *station[P]) transmitOn(number int, tell func(f frame[P], received bool)) (on sent) {
	stream := s.streams[number]
	window := stream[:min(s.Window, len(stream))]
	for i := range window {
		f := &window[i]
		if f.done {
			continue
		}
		if on.frames == s.Aggregate {
			break
		}
		on.frames++
		on.longestBytes += f.sizeBytes
		received := s.random.Float64() >= s.errorRates[number]
		if f.done = received || !s.acknowledged; f.done {
			s.frames--
			s.bytes -= f.sizeBytes
			tell(*f, received)
		}
	}
	moved := 0 // up to the first frame that is missing
	for moved < len(window) && window[moved].done {
		moved++
	}
	s.streams[number] = stream[moved:]
	return on
}
