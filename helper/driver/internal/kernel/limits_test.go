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
	port := func(n int) Target { return Target{Kind: RemotePort, Id: uint64(n), User: AnyUser} }
	const most = 1024
	for n := range most {
		if err := k.Set(port(n), RAR); err != nil {
			t.Fatalf("%d: %v", n, err)
		}
	}
	if err := k.Set(port(most), RAR); err == nil || fault.Of(err).Code != fault.Limit {
		t.Errorf("one more: %v", err)
	}
	if err := k.Set(port(1), Spool); err != nil {
		t.Errorf("changing what is there: %v", err)
	}
	if err := k.Set(port(1), 0); err != nil {
		t.Fatal(err)
	}
	if err := k.Set(port(most), RAR); err != nil {
		t.Errorf("where there is room: %v", err)
	}
}
