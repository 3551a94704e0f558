// Package fwp has the driver's part of the Fast Wireless Protocol: the programs that fill holes of registered flows before TCP sees them, and what they have filled.
package fwp

import (
	"errors"
	"net/netip"
	"os"
	"runtime"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/ringbuf"
	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/layout"
)

//go:generate go tool bpf2go -go-package fwp -target bpfel,bpfeb -cflags "-O2 -g -Wall -Werror -mcpu=v3" -type fwp_event -type fwp_late -type fwp_state bpf ../../bpf/fwp.bpf.c -- -I../../bpf -idirafter /usr/include/x86_64-linux-gnu -idirafter /usr/include/aarch64-linux-gnu

// unknown is what is expected of a flow of which nothing has come yet (UNKNOWN in bpf/fwp.h).
const unknown = ^uint64(0)

// Connection of TCP, by its ends.
type Connection struct{ Local, Remote netip.AddrPort }

// Programs that were loaded; nothing of them is pinned.
type Programs struct {
	loaded bpfObjects
	events *ringbuf.Reader
}

// Load verifies and loads the programs. They read the kernel's TCP state where it is, so they need the kernel's types (BTF) and, until then, CAP_PERFMON.
func Load() (*Programs, error) {
	p := &Programs{}
	if err := loadBpfObjects(&p.loaded, nil); err != nil {
		next := "this needs kernel 6.1 or later with /sys/kernel/btf/vmlinux, CAP_BPF, CAP_PERFMON and CAP_NET_ADMIN"
		return nil, fault.New(fault.Unsupported, err, next, "Loading the programs of FWP")
	}
	events, err := ringbuf.NewReader(p.loaded.FwpEvents)
	if err != nil {
		p.loaded.Close()
		return nil, err
	}
	events.SetDeadline(time.Unix(1, 0)) // what is there is read, nothing is waited for
	p.events = events
	return p, nil
}

// Close unloads what nothing is attached to.
func (p *Programs) Close() {
	p.events.Close()
	p.loaded.Close()
}

// Incoming returns the program for an interface.
func (p *Programs) Incoming(hasLinkLayer bool) *ebpf.Program {
	if hasLinkLayer {
		return p.loaded.IncomingEthernet
	}
	return p.loaded.IncomingIp
}

// renew the programs' lease: without they fill nothing three seconds later (LEASE_MS in bpf/fwp.h).
func (p *Programs) renew() error { return p.loaded.DaemonSeenMs.Set(nowMs()) }

func keyOf(c Connection) bpfFlowKey {
	return bpfFlowKey{
		Local: layout.WordsOf(c.Local.Addr()), Remote: layout.WordsOf(c.Remote.Addr()),
		LocalPort: c.Local.Port(), RemotePort: c.Remote.Port(), Protocol: unix.IPPROTO_TCP,
	}
}

const there = 1

// stateOf a connection in TCP; false: it has gone.
func (p *Programs) stateOf(c Connection) (bpfFwpState, bool) {
	for before, isThere := p.read(c); ; {
		now, isStill := p.read(c)
		if !isThere || !isStill {
			return now, false
		}
		// the parts are not of one moment: they fit together when they say the same twice
		if now.Base == before.Base {
			return now, true
		}
		before = now
		runtime.Gosched()
	}
}

func (p *Programs) read(c Connection) (bpfFwpState, bool) {
	state := bpfFwpState{Key: keyOf(c)}
	result, err := p.loaded.LookAt.Run(&ebpf.RunOptions{Data: layout.BytesOf(&state), DataOut: layout.BytesOf(&state)})
	return state, err == nil && result == there
}

// eachEvent takes all that is in the ring, in its order. A program that is about to write one is waited for: when this returns, all events of what was let
// through before it was called have been taken.
func (p *Programs) eachEvent(take func(sample []byte)) error {
	var record ringbuf.Record
	for {
		err := p.events.ReadInto(&record)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil
		}
		if err != nil {
			return err
		}
		take(record.RawSample)
	}
}
