package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

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
	driver.SetDeadline(time.Now().Add(patience))
	fmt.Fprintf(driver, `{"v":1,"id":1,"type":"%s","payload":%s}`+"\n", kind, payload)
	line, err := bufio.NewReader(driver).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var response struct {
		Type    string
		Payload json.RawMessage
	}
	if err := json.Unmarshal(line, &response); err != nil {
		t.Fatalf("%s %s was answered %s", kind, payload, line)
	}
	return response.Type, string(response.Payload)
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
	w := newWire(t, false, delay)
	w.far.serve(port, echo)
	d := startDriver(t, w.near, `{}`)
	helper := d.connect()
	before := w.near.dial(farIPv4, port)
	say(t, helper, "register", fmt.Sprintf(`{"process":%d,"policy":["rar"]}`, os.Getpid()))
	during := w.near.dial(farIPv4, port)
	for name, c := range map[string]struct {
		connection *net.TCPConn
		packets    int
	}{"made before": {before, 1}, "made since": {during, 3}} {
		w.forget()
		if err := exchange(c.connection, []byte("GET /")); err != nil {
			t.Fatal(err)
		}
		if sent := w.segments(isRequest); len(sent) != c.packets {
			t.Errorf("%s: %v", name, sent)
		}
	}

	t.Run("until it goes", func(t *testing.T) {
		helper.Close()
		d.await("it is not registered any more", func() bool { s := d.status(); return len(s.Registered) == 0 && len(s.Cgroups) == 0 })
		w.forget()
		for _, connection := range []*net.TCPConn{during, w.near.dial(farIPv4, port)} {
			if err := exchange(connection, []byte("GET /")); err != nil {
				t.Fatal(err)
			}
		}
		if sent := w.segments(isRequest); len(sent) != 2 {
			t.Errorf("sent %v", sent)
		}
	})
}

func TestAConnectionThatIsThereAlready(t *testing.T) {
	w := newWire(t, false, delay)
	w.far.serve(port, echo)
	d := startDriver(t, w.near, `{}`)
	connection, other := w.near.dial(farIPv4, port), w.near.dial(farIPv4, port)
	say(t, d.connect(), "register", fmt.Sprintf(`{"connection":{"local":"%v","remote":"%v"},"policy":["rar"]}`, connection.LocalAddr(), connection.RemoteAddr()))
	for name, c := range map[string]struct {
		connection *net.TCPConn
		packets    int
	}{"registered": {connection, 3}, "another": {other, 1}} {
		w.forget()
		if err := exchange(c.connection, []byte("GET /")); err != nil {
			t.Fatal(err)
		}
		if sent := w.segments(isRequest); len(sent) != c.packets {
			t.Errorf("%s: %v", name, sent)
		}
	}
}

func TestWhatWasFoundUnregisteredIsLookedAtAgain(t *testing.T) {
	w := newWire(t, false, delay)
	w.far.serve(port, echo)
	d := startDriver(t, w.near, `{}`)
	request := func(connection *net.TCPConn) int {
		t.Helper()
		w.forget()
		if err := exchange(connection, []byte("GET /")); err != nil {
			t.Fatal(err)
		}
		return len(w.segments(isRequest))
	}

	t.Run("when its port is registered", func(t *testing.T) {
		connection := w.near.dial(farIPv4, port)
		if sent := request(connection); sent != 1 {
			t.Fatalf("sent %d before", sent)
		}
		say(t, d.connect(), "register", fmt.Sprintf(`{"remotePorts":[%d],"policy":["rar"]}`, port))
		if sent := request(connection); sent != 3 {
			t.Errorf("sent %d since", sent)
		}
	})

	t.Run("when it connects elsewhere", func(t *testing.T) {
		connection := w.near.dialAgain(farIPv4, port+1, port) // nobody is at the first
		if sent := request(connection); sent != 3 {
			t.Errorf("sent %d", sent)
		}
	})
}
