package flow

import (
	"net/netip"
	"slices"
	"sync"
)

// Step is a moment and the contiguous bytes delivered by then: [ns, bytes].
type Step [2]int64

// Record is one TCP connection as the near side saw it.
type Record struct {
	Client    netip.AddrPort `json:"client"`
	Server    netip.AddrPort `json:"server"`
	SynNs     int64          `json:"synNs"` // the first SYN that reached the far side
	Steps     []Step         `json:"steps"`
	UpBytes   int64          `json:"upBytes"`
	DownBytes int64          `json:"downBytes"`
}

type connection struct {
	Record
	clientISN uint32
	answered  bool // the SYN-ACK was delivered, so the stream's start is known
	down      stream
}

type pair struct{ client, server netip.AddrPort }

// Recorder keeps the connections whose SYN was delivered since the last reset. It is safe for concurrent use.
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
	if s.flags&flagSYN != 0 {
		if !c.answered {
			c.answered = true
			c.down.firstSequence = s.sequence + 1
		}
		return
	}
	if c.answered && s.payloadBytes > 0 && c.down.deliver(s.sequence, s.payloadBytes) {
		c.Steps = append(c.Steps, Step{nowNs, c.down.contiguousBytes})
	}
}

// Records copies what was recorded, in the order of the SYNs.
func (r *Recorder) Records() []Record {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	records := make([]Record, len(r.recorded))
	for i, c := range r.recorded {
		records[i] = c.Record
		records[i].Steps = append([]Step{}, c.Steps...) // never null in JSON
	}
	return records
}

// Reset forgets every connection. Packets of those still open are not recorded any more: their stream's start is unknown.
func (r *Recorder) Reset() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	clear(r.current)
	r.recorded = slices.Delete(r.recorded, 0, len(r.recorded))
}
