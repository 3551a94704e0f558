package aggregation

import (
	"cmp"
	"slices"
)

// received is a frame at the receiver.
type received[P any] struct {
	number int64
	atNs   int64
	packet P
}

// reorderBuffer hands packets on in the order in which they were sent. What is missing is waited for until a time has gone by since what
// follows it came; when it comes later, it is dropped (as mac80211 does with frames before its window).
type reorderBuffer[P any] struct {
	timeoutNs int64
	next      int64         // the number that is to be handed on next
	held      []received[P] // behind a hole, by number
}

// release hands a packet on at a time.
type release[P any] func(atNs int64, packet P)

// add takes a frame that has come; times do not fall. late: its place is over.
func (b *reorderBuffer[P]) add(r received[P], release release[P]) (late bool) {
	if r.number < b.next {
		return true
	}
	place, _ := slices.BinarySearchFunc(b.held, r.number, func(h received[P], number int64) int { return cmp.Compare(h.number, number) })
	b.held = slices.Insert(b.held, place, r)
	b.releaseRun(r.atNs, release)
	return false
}

// expire gives up what has been waited for long enough by a time.
func (b *reorderBuffer[P]) expire(nowNs int64, release release[P]) {
	for len(b.held) > 0 && b.deadlineNs() <= nowNs {
		atNs := b.deadlineNs()
		b.next = b.held[0].number
		b.releaseRun(atNs, release)
	}
}

// deadlineNs is when the frame before those that are held is given up; there have to be some.
func (b *reorderBuffer[P]) deadlineNs() int64 {
	first := slices.MinFunc(b.held, func(a, b received[P]) int { return cmp.Compare(a.atNs, b.atNs) })
	return first.atNs + b.timeoutNs
}

func (b *reorderBuffer[P]) releaseRun(atNs int64, release release[P]) {
	run := 0
	for run < len(b.held) && b.held[run].number == b.next {
		release(atNs, b.held[run].packet)
		b.next++
		run++
	}
	b.held = slices.Delete(b.held, 0, run)
}
