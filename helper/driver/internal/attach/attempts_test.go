package attach

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

type noPrograms struct{}

func (noPrograms) Outgoing(bool) *ebpf.Program { return nil }

// refusing returns interfaces that can not be attached to until the number that it counts down is 0.
func refusing(refusals *int) *Interfaces {
	i := NewInterfaces(noPrograms{}, nil, slog.New(slog.DiscardHandler))
	i.isNeeded = true
	i.refuse = func(string) error { return nil }
	i.attach = func(netlink.Link, *ebpf.Program) (*attached, error) {
		if *refusals == 0 {
			return &attached{TCX, func() error { return nil }}, nil
		}
		*refusals--
		return nil, errors.New("busy")
	}
	return i
}

func upLink(encapsulation string) netlink.Link {
	return &netlink.Dummy{LinkAttrs: netlink.LinkAttrs{Name: "test0", Index: 7, EncapType: encapsulation, RawFlags: unix.IFF_UP}}
}

func only(t *testing.T, i *Interfaces) State {
	t.Helper()
	states := i.States()
	if len(states) != 1 {
		t.Fatalf("states %+v", states)
	}
	return states[0]
}

func TestAnInterfaceThatCouldNotBeAttachedToIsTriedAgainAfterGrowingPauses(t *testing.T) {
	refusals := 9
	i := refusing(&refusals)
	i.changed(upLink(etherLayer))
	for attempts, pause := range []time.Duration{2, 4, 8, 16, 32, 60, 60, 60} { // in seconds; the first is 1 after a clock that is not the test's
		before := only(t, i)
		if before.Method != "" || before.Cause != "busy" || before.Attempts != attempts+1 {
			t.Fatalf("after %d attempts: %+v", attempts+1, before)
		}
		if next := i.tryAgain(before.Next.Add(-1)); next != before.Next || only(t, i) != before {
			t.Errorf("tried too soon: %+v", only(t, i))
		}
		if next := i.tryAgain(before.Next); next != before.Next.Add(pause*time.Second) {
			t.Errorf("after %d attempts: next at %v, %v expected", attempts+2, next, before.Next.Add(pause*time.Second))
		}
	}
	if next := i.tryAgain(only(t, i).Next); !next.IsZero() {
		t.Errorf("attached, and tried again at %v", next)
	}
	if got := only(t, i); got.Method != TCX || got.Cause != "" || !got.Next.IsZero() {
		t.Errorf("attached: %+v", got)
	}
}

func TestAnInterfaceThatChangesIsTriedAgainAtOnce(t *testing.T) {
	refusals := 1
	i := refusing(&refusals)
	i.changed(upLink(etherLayer))
	i.changed(upLink(etherLayer))
	if got := only(t, i); got.Method != TCX {
		t.Errorf("state %+v", got)
	}
}

func TestAnInterfaceThatHasGoneIsNotTriedAgain(t *testing.T) {
	refusals := 1
	i := refusing(&refusals)
	i.changed(upLink(etherLayer))
	i.gone(7)
	if next := i.tryAgain(time.Now().Add(time.Hour)); !next.IsZero() || len(i.States()) != 0 {
		t.Errorf("next at %v, %+v", next, i.States())
	}
}

func TestATypeThatIsNotSupportedIsNotTriedAgain(t *testing.T) {
	refusals := 0
	i := refusing(&refusals)
	i.changed(upLink("ieee802.15.4"))
	if next := i.tryAgain(time.Now().Add(time.Hour)); !next.IsZero() {
		t.Errorf("next at %v", next)
	}
	if got := only(t, i); got.Cause == "" || got.Attempts != 1 {
		t.Errorf("state %+v", got)
	}
}

func TestAnInterfaceIsAttachedToWhileItIsNeeded(t *testing.T) {
	refusals := 0
	i := refusing(&refusals)
	i.isNeeded = false
	i.changed(upLink(etherLayer))
	if len(i.States()) != 0 {
		t.Fatalf("attached: %+v", i.States())
	}
	i.isNeeded = true
	i.changed(upLink(etherLayer))
	if got := only(t, i); got.Method != TCX {
		t.Errorf("state %+v", got)
	}
	i.SetNeeded(false)
	if len(i.States()) != 0 {
		t.Errorf("still attached: %+v", i.States())
	}
}

func TestAnInterfaceThatBeginsToEncryptIsLeft(t *testing.T) {
	refusals, closed := 0, false
	i := refusing(&refusals)
	i.attach = func(netlink.Link, *ebpf.Program) (*attached, error) {
		return &attached{TCX, func() error { closed = true; return nil }}, nil
	}
	i.changed(upLink(etherLayer))
	i.refuse = func(string) error { return errors.New("it encrypts") }
	i.changed(upLink(etherLayer))
	if got := only(t, i); !closed || got.Method != "" || got.Cause != "it encrypts" || got.Next.IsZero() {
		t.Errorf("closed %v, %+v", closed, got)
	}
}

func TestADeviceThatEncryptsIsToldByItsFeatures(t *testing.T) {
	for _, c := range []struct {
		features map[string]bool
		wanted   string
	}{
		{map[string]bool{"tx-tcp-segmentation": true, "esp-hw-offload": false}, ""},
		{map[string]bool{"esp-hw-offload": true}, "esp-hw-offload"},
		{map[string]bool{"tls-hw-tx-offload": true}, "tls-hw-tx-offload"},
	} {
		if got := encrypting(c.features); got != c.wanted {
			t.Errorf("%v: %q", c.features, got)
		}
	}
}

func TestFeaturesOfADeviceAreReadAsTheKernelNamesThem(t *testing.T) {
	of := ownInterface(t)
	features, err := readFeatures(of.Attrs().Name)
	if _, isNamed := features["esp-hw-offload"]; err != nil || !isNamed || !features["tx-checksum-ip-generic"] {
		t.Errorf("%v, %v", features, err)
	}
}
