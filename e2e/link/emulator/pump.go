package emulator

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"firstscreen/e2e/link/aggregation"
	"firstscreen/e2e/link/clock"
	"firstscreen/e2e/link/flow"
	"firstscreen/e2e/link/police"
	"firstscreen/e2e/link/profile"
	"firstscreen/e2e/link/shape"
	"firstscreen/e2e/link/tun"
)

// Counters are one direction's packets and IP bytes since the last reset. Packets in the link at a reset are delivered after it.
type Counters struct {
	Packets        int64 `json:"packets"`
	Bytes          int64 `json:"bytes"`
	DropsQueue     int64 `json:"dropsQueue"`
	DropsLoss      int64 `json:"dropsLoss"`
	DropsPoliced   int64 `json:"dropsPoliced"`
	Delivered      int64 `json:"delivered"`
	DeliveredBytes int64 `json:"deliveredBytes"`
}

// pump carries one direction: it reads a TUN device, asks the core for each packet's fate, and writes the other device in time.
type pump struct {
	inFd, outFd int
	record      func(packet []byte, nowNs int64)
	servers     []profile.ServerDelay
	leadNs      int64 // what a wake-up takes (wakeUpNs): timers are set so much early

	mutex     sync.Mutex      // held by run for microseconds at a time; others take it at reports and resets only
	policer   *police.Policer // nil: none
	core      *shape.Direction
	air       *aggregation.Air[held] // nil: packets do not go over the air
	lines     lines
	arrivedNs int64 // of the last packet; the core wants times that do not fall
	counters  Counters
	lateness  latenessHistogram

	// Read by polls while a load runs, hence not under the mutex: a poller that lost its processor must not hold up the link.
	heldBytes     atomic.Int64
	lastPayloadNs atomic.Int64
	lastDataNs    atomic.Int64 // of more than maxBeatBytes

	poll    [1]unix.PollFd // arguments of ppoll; here, they are not made anew at every wait
	timeout unix.Timespec
}

// maxBeatBytes is the payload of a packet with an HTTP/2 PING over TLS (RFC 9113, section 6.7: 17 bytes, in a record of 22 more), or its
// acknowledgement: a connection that is only kept sends no more.
const maxBeatBytes = 39

// readBatch bounds how long packets that arrive can keep one that is due.
const readBatch = 16

// run works until a device is gone, which is when its namespace is. It never returns its thread to the scheduler: the thread may have
// real-time priority.
func (p *pump) run(realtime chan<- bool) {
	runtime.LockOSThread()
	p.lines = make(lines, 1+len(p.servers))
	allowed := prioritise()
	sharpenTimers()
	p.leadNs = wakeUpNs()
	realtime <- allowed
	for woken := false; ; {
		p.deliver()
		more, err := p.accept(woken)
		woken = false
		if err == nil && !more {
			woken, err = p.wait()
		}
		if err != nil {
			return
		}
	}
}

// accept reads the packets that have arrived, at most a batch; more says that there may be others. The first one after a sleep that it
// ended arrived a wake-up ago.
func (p *pump) accept(woken bool) (more bool, err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for range readBatch {
		buffer := p.lines.buffer()
		size, err := tun.Read(p.inFd, buffer[:])
		if size == 0 || err != nil {
			p.lines.recycle(buffer)
			return false, err
		}
		p.counters.Packets++
		p.counters.Bytes += int64(size)
		nowNs := clock.MonotonicNs()
		if woken {
			nowNs -= p.leadNs
			woken = false
		}
		p.arrivedNs = max(p.arrivedNs, nowNs)
		if p.admit(held{bytes: size, buffer: buffer}) {
			p.heldBytes.Add(int64(size))
		} else {
			p.lines.recycle(buffer)
		}
	}
	return true, nil
}

// admit takes a packet that has arrived into the link, or counts its loss. One that goes over the air may still be lost there.
func (p *pump) admit(packet held) bool {
	if p.policer != nil && !p.policer.Admit(p.arrivedNs, packet.buffer[:packet.bytes]) {
		p.counters.DropsPoliced++
		return false
	}
	if p.air != nil {
		if p.air.Accept(p.arrivedNs, packet.bytes, packet) {
			return true
		}
		p.counters.DropsQueue++
		return false
	}
	fate, atNs := p.core.Arrive(p.arrivedNs, packet.bytes)
	switch fate {
	case shape.Delivered:
		p.send(atNs, packet)
	case shape.DroppedByQueue:
		p.counters.DropsQueue++
	case shape.DroppedByLoss:
		p.counters.DropsLoss++
	}
	return fate == shape.Delivered
}

// send puts a packet on its way, to be delivered at a time or, when its server is farther away, so much later.
func (p *pump) send(atNs int64, packet held) {
	number, delayNs := route(p.servers, packet.buffer[:packet.bytes])
	packet.atNs = atNs + delayNs
	p.lines[number].push(packet)
}

// deliver writes the packets that are due, or so nearly that sleeping again would make them late.
func (p *pump) deliver() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.air != nil {
		p.air.Advance(clock.MonotonicNs()+p.leadNs, func(sentNs int64, packet held) { p.send(p.core.Propagate(sentNs), packet) }, p.lose)
	}
	for {
		number, next, ok := p.lines.first()
		nowNs := clock.MonotonicNs()
		if !ok || next.atNs > nowNs+p.leadNs {
			return
		}
		packet := next.buffer[:next.bytes]
		p.lines[number].pop()
		p.lines.recycle(next.buffer) // used again by accept only, on this thread
		// Noted before the write: what the write lets the receiver do (send an answer, ask /idle) must find this packet recorded.
		p.record(packet, nowNs)
		payloadBytes := flow.TCPPayloadBytes(packet)
		if payloadBytes > 0 {
			p.lastPayloadNs.Store(nowNs)
		}
		if payloadBytes > maxBeatBytes {
			p.lastDataNs.Store(nowNs)
		}
		// A write fails when the device is down or gone; that is seen at the next read.
		if tun.Write(p.outFd, packet) == nil {
			p.counters.Delivered++
			p.counters.DeliveredBytes += int64(next.bytes)
			p.lateness.add(max(0, nowNs-next.atNs))
		}
		p.heldBytes.Add(-int64(next.bytes)) // last: who sees an empty link must find the packet recorded
	}
}

// lose drops a packet that was lost on the air.
func (p *pump) lose(packet held) {
	p.counters.DropsLoss++
	p.heldBytes.Add(-int64(packet.bytes))
	p.lines.recycle(packet.buffer)
}

// wait sleeps until a packet arrives, which woken says, the first one is due, or the air is free.
func (p *pump) wait() (woken bool, err error) {
	var timeout *unix.Timespec
	if nextNs, ok := p.nextNs(); ok {
		p.timeout = unix.NsecToTimespec(max(0, nextNs-p.leadNs-clock.MonotonicNs()))
		timeout = &p.timeout
	}
	p.poll[0] = unix.PollFd{Fd: int32(p.inFd), Events: unix.POLLIN}
	ready, err := unix.Ppoll(p.poll[:], timeout, nil)
	if errors.Is(err, unix.EINTR) {
		return false, nil
	}
	return ready > 0, err
}

func (p *pump) nextNs() (atNs int64, ok bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	_, next, ok := p.lines.first()
	if p.air == nil {
		return next.atNs, ok
	}
	airNs, waits := p.air.NextNs()
	if !ok || waits && airNs < next.atNs {
		return airNs, waits
	}
	return next.atNs, true
}

// restart replaces the core, as if the link had just been made. What waits for the air is lost.
func (p *pump) restart(core *shape.Direction, air *aggregation.Air[held], policer *police.Policer) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.core, p.air, p.policer = core, air, policer
	p.heldBytes.Store(p.lines.bytes())
}

func (p *pump) reset(nowNs int64) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.counters = Counters{}
	p.lateness = latenessHistogram{}
	p.lastPayloadNs.Store(nowNs)
	p.lastDataNs.Store(nowNs)
}

func (p *pump) snapshot(lateness *latenessHistogram) Counters {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	lateness.merge(&p.lateness)
	return p.counters
}
