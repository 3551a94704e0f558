//go:build systemd

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"firstscreen/driver/internal/control"
	"firstscreen/driver/internal/daemon"
)

const unit = "firstscreen-driver.service"

func command(t *testing.T, name string, arguments ...string) string {
	t.Helper()
	output, err := exec.Command(name, arguments...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, arguments, err, output)
	}
	return string(output)
}

// Only in the virtual machine (helper/driver/qemu), which systemd has booted: the package as it is installed, with all that its unit forbids.
func TestThePackageUnderItsUnit(t *testing.T) {
	command(t, "dpkg", "--install", "/driver.deb")
	w := newWireFrom(t, newHostIn(t, "near", false, 0), delay) // in the machine's own network namespace, as the driver is
	w.far.serve(port, echo)
	command(t, "systemctl", "start", unit)
	d := &driver{t: t, host: w.near, socket: control.DefaultSocket, log: &lockedBuffer{}, ended: make(chan struct{})}
	t.Cleanup(func() {
		if t.Failed() {
			said, _ := exec.Command("journalctl", "--no-pager", "--unit", unit).CombinedOutput()
			t.Logf("%s", said)
		}
	})
	d.await("the driver answers", func() bool { return control.Ask(d.socket, "status", &daemon.Status{}) == nil })

	for _, feature := range d.status().Features {
		wanted := daemon.Full
		if feature.Name == bbrFeature { // a module, which nobody has loaded
			wanted = daemon.None
		}
		if feature.Level != wanted {
			t.Errorf("%+v", feature)
		}
	}
	if states := d.status().Interfaces; len(states) != 0 {
		t.Errorf("attached, with nothing registered: %+v", states)
	}

	helper := d.connect()
	app := w.near.startApplication("")
	say(t, helper, "register", fmt.Sprintf(`{"process":%d,"policy":["rar"]}`, os.Getpid()))
	say(t, helper, "register", fmt.Sprintf(`{"process":%d,"policy":["spool"]}`, app.pid))
	t.Run("copies", func(t *testing.T) {
		expectRepeated(t, w, w.near.dial(farIPv4, port), []byte("GET /again"))
	})
	t.Run("SYN time-out", func(t *testing.T) { expectEarlyFirstSegment(t, w, d) })
	t.Run("spool", func(t *testing.T) {
		s := openSpool(t, w.near, helper, false)
		const to = farIPv4 + ":8080"
		if peer, back := app.exchange(to, "through"); back != "through" || peer != to || s.told() != to {
			t.Errorf("%s answers %q", peer, back)
		}
	})
	t.Run("holes", func(t *testing.T) {
		const port = port + 1
		body, _ := randomBytes(1<<20, 25)
		w.far.serveBody(port, body)
		d.expectHoles(w, farIPv4, port, body)
		w.setRule(func(packet) bool { return false })
	})
	t.Run("status", func(t *testing.T) {
		said := command(t, "firstscreen-driverd", "status")
		if strings.Count(said, "none") != 1 || !strings.Contains(said, "Registered: process (2)") {
			t.Errorf("it says:\n%s", said)
		}
	})

	command(t, "systemctl", "stop", unit)
	if left := attachedPrograms(t, w.near); len(left) > 0 {
		t.Errorf("left on the interface: %v", left)
	}
	if _, err := os.Stat(control.DefaultSocket); err == nil {
		t.Error("the socket is left")
	}
	if said := command(t, "systemctl", "show", "--property=Result", unit); said != "Result=success\n" {
		t.Errorf("it ended by %s", said)
	}
	if err := exchange(w.near.dial(farIPv4, port), []byte("GET /")); err != nil {
		t.Error(err)
	}
}
