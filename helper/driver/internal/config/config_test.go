package config

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/kernel"
	"firstscreen/driver/internal/registry"
)

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "driver.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWhatTheAdministratorWants(t *testing.T) {
	read, err := Read(file(t, `{
		"interfaces": ["wlan0"],
		"frameErrorRate": 0.2,
		"registrations": [
			{"user": "root", "remotePorts": [443], "policy": ["rar", "spool"]},
			{"user": "1234", "localPorts": [80], "policy": ["spool"]},
			{"remotePorts": [53], "policy": ["rar"]},
			{"cgroup": "/sys/fs/cgroup/user.slice", "policy": ["rar"]}
		]}`))
	if err != nil {
		t.Fatal(err)
	}
	port := func(kind kernel.Kind, port uint64, user uint32) []registry.Target {
		return []registry.Target{{Target: kernel.Target{Kind: kind, Id: port, User: user}}}
	}
	for i, expected := range []struct {
		targets []registry.Target
		policy  kernel.Policy
	}{
		{port(kernel.RemotePort, 443, 0), kernel.RAR | kernel.Spool},
		{port(kernel.LocalPort, 80, 1234), kernel.Spool},
		{port(kernel.RemotePort, 53, kernel.AnyUser), kernel.RAR},
	} {
		one := read.Registrations[i]
		if targets, err := one.Targets(); err != nil || !reflect.DeepEqual(targets, expected.targets) || one.Policy != expected.policy {
			t.Errorf("registration %d: %+v, %v", i+1, targets, err)
		}
	}
	if last := read.Registrations[3]; last.Cgroup != "/sys/fs/cgroup/user.slice" || last.Policy != kernel.RAR {
		t.Errorf("the last one: %+v", last)
	}
	if read.FrameErrorRate != 0.2 {
		t.Errorf("a rate of %v", read.FrameErrorRate)
	}
	if !reflect.DeepEqual(read.Interfaces, []string{"wlan0"}) {
		t.Errorf("interfaces %v", read.Interfaces)
	}
}

func TestACgroupThatIsNotThereYetIsNoTarget(t *testing.T) {
	if targets, err := (Registration{Cgroup: t.TempDir() + "/none"}).Targets(); err == nil || len(targets) > 0 {
		t.Errorf("%v, %v", targets, err)
	}
}

func TestAFileThatIsNamedMustBeThere(t *testing.T) {
	if _, err := Read(filepath.Join(t.TempDir(), "none.json")); err == nil || fault.Of(err).Code != fault.Config {
		t.Errorf("answered %v", err)
	}
}

func TestAnUnusableFileIsRefused(t *testing.T) {
	for _, text := range []string{
		``, `{`, `[]`, `{"registration":[]}`, `{} {}`, `{"interfaces":"wlan0"}`,
		`{"registrations":[{"policy":["rar"]}]}`,
		`{"registrations":[{"remotePorts":[443]}]}`,
		`{"registrations":[{"remotePorts":[443],"policy":["magic"]}]}`,
		`{"registrations":[{"remotePorts":[70000],"policy":["rar"]}]}`,
		`{"registrations":[{"remotePorts":[0],"policy":["rar"]}]}`,
		`{"registrations":[{"remotePorts":[443],"cgroup":"/x","policy":["rar"]}]}`,
		`{"frameErrorRate":0}`, `{"frameErrorRate":0.6}`, `{"frameErrorRate":-0.1}`, `{"frameErrorRate":"a tenth"}`,
		`{"registrations":[{"user":"no such user","remotePorts":[443],"policy":["rar"]}]}`,
	} {
		_, err := Read(file(t, text))
		if err == nil || fault.Of(err).Code != fault.Config || fault.Of(err).Next == "" {
			t.Errorf("%s: %v", text, err)
		}
	}
}
