package h2

// scheduler decides which response the next bytes belong to (RFC 9218, 10). It is pure: no clock, no sockets.
//
//	urgency 0 ... 7   strictly in this order
//	  not incremental: by stream number, each to its end
//	  incremental:     after those, in turn
type scheduler struct {
	streams map[uint32]*scheduled
	// early holds priorities of streams that are not open yet (RFC 9218, 7.1).
	early map[uint32]Priority
	turn  uint64
}

type scheduled struct {
	priority Priority
	// lastTurn is when the stream was chosen last.
	lastTurn uint64
}

func newScheduler() *scheduler {
	return &scheduler{streams: map[uint32]*scheduled{}, early: map[uint32]Priority{}}
}

// add enters a stream; a priority that was told ahead of it prevails over the one in its request.
func (s *scheduler) add(id uint32, priority Priority) {
	if told, ok := s.early[id]; ok {
		priority = told
		delete(s.early, id)
	}
	s.streams[id] = &scheduled{priority: priority, lastTurn: s.turn}
}

// update changes the priority of a stream, open or to come.
func (s *scheduler) update(id uint32, priority Priority) {
	if stream, ok := s.streams[id]; ok {
		stream.priority = priority
		return
	}
	// A client that announces streams without end must not cost memory.
	if len(s.early) < maxConcurrentStreams {
		s.early[id] = priority
	}
}

// urge changes the urgency of an open stream and leaves the rest of its priority.
func (s *scheduler) urge(id uint32, urgency int) {
	if stream, ok := s.streams[id]; ok {
		stream.priority.Urgency = urgency
	}
}

func (s *scheduler) remove(id uint32) {
	delete(s.streams, id)
	delete(s.early, id)
}

// next chooses among the streams that can send.
func (s *scheduler) next(canSend func(id uint32) bool) (uint32, bool) {
	var best *scheduled
	bestID := uint32(0)
	for id, stream := range s.streams {
		if canSend(id) && (best == nil || precedes(id, stream, bestID, best)) {
			best, bestID = stream, id
		}
	}
	if best == nil {
		return 0, false
	}
	s.turn++
	best.lastTurn = s.turn
	return bestID, true
}

// precedes is a total order, so the iteration order of the map does not matter.
func precedes(aID uint32, a *scheduled, bID uint32, b *scheduled) bool {
	switch {
	case a.priority.Urgency != b.priority.Urgency:
		return a.priority.Urgency < b.priority.Urgency
	case a.priority.Incremental != b.priority.Incremental:
		return !a.priority.Incremental
	case a.priority.Incremental && a.lastTurn != b.lastTurn:
		return a.lastTurn < b.lastTurn
	}
	return aID < bID
}
