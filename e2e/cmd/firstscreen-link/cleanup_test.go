package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// started is a link whose both commands run and have children of their own, one in another session.
type started struct {
	link    int
	ended   chan int // the exit status
	mark    string   // in the environment of every process of this link
	socket  string
	network string // the near side's network namespace
}

const stayingNear = `sleep 1001 & setsid sleep 1002 & trap 'exit 9' INT TERM; echo up; while :; do sleep 0.1; done`

func start(t *testing.T, u user) started {
	t.Helper()
	directory, err := os.MkdirTemp("", "firstscreen-link-control")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(directory) })
	if err := os.Chmod(directory, 0o777); err != nil {
		t.Fatal(err)
	}
	s := started{
		ended:  make(chan int, 1),
		mark:   fmt.Sprintf("FIRSTSCREEN_LINK_TEST_MARK=%d.%d", os.Getpid(), time.Now().UnixNano()),
		socket: filepath.Join(directory, "control.sock"),
	}
	cmd := command(u, "--no-check", "--control", s.socket, "--far", "sleep 1003 & sleep 1004", "--", "sh", "-c", stayingNear)
	cmd.Env = append(cmd.Env, s.mark)
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.link = cmd.Process.Pid
	t.Cleanup(func() { cmd.Process.Kill() })
	if _, err := output.Read(make([]byte, 1)); err != nil {
		t.Fatalf("the near command did not come up: %v", err)
	}
	go func() {
		cmd.Wait()
		s.ended <- cmd.ProcessState.ExitCode()
	}()
	for _, line := range []string{"sleep 1001", "sleep 1002", "sleep 1003", "sleep 1004"} { // the other children come when they come
		s.find(t, line)
	}
	near := s.find(t, "firstscreen-link-side near")
	if s.network, err = os.Readlink(fmt.Sprintf("/proc/%d/ns/net", near)); err != nil {
		t.Fatal(err)
	}
	return s
}

// processes are the live ones of this link, by id, with their command lines.
func (s started) processes() map[int]string {
	found := map[int]string{}
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		environment, err := os.ReadFile(filepath.Join("/proc", entry.Name(), "environ"))
		if err == nil && bytes.Contains(environment, []byte(s.mark)) {
			line, _ := os.ReadFile(filepath.Join("/proc", entry.Name(), "cmdline"))
			found[pid] = strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}

// find waits for the process of a command line.
func (s started) find(t *testing.T, line string) int {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		oldest := 0 // a shell's child has the shell's command line until it executes its own
		for pid, l := range s.processes() {
			if l == line && (oldest == 0 || pid < oldest) {
				oldest = pid
			}
		}
		if oldest != 0 {
			return oldest
		}
	}
	t.Fatalf("no process %q among %v", line, s.processes())
	return 0
}

// holders are the processes in the near side's network namespace, whosesoever they are.
func (s started) holders() (pids []string) {
	links, _ := filepath.Glob("/proc/[0-9]*/ns/net")
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && target == s.network {
			pids = append(pids, link)
		}
	}
	return pids
}

func (s started) wantNothingLeft(t *testing.T) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for len(s.processes())+len(s.holders()) > 0 {
		if time.Now().After(deadline) {
			t.Fatalf("left: %v, in the namespace: %v", s.processes(), s.holders())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestNothingIsLeft(t *testing.T) {
	const unknown = -1 // a killed link has no status of its own
	for _, c := range []struct {
		name   string
		victim string // of the command lines; empty: the link itself
		signal syscall.Signal
		status int
	}{
		{"SIGINT", "", syscall.SIGINT, 9},
		{"SIGTERM", "", syscall.SIGTERM, 9},
		{"SIGKILL of the link", "", syscall.SIGKILL, unknown},
		{"SIGKILL of the near side", "firstscreen-link-side near", syscall.SIGKILL, 137},
		{"SIGKILL of the far side", "firstscreen-link-side far", syscall.SIGKILL, 2},
		{"SIGKILL of the near command", "sh -c " + stayingNear, syscall.SIGKILL, 137},
		{"SIGKILL of the far command", "/bin/sh -c sleep 1003 & sleep 1004", syscall.SIGKILL, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			forEachUser(t, func(t *testing.T, u user) {
				s := start(t, u)
				if n := len(s.processes()); n < 8 {
					t.Errorf("only %d processes: %v", n, s.processes())
				}
				victim := s.link
				if c.victim != "" {
					victim = s.find(t, c.victim)
				}
				if err := syscall.Kill(victim, c.signal); err != nil {
					t.Fatal(err)
				}
				select {
				case status := <-s.ended:
					if status != c.status {
						t.Errorf("status %d, expected %d", status, c.status)
					}
				case <-time.After(patience):
					t.Fatal("the link goes on")
				}
				s.wantNothingLeft(t)
				if _, err := os.Stat(s.socket); err == nil && c.status != unknown {
					t.Error("the control socket is left")
				}
			})
		})
	}
}

func TestControlOfARunningLink(t *testing.T) {
	forEachUser(t, func(t *testing.T, u user) {
		s := start(t, u)
		var reset struct{ Ns int64 }
		if status, err := control(s.socket, "POST", "/reset", &reset); err != nil || status != 200 || reset.Ns <= 0 {
			t.Errorf("reset: %d, %+v, %v", status, reset, err)
		}
		var check struct{ RTTMs, RTTExpectedMs, DownRateBitsPerSecond float64 }
		if status, err := control(s.socket, "POST", "/check", &check); err != nil || status != 200 || check.RTTMs < check.RTTExpectedMs*0.9 || check.DownRateBitsPerSecond == 0 {
			t.Errorf("check: %d, %+v, %v", status, check, err)
		}
		var refusal struct{ Code string }
		if status, err := control(s.socket, "GET", "/reset", &refusal); err != nil || status != 404 || refusal.Code != "E_LINK_CONTROL" {
			t.Errorf("an unknown request: %d, %+v, %v", status, refusal, err)
		}
		wantFault(t, runAs(u, "--no-check", "--control", s.socket, "--", "true"), "E_LINK_CONTROL")
		if err := syscall.Kill(s.link, syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		<-s.ended
		s.wantNothingLeft(t)
	})
}
