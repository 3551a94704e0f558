package flow

import (
	"net/netip"
	"sync"
)

// Step is a moment and the contiguous bytes delivered by then: [ns, bytes].
type Step [2]int64

// Record is one TCP connection as the near side saw it.
type Record struct {
	Client netip.AddrPort `json:"client"`
	Server netip.AddrPort `json:"server"`
	SynNs  int64          `json:"synNs"` // the first SYN that reached the far side
	// BeforeBytes of the stream had been delivered at the last reset: the connection is older.
	BeforeBytes int64  `json:"beforeBytes,omitempty"`
	Steps       []Step `json:"steps"`
	UpBytes     int64  `json:"upBytes"`
	DownBytes   int64  `json:"downBytes"`
}

type connection struct {
	Record
	clientISN uint32
	answered  bool // the SYN-ACK was delivered, so the stream's start is known
	closed    bool // an end has told that it sends no more
	down      stream
}

type pair struct{ client, server netip.AddrPort }

// Recorder keeps the connections whose SYN was delivered since the last reset, and older ones that bring something after it. It is safe
// for concurrent use.
type Recorder struct {
	mutex    sync.Mutex
	current  map[pair]*connection
	recorded []*connection
}

func NewRecorder() *Recorder { return &Recorder{current: map[pair]*connection{}} }

// DeliveredUp notes a packet handed to the far side.
func (r *Recorder) DeliveredUp(packet []byte, nowNs int64) {
	s, ok := parse(packet)
	if !ok {
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	key := pair{client: s.source, server: s.destination}
	c := r.current[key]
	// Another initial sequence number on the same ports is another connection; the same one is a retransmission.
	if s.flags&(flagSYN|flagACK) == flagSYN && (c == nil || c.clientISN != s.sequence) {
		c = &connection{Record: Record{Client: s.source, Server: s.destination, SynNs: nowNs}, clientISN: s.sequence}
		r.current[key] = c
		r.recorded = append(r.recorded, c)
	}
	if c != nil {
		c.UpBytes += int64(s.packetBytes)
		c.closed = c.closed || s.flags&(flagFIN|flagRST) != 0
	}
}

// DeliveredDown notes a packet handed to the near side.
func (r *Recorder) DeliveredDown(packet []byte, nowNs int64) {
	s, ok := parse(packet)
	if !ok {
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	c := r.current[pair{client: s.destination, server: s.source}]
	if c == nil {
		return
	}
	c.DownBytes += int64(s.packetBytes)
	c.closed = c.closed || s.flags&(flagFIN|flagRST) != 0
	if s.flags&flagSYN != 0 {
		if !c.answered {
			c.answered = true
			c.down.firstSequence = s.sequence + 1
		}
		return
	}
	if c.answered && s.payloadBytes > 0 && c.down.deliver(s.sequence, s.payloadBytes) {
		if c.BeforeBytes > 0 && len(c.Steps) == 0 {
			r.recorded = append(r.recorded, c)
		}
		c.Steps = append(c.Steps, Step{nowNs, c.down.contiguousBytes})
	}
}

// Records copies what was recorded, in the order of the SYNs; older connections by their first bytes after the reset. Without steps it is
// quick, for who asks all the time.
func (r *Recorder) Records(withSteps bool) []Record {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	records := make([]Record, len(r.recorded))
	for i, c := range r.recorded {
		records[i] = c.Record
		records[i].Steps = []Step{} // never null in JSON
		if withSteps {
			records[i].Steps = append(records[i].Steps, c.Steps...)
		}
	}
	return records
}

// Reset forgets every connection but those that are open and have brought something: they go on with the bytes that they have, and are
// recorded again when they bring more. Of the others the stream's start is not known, or nothing is to come.
func (r *Recorder) Reset() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for key, c := range r.current {
		if c.closed || c.down.contiguousBytes == 0 {
			delete(r.current, key)
			continue
		}
		c.BeforeBytes, c.Steps, c.UpBytes, c.DownBytes = c.down.contiguousBytes, nil, 0, 0
	}
	r.recorded = nil
}
