package fwp

import (
	"errors"
	"log/slog"
	"testing"

	"github.com/cilium/ebpf"
)

// loopbackOnly are interfaces of which flows come by one.
type loopbackOnly struct{}

func (loopbackOnly) ByWhich(Connection) (int, error) { return loopback, nil }
func (loopbackOnly) SetNeededOn(map[int]bool)        {}
func (loopbackOnly) Attached(int) error              { return nil }

func newFlows(b *bed) *Flows {
	return NewFlows(b.Programs, loopbackOnly{}, Rates{Configured: 0.01}, slog.New(slog.DiscardHandler))
}

func TestFlowsAreLookedAtForAsLongAsThereAreAny(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	f := newFlows(b)
	for range 2 {
		flow, err := f.Repair(b.connection, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if !f.isKept || !f.endClosed() {
			t.Error("nobody looks at a flow")
		}
		if err := flow.End(); err != nil || f.endClosed() || f.isKept {
			t.Errorf("when it has ended: %v, looked at %v", err, f.isKept)
		}
	}
}

// Its holes would be filled as soon as the programs hear of the daemon, and nobody told.
func TestAFlowThatIsRefusedIsNotInThePrograms(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	f := newFlows(b)
	b.loaded.DaemonSeenMs = b.loaded.FwpCounters // of another size: it can not be set
	if _, err := f.Repair(b.connection, 1<<20); err == nil {
		t.Fatal("it is not refused")
	}
	var entry bpfFwpFlow
	if err := b.loaded.FwpFlows.Lookup(keyOf(b.connection), &entry); !errors.Is(err, ebpf.ErrKeyNotExist) {
		t.Errorf("it is there: %+v, %v", entry, err)
	}
}
