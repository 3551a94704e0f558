package fwp

import (
	"cmp"
	"slices"
	"sort"
)

const (
	// maxToldHoles and maxToldBytes of late originals keep an answer below a line's 64 KiB: a hole takes at most 40 bytes of it, and a byte four thirds.
	maxToldHoles = 600
	maxToldBytes = 20 << 10
	// lateNameBytes that each original takes besides.
	lateNameBytes = 64
	// maxHoles that are kept until they are asked for, and as long for originals; nobody asks so late, or fetches so little.
	maxHoles     = 4096
	maxLateBytes = 1 << 20
	// maxAllLateBytes of all flows together, whoever does not ask.
	maxAllLateBytes = 16 << 20
)

// lateRoom is what originals take that wait to be told, of all flows.
type lateRoom struct{ bytes int }

// take room, or none where there is not so much left.
func (r *lateRoom) take(bytes int) bool {
	if r.bytes+bytes > maxAllLateBytes {
		return false
	}
	r.bytes += bytes
	return true
}

func (r *lateRoom) give(bytes int) { r.bytes -= bytes }

// Late is an original, or a part of one, that a placeholder stood for and that has come after it.
type Late struct {
	Offset uint64 `json:"offset"`
	Data   []byte `json:"data"`
}

// hole of a stream: filled with a placeholder.
type hole struct{ from, to uint64 }

// ledger of one flow: what was filled and nobody has asked for yet, and the originals that have come since. Pure.
type ledger struct {
	untold []hole // by offset
	open   []hole // by offset: of which no original has come
	late   []Late
	bytes  int // of late
	room   *lateRoom
}

// filled notes a hole; it returns false when there are too many.
func (l *ledger) filled(one hole) bool {
	l.untold = insert(l.untold, one)
	l.open = insert(l.open, one)
	if len(l.open) > maxHoles {
		l.open = slices.Delete(l.open, 0, 1)
	}
	return len(l.untold) < maxHoles
}

func insert(holes []hole, one hole) []hole {
	at, _ := slices.BinarySearchFunc(holes, one, func(a, b hole) int { return cmp.Compare(a.from, b.from) })
	return slices.Insert(holes, at, one)
}

// came notes the payload of a segment. Of what placeholders stand for it is kept, once; where there is no room for it, it is fetched like any hole. A server may send
// the same again and again: what is of no hole costs a look.
func (l *ledger) came(offset uint64, payload []byte) {
	end := offset + uint64(len(payload))
	first := sort.Search(len(l.open), func(i int) bool { return l.open[i].to > offset })
	last := first
	var left []hole
	for ; last < len(l.open) && l.open[last].from < end; last++ {
		one := l.open[last]
		from, to := max(one.from, offset), min(one.to, end)
		if l.bytes+int(to-from) > maxLateBytes || !l.room.take(int(to-from)) {
			left = append(left, one)
			continue
		}
		l.late = append(l.late, Late{from, slices.Clone(payload[from-offset : to-offset])})
		l.bytes += int(to - from)
		for _, rest := range []hole{{one.from, from}, {to, one.to}} {
			if rest.from < rest.to {
				left = append(left, rest)
			}
		}
	}
	l.open = slices.Replace(l.open, first, last, left...)
}

// tell takes out what is below an offset, or below an earlier one where that is too much for one answer, and returns that.
func (l *ledger) tell(through uint64) Told {
	told := Told{Through: through, Holes: [][2]uint64{}, Late: []Late{}}
	for len(l.untold) > 0 && l.untold[0].from < through {
		if len(told.Holes) == maxToldHoles {
			told.Through = l.untold[0].from
			break
		}
		one := l.untold[0]
		told.Holes = append(told.Holes, [2]uint64{one.from, one.to - one.from})
		told.Through = max(told.Through, one.to)
		l.untold = l.untold[1:]
	}
	bytes, left := 0, []Late(nil)
	for _, late := range l.late {
		if size := len(late.Data) + lateNameBytes; late.Offset < told.Through && bytes+size <= maxToldBytes {
			told.Late = append(told.Late, late)
			bytes += size
			l.bytes -= len(late.Data)
			l.room.give(len(late.Data))
		} else {
			left = append(left, late)
		}
	}
	l.late = left
	return told
}

// end gives back what nobody asks for any more.
func (l *ledger) end() {
	l.room.give(l.bytes)
	*l = ledger{room: l.room}
}

// Told is the answer to how much of a stream is what the server has sent.
type Told struct {
	// Through: below it all that was filled has been told, now or before.
	Through uint64 `json:"through"`
	// Holes that were filled: offset and bytes of each.
	Holes [][2]uint64 `json:"holes"`
	Late  []Late      `json:"late"`
	// Reason why nothing is filled at the moment.
	Reason *Reason `json:"reason"`
}

// Reason why nothing of a flow is filled.
type Reason string

const (
	Congested Reason = "congested" // TCP has to see what is lost
	Limited   Reason = "limit"     // too many holes were not asked for
	Closed    Reason = "closed"    // the connection has ended
)
