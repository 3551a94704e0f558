//go:build vm

package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
)

const farInVLAN = "10.78.0.2"

// newVLAN joins two hosts by a wire that has a VLAN.
func newVLAN(t *testing.T, protocol netlink.VlanProtocol, delay time.Duration) *wire {
	t.Helper()
	w := newWire(t, true, delay)
	for h, prefix := range map[*host]string{w.near: "10.78.0.1/24", w.far: farInVLAN + "/24"} {
		h.do(func() error { return h.addVLAN("vlan7", protocol, 7, prefix) })
	}
	return w
}

// On the interface of the VLAN as on any; below it copies get the tag that the device adds. Only in the virtual machine (helper/driver/qemu), whose kernel has VLANs.
func TestARequestInAVLAN(t *testing.T) {
	for _, c := range []struct {
		on       string
		protocol netlink.VlanProtocol
	}{{deviceName, netlink.VLAN_PROTOCOL_8021Q}, {deviceName, netlink.VLAN_PROTOCOL_8021AD}, {"vlan7", netlink.VLAN_PROTOCOL_8021Q}} {
		t.Run(fmt.Sprintf("%v, attached to %s", c.protocol, c.on), func(t *testing.T) {
			w := newVLAN(t, c.protocol, delay)
			w.far.serve(port, echo)
			startDriver(t, w.near, fmt.Sprintf(`{"interfaces":["%s"],"registrations":[{"remotePorts":[%d],"policy":["rar"]}]}`, c.on, port))
			expectRepeated(t, w, w.near.dial(farInVLAN, port), []byte("GET /tagged"))
			if !w.segments(isRequest)[0].hasTag {
				t.Error("sent without a tag: the test shows nothing")
			}
		})
	}
}

// What passes both interfaces is one message, and nothing that was sent again.
func TestARequestInAVLANWithBothInterfacesAttachedTo(t *testing.T) {
	w := newVLAN(t, netlink.VLAN_PROTOCOL_8021Q, delay)
	w.far.serve(port, echo)
	d := startDriver(t, w.near, protecting(port, "rar"))
	d.await("both are attached to", func() bool { return len(d.status().Interfaces) == 2 })
	if err := exchange(w.near.dial(farInVLAN, port), []byte("GET /tagged")); err != nil {
		t.Fatal(err)
	}
	d.awaitMessages(firstAndRequest)
	if counted := d.status().Counters; counted.RAR.Messages != firstAndRequest || counted.Programs.Retransmitted != 0 {
		t.Errorf("counted %+v", counted)
	}
}

func TestADownloadInAVLAN(t *testing.T) {
	body, _ := randomBytes(1<<20, 26)
	for _, on := range []string{deviceName, "vlan7"} {
		t.Run("attached to "+on, func(t *testing.T) {
			w := newVLAN(t, netlink.VLAN_PROTOCOL_8021Q, shortWay)
			w.far.serveBody(port, body)
			d := startDriver(t, w.near, fmt.Sprintf(`{"interfaces":["%s"]}`, on))
			d.expectHoles(w, farInVLAN, port, body)
		})
	}
}
