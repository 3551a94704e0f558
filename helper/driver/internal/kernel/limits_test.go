package kernel

import (
	"os"
	"testing"

	"firstscreen/driver/internal/fault"
)

func load(t *testing.T) *Kernel {
	t.Helper()
	return loadWhere(t, typesPath)
}

func loadWhere(t *testing.T, typesPath string) *Kernel {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, for programs in the kernel")
	}
	k, err := loadWith(typesPath)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Close)
	return k
}

func TestAUserHasOneSpoolAtATime(t *testing.T) {
	k := load(t)
	closeFirst, err := k.OpenSpool(1000, SpoolAt{Process: 1, Port: 4000})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.OpenSpool(1000, SpoolAt{Process: 2, Port: 4001}); err == nil || fault.Of(err).Code != fault.Limit {
		t.Errorf("a second one: %v", err)
	}
	if _, err := k.OpenSpool(1001, SpoolAt{Process: 3, Port: 4002}); err != nil {
		t.Errorf("another user's: %v", err)
	}
	if err := closeFirst(); err != nil {
		t.Fatal(err)
	}
	if _, err := k.OpenSpool(1000, SpoolAt{Process: 2, Port: 4001}); err != nil {
		t.Errorf("when the first has gone: %v", err)
	}
}

func TestOnlySoManyUsersHaveASpool(t *testing.T) {
	k := load(t)
	const most = 256
	for user := range uint32(most) {
		if _, err := k.OpenSpool(user, SpoolAt{Process: 1, Port: 4000}); err != nil {
			t.Fatalf("%d: %v", user, err)
		}
	}
	if _, err := k.OpenSpool(most, SpoolAt{Process: 1, Port: 4000}); err == nil || fault.Of(err).Code != fault.Limit {
		t.Errorf("one more: %v", err)
	}
}

// They tell which programs have another user's rights: those are not led into the spool of who has started them.
func TestWithoutTheKernelsTypesThereIsNoSpool(t *testing.T) {
	k := loadWhere(t, "/none")
	if _, err := k.OpenSpool(1000, SpoolAt{Process: 1, Port: 4000}); err == nil || fault.Of(err).Code != fault.Unsupported {
		t.Errorf("a spool: %v", err)
	}
}

func TestAFullMapIsALimitAndTakesMoreWhenThereIsRoom(t *testing.T) {
	k := load(t)
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
