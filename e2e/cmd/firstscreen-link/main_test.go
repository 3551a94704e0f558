package main

import (
	"encoding/json"
	"strings"
	"testing"

	"firstscreen/e2e/link/fault"
)

// wantFault checks the contract of errors: exit status 2 and one line of JSON.
func wantFault(t *testing.T, r result, code string) {
	t.Helper()
	var f fault.Fault
	if err := json.Unmarshal([]byte(r.stderr), &f); err != nil || strings.Count(r.stderr, "\n") != 1 {
		t.Fatalf("stderr is not one line of JSON: %q (%v)", r.stderr, err)
	}
	if r.status != 2 || f.Code != code || f.Message == "" || f.Next == "" {
		t.Errorf("status %d, %+v, expected 2 and %s", r.status, f, code)
	}
}

func TestBadOptionsAreRefused(t *testing.T) {
	for _, arguments := range [][]string{{}, {"--profile", "nosuch", "--", "true"}, {"--loss", "2", "--", "true"}, {"--bogus"}} {
		wantFault(t, runAs(users()[0], arguments...), fault.Option)
	}
}

func TestListProfilesIsJSON(t *testing.T) {
	r := runAs(users()[0], "--list-profiles")
	var profiles []struct {
		Name string
		Down struct{ RateBitsPerSecond int64 }
	}
	if err := json.Unmarshal([]byte(r.stdout), &profiles); err != nil || len(profiles) == 0 || profiles[0].Down.RateBitsPerSecond == 0 {
		t.Errorf("%+v: %v", r, err)
	}
}

func TestTheNearCommandsStatusIsTheLinks(t *testing.T) {
	forEachUser(t, func(t *testing.T, u user) {
		for script, status := range map[string]int{"exit 0": 0, "exit 7": 7, "kill -KILL $$": 137} {
			if r := runAs(u, "--no-check", "--", "sh", "-c", script); r.status != status || r.stderr != "" {
				t.Errorf("%s: %+v, expected %d", script, r, status)
			}
		}
	})
}

func TestCommandsThatFailAreReported(t *testing.T) {
	forEachUser(t, func(t *testing.T, u user) {
		wantFault(t, runAs(u, "--no-check", "--", "/nonexistent"), fault.Command)
		wantFault(t, runAs(u, "--no-check", "--far", "exit 3", "--", "sleep", "1000"), fault.Command)
		if r := runAs(u, "--no-check", "--far", "true", "--", "sleep", "0.3"); r.status != 0 || r.stderr != "" {
			t.Errorf("a far command that ends well ended the link: %+v", r)
		}
	})
}

func TestTheNearSideSeesTheTestBedOnly(t *testing.T) {
	forEachUser(t, func(t *testing.T, u user) {
		r := runAs(u, "--no-check", "--", "sh", "-c",
			`cat /etc/resolv.conf; echo $FIRSTSCREEN_FAR_ADDR; test -S $FIRSTSCREEN_LINK_SOCKET && stat -c %a $FIRSTSCREEN_LINK_SOCKET; cat /proc/net/route | cut -f 1-2`)
		for _, expected := range []string{"nameserver 20.100.0.1\n10.99.0.2\n600\n", "near0\t00000000\n"} {
			if !strings.Contains(r.stdout, expected) {
				t.Errorf("%+v lacks %q", r, expected)
			}
		}
	})
}

// checked is a part of what a check has found.
type checked struct {
	OK                   bool
	RTTMs, RTTExpectedMs float64
	BothHops             *checked
	Failures             []string
}

// With delays so long, and a rate so low, that what a busy machine adds is within the check's 5 %.
func TestALinkThatIsRightPassesItsCheck(t *testing.T) {
	forEachUser(t, func(t *testing.T, u user) {
		r := runAs(u, "--down-delay", "1500", "--up-delay", "1500", "--down-rate", "1000000", "--up-rate", "1000000", "--", "env", roleVariable+"=report", self)
		var report struct{ Check *checked }
		if err := json.Unmarshal([]byte(r.stdout), &report); err != nil {
			t.Fatalf("%+v: %v", r, err)
		}
		if c := report.Check; c == nil || !c.OK || c.RTTMs < 2900 || c.RTTExpectedMs < 3000 {
			t.Errorf("%+v", c)
		}
	})
}

// No machine carries a packet within a microsecond.
func TestALinkThatIsNotRightRunsNothing(t *testing.T) {
	forEachUser(t, func(t *testing.T, u user) {
		r := runAs(u, "--down-delay", "0", "--up-delay", "0", "--down-rate", "1000000000", "--up-rate", "1000000000", "--", "echo", "ran")
		wantFault(t, r, fault.Check)
		if r.stdout != "" {
			t.Errorf("it ran: %q", r.stdout)
		}
	})
}

func TestALoadIsRecorded(t *testing.T) {
	forEachUser(t, func(t *testing.T, u user) {
		r := runAs(u, "--no-check", "--profile", "3g-fast", "--down-rate", "4000000", "--loss", "0.02", "--seed", "5",
			"--far", roleVariable+"=server exec "+self, "--", "env", roleVariable+"=client", self)
		var l struct {
			Bytes int64
			Flows struct {
				Flows []struct {
					Client, Server            string
					SynNs, UpBytes, DownBytes int64
					Steps                     [][2]int64
				}
			}
			Report struct {
				Version  int
				Rootless bool
				Check    *checked
				Lateness struct{ Samples int64 }
				Down, Up struct{ Packets, Bytes, DropsQueue, DropsLoss, Delivered, DeliveredBytes int64 }
			}
			Idle struct {
				IdleMs, DataIdleMs float64
				QueuedBytes        int64
			}
		}
		if err := json.Unmarshal([]byte(r.stdout), &l); err != nil {
			t.Fatalf("%+v: %v", r, err)
		}
		if l.Report.Version != 1 || l.Report.Check != nil {
			t.Errorf("report %+v", l.Report)
		}
		if rootless := u.attributes.Credential != nil; rootless && !l.Report.Rootless {
			t.Error("rootless is not reported")
		}
		if len(l.Flows.Flows) == 0 || l.Bytes != responseBytes {
			t.Fatalf("%d bytes in %d flows", l.Bytes, len(l.Flows.Flows))
		}
		f := l.Flows.Flows[len(l.Flows.Flows)-1] // before it, there may be attempts that the server was not yet there for
		if !strings.HasPrefix(f.Client, "10.99.0.1:") || f.Server != "10.99.0.2:8000" {
			t.Errorf("flow from %s to %s", f.Client, f.Server)
		}
		last := [2]int64{f.SynNs, 0}
		for _, step := range f.Steps {
			if step[0] < last[0] || step[1] <= last[1] {
				t.Fatalf("step %v after %v", step, last)
			}
			last = step
		}
		if last[1] != responseBytes || f.DownBytes < responseBytes || f.UpBytes == 0 {
			t.Errorf("ends at %v, %d bytes down, %d up", last, f.DownBytes, f.UpBytes)
		}
		down := l.Report.Down
		if inLink := down.Packets - down.Delivered - down.DropsLoss - down.DropsQueue; inLink < 0 || inLink > 3 {
			t.Errorf("%d packets unaccounted for: %+v", inLink, down)
		}
		if down.DropsLoss == 0 || l.Report.Lateness.Samples < down.Delivered || l.Idle.IdleMs < 0 || l.Idle.DataIdleMs < l.Idle.IdleMs-1 {
			t.Errorf("%+v, idle %+v", l.Report, l.Idle)
		}
	})
}
