package main

import (
	"strings"
	"testing"

	"firstscreen/driver/internal/attach"
	"firstscreen/driver/internal/daemon"
	"firstscreen/driver/internal/fwp"
	"firstscreen/driver/internal/kernel"
	"firstscreen/driver/internal/rar"
)

func printed(status daemon.Status) string {
	var text strings.Builder
	printStatus(&text, status)
	return text.String()
}

func TestStatusTellsWhatIsSupportedAttachedRegisteredAndCounted(t *testing.T) {
	got := printed(daemon.Status{
		Features:   []daemon.Feature{{Name: "RAR", Level: daemon.Full}, {Name: "IB, spool", Level: daemon.None, Reason: "too old"}},
		Interfaces: []attach.State{{Name: "wlan0", Method: attach.TCX}, {Name: "ppp0", Cause: "no link layer"}},
		Incoming:   []attach.State{{Name: "wlan0", Method: attach.Clsact}},
		Expected:   []fwp.Expected{{Interface: "wlan0", Rate: 0.0213, Source: fwp.Learnt}},
		Cgroups:    []string{"/sys/fs/cgroup/user.slice"},
		Registered: map[string]int{"process": 1, "remote port": 3},
		Counters: daemon.Counters{
			Programs: kernel.Counters{ThinLost: 2},
			RAR:      rar.Counts{Messages: 128, Protected: 120, Copies: 240, CopyBytes: 31_000, TooMany: 1},
			FWP:      fwp.Counts{Flows: 2, Holes: 7, HoleBytes: 9000},
		},
	})
	for _, line := range []string{
		"  RAR                       full",
		"  IB, spool                 none: too old",
		"  wlan0                     outgoing packets (tcx)",
		"  wlan0                     incoming packets (clsact)",
		"  ppp0                      not attached: no link layer",
		"  wlan0                     is expected to lose 2.1 % of frames (learnt)",
		"  /sys/fs/cgroup/user.slice  where sockets connect",
		"Registered: process (1), remote port (3)",
		"         128  thin messages",
		"         120  of them protected by copies",
		"         240  copies (31000 bytes)",
		"           2  flows that holes are filled of, now",
		"           7  holes filled (9000 bytes)",
		"           3  messages without copies, as they were too many at once",
	} {
		if !strings.Contains(got, line+"\n") {
			t.Errorf("%q is not in\n%s", line, got)
		}
	}
}

func TestStatusOfAnIdleDriverSaysSo(t *testing.T) {
	got := printed(daemon.Status{})
	for _, line := range []string{"no interface: nothing is registered", "Registered: nothing, so nothing is acted on"} {
		if !strings.Contains(got, line) {
			t.Errorf("%q is not in\n%s", line, got)
		}
	}
}
