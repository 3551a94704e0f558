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
		"registrations": [
			{"user": "root", "remotePorts": [443], "policy": ["rar", "spool"]},
			{"user": "1234", "localPorts": [80], "policy": ["spool"]},
			{"remotePorts": [53], "policy": ["rar"]},
			{"cgroup": "/sys/fs/cgroup/user.slice", "policy": ["rar"]}
		]}`), true)
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := read.Wanted()
	if err != nil {
		t.Fatal(err)
	}
	port := func(user uint32, side kernel.Side, port uint16) []registry.Target {
		return []registry.Target{{Port: kernel.PortRule{User: user, Side: side, Port: port}}}
	}
	expected := []Wanted{
		{port(0, kernel.RemotePort, 443), kernel.RAR | kernel.Spool},
		{port(1234, kernel.LocalPort, 80), kernel.Spool},
		{port(kernel.AnyUser, kernel.RemotePort, 53), kernel.RAR},
		{[]registry.Target{{Cgroup: "/sys/fs/cgroup/user.slice"}}, kernel.RAR},
	}
	if !reflect.DeepEqual(wanted, expected) || !reflect.DeepEqual(read.Interfaces, []string{"wlan0"}) {
		t.Errorf("understood as %+v", wanted)
	}
}

func TestAFileThatNobodyNamedNeedNotBeThere(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.json")
	if read, err := Read(missing, false); err != nil || len(read.Registrations) > 0 {
		t.Errorf("%+v, %v", read, err)
	}
	if _, err := Read(missing, true); err == nil || fault.Of(err).Code != fault.Config {
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
		`{"registrations":[{"user":"no such user","remotePorts":[443],"policy":["rar"]}]}`,
	} {
		read, err := Read(file(t, text), true)
		if err == nil {
			_, err = read.Wanted()
		}
		if err == nil || fault.Of(err).Code != fault.Config || fault.Of(err).Next == "" {
			t.Errorf("%s: %v", text, err)
		}
	}
}
