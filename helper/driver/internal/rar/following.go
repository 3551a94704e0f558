package rar

import "time"

// following is a message until it is acknowledged and its copies are accounted for.
//
//	sent   copy   copy              again  copy   copy
//	|------|------|---- . . . ------|------|------|---- . . .
//	0    RTT/10 2 RTT/10       RTT + alpha, or a hole is known
type following struct {
	message     Message
	account     *account
	rtt         time.Duration
	sending     time.Duration // takes the link for it
	stagger     time.Duration
	alpha       time.Duration
	round       int
	roundAt     time.Duration // it began
	sent        int           // copies in this round
	postponedTo time.Duration // the next copy, as the link was busy
	lookedAt    time.Duration // for a hole
	repaired    uint32        // sequence number of the last hole that a round began for
	copied      int           // packets, in all rounds, of which duplicates are reported
	isSettling  bool          // acknowledged; duplicates may still be reported
	settleAt    time.Duration
	due         time.Duration
}

// sends of this round that the driver makes: TCP itself made the first one.
func (f *following) sends() int {
	if f.round == 0 {
		return redundancy
	}
	return redundancy + 1
}

func (f *following) areCopiesOut() bool { return f.sent == f.sends() }

func (f *following) hasRounds() bool { return f.message.Kind == Data || f.message.Kind == First }

// showsHoles: the peer can have a later packet of it than one that it misses.
func (f *following) showsHoles() bool { return f.message.Kind == Data && len(f.message.Frames) > 1 }

// roundEnd is when it is taken for lost.
func (f *following) roundEnd() time.Duration { return f.roundAt + (f.rtt+f.sending+f.alpha)<<f.round }

// longestCopy takes the link as long as two copies of a message that takes a stagger: what comes next waits no longer.
func (f *following) longestCopy() time.Duration { return redundancy * f.stagger }

// copyAt is when a copy of this round is due, the first of which has the number 1: behind the message, where that takes long.
func (f *following) copyAt(number int) time.Duration {
	if number == 0 { // the message itself, again
		return f.roundAt
	}
	stagger := time.Duration(number) * f.stagger
	return f.roundAt + max(stagger, f.sending+stagger-f.stagger)
}

// lastCopyAt: a copy that can not begin by then is not sent in this round.
func (f *following) lastCopyAt() time.Duration { return f.copyAt(redundancy) }

// isHoleNew: the peer has a later packet, and no round has begun for the one that it misses.
func (f *following) isHoleNew(progress Progress) bool {
	isOurs := int32(progress.Acknowledged-f.message.First) >= 0
	return f.showsHoles() && progress.Sacked > 0 && isOurs && (f.round == 0 || progress.Acknowledged != f.repaired)
}

// missing are the packets that the peer has not said to have. Where it has some behind a hole, the first one is known to be
// lost, and nothing is known of the others: of none where the hole is before the message.
func (f *following) missing(progress Progress) [][]byte {
	m := f.message
	got := int32(progress.Acknowledged - m.First)
	if got < 0 && progress.Sacked > 0 {
		return nil
	}
	if m.SegmentBytes == 0 || got < 0 {
		return m.Frames
	}
	rest := m.Frames[min(int(got)/int(m.SegmentBytes), len(m.Frames)-1):] // the last one, also where only its FIN is missing
	if progress.Sacked > 0 {
		return rest[:1]
	}
	return rest
}

// plan sets when something is due next.
func (f *following) plan() {
	switch {
	case f.isSettling:
		f.due = f.settleAt
	case f.areCopiesOut() && f.showsHoles():
		f.due = min(f.roundEnd(), max(f.roundAt+f.rtt, f.lookedAt+f.stagger/2))
	case f.areCopiesOut():
		f.due = f.roundEnd()
	default:
		byTCP := redundancy + 1 - f.sends()
		f.due = max(f.copyAt(f.sent+byTCP), f.postponedTo)
	}
}
