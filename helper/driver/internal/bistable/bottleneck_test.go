package bistable

import "time"

const packetBits = 1500 * 8

type packet struct {
	flow   *flow
	number int
	echo   uint32 // timestamp
}

// path to the client: a queue that drops what it has no room for, a link that sends one packet after the other or many at once, and a hop that loses.
type path struct {
	rtt     time.Duration // without queue
	rate    float64       // bits a second
	queue   int           // packets that wait
	batch   int           // that the link sends at once, at the most; 0: one
	pause   time.Duration // before each batch
	jitter  time.Duration // of the hop, at the most; order stays
	isLost  func(w *world) bool
	allowed float64 // bits a second that a policer lets through; 0: there is none
}

type bottleneck struct {
	path
	*world
	waiting []packet
	isBusy  bool
	tokens  float64 // of the policer, packets
	counted time.Duration
	latest  time.Duration // arrival
}

const policerBurst = 32

func (b *bottleneck) take(p packet) {
	if b.allowed > 0 && !b.isAllowed() || len(b.waiting) >= b.queue {
		p.flow.queueDrops++
		return
	}
	b.waiting = append(b.waiting, p)
	if !b.isBusy {
		b.send()
	}
}

func (b *bottleneck) isAllowed() bool {
	b.tokens = min(policerBurst, b.tokens+(b.now-b.counted).Seconds()*b.allowed/packetBits)
	b.counted = b.now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

func (b *bottleneck) send() {
	n := min(len(b.waiting), max(b.batch, 1))
	b.isBusy = n > 0
	if !b.isBusy {
		return
	}
	sent := append([]packet(nil), b.waiting[:n]...)
	b.waiting = b.waiting[n:]
	b.after(b.pause+time.Duration(float64(n)*packetBits/b.rate*float64(time.Second)), func() {
		for _, p := range sent {
			b.arrive(p)
		}
		b.send()
	})
}

func (b *bottleneck) arrive(p packet) {
	if p.flow.isLost != nil && p.flow.isLost(b.world) {
		return
	}
	delay := b.rtt / 2
	if b.jitter > 0 {
		delay += time.Duration(b.random.Int64N(int64(b.jitter)))
	}
	b.latest = max(b.latest, b.now+delay)
	b.after(b.latest-b.now, func() { p.flow.receiver.arrive(p) })
}

// each packet by itself.
func each(share float64) func(*world) bool {
	return func(w *world) bool { return w.random.Float64() < share }
}

// fades of 100 ms that take a half, so that it is a share of all.
func fades(share float64) func(*world) bool {
	const fade, taken = 100 * time.Millisecond, 0.5
	every := time.Duration(float64(fade) * taken / share)
	return func(w *world) bool { return w.now%every >= every-fade && w.random.Float64() < taken }
}
