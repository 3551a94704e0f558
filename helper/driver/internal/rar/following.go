package rar

import (
	"time"

	"firstscreen/driver/internal/flow"
)

// following is a message until it is acknowledged and its copies are accounted for.
//
//	sent   copy   copy              again  copy   copy
//	|------|------|---- . . . ------|------|------|---- . . .
//	0    RTT/10 2 RTT/10       RTT + alpha
type following struct {
	message    Message
	account    *account
	rtt        time.Duration
	sending    time.Duration // takes a slow link for it
	stagger    time.Duration
	alpha      time.Duration
	copies     int
	round      int
	roundAt    time.Duration // it began
	sent       int           // copies in this round
	copied     int           // packets, in all rounds, of which duplicates are reported
	isSettling bool          // acknowledged; duplicates may still be reported
	settleAt   time.Duration
	due        time.Duration
}

// sends of this round that the driver makes: TCP itself made the first one.
func (f *following) sends() int {
	if f.round == 0 {
		return f.copies
	}
	return f.copies + 1
}

func (f *following) isRoundOver() bool { return f.sent == f.sends() }

// missing are the packets that the peer has not said to have.
func (f *following) missing(acknowledged uint32) []Frame {
	for i, frame := range f.message.Frames {
		if int32(acknowledged-frame.End) < 0 {
			return f.message.Frames[i:]
		}
	}
	return nil
}

// plan sets when something is due next.
func (f *following) plan() {
	switch {
	case f.isSettling:
		f.due = f.settleAt
	case f.isRoundOver():
		f.due = f.roundAt + (f.rtt+f.sending+f.alpha)<<f.round
	default:
		byTCP := f.copies + 1 - f.sends()
		f.due = f.roundAt + time.Duration(f.sent+byTCP)*f.stagger
	}
}

// isReported: of copies of data a peer tells that it had them already, not of the first segment, nor of DNS.
func (f *following) isReported() bool {
	return !f.message.IsSYN && f.message.Key.Protocol == flow.TCP
}

// queue is a heap by when something is due.
type queue []*following

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].due < q[j].due }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(*following)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	(*q)[len(*q)-1] = nil
	*q = (*q)[:len(*q)-1]
	return last
}
