package h2

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestParsePriority(t *testing.T) {
	for field, want := range map[string]Priority{
		"": {3, false}, "u=0": {0, false}, "u=1, i": {1, true}, "i": {3, true}, "i=?1,u=7": {7, true}, "u=5, i=?0": {5, false},
		"u=8": {3, false}, "u=-1": {3, false}, "u=2;x=1": {2, false}, "z=1, u=4": {4, false}, "u": {3, false}, "garbage!": {3, false},
	} {
		if got := ParsePriority(field); got != want {
			t.Errorf("%q: %+v, want %+v", field, got, want)
		}
	}
}

func TestLegacyUrgency(t *testing.T) {
	// The weights of Chromium's priorities 0 to 7 (Spdy3PriorityToHttp2Weight).
	for urgency, weight := range []int{256, 220, 183, 147, 110, 74, 37, 1} {
		if got := legacyUrgency(uint8(weight - 1)); got != urgency {
			t.Errorf("weight %d: urgency %d, want %d", weight, got, urgency)
		}
	}
}

// order runs streams of the given numbers of chunks to their end and answers whose turn each chunk was.
func order(s *scheduler, chunks map[uint32]int) []uint32 {
	var turns []uint32
	for {
		id, ok := s.next(func(id uint32) bool { return chunks[id] > 0 })
		if !ok {
			return turns
		}
		turns = append(turns, id)
		if chunks[id]--; chunks[id] == 0 {
			s.remove(id)
		}
	}
}

func TestOrder(t *testing.T) {
	type streams map[uint32]string
	for _, c := range []struct {
		name string
		streams
		want []uint32
	}{
		{"urgency first", streams{1: "u=3", 3: "u=1", 5: "u=2"}, []uint32{3, 3, 5, 5, 1, 1}},
		{"one after the other", streams{1: "", 3: "", 5: ""}, []uint32{1, 1, 3, 3, 5, 5}},
		{"incremental in turn", streams{1: "i", 3: "i", 5: "i"}, []uint32{1, 3, 5, 1, 3, 5}},
		{"incremental after the others", streams{1: "i", 3: "", 5: "i"}, []uint32{3, 3, 1, 5, 1, 5}},
	} {
		s, chunks := newScheduler(), map[uint32]int{}
		for id, field := range c.streams {
			s.add(id, ParsePriority(field))
			chunks[id] = 2
		}
		if got := order(s, chunks); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestUpdates(t *testing.T) {
	s := newScheduler()
	s.add(1, ParsePriority(""))
	s.update(5, ParsePriority("u=0"))
	s.add(3, ParsePriority(""))
	s.add(5, ParsePriority("u=6"))
	s.update(3, ParsePriority("u=1"))
	s.add(7, ParsePriority("u=7, i"))
	s.urge(7, 1)
	s.urge(9, 0)
	if got := order(s, map[uint32]int{1: 1, 3: 1, 5: 1, 7: 1}); !slices.Equal(got, []uint32{5, 3, 7, 1}) {
		t.Errorf("%v", got)
	}
	for id := range uint32(10 * maxConcurrentStreams) {
		s.update(id, Priority{})
	}
	if len(s.early) > maxConcurrentStreams {
		t.Errorf("%d priorities of streams to come", len(s.early))
	}
}

// Whatever the priorities: while a stream can send something is sent, never of a less urgent stream, and everything is sent once.
func TestSchedulerProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		s, chunks, urgency, total := newScheduler(), map[uint32]int{}, map[uint32]int{}, 0
		for n := range random.IntN(20) {
			id := uint32(2*n + 1)
			priority := Priority{random.IntN(8), random.IntN(2) == 0}
			s.add(id, priority)
			urgency[id], chunks[id] = priority.Urgency, 1+random.IntN(5)
			total += chunks[id]
		}
		turns := order(s, chunks)
		if len(turns) != total {
			t.Fatalf("round %d: %d of %d chunks", round, len(turns), total)
		}
		if !slices.IsSortedFunc(turns, func(a, b uint32) int { return urgency[a] - urgency[b] }) {
			t.Fatalf("round %d: %s", round, fmt.Sprint(turns))
		}
	}
}
