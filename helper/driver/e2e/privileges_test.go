package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// CAP_PERFMON and CAP_NET_RAW, too, are given up once the programs are loaded and the packet socket is open.
func TestTheDriverKeepsNothingOfRootButWhatItNeeds(t *testing.T) {
	w := newWire(t, false, 0)
	d := startDriver(t, w.near, `{}`)
	needed := fmt.Sprintf("%016x", uint64(1)<<unix.CAP_NET_ADMIN|1<<unix.CAP_BPF)
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", d.process.Process.Pid))
	if err != nil || len(threads) == 0 {
		t.Fatalf("%d threads, %v", len(threads), err)
	}
	for _, thread := range threads {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/status", d.process.Process.Pid, thread.Name()))
		if err != nil {
			t.Fatal(err)
		}
		fields := map[string]string{}
		for line := range strings.Lines(string(text)) {
			name, value, _ := strings.Cut(line, ":")
			fields[name] = strings.Join(strings.Fields(value), " ")
		}
		for name, wanted := range map[string]string{"CapEff": needed, "CapPrm": needed, "NoNewPrivs": "1", "Groups": ""} {
			if fields[name] != wanted {
				t.Errorf("thread %s: %s %q, expected %q", thread.Name(), name, fields[name], wanted)
			}
		}
		if strings.Contains(" "+fields["Uid"]+" ", " 0 ") || strings.Contains(" "+fields["Gid"]+" ", " 0 ") {
			t.Errorf("thread %s: user %s, group %s", thread.Name(), fields["Uid"], fields["Gid"])
		}
	}
}
