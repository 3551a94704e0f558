// Package rar is redundant and aggressive retransmission (A3, section 4.2): when copies of a thin message are sent. Pure: no clock, no socket.
package rar

import (
	"container/heap"
	"maps"
	"time"

	"firstscreen/driver/internal/flow"
)

const (
	// redundancy: extra copies of a message; 10 % loss becomes 0.1 %.
	redundancy = 2
	// staggerParts: copies follow each other by a tenth of the round trip, so a burst of losses does not take all, and all are out within a fifth of it.
	staggerParts = 10
	minStagger   = time.Millisecond
	// minAlpha is what a peer may take to think before it acknowledges (Linux delays an acknowledgement by 40 ms).
	minAlpha = 50 * time.Millisecond
	// answerBytes of an acknowledgement that reports a duplicate (RFC 2883), which takes as much of a slow link.
	answerBytes = 74
	// busyPart of the time that copies may take is left where something waits for the link.
	busyPart = 10
	// tellingRoundTrips of a flow tell how much they vary; of fewer RFC 6298 takes half the first one, and other flows to the destination know better.
	tellingRoundTrips = 4
	// maxRounds: TCP's own time-out comes in by then.
	maxRounds = 4
	// maxMessages that are followed at once.
	maxMessages = 4096
)

// Message is a thin message that has just left.
type Message struct {
	Key          flow.Key
	Interface    int
	End          uint32 // acknowledged when the peer has all before it
	IsSYN        bool
	RTT          time.Duration // of its flow; 0: not known yet
	Variation    time.Duration
	LeastRTT     time.Duration
	Report       Report
	At           time.Duration // monotonic
	HasLinkLayer bool          // of the frames
	Frames       []Frame
}

// Frame is one packet of a message.
type Frame struct {
	End   uint32 // acknowledged when the peer has all before it
	Bytes []byte
}

func bytesOf(frames []Frame) (total int) {
	for _, frame := range frames {
		total += len(frame.Bytes)
	}
	return total
}

// Copy is to be sent now.
type Copy struct {
	HasLinkLayer bool
	Interface    int
	IsAgain      bool // sent once more, not beside the original
	Frames       []Frame
}

// Report is what a flow's peer has told so far.
type Report struct {
	Duplicates uint32    // that it got
	RoundTrips uint32    // that were measured
	Last       RoundTrip // of these
}

// Progress is how far a flow has come.
type Progress struct {
	Acknowledged uint32
	Report       Report
}

// Flows tells how far a flow has come; false when it is not known any more.
type Flows interface {
	Progress(flow.Key) (Progress, bool)
}

// Counts is what the engine has done since it began.
type Counts struct {
	Messages   uint64 `json:"messages"`   // thin messages seen
	Protected  uint64 `json:"protected"`  // of which copies were planned
	Copies     uint64 `json:"copies"`     // packets sent
	CopyBytes  uint64 `json:"copyBytes"`  // with their headers
	Rounds     uint64 `json:"rounds"`     // begun anew after RTT + alpha
	OverBudget uint64 `json:"overBudget"` // copies not sent, by the limits
	Congested  uint64 `json:"congested"`  // messages with fewer copies, as loss looked like congestion
	NotPaying  uint64 `json:"notPaying"`  // messages without copies, as the interface loses nothing
	Answered   uint64 `json:"answered"`   // messages that were acknowledged
	GivenUp    uint64 `json:"givenUp"`    // left to TCP after the last round
	TooMany    uint64 `json:"tooMany"`    // messages beyond what is followed at once
	Duplicates uint64 `json:"duplicates"` // copies that peers say they did not need
}

// Engine decides. It is used from one goroutine.
type Engine struct {
	Counts     Counts
	queue      queue
	flows      map[flow.Key]*account
	links      map[int]*link // by interface
	distances  destinations
	congestion congestion
	losses     uint64 // of which the last message knew
}

// link is what the engine keeps of an interface: the budget of all flows on it, and whether copies pay there.
type link struct {
	budget *bucket
	payoff payoff
}

// account is what the engine keeps of a flow: its part of the budget, and reports of duplicates.
type account struct {
	budget     *bucket
	followed   int
	duplicates uint32 // that its peer had reported, at the last look
	unclaimed  int    // of these, for copies of messages that are still followed
	roundTrips uint32 // that were measured, at the last look
}

// New is an engine that has seen nothing.
func New() *Engine {
	return &Engine{flows: map[flow.Key]*account{}, links: map[int]*link{}, distances: newDestinations()}
}

// Shown takes a message; losses is how many segments TCP has sent again so far on all flows.
func (e *Engine) Shown(m Message, losses uint64) {
	e.Counts.Messages++
	account := e.account(m)
	e.learn(m, account, m.Report)
	rtt, variation := e.distances.expected(m.Key.RemoteAddr(), m.Interface)
	if m.RTT > 0 {
		rtt = m.RTT
	}
	if m.Report.RoundTrips >= tellingRoundTrips {
		variation = m.Variation
	}
	copies := e.copies(m, rtt, losses)
	if copies == 0 {
		return
	}
	if len(e.queue) >= maxMessages {
		e.Counts.TooMany++
		return
	}
	e.Counts.Protected++
	account.followed++
	bytes := bytesOf(m.Frames)
	perByte, isKnown := e.distances.perByte(m.Key.RemoteAddr(), m.Interface)
	sending := perByte * time.Duration(bytes)
	if !isKnown && bytes > requestBytes {
		copies = 0
	}
	if isKnown {
		copies = min(copies, affordable(bytes, perByte, room(copies, rtt, m.LeastRTT)))
	}
	account.budget.limit(perByte)
	e.link(m.Interface).budget.limit(e.distances.perByteOn(m.Interface))
	f := &following{
		message: m, account: account, rtt: rtt, sending: sending, alpha: max(4*variation, minAlpha),
		stagger: max(stagger(rtt), sending), copies: copies, roundAt: m.At,
	}
	f.plan()
	heap.Push(&e.queue, f)
}

func stagger(rtt time.Duration) time.Duration { return max(rtt/staggerParts, minStagger) }

// room is how long a link may take for copies of a message: until all of them are out that take no time; where something waits for the link, of which fewer
// copies are the sign, a small part of that.
func room(copies int, rtt, least time.Duration) time.Duration {
	if copies == redundancy {
		return redundancy * stagger(rtt)
	}
	return max(redundancy*stagger(least)/busyPart, minStagger)
}

// affordable copies, and what a peer answers to those that it does not need.
func affordable(bytes int, perByte, room time.Duration) int {
	each := perByte * time.Duration(bytes+answerBytes)
	if each <= 0 {
		return redundancy
	}
	return int(room / each)
}

// learn what a flow's peer has told since the last look.
func (e *Engine) learn(m Message, account *account, told Report) {
	if told.RoundTrips != account.roundTrips && told.Last.Took > 0 {
		account.roundTrips = told.RoundTrips
		e.distances.learn(m.Key.RemoteAddr(), m.Interface, told.Last)
	}
}

// copies that a message is to have.
func (e *Engine) copies(m Message, rtt time.Duration, losses uint64) int {
	payoff := &e.link(m.Interface).payoff
	if losses != e.losses {
		payoff.begin()
		e.losses = losses
	}
	e.congestion.observe(losses, rtt, m.At)
	least, mean := m.LeastRTT, m.RTT
	if m.RTT == 0 {
		least, mean = e.distances.least(m.Key.RemoteAddr())
	}
	copies := e.congestion.copies(bytesOf(m.Frames), mean, least, m.At)
	if copies < redundancy {
		e.Counts.Congested++
	}
	if !payoff.protects() {
		e.Counts.NotPaying++
		return 0
	}
	return copies
}

func (e *Engine) link(on int) *link {
	if e.links[on] == nil {
		e.links[on] = &link{budget: newBucket(interfaceBurstBytes, interfaceBytesPerSecond)}
	}
	return e.links[on]
}

func (e *Engine) account(m Message) *account {
	if known := e.flows[m.Key]; known != nil {
		return known
	}
	if len(e.flows) >= maxMessages {
		maps.DeleteFunc(e.flows, func(_ flow.Key, a *account) bool { return a.followed == 0 })
	}
	e.flows[m.Key] = &account{budget: newBucket(flowBurstBytes, flowBytesPerSecond), duplicates: m.Report.Duplicates}
	return e.flows[m.Key]
}

// Next tells when Due has something to do; false when nothing is followed.
func (e *Engine) Next() (time.Duration, bool) {
	if len(e.queue) == 0 {
		return 0, false
	}
	return e.queue[0].due, true
}

// Due returns what is to be sent by now.
func (e *Engine) Due(now time.Duration, flows Flows) (copies []Copy) {
	for len(e.queue) > 0 && e.queue[0].due <= now {
		f := e.queue[0]
		if e.step(f, now, flows, &copies) {
			f.plan()
			heap.Fix(&e.queue, 0)
		} else {
			heap.Pop(&e.queue)
			e.end(f, flows)
		}
	}
	return copies
}

// step does what is due of a message. It returns whether it is followed further.
func (e *Engine) step(f *following, now time.Duration, flows Flows, copies *[]Copy) bool {
	progress, known := flows.Progress(f.message.Key)
	if !known {
		return false
	}
	e.learn(f.message, f.account, progress.Report)
	if f.isSettling {
		return false
	}
	if int32(progress.Acknowledged-f.message.End) >= 0 {
		e.Counts.Answered++
		f.settleAt = now + f.rtt + f.alpha // duplicates are reported by then
		f.isSettling = true
		return true
	}
	if f.isRoundOver() {
		if f.round+1 == maxRounds {
			e.Counts.GivenUp++
			return false
		}
		e.Counts.Rounds++
		f.round++
		f.roundAt, f.sent = now, 0
	}
	frames := f.missing(progress.Acknowledged)
	if e.afford(f, bytesOf(frames), now) {
		e.Counts.Copies += uint64(len(frames))
		if f.isReported() {
			f.copied += len(frames)
		}
		*copies = append(*copies, Copy{HasLinkLayer: f.message.HasLinkLayer, Interface: f.message.Interface, IsAgain: f.round > 0, Frames: frames})
	}
	f.sent++
	return true
}

func (e *Engine) afford(f *following, bytes int, now time.Duration) bool {
	all := e.link(f.message.Interface).budget
	if !f.account.budget.has(bytes, now) || !all.has(bytes, now) {
		e.Counts.OverBudget++
		return false
	}
	f.account.budget.take(bytes)
	all.take(bytes)
	e.Counts.CopyBytes += uint64(bytes)
	return true
}

// end stops following a message, and compares its copies with what the peer has reported since.
func (e *Engine) end(f *following, flows Flows) {
	f.account.followed--
	progress, known := flows.Progress(f.message.Key)
	if !known || f.copied == 0 {
		return
	}
	new := int(progress.Report.Duplicates - f.account.duplicates)
	f.account.duplicates = progress.Report.Duplicates
	e.Counts.Duplicates += uint64(new)
	// reports of messages that overlap come together
	duplicates := min(f.account.unclaimed+new, f.copied)
	f.account.unclaimed += new - duplicates
	e.link(f.message.Interface).payoff.settled(f.copied, duplicates)
}
