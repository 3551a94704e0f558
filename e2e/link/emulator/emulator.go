// Package emulator runs the link: one thread for each direction between two TUN devices.
package emulator

import (
	"runtime"
	"runtime/debug"
	"time"

	"firstscreen/e2e/link/aggregation"
	"firstscreen/e2e/link/clock"
	"firstscreen/e2e/link/flow"
	"firstscreen/e2e/link/police"
	"firstscreen/e2e/link/profile"
	"firstscreen/e2e/link/shape"
)

// Emulator is a running link.
type Emulator struct {
	profile  profile.Profile
	seed     uint64
	realtime bool
	recorder *flow.Recorder
	down, up *pump
}

// The directions' numbers for the random streams.
const (
	downNumber = iota
	upNumber
)

// Start runs the link between two TUN files until they are gone. It gives this process real-time priority where it may; what was
// started before keeps its own.
func Start(p profile.Profile, seed uint64, nearFd, farFd int) *Emulator {
	// A thread that comes back from ppoll must find a free scheduler slot at once, whatever the control server does.
	const slots = 8
	runtime.GOMAXPROCS(slots)
	// No collection while a load runs: it would stop the direction threads until threads of ordinary priority got a processor. The
	// garbage is collected at resets, which lie between loads; the limit is for callers that never reset.
	const memoryLimitBytes = 1 << 30
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(memoryLimitBytes)

	recorder := flow.NewRecorder()
	e := &Emulator{
		profile:  p,
		seed:     seed,
		recorder: recorder,
		down:     &pump{inFd: farFd, outFd: nearFd, record: recorder.DeliveredDown},
		up:       &pump{inFd: nearFd, outFd: farFd, record: recorder.DeliveredUp, servers: p.Servers},
	}
	e.Restart()
	prioritiseProcess()
	realtime := make(chan bool)
	go e.down.run(realtime)
	go e.up.run(realtime)
	down, up := <-realtime, <-realtime
	e.realtime = down && up
	return e
}

// Restart begins the random streams anew and resets, so that a run is the same with and without a check before it.
func (e *Emulator) Restart() {
	nowNs := clock.MonotonicNs()
	e.down.restart(shape.NewDirection(e.profile.Down, e.seed, downNumber, nowNs), airOf(e.profile.Down, e.seed, nowNs), policerOf(e.profile))
	e.up.restart(shape.NewDirection(e.profile.Up, e.seed, upNumber, nowNs), nil, nil)
	e.Reset()
}

// airOf is the air of a direction that has one; nil: it has a rate server.
func airOf(c shape.Config, seed uint64, startNs int64) *aggregation.Air[held] {
	if c.Air == nil {
		return nil
	}
	return aggregation.NewAir[held](c.Air.Parameters, c.Air.Stations, aggregation.Limit{Bytes: c.QueueBytes, Packets: c.QueuePackets}, seed, startNs)
}

// policerOf is what the way down is policed by; nil: nothing.
func policerOf(p profile.Profile) *police.Policer {
	if p.Police == nil {
		return nil
	}
	return police.New(*p.Police)
}

// Reset clears counters, lateness and flow records, and says when. The random state goes on.
func (e *Emulator) Reset() (nowNs int64) {
	runtime.GC()
	nowNs = clock.MonotonicNs()
	e.down.reset(nowNs)
	e.up.reset(nowNs)
	e.recorder.Reset()
	return nowNs
}

// Status is what the link has done since the last reset.
type Status struct {
	Realtime bool
	Lateness Lateness
	Down, Up Counters
}

func (e *Emulator) Status() Status {
	var lateness latenessHistogram
	down, up := e.down.snapshot(&lateness), e.up.snapshot(&lateness)
	return Status{Realtime: e.realtime, Lateness: lateness.summary(), Down: down, Up: up}
}

// Flows are the TCP connections since the last reset, with the steps in which they grew or without.
func (e *Emulator) Flows(withSteps bool) []flow.Record { return e.recorder.Records(withSteps) }

// Idle is the time since either direction delivered TCP payload (or since the reset), and the bytes in the link now.
type Idle struct {
	Since time.Duration
	// SinceData leaves out what only keeps a connection: payloads no longer than an HTTP/2 PING.
	SinceData time.Duration
	// QueuedBytes are in queues and on the way.
	QueuedBytes int64
}

func (e *Emulator) Idle() Idle {
	nowNs := clock.MonotonicNs()
	return Idle{
		Since:       time.Duration(nowNs - max(e.down.lastPayloadNs.Load(), e.up.lastPayloadNs.Load())),
		SinceData:   time.Duration(nowNs - max(e.down.lastDataNs.Load(), e.up.lastDataNs.Load())),
		QueuedBytes: e.down.heldBytes.Load() + e.up.heldBytes.Load(),
	}
}
