package attach

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// bed is a system with one interface.
type bed struct {
	*Interfaces
	present  []netlink.Link
	refused  error // attaching is
	detached int
}

func newBed(encapsulation string) *bed {
	noPrograms := func(bool) *ebpf.Program { return nil }
	b := &bed{Interfaces: NewInterfaces(Outgoing, noPrograms, nil, slog.New(slog.DiscardHandler))}
	attributes := netlink.LinkAttrs{Name: "test0", Index: 7, EncapType: encapsulation, RawFlags: unix.IFF_UP}
	b.present = []netlink.Link{&netlink.Dummy{LinkAttrs: attributes}}
	b.isClean = true
	b.list = func() ([]netlink.Link, error) { return b.present, nil }
	b.refuse = func(string) error { return nil }
	b.attach = func(netlink.Link, *ebpf.Program) (Method, func() error, error) {
		return TCX, func() error { b.detached++; return nil }, b.refused
	}
	return b
}

func (b *bed) expect(t *testing.T, method Method, cause string) {
	t.Helper()
	states := b.States()
	if len(states) != 1 || states[0].Method != method || states[0].Cause != cause {
		t.Errorf("states %+v", states)
	}
}

func TestAnInterfaceThatCouldNotBeAttachedToIsTriedAgain(t *testing.T) {
	b := newBed(etherLayer)
	b.refused = errors.New("busy")
	b.SetNeeded(true)
	b.expect(t, "", "busy")
	b.refused = nil
	b.look()
	b.expect(t, TCX, "")
}

func TestAnInterfaceOfATypeThatIsNotSupportedIsNamed(t *testing.T) {
	b := newBed("ieee802.15.4")
	b.SetNeeded(true)
	b.expect(t, "", `interfaces of type "ieee802.15.4" are not supported`)
}

func TestAnInterfaceThatHasGoneIsForgotten(t *testing.T) {
	b := newBed(etherLayer)
	b.SetNeeded(true)
	b.present = nil
	b.look()
	if len(b.States()) != 0 || b.detached != 1 {
		t.Errorf("states %+v, detached %d times", b.States(), b.detached)
	}
}

func TestAnInterfaceHasTheNameThatItWasGivenLast(t *testing.T) {
	b := newBed(etherLayer)
	b.SetNeeded(true)
	b.present[0].Attrs().Name = "test1"
	b.look()
	b.expect(t, TCX, "")
	if name := b.States()[0].Name; name != "test1" || b.detached != 0 {
		t.Errorf("it is %s, detached %d times", name, b.detached)
	}
}

func TestInterfacesThatCanNotBeListedStayAsTheyAre(t *testing.T) {
	b := newBed(etherLayer)
	b.SetNeeded(true)
	b.list = func() ([]netlink.Link, error) { return nil, errors.New("interrupted") }
	b.look()
	b.expect(t, TCX, "")
	b.SetNeeded(false)
	if len(b.States()) != 0 || b.detached != 1 {
		t.Errorf("states %+v, detached %d times", b.States(), b.detached)
	}
}

// A helper may register, or have a flow repaired, while the driver ends.
func TestNothingIsAttachedToAnyMoreWhenItHasEnded(t *testing.T) {
	for name, need := range map[string]func(*bed){
		"by a registration": func(b *bed) { b.SetNeeded(true) },
		"by a flow":         func(b *bed) { b.SetNeededOn(map[int]bool{7: true}) },
		"by a change":       func(b *bed) { b.look() },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(etherLayer)
			b.SetNeeded(true)
			b.End()
			if b.detached != 1 {
				t.Errorf("detached %d times", b.detached)
			}
			if need(b); len(b.States()) != 0 {
				t.Errorf("states %+v", b.States())
			}
		})
	}
}

func TestAnInterfaceIsAttachedToWhileItIsNeeded(t *testing.T) {
	b := newBed(etherLayer)
	b.look()
	if states := b.States(); states == nil || len(states) != 0 { // helpers read a list
		t.Fatalf("attached: %+v", states)
	}
	b.SetNeeded(true)
	b.look()
	b.expect(t, TCX, "")
	b.SetNeeded(false)
	if len(b.States()) != 0 || b.detached != 1 {
		t.Errorf("states %+v, detached %d times", b.States(), b.detached)
	}
}

// Interfaces of containers come and go all the time.
func TestWhileNothingIsNeededNoInterfacesAreListed(t *testing.T) {
	b := newBed(etherLayer)
	listed := 0
	b.list = func() ([]netlink.Link, error) { listed++; return b.present, nil }
	for _, isNeeded := range []bool{true, false} {
		b.SetNeeded(isNeeded)
	}
	b.look()
	if listed != 2 {
		t.Errorf("listed %d times", listed)
	}
}

func TestOnlyInterfacesThatAreNeededAreAttachedTo(t *testing.T) {
	b := newBed(etherLayer)
	b.SetNeededOn(map[int]bool{8: true})
	if len(b.States()) != 0 || b.Attached(7) == nil {
		t.Errorf("states %+v, %v", b.States(), b.Attached(7))
	}
	b.SetNeededOn(map[int]bool{7: true, 8: true})
	b.expect(t, TCX, "")
	if err := b.Attached(7); err != nil {
		t.Error(err)
	}
	b.SetNeededOn(map[int]bool{})
	if len(b.States()) != 0 || b.detached != 1 {
		t.Errorf("states %+v, detached %d times", b.States(), b.detached)
	}
}

func TestAnInterfaceThatCouldNotBeAttachedToSaysWhy(t *testing.T) {
	b := newBed("ieee802.15.4")
	b.SetNeededOn(map[int]bool{7: true})
	if err := b.Attached(7); err == nil || !strings.Contains(err.Error(), "not supported") {
		t.Error(err)
	}
}

func TestAnInterfaceThatBeginsToEncryptIsLeft(t *testing.T) {
	b := newBed(etherLayer)
	b.SetNeeded(true)
	b.refuse = func(string) error { return errors.New("it encrypts") }
	b.look()
	b.expect(t, "", "it encrypts")
	if b.detached != 1 {
		t.Errorf("detached %d times", b.detached)
	}
}

func TestADeviceThatEncryptsIsToldByItsFeatures(t *testing.T) {
	for _, c := range []struct {
		active   []string
		encrypts bool
	}{
		{[]string{"tx-tcp-segmentation"}, false},
		{[]string{"tx-tcp-segmentation", "esp-hw-offload"}, true},
		{[]string{"tls-hw-tx-offload"}, true},
		{[]string{"macsec-hw-offload"}, true},
	} {
		if got := encrypting("test0", c.active); (got != nil) != c.encrypts {
			t.Errorf("%v: %v", c.active, got)
		}
	}
}

func TestFeaturesOfADeviceAreReadAsTheKernelNamesThem(t *testing.T) {
	device := ownInterface(t).Attrs().Name
	active, err := featuresOf(device, unix.ETHTOOL_A_FEATURES_ACTIVE)
	if err != nil || !slices.Contains(active, "tx-checksum-ip-generic") || slices.Contains(active, "esp-hw-offload") {
		t.Errorf("%v, %v", active, err)
	}
	all, err := featuresOf(device, unix.ETHTOOL_A_FEATURES_HW) // says of each whether the device could
	for _, name := range encryptingFeatures {
		if err != nil || !slices.Contains(all, name) {
			t.Errorf("%s is not among %v, %v", name, all, err)
		}
	}
	if err := refuseEncrypting(device); err != nil {
		t.Error(err)
	}
	if refuseEncrypting("none0") == nil {
		t.Error("a device that is not there is taken not to encrypt")
	}
}
