package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"testing"
)

// openSpool on a host: it relays what is led into it to where it was meant to go, and tells where that was.
func openSpool(t *testing.T, h *host, driver net.Conn) <-chan string {
	t.Helper()
	meant := make(chan string, 10)
	var listener net.Listener
	h.do(func() (err error) {
		listener, err = net.Listen("tcp", "127.0.0.1:0")
		return err
	})
	t.Cleanup(func() { listener.Close() })
	say(t, driver, "spool", fmt.Sprintf(`{"port":%d}`, listener.Addr().(*net.TCPAddr).Port))
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			var to struct {
				Address string
				Port    uint16
			}
			from := connection.RemoteAddr().(*net.TCPAddr).Port
			if err := json.Unmarshal([]byte(say(t, driver, "meant", fmt.Sprintf(`{"port":%d}`, from))), &to); err != nil {
				t.Error(err)
			}
			address := netip.AddrPortFrom(netip.MustParseAddr(to.Address), to.Port)
			meant <- address.String()
			server := h.dial(to.Address, to.Port) // a loop, were it led into the spool itself
			go func() {
				io.Copy(server, connection)
				server.CloseWrite()
			}()
			go func() {
				io.Copy(connection, server)
				connection.Close()
			}()
		}
	}()
	return meant
}

func TestAnApplicationThatIsLedIntoTheSpool(t *testing.T) {
	withCgroup2(t)
	w := newWire(t, false, 0)
	w.far.serve(port, echo)
	d := startDriver(t, w.near, `{}`)
	helper := d.connect()
	app := w.near.startApplication("")
	for _, pid := range []int{app.pid, os.Getpid()} { // the spool's own process, too: it is not led into itself
		say(t, helper, "register", fmt.Sprintf(`{"process":%d,"policy":["spool"]}`, pid))
	}
	for _, address := range []string{farIPv4, farIPv6} {
		to := netip.AddrPortFrom(netip.MustParseAddr(address), port).String()
		if peer, back := app.exchange(to, "before"); peer != to || back != "before" {
			t.Fatalf("without a spool: %s %s", peer, back)
		}
	}
	meant := openSpool(t, w.near, helper)
	// a socket for IPv6 only could not reach a spool on IPv4: what goes to IPv6 goes by itself
	for address, isLed := range map[string]bool{farIPv4: true, farIPv6: false} {
		to := netip.AddrPortFrom(netip.MustParseAddr(address), port).String()
		if peer, back := app.exchange(to, "through"); back != "through" || peer != to {
			t.Errorf("%s answers %q", peer, back)
		}
		var told string
		if len(meant) > 0 {
			told = <-meant
		}
		if (told != "") != isLed || isLed && told != to {
			t.Errorf("meant for %s, the spool is told %q", to, told)
		}
	}

	t.Run("until the helper goes", func(t *testing.T) {
		helper.Close()
		d.await("nothing is registered", func() bool { return d.status().Registrations == 0 })
		to := farIPv4 + ":8080"
		if peer, back := app.exchange(to, "after"); peer != to || back != "after" || len(meant) > 0 {
			t.Errorf("%s answers %q", peer, back)
		}
	})
}

func TestACgroupWithAllBelowIt(t *testing.T) {
	withCgroup2(t)
	w := newWire(t, false, delay)
	w.far.serve(port, echo)
	cgroup := newCgroup(t)
	if err := os.Mkdir(cgroup+"/below", 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(cgroup + "/below") })
	startDriver(t, w.near, fmt.Sprintf(`{"registrations":[{"cgroup":"%s","policy":["rar"]}]}`, cgroup))
	for name, c := range map[string]struct {
		cgroup  string
		packets int
	}{"in it": {cgroup, 3}, "below it": {cgroup + "/below", 3}, "elsewhere": {"", 1}} {
		app := w.near.startApplication(c.cgroup)
		w.forget()
		app.exchange(farIPv4+":8080", "hello")
		if sent := w.segments(isRequest); len(sent) != c.packets {
			t.Errorf("%s: %v", name, sent)
		}
	}
}
