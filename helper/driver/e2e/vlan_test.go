package e2e

import (
	"bytes"
	"net/netip"
	"testing"

	"github.com/vishvananda/netlink"
)

const (
	vlanName = "air0.5"
	vlanFar  = "10.78.0.2"
)

func addVLAN(h *host, prefix string) {
	h.do(func() error {
		lower, err := netlink.LinkByName(deviceName)
		if err != nil {
			return err
		}
		if err := netlink.LinkAdd(&netlink.Vlan{LinkAttrs: netlink.LinkAttrs{Name: vlanName, ParentIndex: lower.Attrs().Index}, VlanId: 5}); err != nil {
			return err
		}
		device, err := netlink.LinkByName(vlanName)
		if err != nil {
			return err
		}
		if err := netlink.LinkSetUp(device); err != nil {
			return err
		}
		return address(device, netip.MustParsePrefix(prefix))
	})
}

// On all interfaces the upper one counts, and nothing is copied twice; on the lower one alone copies have the tag that the device adds.
func TestVLAN(t *testing.T) {
	for name, options := range map[string][]string{"all interfaces": nil, "the lower one alone": {"--interfaces", deviceName}} {
		t.Run(name, func(t *testing.T) {
			w := newWire(t, true, delay)
			addVLAN(w.near, "10.78.0.1/24")
			addVLAN(w.far, vlanFar+"/24")
			w.far.serve(port, echo)
			d := startDriver(t, w.near, protecting(port, "rar"), options...)
			if options == nil {
				d.await("both are attached to", func() bool { return len(d.status().Interfaces) == 2 })
			}
			if err := exchange(w.near.dial(vlanFar, port), []byte("GET /")); err != nil {
				t.Fatal(err)
			}
			sent := w.segments(isRequest)
			if len(sent) != 3 {
				t.Fatalf("sent %v", sent)
			}
			for _, s := range sent {
				if !s.hasTag || !bytes.Equal(s.bytes, sent[0].bytes) {
					t.Errorf("another packet:\n%x\n%x", sent[0].bytes, s.bytes)
				}
			}
		})
	}
}
