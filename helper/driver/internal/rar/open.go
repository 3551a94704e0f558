package rar

const (
	// maxOpen messages wait for the rest of them at once: what has left of them, and no more, takes memory.
	maxOpen = 64
	// maxOpenBytes of sequence numbers: what is longer is bulk (THIN_BYTES in bpf/thin.h).
	maxOpenBytes = 4380
)

// openMessages of which more has still to leave. Most senders give a link all segments of a message at once; BBR, below 1.2 Mbit/s, and who writes piece by piece
// (MSG_MORE) give it one after the other, of which only the last has PSH.
type openMessages map[Flow]Message

// join a part to what has left before it. It returns the message, and whether that is all of it.
func (o openMessages) join(part Message) (m Message, isWhole bool) {
	m = part
	if before, is := o[part.Flow]; is {
		delete(o, part.Flow)
		if before.goesOnWith(part) {
			m = before.with(part)
		}
	}
	if !m.IsOpen {
		return m, true
	}
	if len(o) >= maxOpen {
		for other := range o { // any: their order is random
			delete(o, other)
			break
		}
	}
	o[part.Flow] = m
	return m, false
}

// segmentBytes of each of its packets but the last one of a message.
func (m Message) segmentBytes() uint32 {
	if m.SegmentBytes > 0 {
		return m.SegmentBytes
	}
	return m.End - m.First
}

// goesOnWith tells whether a part follows at once in segments of the same size, of which only the last may be shorter.
func (m Message) goesOnWith(part Message) bool {
	isNext := part.Kind == Data && part.First == m.End && part.Interface == m.Interface && part.End-m.First <= maxOpenBytes
	size := part.segmentBytes()
	return isNext && (size == m.segmentBytes() || size < m.segmentBytes() && len(part.Frames) == 1 && !part.IsOpen)
}

// with a part behind it. It is of the time, and of TCP's state, when its first part left: so what its segments took is not taken for less.
func (m Message) with(part Message) Message {
	m.SegmentBytes = m.segmentBytes()
	m.Frames = append(m.Frames, part.Frames...)
	m.End, m.IsOpen = part.End, part.IsOpen
	return m
}
