// Package rar is redundant and aggressive retransmission (A3, section 4.2): when copies of a thin message are sent. Pure: no clock, no socket.
package rar

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"time"
)

const (
	// redundancy: extra copies of a message; 10 % loss becomes 0.1 %.
	redundancy = 2
	// staggerParts: copies follow each other by a tenth of the round trip, so a burst of losses does not take all, and all are out within a fifth of it.
	staggerParts = 10
	minStagger   = time.Millisecond
	// minAlpha is what a peer may take to think before it acknowledges (Linux delays an acknowledgement by 40 ms).
	minAlpha = 50 * time.Millisecond
	// maxRounds: TCP's own time-out comes in by then.
	maxRounds = 4
	// maxMessages that are followed at once.
	maxMessages = 4096
)

// Kind of a message.
type Kind int

const (
	Data        Kind = iota
	First            // a connection's first segment (SYN)
	FirstAnswer      // to that (SYN with ACK); it has no rounds, as nobody may have asked for it
	Query            // of DNS; it has no rounds, as nothing tells that it was answered
)

// Flow is a name of the host's for a flow: comparable, and not looked into.
type Flow any

// Message is a thin message that has just left.
type Message struct {
	Flow         Flow
	Remote       netip.Addr
	Interface    int
	First, End   uint32 // sequence numbers of TCP: acknowledged when the peer has all before End
	Kind         Kind
	State        Progress      // of its flow, before it; zero: not known yet
	At           time.Duration // monotonic
	Protocol     uint16        // by which packet sockets know the frames
	Frames       [][]byte      // its packets
	SegmentBytes uint32        // of the payload in each but the last; 0: there is one
	IsOpen       bool          // more of it has still to leave
}

func bytesOf(frames [][]byte) (total int) {
	for _, frame := range frames {
		total += len(frame)
	}
	return total
}

// Progress is how far a flow has come.
type Progress struct {
	Acknowledged uint32
	Sacked       uint32        // packets that its peer has behind one that it misses (SACK, RFC 2018)
	Duplicates   uint32        // that its peer has reported
	RTT          time.Duration // smoothed (RFC 6298 section 2), exact to the kernel's eighth of a microsecond; 0: not known yet
	LeastRTT     time.Duration
}

// Host is what the engine asks of this host.
type Host interface {
	// Progress of a flow; false when its socket is not there any more.
	Progress(flow Flow, on int) (Progress, bool)
	// SentBytes by an interface so far, without copies.
	SentBytes(on int) uint64
}

// Counts is what the engine has done since it began.
type Counts struct {
	Messages   uint64 `json:"messages"`   // thin messages seen
	Protected  uint64 `json:"protected"`  // of which copies were planned
	Copies     uint64 `json:"copies"`     // packets sent
	CopyBytes  uint64 `json:"copyBytes"`  // with their headers
	Rounds     uint64 `json:"rounds"`     // begun anew after RTT + alpha, or for a hole
	LinkBusy   uint64 `json:"linkBusy"`   // messages that had fewer copies, as the link was busy
	NotPaying  uint64 `json:"notPaying"`  // messages without copies, as the interface loses nothing
	TooMany    uint64 `json:"tooMany"`    // messages beyond what is followed at once
	Duplicates uint64 `json:"duplicates"` // copies that peers say they did not need
}

// Engine decides. It is used from one goroutine.
type Engine struct {
	Counts    Counts
	host      Host
	queue     []*following // by when something is due
	open      openMessages
	flows     map[Flow]*account
	links     map[int]*link // by interface
	distances destinations
	losses    uint64 // of which the last message knew
}

// account is what the engine keeps of a flow.
type account struct {
	followed int
	isTimed  bool   // a round trip of it was learnt
	claimed  uint32 // duplicates that its peer has reported, as far as messages account for them
}

// New is an engine that has seen nothing.
func New(host Host) *Engine {
	return &Engine{host: host, open: openMessages{}, flows: map[Flow]*account{}, links: map[int]*link{}, distances: destinations{}}
}

// Shown takes a message, or a part of one that has just left; losses is how many segments TCP has sent again so far on all flows.
func (e *Engine) Shown(part Message, losses uint64) {
	m, isWhole := e.open.join(part)
	if !isWhole {
		return
	}
	e.Counts.Messages++
	link, bytes := e.link(m.Interface), bytesOf(m.Frames)
	link.looked(e.host.SentBytes(m.Interface), bytes, m.At)
	account := e.account(m)
	if m.State.RTT > 0 && !account.isTimed {
		e.distances.learn(m.Remote, m.Interface, m.State.RTT)
		account.isTimed = true
	}
	if losses != e.losses {
		link.payoff.begin()
		e.losses = losses
	}
	if !link.payoff.protects() {
		e.Counts.NotPaying++
		return
	}
	if len(e.queue) >= maxMessages {
		e.Counts.TooMany++
		return
	}
	e.Counts.Protected++
	rtt, variation := e.distances.expected(m.Remote, m.Interface)
	if m.State.RTT > 0 {
		rtt = m.State.RTT
	}
	account.followed++
	e.follow(&following{
		message: m, account: account, rtt: rtt, alpha: alphaOf(variation), stagger: max(rtt/staggerParts, minStagger),
		sending: link.sending(bytes), roundAt: m.At,
	})
}

// follow a message until something is due next.
func (e *Engine) follow(f *following) {
	f.plan()
	at, _ := slices.BinarySearchFunc(e.queue, f, func(a, b *following) int { return cmp.Compare(a.due, b.due) })
	e.queue = slices.Insert(e.queue, at, f)
}

func alphaOf(variation time.Duration) time.Duration { return max(4*variation, minAlpha) }

// Timeout after which a message to a destination is lost.
func (e *Engine) Timeout(m Message) time.Duration {
	_, variation := e.distances.expected(m.Remote, m.Interface)
	return m.State.RTT + alphaOf(variation)
}

func (e *Engine) link(on int) *link {
	if e.links[on] == nil {
		e.links[on] = &link{}
	}
	return e.links[on]
}

func (e *Engine) account(m Message) *account {
	isNew := m.Kind == First || m.Kind == FirstAnswer // a connection of the same ends as one before
	if known := e.flows[m.Flow]; known != nil && !isNew {
		return known
	}
	if len(e.flows) >= maxMessages {
		maps.DeleteFunc(e.flows, func(_ Flow, a *account) bool { return a.followed == 0 })
	}
	e.flows[m.Flow] = &account{claimed: m.State.Duplicates}
	return e.flows[m.Flow]
}

// Next tells when Due has something to do; false when nothing is followed.
func (e *Engine) Next() (time.Duration, bool) {
	if len(e.queue) == 0 {
		return 0, false
	}
	return e.queue[0].due, true
}

// Due returns what is to be sent by now: messages with the packets that are missing of them.
func (e *Engine) Due(now time.Duration) (copies []Message) {
	for len(e.queue) > 0 && e.queue[0].due <= now {
		f := e.queue[0]
		e.queue = slices.Delete(e.queue, 0, 1)
		if e.step(f, now, &copies) {
			e.follow(f)
		} else {
			f.account.followed--
		}
	}
	return copies
}

// step does what is due of a message. It returns whether it is followed further.
func (e *Engine) step(f *following, now time.Duration, copies *[]Message) bool {
	progress, known := e.host.Progress(f.message.Flow, f.message.Interface)
	switch {
	case f.message.Kind == FirstAnswer && !known: // its socket is made when it is acknowledged
	case !known:
		return false
	case f.isSettling:
		e.settle(f, progress)
		return false
	case f.message.Kind != Query && int32(progress.Acknowledged-f.message.End) >= 0:
		e.learn(f, progress, now)
		f.settleAt = now + f.rtt + f.alpha // duplicates are reported by then
		f.isSettling = true
		return f.copied > 0
	}
	if f.areCopiesOut() {
		f.lookedAt = now
		if now < f.roundEnd() && !f.isHoleNew(progress) {
			return true
		}
		if !f.hasRounds() || f.round+1 == maxRounds {
			return false
		}
		e.Counts.Rounds++
		f.round++
		f.roundAt, f.sent, f.repaired = now, 0, progress.Acknowledged
	}
	e.copy(f, progress, now, copies)
	return true
}

// copy what is missing of a message when the link is idle, if that is soon enough.
func (e *Engine) copy(f *following, progress Progress, now time.Duration, copies *[]Message) {
	link := e.link(f.message.Interface)
	link.looked(e.host.SentBytes(f.message.Interface), 0, now)
	if link.idleAt > now {
		if f.postponedTo = link.idleAt; f.postponedTo > f.lastCopyAt() {
			e.Counts.LinkBusy++
			f.sent = f.sends() // of this round
		}
		return
	}
	again := f.message
	again.Frames = f.missing(progress)
	isNeeded, isCopy := len(again.Frames) > 0, f.round == 0 || f.sent > 0
	if isNeeded && isCopy {
		again.Frames = link.lastWithin(again.Frames, f.longestCopy())
	}
	if len(again.Frames) == 0 {
		if isNeeded {
			e.Counts.LinkBusy++
		}
		f.sent = f.sends()
		return
	}
	bytes := bytesOf(again.Frames)
	link.pass(bytes, now)
	e.Counts.Copies += uint64(len(again.Frames))
	e.Counts.CopyBytes += uint64(bytes)
	if f.message.Kind == Data { // of others nothing is reported
		f.copied += len(again.Frames)
	}
	*copies = append(*copies, again)
	f.sent++
}

// learn from the acknowledgement of data. A packet of its own was timed by TCP, which tells the smoothed round trip before and after. Where more was acknowledged
// meanwhile this is the sum of several differences; so it is then taken to be no shorter than the mean before. Several packets may be acknowledged one by one:
// of them it is known when they were looked at.
func (e *Engine) learn(f *following, progress Progress, now time.Duration) {
	m, before, after := f.message, f.message.State.RTT, progress.RTT
	if m.Kind != Data || before == 0 || after == before {
		return
	}
	took := before + 8*(after-before) // RFC 6298 (2.3), with alpha 1/8
	if progress.Acknowledged != m.End {
		took = max(took, before)
	}
	if len(m.Frames) > 1 {
		if f.round > 0 {
			return // some were lost
		}
		took = now - m.At
	}
	link, bytes := e.link(m.Interface), bytesOf(m.Frames)
	link.learn(bytes, max(took-progress.LeastRTT, 0))
	// without what the message itself took, as a round waits for both
	e.distances.learn(m.Remote, m.Interface, max(took-link.sending(bytes), progress.LeastRTT))
}

// settle compares a message's copies with what the peer has reported since. Reports of messages that overlap come together.
func (e *Engine) settle(f *following, progress Progress) {
	duplicates := min(int(progress.Duplicates-f.account.claimed), f.copied)
	if f.account.claimed += uint32(duplicates); f.account.followed == 1 {
		f.account.claimed = progress.Duplicates
	}
	e.Counts.Duplicates += uint64(duplicates)
	e.link(f.message.Interface).payoff.settled(f.copied, duplicates)
}
