package e2e

import (
	"fmt"
	"net"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"firstscreen/driver/e2e/repair"
	"firstscreen/driver/internal/attach"
)

// say one request on a connection to the driver and return the answer.
func say(t *testing.T, driver net.Conn, kind, payload string) string {
	t.Helper()
	answered, answer := ask(t, driver, kind, payload)
	if answered != "ok" {
		t.Fatalf("%s %s was answered %s", kind, payload, answer)
	}
	return answer
}

// ask returns the type of the answer and its payload.
func ask(t *testing.T, driver net.Conn, kind, payload string) (answered, answer string) {
	t.Helper()
	answered, text, err := repair.Ask(driver, kind, payload)
	if err != nil {
		t.Fatalf("%s %s: %v", kind, payload, err)
	}
	return answered, string(text)
}

func (d *driver) connect() net.Conn {
	d.t.Helper()
	connection, err := net.Dial("unix", d.socket)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { connection.Close() })
	return connection
}

// withCgroup2 mounts it where the machine has none, for this process and the driver.
func withCgroup2(t *testing.T) string {
	t.Helper()
	if mount, err := attach.Mount(); err == nil {
		return mount
	}
	directory := t.TempDir()
	if err := unix.Mount("cgroup2", directory, "cgroup2", 0, ""); err != nil {
		t.Fatalf("cgroup2: %v", err)
	}
	t.Cleanup(func() { unix.Unmount(directory, unix.MNT_DETACH) })
	return directory
}

// newCgroup is empty, and goes with the test.
func newCgroup(t *testing.T) string {
	t.Helper()
	path, err := os.MkdirTemp(withCgroup2(t), "firstscreen-driver-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(path) })
	if err := os.Chmod(path, 0o755); err != nil { // as systemd makes them
		t.Fatal(err)
	}
	return path
}

func TestAProcessThatRegistersItself(t *testing.T) {
	withCgroup2(t)
	w, d := wireWithDriver(t, false, delay, `{}`)
	helper := d.connect()
	before := w.near.dial(farIPv4, port)
	say(t, helper, "register", fmt.Sprintf(`{"process":%d,"policy":["rar"]}`, os.Getpid()))
	during := w.near.dial(farIPv4, port)
	expectUntouched(t, w, before)
	expectRepeated(t, w, during, []byte("GET /"))

	t.Run("until it goes", func(t *testing.T) {
		helper.Close()
		d.await("it is not registered any more", func() bool { s := d.status(); return len(s.Registered) == 0 && len(s.Cgroups) == 0 })
		expectUntouched(t, w, during, w.near.dial(farIPv4, port))
	})
}

func TestAConnectionThatIsThereAlready(t *testing.T) {
	w, d := wireWithDriver(t, false, delay, `{}`)
	connection, other := w.near.dial(farIPv4, port), w.near.dial(farIPv4, port)
	say(t, d.connect(), "register", fmt.Sprintf(`{"connection":{"local":"%v","remote":"%v"},"policy":["rar"]}`, connection.LocalAddr(), connection.RemoteAddr()))
	expectRepeated(t, w, connection, []byte("GET /"))
	expectUntouched(t, w, other)
}

func TestWhatWasFoundUnregisteredIsLookedAtAgain(t *testing.T) {
	w, d := wireWithDriver(t, false, delay, `{}`)

	t.Run("when its port is registered", func(t *testing.T) {
		connection := w.near.dial(farIPv4, port)
		expectUntouched(t, w, connection)
		say(t, d.connect(), "register", fmt.Sprintf(`{"remotePorts":[%d],"policy":["rar"]}`, port))
		expectRepeated(t, w, connection, []byte("GET /"))
	})

	t.Run("when it connects elsewhere", func(t *testing.T) {
		expectRepeated(t, w, w.near.dialAgain(farIPv4, port+1, port), []byte("GET /")) // nobody is at the first
	})
}
