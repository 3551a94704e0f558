package e2e

import (
	"fmt"
	"net"
	"strings"
	"syscall"
	"testing"
)

// ports is a payload that registers some, from one on.
func ports(first, count int) string {
	numbers := make([]string, count)
	for i := range numbers {
		numbers[i] = fmt.Sprint(first + i)
	}
	return fmt.Sprintf(`{"remotePorts":[%s],"policy":["rar"]}`, strings.Join(numbers, ","))
}

func TestMorePortsThanTheMapHolds(t *testing.T) {
	w := newWire(t, false, 0)
	d := startDriver(t, w.near, `{}`)
	helper := d.connect()
	const most, each = 1024, 60
	registered := 0
	for registered+each <= most {
		say(t, helper, "register", ports(1+registered, each))
		registered += each
	}
	// some of these find room: they are taken back
	if answered, answer := ask(t, helper, "register", ports(1+registered, each)); answered != "error" || !strings.Contains(answer, "E_DRIVER_LIMIT") {
		t.Errorf("answered %s %s", answered, answer)
	}
	if got := d.status().Registered["remote port"]; got != registered {
		t.Errorf("%d are registered, not %d", got, registered)
	}
	say(t, helper, "register", ports(1+registered, most-registered))
	if answered, answer := ask(t, helper, "register", ports(5000, 1)); answered != "error" || !strings.Contains(answer, "E_DRIVER_LIMIT") {
		t.Errorf("one more than there may be: %s %s", answered, answer)
	}
	helper.Close()
	d.await("all are taken back", func() bool { return len(d.status().Registered) == 0 })
}

// While the driver does not read, what it is shown is lost: to it, and to nobody else.
func TestMoreMessagesThanADriverThatStandsStillIsShown(t *testing.T) {
	w, d := wireWithDriver(t, false, 0, `{"registrations":[{"remotePorts":[53,8080],"policy":["rar"]}]}`)
	connection := w.near.dial(farIPv4, port)
	d.process.Process.Signal(syscall.SIGSTOP)
	var resolver net.Conn
	w.near.do(func() (err error) {
		resolver, err = net.Dial("udp", farIPv4+":53")
		return err
	})
	t.Cleanup(func() { resolver.Close() })
	query := make([]byte, 600)
	for i := range 3000 { // of 1 MiB in all
		query[0], query[1] = byte(i>>8), byte(i)
		resolver.Write(query) // nobody answers
	}
	if err := exchange(connection, []byte("GET /meanwhile")); err != nil {
		t.Error(err)
	}
	d.process.Process.Signal(syscall.SIGCONT)
	if lost := d.status().Counters.Programs.ThinLost; lost == 0 {
		t.Error("nothing was lost: the test shows nothing")
	}
	before := d.status().Counters.RAR.Protected
	d.await("messages are protected again", func() bool { // when the limits allow copies again
		if err := exchange(connection, []byte("GET /")); err != nil {
			t.Fatal(err)
		}
		return d.status().Counters.RAR.Protected > before
	})
}
