package kernel

import "testing"

// Whose sockets are gone over, all of this machine's, when BBR is taken back.
func TestUploadsAreThoseOfProcessesAndCgroups(t *testing.T) {
	k := load(t)
	k.BBRCause = nil
	for kind, wanted := range map[Kind]Policy{Cgroup: RAR | BBR, Connection: RAR, RemotePort: RAR, LocalPort: RAR} {
		target, got := Target{Kind: kind, Id: 5}, Policy(0)
		if err := k.Set(target, RAR|BBR); err != nil {
			t.Fatal(err)
		}
		if err := k.loaded.Targets.Lookup(target, &got); err != nil || got != wanted {
			t.Errorf("kind %v: policy %b, %v", kind, got, err)
		}
	}
}
