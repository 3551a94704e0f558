package aggregation

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"
)

// Air is the way of one station's packets over a medium that it shares with others, which always have something to send. It is not safe
// for concurrent use, and its times must not fall from call to call.
type Air[P any] struct {
	parameters Parameters
	queue      Limit
	own        *station[P]
	others     []saturated
	medium     *rand.Rand
	receiver   reorderBuffer[P]
	arrived    []frame[P] // of one aggregate; here, it is not made anew each time
	freeNs     int64      // when the medium is free for the next one
}

// Limit of what waits to be sent, sent and not acknowledged included: of the two the one that is not 0.
type Limit struct{ Bytes, Packets int }

// Stations that share the air: the one whose packets are carried, and how many others there are.
type Stations struct {
	Own        Scheme `json:"scheme"`
	Others     Scheme `json:"others"`
	OtherCount int    `json:"otherCount"`
}

// NewAir is the air from a time on.
func NewAir[P any](p Parameters, stations Stations, queue Limit, seed uint64, startNs int64) *Air[P] {
	own := newStation[P](p, stations.Own, stationRandom(seed, 0))
	a := &Air[P]{
		parameters: p, queue: queue, own: own, medium: mediumRandom(seed), freeNs: startNs,
		receiver: reorderBuffer[P]{timeoutNs: int64(own.reorderTimeout)},
	}
	for i := range stations.OtherCount {
		a.others = append(a.others, newSaturated(p, stations.Others, stationRandom(seed, i+1)))
	}
	return a
}

// Accept takes a packet that arrives at a time, unless the queue is full.
func (a *Air[P]) Accept(nowNs int64, sizeBytes int, packet P) bool {
	if a.queue.Packets > 0 && a.own.frames >= a.queue.Packets || a.queue.Packets == 0 && a.own.bytes+sizeBytes > a.queue.Bytes {
		return false
	}
	if a.own.frames == 0 {
		a.catchUp(nowNs)
	}
	a.own.enqueue(sizeBytes, packet)
	return true
}

// catchUp lets the others use the medium up to a time, which nobody had asked about: only the end of it, as by then nothing of what was
// before can be told any more.
func (a *Air[P]) catchUp(nowNs int64) {
	const lookBack = int64(50 * time.Millisecond)
	a.freeNs = max(a.freeNs, nowNs-lookBack)
	for a.freeNs < nowNs && len(a.others) > 0 {
		winner, wait := contend(a.medium, len(a.others))
		a.transmitOther(winner, wait)
	}
	a.freeNs = max(a.freeNs, nowNs)
}

// NextNs is when Advance has to be called next, unless a packet is accepted before; ok is false when nothing waits.
func (a *Air[P]) NextNs() (nextNs int64, ok bool) {
	if a.own.frames == 0 {
		return 0, false // then nothing is missing at the receiver either
	}
	if len(a.receiver.held) > 0 {
		return min(a.freeNs, a.receiver.deadlineNs()), true
	}
	return a.freeNs, true
}

// Advance lets stations send up to a time. It tells of each packet that is received, in order and with the time at which it is, and of each
// that is not. An aggregate is made before the medium is contended for, as drivers do, and what becomes of it is known then.
func (a *Air[P]) Advance(nowNs int64, release func(atNs int64, packet P), lose func(packet P)) {
	for {
		nextNs, ok := a.NextNs()
		if !ok || nextNs > nowNs {
			return
		}
		a.receiver.expire(nextNs, release)
		if nextNs < a.freeNs {
			continue
		}
		winner, wait := contend(a.medium, 1+len(a.others))
		if winner > 0 {
			a.transmitOther(winner-1, wait)
		} else {
			a.transmitOwn(wait, release, lose)
		}
	}
}

func (a *Air[P]) transmitOther(number int, wait time.Duration) {
	other := a.others[number]
	sent := other.transmit(func(frame[struct{}], bool) {})
	a.freeNs += int64(wait + a.parameters.dataTime(sent.longestBytes) + other.ackTime())
}

func (a *Air[P]) transmitOwn(wait time.Duration, release func(atNs int64, packet P), lose func(packet P)) {
	a.arrived = a.arrived[:0]
	sent := a.own.transmit(func(f frame[P], received bool) {
		if received {
			a.arrived = append(a.arrived, f)
		} else {
			lose(f.packet)
		}
	})
	atNs := a.freeNs + int64(wait+a.parameters.dataTime(sent.longestBytes))
	a.freeNs = atNs + int64(a.own.ackTime())
	a.receiver.expire(atNs-1, release) // what had to be there before these came
	slices.SortFunc(a.arrived, func(x, y frame[P]) int { return cmp.Compare(x.number, y.number) })
	for _, f := range a.arrived {
		if a.receiver.add(received[P]{f.number, atNs, f.packet}, release) {
			lose(f.packet)
		}
	}
	a.receiver.expire(atNs, release)
}
