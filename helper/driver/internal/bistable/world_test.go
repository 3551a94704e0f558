package bistable

import (
	"container/heap"
	"math/rand/v2"
	"time"
)

// world has virtual time.
type world struct {
	now    time.Duration
	random *rand.Rand
	events events
	last   int
}

func newWorld(seed uint64) *world {
	return &world{random: rand.New(rand.NewPCG(seed, seed))}
}

type event struct {
	at     time.Duration
	number int // events of one time happen as they were planned
	do     func()
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].number < e[j].number
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(one any) { *e = append(*e, one.(event)) }
func (e *events) Pop() any {
	last := len(*e) - 1
	one := (*e)[last]
	*e = (*e)[:last]
	return one
}

func (w *world) after(delay time.Duration, do func()) {
	w.last++
	heap.Push(&w.events, event{w.now + delay, w.last, do})
}

// run until a time, or until it is over.
func (w *world) run(until time.Duration, isOver func() bool) {
	for len(w.events) > 0 && w.events[0].at <= until && !isOver() {
		next := heap.Pop(&w.events).(event)
		w.now = next.at
		next.do()
	}
}

// ms is the clock of timestamps.
func (w *world) ms() uint32 { return uint32((w.now + time.Hour) / time.Millisecond) }
