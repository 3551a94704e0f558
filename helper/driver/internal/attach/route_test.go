package attach

import (
	"net/netip"
	"testing"

	"github.com/vishvananda/netlink"
)

// Both ends of a pair may be in one network namespace, and each is named as what the other one stands on.
func TestTheOtherEndOfAPairIsNoLowerDevice(t *testing.T) {
	of := ownInterface(t)
	if of.Attrs().ParentIndex == 0 {
		t.Fatal("the pair has no other end: the test shows nothing")
	}
	if lower := lowerDevice(of); lower != 0 {
		t.Fatalf("it stands on %d", lower)
	}
	local, remote := netip.MustParsePrefix("10.78.0.1/24"), netip.MustParseAddr("10.78.0.2")
	address, err := netlink.ParseAddr(local.String())
	if err != nil {
		t.Fatal(err)
	}
	if err := netlink.AddrAdd(of, address); err != nil {
		t.Fatal(err)
	}
	if err := netlink.LinkSetUp(of); err != nil {
		t.Fatal(err)
	}
	if index, err := ByWhich(local.Addr(), remote, []string{of.Attrs().Name}); err != nil || index != of.Attrs().Index {
		t.Errorf("%d, %v", index, err)
	}
	if index, err := ByWhich(local.Addr(), remote, []string{"wlan0"}); err == nil {
		t.Errorf("found %d", index)
	}
}

func TestLowerDevices(t *testing.T) {
	const here = -1
	for name, c := range map[string]struct {
		of    netlink.Link
		lower int
	}{
		"a VLAN":                              {&netlink.Vlan{LinkAttrs: netlink.LinkAttrs{ParentIndex: 7, NetNsID: here}}, 7},
		"one of another network namespace's":  {&netlink.Macvlan{LinkAttrs: netlink.LinkAttrs{ParentIndex: 7, NetNsID: 0}}, 0},
		"a device that stands on nothing":     {&netlink.Dummy{LinkAttrs: netlink.LinkAttrs{NetNsID: here}}, 0},
		"a pair, the other end of which is 7": {&netlink.Netkit{LinkAttrs: netlink.LinkAttrs{ParentIndex: 7, NetNsID: here}}, 0},
	} {
		if got := lowerDevice(c.of); got != c.lower {
			t.Errorf("%s: %d", name, got)
		}
	}
}
