package rar

import "time"

// following is a message until it is acknowledged and its copies are accounted for.
//
//	sent   copy   copy              again  copy   copy
//	|------|------|---- . . . ------|------|------|---- . . .
//	0    RTT/10 2 RTT/10       RTT + alpha
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

func (f *following) isRoundOver() bool { return f.sent == f.sends() }

func (f *following) hasRounds() bool { return f.message.Kind == Data || f.message.Kind == First }

// lastCopyAt: a copy that can not be out by then is not sent in this round.
func (f *following) lastCopyAt() time.Duration { return f.roundAt + redundancy*f.stagger }

// missing are the packets that the peer has not said to have.
func (f *following) missing(acknowledged uint32) [][]byte {
	m := f.message
	got := int32(acknowledged - m.First)
	if got <= 0 || m.SegmentBytes == 0 {
		return m.Frames
	}
	return m.Frames[min(int(got)/int(m.SegmentBytes), len(m.Frames)-1):] // the last one, also where only its FIN is missing
}

// plan sets when something is due next.
func (f *following) plan() {
	switch {
	case f.isSettling:
		f.due = f.settleAt
	case f.isRoundOver():
		f.due = f.roundAt + (f.rtt+f.sending+f.alpha)<<f.round
	default:
		byTCP := redundancy + 1 - f.sends()
		f.due = max(f.roundAt+time.Duration(f.sent+byTCP)*f.stagger, f.postponedTo)
	}
}
