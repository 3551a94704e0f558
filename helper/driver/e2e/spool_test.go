package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/vishvananda/netlink"
)

// spool on a host: it relays what is led into it to where it was meant to go.
type spool struct {
	t      *testing.T
	host   *host
	driver net.Conn
	meant  chan string // where that was, of each connection
	taken  chan struct{}
	asking sync.Mutex // held, nobody asks the driver
}

// openSpool on 127.0.0.1 and, unless it is for IPv4 only, on ::1.
func openSpool(t *testing.T, h *host, driver net.Conn, isIPv4Only bool) *spool {
	t.Helper()
	s := &spool{t: t, host: h, driver: driver, meant: make(chan string, 10), taken: make(chan struct{}, 10)}
	payload := fmt.Sprintf(`{"port":%d`, s.listen("127.0.0.1:0"))
	if !isIPv4Only {
		payload += fmt.Sprintf(`,"port6":%d`, s.listen("[::1]:0"))
	}
	say(t, driver, "spool", payload+"}")
	return s
}

func (s *spool) listen(on string) (port int) {
	var listener net.Listener
	s.host.do(func() (err error) {
		listener, err = net.Listen("tcp", on)
		return err
	})
	s.t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			s.taken <- struct{}{}
			go s.relay(connection)
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port
}

func (s *spool) relay(connection net.Conn) {
	defer connection.Close()
	from := connection.RemoteAddr().(*net.TCPAddr)
	var to struct {
		Address string
		Port    uint16
	}
	s.asking.Lock()
	answer := say(s.t, s.driver, "meant", fmt.Sprintf(`{"address":"%s","port":%d}`, from.IP, from.Port))
	s.asking.Unlock()
	if err := json.Unmarshal([]byte(answer), &to); err != nil {
		s.t.Error(err)
	}
	s.meant <- net.JoinHostPort(to.Address, fmt.Sprint(to.Port))
	server := s.host.dial(to.Address, to.Port) // a loop, were it led into the spool itself
	go func() {
		io.Copy(server, connection)
		server.CloseWrite()
	}()
	io.Copy(connection, server)
}

// told is what the spool was told of the connection that has ended; "": it was not led here.
func (s *spool) told() string {
	if len(s.meant) == 0 {
		return ""
	}
	<-s.taken
	return <-s.meant
}

func TestAnApplicationThatIsLedIntoTheSpool(t *testing.T) {
	withCgroup2(t)
	w := newWire(t, false, 0)
	w.far.serve(port, echo)
	for host, local := range map[*host]string{w.near: "fe80::77:1/64", w.far: "fe80::77:2/64"} {
		host.do(func() error {
			device, err := netlink.LinkByName(deviceName)
			if err != nil {
				return err
			}
			return address(device, netip.MustParsePrefix(local))
		})
	}
	d := startDriver(t, w.near, `{}`)
	helper := d.connect()
	app, other := w.near.startApplication(""), w.near.startApplication("")
	for _, pid := range []int{app.pid, other.pid, os.Getpid()} { // the spool's own process, too: it is not led into itself
		say(t, helper, "register", fmt.Sprintf(`{"process":%d,"policy":["spool"]}`, pid))
	}
	const toIPv4, toIPv6 = farIPv4 + ":8080", "[" + farIPv6 + "]:8080"
	for _, to := range []string{toIPv4, toIPv6} {
		if peer, back := app.exchange(to, "before"); peer != to || back != "before" {
			t.Fatalf("without a spool: %s %s", peer, back)
		}
	}
	led := func(s *spool, o order, isLed bool) {
		t.Helper()
		if peer, back := app.carryOut(o); back != "through" || peer != o.To {
			t.Errorf("%+v: %s answers %q", o, peer, back)
		}
		if told := s.told(); (told != "") != isLed || isLed && told != o.To {
			t.Errorf("%+v: the spool is told %q", o, told)
		}
	}

	t.Run("that listens on IPv4 only", func(t *testing.T) {
		another := d.connect()
		s := openSpool(t, w.near, another, true)
		led(s, order{To: toIPv4, Message: "through"}, true)
		led(s, order{To: toIPv6, Message: "through"}, false)
		say(t, another, "register", `{"localPorts":[1],"policy":["rar"]}`)
		another.Close()
		d.await("the spool is closed, and after it the port", func() bool { return d.status().Registered["local port"] == 0 })
	})

	s := openSpool(t, w.near, helper, false)
	for name, c := range map[string]struct {
		order
		isLed bool
	}{
		"IPv4":           {order{To: toIPv4}, true},
		"IPv6":           {order{To: toIPv6}, true},
		"IPv4, mapped":   {order{To: toIPv4, Mapped: true}, true},
		"link-local":     {order{To: "[fe80::77:2%" + deviceName + "]:8080"}, false},
		"bound, to IPv4": {order{To: toIPv4, Device: deviceName}, false},
		"bound, to IPv6": {order{To: toIPv6, Device: deviceName}, false},
		// as programs do that choose a VPN, or go past it
		"from an address, to IPv4": {order{To: toIPv4, From: nearIPv4}, false},
		"from an address, to IPv6": {order{To: toIPv6, From: nearIPv6}, false},
		"with a mark":              {order{To: toIPv4, Mark: 51820}, false},
		// what it says is not for who has started it
		"with another user's rights": {order{To: toIPv4, As: 65534}, false},
	} {
		t.Run(name, func(t *testing.T) {
			c.Message = "through"
			led(s, c.order, c.isLed)
		})
	}

	t.Run("in another network namespace, whose loopback is another", func(t *testing.T) {
		w.near.serve(9090, echo)
		elsewhere := w.far.startApplication("")
		say(t, helper, "register", fmt.Sprintf(`{"process":%d,"policy":["spool"]}`, elsewhere.pid))
		const to = nearIPv4 + ":9090"
		if peer, back := elsewhere.exchange(to, "through"); back != "through" || peer != to || s.told() != "" {
			t.Errorf("%s answers %q", peer, back)
		}
	})

	t.Run("on this host", func(t *testing.T) {
		w.near.serve(port, echo)
		for _, to := range []string{"127.0.0.1:8080", "[::1]:8080"} {
			led(s, order{To: to, Message: "through"}, false)
		}
	})

	t.Run("over IPv4 and IPv6 from ports of the same number", func(t *testing.T) {
		const from = 4321
		s.asking.Lock()
		var done sync.WaitGroup
		for to, by := range map[string]*running{toIPv4: app, toIPv6: other} {
			done.Go(func() {
				if peer, back := by.carryOut(order{To: to, Port: from, Message: "through"}); back != "through" || peer != to {
					t.Errorf("%s: %s answers %q", to, peer, back)
				}
			})
		}
		for range 2 {
			<-s.taken
		}
		s.asking.Unlock()
		done.Wait()
		if told := []string{<-s.meant, <-s.meant}; !slices.Contains(told, toIPv4) || !slices.Contains(told, toIPv6) {
			t.Errorf("the spool is told %v", told)
		}
	})

	t.Run("until the helper goes", func(t *testing.T) {
		helper.Close()
		d.await("nothing is registered", func() bool { return len(d.status().Registered) == 0 })
		for _, to := range []string{toIPv4, toIPv6} {
			led(s, order{To: to, Message: "through"}, false)
		}
	})
}

// The programs are on the helper's cgroup for its own process, and on one below it for the application.
func TestTheSpoolOfACgroupBelowThatOfTheHelper(t *testing.T) {
	withCgroup2(t)
	w := newWire(t, false, 0)
	w.far.serve(port, echo)
	cgroup := newCgroup(t)
	d := startDriver(t, w.near, fmt.Sprintf(`{"registrations":[{"cgroup":"%s","policy":["spool"]}]}`, cgroup))
	helper := d.connect()
	say(t, helper, "register", fmt.Sprintf(`{"process":%d,"policy":["rar"]}`, os.Getpid()))
	s := openSpool(t, w.near, helper, false)
	app := w.near.startApplication(cgroup)
	for _, to := range []string{farIPv4 + ":8080", "[" + farIPv6 + "]:8080"} {
		if peer, back := app.exchange(to, "through"); back != "through" || peer != to || s.told() != to {
			t.Errorf("%s answers %q", peer, back)
		}
	}
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
	d := startDriver(t, w.near, fmt.Sprintf(`{"registrations":[{"cgroup":"%s","policy":["rar"]}]}`, cgroup))
	w.near.startApplication("").exchange(farIPv4+":8080", "elsewhere")
	for count, in := range []string{cgroup, cgroup + "/below"} {
		w.near.startApplication(in).exchange(farIPv4+":8080", "hello")
		d.await("messages from "+in, func() bool { return d.status().Counters.RAR.Protected == uint64(firstAndRequest*(count+1)) })
	}
}
