package flow

import "slices"

// stream follows one direction of a TCP connection: how many bytes from its start on are there without a hole. Sequence numbers wrap
// (RFC 9293 section 3.4), so positions are kept as 64-bit offsets behind the SYN.
type stream struct {
	firstSequence   uint32 // of offset 0: the initial sequence number + 1
	contiguousBytes int64
	beyond          []span // what arrived behind a hole: sorted, apart from each other
}

type span struct{ from, to int64 }

// deliver notes a payload and says whether the contiguous part grew.
func (s *stream) deliver(sequence uint32, payloadBytes int) bool {
	expected := s.firstSequence + uint32(s.contiguousBytes)
	from := s.contiguousBytes + int64(int32(sequence-expected))
	to := from + int64(payloadBytes)
	if to <= s.contiguousBytes {
		return false
	}
	if from > s.contiguousBytes {
		s.keep(span{from, to})
		return false
	}
	s.contiguousBytes = to
	for len(s.beyond) > 0 && s.beyond[0].from <= s.contiguousBytes {
		s.contiguousBytes = max(s.contiguousBytes, s.beyond[0].to)
		s.beyond = s.beyond[1:]
	}
	return true
}

// keep merges a span into those behind the hole.
func (s *stream) keep(added span) {
	first, _ := slices.BinarySearchFunc(s.beyond, added.from, func(e span, from int64) int { return int(e.to - from) })
	last := first
	for last < len(s.beyond) && s.beyond[last].from <= added.to {
		added.from = min(added.from, s.beyond[last].from)
		added.to = max(added.to, s.beyond[last].to)
		last++
	}
	s.beyond = slices.Replace(s.beyond, first, last, added)
}
