package emulator

import "firstscreen/e2e/link/tun"

// held is a packet between its arrival and its delivery.
type held struct {
	atNs   int64
	bytes  int
	buffer *[tun.MTUBytes]byte
}

// line is the packets in the link in the order of their delivery: a ring that grows, with its buffers used again, so that the threads
// make no garbage once the link has been full.
type line struct {
	ring  []held // its length is a power of two
	head  int
	count int
	spare []*[tun.MTUBytes]byte
}

// buffer is room for one packet; push or recycle it.
func (l *line) buffer() *[tun.MTUBytes]byte {
	if last := len(l.spare) - 1; last >= 0 {
		buffer := l.spare[last]
		l.spare = l.spare[:last]
		return buffer
	}
	return new([tun.MTUBytes]byte)
}

func (l *line) recycle(buffer *[tun.MTUBytes]byte) { l.spare = append(l.spare, buffer) }

func (l *line) push(h held) {
	if l.count == len(l.ring) {
		grown := make([]held, max(64, 2*len(l.ring)))
		for i := range l.count {
			grown[i] = l.ring[(l.head+i)&(len(l.ring)-1)]
		}
		l.ring, l.head = grown, 0
	}
	l.ring[(l.head+l.count)&(len(l.ring)-1)] = h
	l.count++
}

// first is the packet to be delivered next; ok is false when there is none.
func (l *line) first() (h held, ok bool) {
	if l.count == 0 {
		return held{}, false
	}
	return l.ring[l.head], true
}

// pop removes the first packet.
func (l *line) pop() {
	l.head = (l.head + 1) & (len(l.ring) - 1)
	l.count--
}
