package kernel

import (
	"os"
	"testing"

	"firstscreen/driver/internal/fault"
)

func TestAFullMapIsALimitAndTakesMoreWhenThereIsRoom(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, for programs in the kernel")
	}
	k, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	if k.SocketCause != nil {
		t.Fatal(k.SocketCause)
	}
	for name, c := range map[string]struct {
		most int
		set  func(n int, registration Registration) error
	}{
		"ports":     {1024, func(n int, r Registration) error { return k.SetPort(PortRule{AnyUser, RemotePort, uint16(n)}, r) }},
		"processes": {1024, func(n int, r Registration) error { return k.SetProcess(uint32(n), r) }},
		"cgroups":   {256, func(n int, r Registration) error { return k.SetCgroup(uint64(n), r) }},
	} {
		t.Run(name, func(t *testing.T) {
			for n := range c.most {
				if err := c.set(1+n, Registration{RAR, 1}); err != nil {
					t.Fatalf("%d: %v", n, err)
				}
			}
			if err := c.set(1+c.most, Registration{RAR, 1}); err == nil || fault.Of(err).Code != fault.Limit {
				t.Errorf("one more: %v", err)
			}
			if err := c.set(1, Registration{Spool, 1}); err != nil {
				t.Errorf("changing what is there: %v", err)
			}
			if err := c.set(1, Registration{}); err != nil {
				t.Fatal(err)
			}
			if err := c.set(1+c.most, Registration{RAR, 1}); err != nil {
				t.Errorf("where there is room: %v", err)
			}
		})
	}
}
