//go:build vm

package e2e

import (
	"fmt"
	"testing"
)

// On the interface of the VLAN as on any; below it copies get the tag that the device adds. Only in the virtual machine (helper/driver/qemu), whose kernel has VLANs.
func TestARequestInAVLAN(t *testing.T) {
	for _, on := range []string{deviceName, "vlan7"} {
		t.Run("attached to "+on, func(t *testing.T) {
			w := newWire(t, true, delay)
			for h, prefix := range map[*host]string{w.near: "10.78.0.1/24", w.far: "10.78.0.2/24"} {
				var err error
				h.do(func() error { err = h.addVLAN("vlan7", 7, prefix); return nil })
				if err != nil {
					t.Fatal(err)
				}
			}
			w.far.serve(port, echo)
			startDriver(t, w.near, fmt.Sprintf(`{"interfaces":["%s"],"registrations":[{"remotePorts":[%d],"policy":["rar"]}]}`, on, port))
			expectRepeated(t, w, dialAndLearn(t, w, "10.78.0.2"), []byte("GET /tagged"))
			if !w.segments(isRequest)[0].hasTag {
				t.Error("sent without a tag: the test shows nothing")
			}
		})
	}
}
