package kernel

import "testing"

func TestBBRIsFoundAmongCongestionControls(t *testing.T) {
	for names, expected := range map[string]bool{"reno bbr cubic\n": true, "bbr": true, "reno cubic\n": false, "bbr2 reno": false, "": false} {
		if hasBBR(names) != expected {
			t.Errorf("%q: %v", names, !expected)
		}
	}
}

func TestWithoutBBRNothingIsRegisteredForIt(t *testing.T) {
	k := load(t)
	k.BBRCause = errNoBBR
	target := Target{Kind: LocalPort, Id: 80, User: AnyUser}
	for policy, expected := range map[Policy]Policy{RAR | BBR: RAR, BBR: 0} {
		if err := k.Set(target, policy); err != nil {
			t.Fatal(err)
		}
		var got Policy
		k.loaded.Targets.Lookup(target, &got)
		if got != expected {
			t.Errorf("for %d: %d", policy, got)
		}
	}
}
