package rar

import (
	"slices"
	"time"
)

const (
	// assumedPerByte until a larger message was acknowledged: 250 kbit/s.
	assumedPerByte = 32 * time.Microsecond
	// leastPerByte: copies take no more of any link than of one of 8 Mbit/s, whatever is measured.
	leastPerByte = time.Microsecond
	// maxBacklog: of what an interface was given, a link sends all within so long; queues hardly hold more.
	maxBacklog = time.Second
	// tellingBytes: on 100 kbit/s they take 24 ms, which stands out of jitter.
	tellingBytes = 300
	// smallestBytes is about what the least round trip of a flow was measured with: a first segment.
	smallestBytes = 74
	// paceSamples are looked at: the last ones, as links change.
	paceSamples = 8
)

// link is a model of what an interface sends into: one clock, that tells when all is out which was given to it so far.
type link struct {
	idleAt   time.Duration
	lookedAt time.Duration
	sent     uint64 // bytes by the interface, at the last look
	isSeen   bool
	paces    []time.Duration // a byte took so long, at most: the last ones
	payoff   payoff
}

// pass bytes that were given to the interface at a time.
func (l *link) pass(bytes int, at time.Duration) {
	l.idleAt = min(max(l.idleAt, at)+l.sending(bytes), at+maxBacklog)
}

// looked at the interface's count of bytes, of which `own` have just been given to it, and all others since the last look.
func (l *link) looked(sent uint64, own int, now time.Duration) {
	others := 0
	if l.isSeen && sent >= l.sent {
		own, others = min(own, int(sent-l.sent)), max(int(sent-l.sent)-own, 0)
	}
	l.pass(others, l.lookedAt)
	l.pass(own, now)
	l.sent, l.lookedAt, l.isSeen = sent, now, true
}

// learn how much longer than the least round trip of its own flow a message took, whatever the distance of that: the sum of what its bytes needed, of queues and
// of a peer that thought, so the least of some counts.
func (l *link) learn(bytes int, longer time.Duration) {
	if bytes < tellingBytes {
		return
	}
	l.paces = append(l.paces, max(longer/time.Duration(bytes-smallestBytes), leastPerByte))
	l.paces = l.paces[max(len(l.paces)-paceSamples, 0):]
}

// perByte is how long the link takes for a byte.
func (l *link) perByte() time.Duration {
	if len(l.paces) == 0 {
		return assumedPerByte
	}
	return slices.Min(l.paces)
}

// sending bytes takes the link so long.
func (l *link) sending(bytes int) time.Duration { return time.Duration(bytes) * l.perByte() }

// lastWithin are as many of the last frames as the link sends within a time. The first ones need a copy less: a later one
// that the peer has tells at once that they are missing.
func (l *link) lastWithin(frames [][]byte, within time.Duration) [][]byte {
	first := len(frames)
	for bytes := 0; first > 0; first-- {
		if bytes += len(frames[first-1]); l.sending(bytes) > within {
			break
		}
	}
	return frames[first:]
}
