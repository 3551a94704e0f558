package attach

import (
	"errors"
	"log/slog"
	"os"
	"runtime"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// ownInterface is one in a network namespace that only this test's thread is in.
func ownInterface(t *testing.T) netlink.Link {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, for a network namespace and programs in the kernel")
	}
	runtime.LockOSThread() // never unlocked: the thread goes with the test, and the namespace with it
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		t.Fatal(err)
	}
	if err := netlink.LinkAdd(&netlink.Veth{LinkAttrs: netlink.LinkAttrs{Name: "test0"}, PeerName: "test1"}); err != nil {
		t.Fatal(err)
	}
	of, err := netlink.LinkByName("test0")
	if err != nil {
		t.Fatal(err)
	}
	return of
}

func nothing(t *testing.T) *ebpf.Program {
	t.Helper()
	program, err := ebpf.NewProgram(&ebpf.ProgramSpec{Type: ebpf.SchedCLS, License: "MIT", Instructions: asm.Instructions{asm.Mov.Imm(asm.R0, -1), asm.Return()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	return program
}

func filters(t *testing.T, of netlink.Link) (count int) {
	t.Helper()
	for _, parent := range []uint32{netlink.HANDLE_MIN_EGRESS, netlink.HANDLE_MIN_INGRESS} {
		found, err := netlink.FilterList(of, parent)
		if err != nil {
			continue
		}
		count += len(found)
	}
	return count
}

var hooks = []Hook{Outgoing, Incoming}

func TestClsactIsLeftAsItWas(t *testing.T) {
	of, program := ownInterface(t), nothing(t)
	for _, hook := range hooks {
		detach, err := hook.attachFilter(of, program)
		if err != nil {
			t.Fatal(err)
		}
		if filters(t, of) != 1 {
			t.Errorf("%v: %d filters", hook.tcx, filters(t, of))
		}
		if err := detach(); err != nil || filters(t, of) != 0 {
			t.Errorf("%v: %d filters are left, %v", hook.tcx, filters(t, of), err)
		}
	}
}

func TestWhatAKilledDriverHasLeftIsRemovedAndNothingElse(t *testing.T) {
	of, program := ownInterface(t), nothing(t)
	for _, hook := range hooks {
		if _, err := hook.attachFilter(of, program); err != nil { // and killed
			t.Fatal(err)
		}
		another := &netlink.BpfFilter{
			FilterAttrs: netlink.FilterAttrs{LinkIndex: of.Attrs().Index, Parent: hook.clsact, Handle: 1, Priority: 1, Protocol: unix.ETH_P_ALL},
			Fd:          program.FD(), Name: "somebody else's", DirectAction: true,
		}
		if err := netlink.FilterAdd(another); err != nil {
			t.Fatal(err)
		}
		if err := hook.removeLeftovers(of); err != nil {
			t.Error(err)
		}
		left, err := netlink.FilterList(of, hook.clsact)
		if err != nil || len(left) != 1 || left[0].(*netlink.BpfFilter).Name != another.Name {
			t.Errorf("%v: left: %v, %v", hook.tcx, left, err)
		}
	}
}

// As those have it who shape what comes (wondershaper, SQM).
func TestAnIngressQdiscTakesNoFilterForWhatLeaves(t *testing.T) {
	of, program := ownInterface(t), nothing(t)
	attributes := netlink.QdiscAttrs{LinkIndex: of.Attrs().Index, Handle: netlink.MakeHandle(0xffff, 0), Parent: netlink.HANDLE_INGRESS}
	if err := netlink.QdiscAdd(&netlink.Ingress{QdiscAttrs: attributes}); err != nil {
		t.Fatal(err)
	}
	if _, err := Outgoing.attachFilter(of, program); !errors.Is(err, errIngress) || filters(t, of) != 0 {
		t.Errorf("what leaves: %v, %d filters", err, filters(t, of))
	}
	detach, err := Incoming.attachFilter(of, program)
	if err != nil {
		t.Fatal(err)
	}
	if err := detach(); err != nil || filters(t, of) != 0 {
		t.Errorf("what comes: %v, %d filters are left", err, filters(t, of))
	}
}

// With it goes what is attached to it: as where another program has it anew, or the interface was in another network namespace meanwhile.
func TestAFilterIsPutAnewWhereItsClsactHasGone(t *testing.T) {
	of, program := ownInterface(t), nothing(t)
	i := NewInterfaces(Outgoing, func(bool) *ebpf.Program { return program }, []string{of.Attrs().Name}, slog.New(slog.DiscardHandler))
	i.attach = func(to netlink.Link, program *ebpf.Program) (Method, func() error, error) {
		detach, err := Outgoing.attachFilter(to, program)
		return Clsact, detach, err
	}
	expect := func(when string, wanted int) {
		t.Helper()
		if got := filters(t, of); got != wanted {
			t.Errorf("%s: %d filters", when, got)
		}
	}
	if err := netlink.LinkSetUp(of); err != nil {
		t.Fatal(err)
	}
	i.SetNeeded(true)
	expect("at first", 1)
	i.look()
	expect("after another look", 1)
	if err := netlink.QdiscDel(clsactOf(of)); err != nil {
		t.Fatal(err)
	}
	expect("without its clsact", 0)
	i.look()
	expect("after a look", 1)
	i.SetNeeded(false)
	expect("at the end", 0)
}

func TestBothWaysOfAttaching(t *testing.T) {
	of, program := ownInterface(t), nothing(t)
	for _, hook := range hooks {
		method, detach, err := hook.attach(of, program)
		if err != nil {
			t.Fatal(err)
		}
		if method != TCX && method != Clsact {
			t.Errorf("%v by %q", hook.tcx, method)
		}
		if err := detach(); err != nil {
			t.Error(err)
		}
	}
}

func TestTypesOfInterfaces(t *testing.T) {
	for kind, c := range map[string]struct{ hasLinkLayer, isSupported bool }{
		"ether": {true, true}, "none": {false, true}, "ppp": {false, true}, "rawip": {false, true}, "ieee802.15.4": {false, false}, "": {false, false},
	} {
		hasLinkLayer, err := HasLinkLayer(&netlink.Dummy{LinkAttrs: netlink.LinkAttrs{EncapType: kind}})
		if hasLinkLayer != c.hasLinkLayer || (err == nil) != c.isSupported {
			t.Errorf("%q: %v, %v", kind, hasLinkLayer, err)
		}
	}
}
