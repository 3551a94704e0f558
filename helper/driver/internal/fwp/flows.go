package fwp

import (
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/cilium/ebpf"

	"firstscreen/driver/internal/clock"
	"firstscreen/driver/internal/fault"
)

const (
	lookEvery = time.Second // whether connections are still there
	// inhibitedMs is the longest time that the programs inhibit for (LONGEST_RTT_MS in bpf/bistable.h).
	inhibitedMs = 60_000
	// maxFlows with those that have ended and can still be asked for; the programs have as many (bpf/fwp.h).
	maxFlows = 256
)

// Interfaces that the programs are on: those of flows, while there are flows.
type Interfaces interface {
	// ByWhich one the packets of a connection come.
	ByWhich(c Connection) (index int, err error)
	// SetNeededOn exactly these.
	SetNeededOn(indexes map[int]bool)
	// Attached returns why the programs are not on an interface, or nil.
	Attached(index int) error
}

// Flows that holes are filled of. It is used from several goroutines.
type Flows struct {
	programs   *Programs
	interfaces Interfaces
	rates      Rates
	log        *slog.Logger
	mutex      sync.Mutex
	all        map[uint32]*Flow
	last       uint32 // number
	late       lateRoom
	isKept     bool // somebody looks at them
}

// NewFlows has none yet.
func NewFlows(programs *Programs, interfaces Interfaces, rates Rates, log *slog.Logger) *Flows {
	return &Flows{programs: programs, interfaces: interfaces, rates: rates, log: log, all: map[uint32]*Flow{}}
}

// Flow is one connection whose holes are filled.
type Flow struct {
	flows      *Flows
	connection Connection
	key        bpfFlowKey
	number     uint32
	index      int // of its interface
	rate       rate
	base       uint32
	from       uint64
	through    uint64 // told so far
	ledger     ledger
	ended      *Reason // why; nil: the programs have it
}

// From is the offset of the stream below which nothing is filled.
func (f *Flow) From() uint64 { return f.from }

// Repair begins to fill the holes of a connection, up to an offset of its stream.
func (f *Flows) Repair(c Connection, end uint64) (*Flow, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if len(f.all) >= maxFlows {
		return nil, fault.New(fault.Limit, nil, "repair fewer connections at once", "Repairing the connection from %v", c.Local)
	}
	index, err := f.interfaces.ByWhich(c)
	if err != nil {
		return nil, fault.New(fault.Unsupported, err, "leave it to TCP", "Repairing the connection from %v", c.Local)
	}
	state, isThere := f.programs.stateOf(c)
	switch {
	case !isThere:
		return nil, fault.New(fault.Gone, nil, "ask while it is there", "Repairing the connection from %v", c.Local)
	case state.IsBelow != 0:
		attempt := "Repairing the connection from %v, whose stream is that of a protocol above TCP (MPTCP, kTLS)"
		return nil, fault.New(fault.Unsupported, nil, "leave it to TCP", attempt, c.Local)
	case state.Recent == 0:
		attempt := "Repairing the connection from %v, whose peer sends no timestamps (RFC 7323): congestion could not be told"
		return nil, fault.New(fault.Unsupported, nil, "leave it to TCP", attempt, c.Local)
	}
	f.last++
	one := &Flow{
		flows: f, connection: c, key: keyOf(c), number: f.last, index: index, base: state.Base, from: state.Received, through: state.Received,
		rate: f.rates.of(index), ledger: ledger{room: &f.late},
	}
	f.all[one.number] = one
	f.attach()
	if err = f.interfaces.Attached(index); err != nil {
		err = fault.New(fault.Unsupported, err, "see firstscreen-driverd status", "Repairing the connection from %v", c.Local)
	} else if err = f.programs.renew(); err == nil {
		err = f.put(one, end, state)
	}
	if err != nil {
		delete(f.all, one.number)
		f.attach()
		return nil, err
	}
	if !f.isKept {
		f.isKept = true
		go f.keep()
	}
	return one, nil
}

func (f *Flows) put(one *Flow, end uint64, state bpfFwpState) error {
	entry := bpfFwpFlow{
		Expected: unknown, From: one.from, End: end, HolesFrom: unknown, Number: one.number, Base: one.base, Clock: state.Clock, Ifindex: uint32(one.index),
	}
	entry.Loss.LeastMs = state.LeastRttUs / 1000
	entry.Loss.InhibitedUntilMs = nowMs()
	entry.Loss.ErrorRate, entry.Loss.MostLearnt = unitsOf(one.rate.expected), unitsOf(one.rate.most)
	err := f.programs.loaded.FwpFlows.Update(one.key, &entry, ebpf.UpdateNoExist)
	switch {
	case errors.Is(err, ebpf.ErrKeyExist):
		return fault.New(fault.Limit, err, "end the other one first", "Repairing the connection from %v a second time", one.connection.Local)
	case err != nil:
		return fault.New(fault.Limit, err, "repair fewer connections at once", "Repairing the connection from %v", one.connection.Local)
	}
	return nil
}

func (f *Flows) attach() {
	indexes := map[int]bool{}
	for _, one := range f.all {
		indexes[one.index] = true
	}
	f.interfaces.SetNeededOn(indexes)
}

// drain takes what the programs have told so far to the flows that it is of.
func (f *Flows) drain() error {
	return f.programs.eachEvent(func(sample []byte) {
		e, err := decode(sample)
		one := f.all[e.flow]
		switch {
		case err != nil:
			f.log.Warn("an event is not understood", "error", err)
		case one == nil: // of a flow that has ended
		case e.segment == nil:
			if !one.ledger.filled(hole{e.offset, e.offset + e.bytes}) {
				one.stop(Limited)
			}
		case e.isWhole(one.key):
			one.ledger.came(e.offset, e.segment[e.headers:])
		}
	})
}

// Holes tells what was filled of what the connection's owner can have read by now, and which originals have come since.
func (f *Flow) Holes() (Told, error) {
	f.flows.mutex.Lock()
	defer f.flows.mutex.Unlock()
	// How far the flow has come is read first: all that was filled below is in the ring by then.
	through, reason, err := f.progress()
	if err != nil {
		return Told{}, err
	}
	if err := f.flows.drain(); err != nil {
		return Told{}, err
	}
	if f.ended != nil {
		reason = f.ended
	}
	told := f.ledger.tell(max(f.through, through))
	f.through = told.Through
	told.Reason = reason
	return told, nil
}

// progress is how far the programs and TCP have come, and why nothing is filled at the moment.
func (f *Flow) progress() (through uint64, reason *Reason, err error) {
	through = f.through
	state, isThere := f.flows.programs.stateOf(f.connection)
	if isThere && state.Base != f.base {
		attempt := "Asking for the holes of the connection from %v: another one has taken its place"
		return 0, nil, fault.New(fault.Gone, nil, "fetch the rest anew", attempt, f.connection.Local)
	}
	if isThere {
		through = max(through, state.Received)
	}
	if f.ended != nil {
		return through, f.ended, nil
	}
	var entry bpfFwpFlow
	if err := f.flows.programs.loaded.FwpFlows.Lookup(f.key, &entry); err != nil {
		return 0, nil, err
	}
	if entry.Expected != unknown {
		through = max(through, entry.Expected)
	}
	switch {
	case entry.IsClosed != 0 || !isThere:
		reason = new(Closed)
	case entry.Loss.InhibitedUntilMs-nowMs()-1 < inhibitedMs:
		reason = new(Congested)
	}
	return through, reason, nil
}

// stop filling; what was filled can still be asked for.
func (f *Flow) stop(reason Reason) {
	if f.ended != nil {
		return
	}
	f.ended = &reason
	var entry bpfFwpFlow
	if err := f.flows.programs.loaded.FwpFlows.LookupAndDelete(f.key, &entry); err == nil && entry.Expected != unknown {
		f.through = max(f.through, entry.Expected)
	}
}

// End of the flow: nothing of it is filled any more, nor told.
func (f *Flow) End() error {
	f.flows.mutex.Lock()
	defer f.flows.mutex.Unlock()
	f.stop(Closed)
	f.ledger.end()
	delete(f.flows.all, f.number)
	f.flows.attach()
	return nil
}

// keep the programs filling, and stop flows whose connections have gone, while there are any.
func (f *Flows) keep() {
	for range time.Tick(lookEvery) {
		if !f.endClosed() {
			return
		}
		if err := f.programs.renew(); err != nil {
			f.log.Warn("holes are left to TCP", "error", err)
		}
	}
}

// endClosed returns whether there are flows.
func (f *Flows) endClosed() bool {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, one := range f.all {
		if state, isThere := f.programs.stateOf(one.connection); !isThere || state.Base != one.base {
			one.stop(Closed)
		}
	}
	f.isKept = len(f.all) > 0
	return f.isKept
}

// nowMs is the programs' clock.
func nowMs() uint32 { return uint32(clock.Monotonic().Milliseconds()) }
