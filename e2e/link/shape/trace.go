package shape

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"
	"time"
)

// OpportunityBytes is what one line of a trace may carry, as in mahimahi (Netravali et al., USENIX ATC 2015): an Ethernet-sized packet
// and its TUN header.
const OpportunityBytes = 1504

// Trace is a packet-delivery schedule in mahimahi's format: one line for each opportunity, in milliseconds since the start, not
// falling; the last one is also the period after which it repeats.
type Trace struct {
	Name        string
	atNs        []int64
	periodNs    int64
	meanBitRate int64
}

// ParseTrace reads a trace; the name is only reported.
func ParseTrace(name string, text io.Reader) (*Trace, error) {
	trace := &Trace{Name: name}
	lines := bufio.NewScanner(text)
	for number := 1; lines.Scan(); number++ {
		field := strings.TrimSpace(lines.Text())
		if field == "" {
			continue
		}
		ms, err := strconv.ParseUint(field, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("line %d: %q is not a whole number of milliseconds", number, field)
		}
		atNs := int64(ms) * int64(time.Millisecond)
		if atNs < trace.periodNs {
			return nil, fmt.Errorf("line %d: %d ms is before the line above it", number, ms)
		}
		trace.atNs = append(trace.atNs, atNs)
		trace.periodNs = atNs
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if trace.periodNs == 0 {
		return nil, fmt.Errorf("no opportunity after 0 ms, so the trace has no period")
	}
	seconds := float64(trace.periodNs) / float64(time.Second)
	trace.meanBitRate = int64(float64(len(trace.atNs)*OpportunityBytes*8) / seconds)
	return trace, nil
}

// MeanBitsPerSecond is what the trace carries when every opportunity is used.
func (t *Trace) MeanBitsPerSecond() int64 { return t.meanBitRate }

// MarshalJSON shows a trace by its name; its lines are the caller's file.
func (t *Trace) MarshalJSON() ([]byte, error) { return json.Marshal(t.Name) }

// opportunityNs is the time of the n-th opportunity of the endlessly repeated trace.
func (t *Trace) opportunityNs(n int64) int64 {
	count := int64(len(t.atNs))
	return n/count*t.periodNs + t.atNs[n%count]
}

// firstFrom is the first opportunity at a time or after it. A cycle is counted with its end and without its beginning, because the
// last opportunity lies at the period itself.
func (t *Trace) firstFrom(sinceStartNs int64) int64 {
	cycle := max(0, sinceStartNs-1) / t.periodNs
	within := sinceStartNs - cycle*t.periodNs
	index := sort.Search(len(t.atNs), func(i int) bool { return t.atNs[i] >= within })
	return cycle*int64(len(t.atNs)) + int64(index)
}

// traceServer spends the opportunities of a trace. Packets may share one and may span several; what is left of an opportunity when
// the queue is empty is lost, as on a real cell's schedule.
type traceServer struct {
	trace     *Trace
	startNs   int64
	next      int64 // the opportunity that serves the next byte
	leftBytes int   // and what it can still carry
}

func newTraceServer(trace *Trace, startNs int64) *traceServer {
	return &traceServer{trace: trace, startNs: startNs, leftBytes: OpportunityBytes}
}

// seek is the opportunity a packet that arrives now starts in, and what that one can still carry.
func (s *traceServer) seek(nowNs int64) (opportunity int64, leftBytes int) {
	if s.startNs+s.trace.opportunityNs(s.next) >= nowNs {
		return s.next, s.leftBytes
	}
	return s.trace.firstFrom(nowNs - s.startNs), OpportunityBytes
}

func (s *traceServer) begin(nowNs int64) int64 {
	opportunity, _ := s.seek(nowNs)
	return s.startNs + s.trace.opportunityNs(opportunity)
}

func (s *traceServer) serve(nowNs int64, sizeBytes int) int64 {
	s.next, s.leftBytes = s.seek(nowNs)
	for sizeBytes > s.leftBytes {
		sizeBytes -= s.leftBytes
		s.next, s.leftBytes = s.next+1, OpportunityBytes
	}
	s.leftBytes -= sizeBytes
	doneNs := s.startNs + s.trace.opportunityNs(s.next)
	if s.leftBytes == 0 {
		s.next, s.leftBytes = s.next+1, OpportunityBytes
	}
	return doneNs
}
