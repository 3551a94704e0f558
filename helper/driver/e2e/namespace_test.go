//go:build !vm

package e2e

import (
	"fmt"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/features"
)

// A container has numbers of its own for processes; so have the sides of the benchmarks' link. Not in the virtual machine (helper/driver/qemu), whose kernel can not tell them.
func TestAProcessInTheDriversOwnNamespace(t *testing.T) {
	if err := features.HaveProgramHelper(ebpf.CGroupSockAddr, asm.FnGetNsCurrentPidTgid); err != nil {
		t.Skipf("needs kernel 6.10: %v", err)
	}
	withCgroup2(t)
	w := newWire(t, false, delay)
	w.far.serve(port, echo)
	w.near.isApart = true
	d := startDriver(t, w.near, `{}`)
	app := w.near.startApplicationBeside(d)
	say(t, d.connect(), "register", fmt.Sprintf(`{"process":%d,"policy":["rar"]}`, app.pid))
	w.forget()
	app.exchange(farIPv4+":8080", "hello")
	if sent := w.segments(isRequest); len(sent) != 3 {
		t.Errorf("%v", sent)
	}
}
