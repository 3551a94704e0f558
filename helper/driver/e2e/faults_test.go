package e2e

import (
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/vishvananda/netlink"

	"firstscreen/driver/internal/attach"
)

// attachedPrograms of the driver on a host's interface, by whatever means.
func attachedPrograms(t *testing.T, h *host) (names []string) {
	t.Helper()
	h.do(func() error {
		device, err := netlink.LinkByName(deviceName)
		if err != nil {
			return err
		}
		for _, parent := range []uint32{netlink.HANDLE_MIN_EGRESS, netlink.HANDLE_MIN_INGRESS} {
			filters, err := netlink.FilterList(device, parent)
			if err != nil {
				continue
			}
			for _, filter := range filters {
				if bpf, is := filter.(*netlink.BpfFilter); is {
					names = append(names, bpf.Name)
				}
			}
		}
		return nil
	})
	return names
}

// As when the terminal goes that it was started in.
func TestADriverWhoseTerminalGoesEndsByItself(t *testing.T) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP) // else a driver of tests that nohup runs would ignore it, as these do
	defer signal.Reset(syscall.SIGHUP)
	d := startDriver(t, newHost(t, "near", false), protecting(port, "rar"))
	d.end(syscall.SIGHUP)
	if status := d.process.ProcessState; !status.Success() {
		t.Error(status)
	}
	if left := attachedPrograms(t, d.host); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestADriverThatIsKilledLeavesTheSystemAsBefore(t *testing.T) {
	w, d := wireWithDriver(t, false, 10*time.Millisecond, protecting(port, "rar"))
	connection := w.near.dial(farIPv4, port)
	body, _ := randomBytes(4<<20, 3)
	done := make(chan error)
	go func() { done <- exchangeBoth(connection, body) }()
	// thin messages beside the bulk, so that it dies in the middle of copies
	other := w.near.dial(farIPv4, port)
	for range 5 {
		if err := exchange(other, []byte("GET /")); err != nil {
			t.Fatal(err)
		}
	}
	other.Write([]byte("GET /last"))
	method := d.status().Interfaces[0].Method
	d.end(syscall.SIGKILL)
	if err := <-done; err != nil {
		t.Errorf("a transfer that the driver left: %v", err)
	}
	back := make([]byte, 9)
	if _, err := io.ReadFull(other, back); err != nil || string(back) != "GET /last" {
		t.Errorf("a message that the driver left: %q, %v", back, err)
	}
	expectUntouched(t, w, w.near.dial(farIPv4, port))
	if method == attach.Clsact { // its programs stay until the next driver comes
		startDriver(t, w.near, `{}`).end(syscall.SIGTERM)
	}
	if left := attachedPrograms(t, w.near); len(left) > 0 {
		t.Errorf("left on the interface: %v", left)
	}
}

func TestADriverThatIsAskedToEndSaysNothingIsWrong(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		w := newWire(t, false, 0)
		d := startDriver(t, w.near, `{}`)
		d.end(signal)
		if status := d.process.ProcessState.ExitCode(); status != 0 {
			t.Errorf("status %d:\n%s", status, d.log)
		}
		if _, err := net.Dial("unix", d.socket); err == nil {
			t.Error("the socket answers")
		}
	}
}

func TestInterfacesThatComeAndGo(t *testing.T) {
	w, d := wireWithDriver(t, true, delay, protecting(port, "rar"))
	pair := &netlink.Veth{LinkAttrs: netlink.LinkAttrs{Name: "later0"}, PeerName: "later1"}
	w.near.do(func() error {
		return errors.Join(netlink.LinkAdd(pair), netlink.LinkSetUp(pair))
	})
	d.await("a new interface is attached to", func() bool { return len(d.status().Interfaces) == 2 })
	w.near.do(func() error { return netlink.LinkDel(pair) })
	d.await("it has gone", func() bool { return len(d.status().Interfaces) == 1 })
	expectRepeated(t, w, w.near.dial(farIPv4, port), []byte("GET /"))
}

func TestAnInterfaceThatGoesInTheMiddleOfCopies(t *testing.T) {
	w, d := wireWithDriver(t, false, delay, protecting(port, "rar"))
	connection := w.near.dial(farIPv4, port)
	w.setRule(func(packet) bool { return true })
	connection.Write([]byte("GET /"))
	w.near.device.Close() // and with it the interface
	d.await("it has gone", func() bool { return len(d.status().Interfaces) == 0 })
	time.Sleep(4 * rtt) // copies are due
	d.awaitMessages(1)
}

// As a modem's or a tunnel's that is connected anew: with its address its connections go on.
func TestAnInterfaceThatComesBackWithAnotherNumber(t *testing.T) {
	w, d := wireWithDriver(t, false, delay, protecting(port, "rar"))
	connection, before := w.near.dial(farIPv4, port), w.near.index
	expectRepeated(t, w, connection, []byte("GET /before"))
	w.near.device.Close()
	d.await("it has gone", func() bool { return len(d.status().Interfaces) == 0 })
	w.near.do(w.near.addDevice)
	w.near.addAddresses(nearIPv4 + "/24")
	go w.carry(w.near, w.far, true)
	d.await("it is back", func() bool { states := d.status().Interfaces; return len(states) == 1 && states[0].Method != "" })
	if w.near.index == before {
		t.Error("it has the number that it had: the test shows nothing")
	}
	expectRepeated(t, w, connection, []byte("GET /after"))
}

// changeAddress of the near end, as in another network.
func (h *host) changeAddress(to string) {
	h.t.Helper()
	h.do(func() error {
		device, err := netlink.LinkByName(deviceName)
		if err != nil {
			return err
		}
		old, err := netlink.ParseAddr(nearIPv4 + "/24")
		if err != nil {
			return err
		}
		return errors.Join(netlink.AddrDel(device, old), address(device, netip.MustParsePrefix(to)))
	})
}

func TestAnAddressThatChanges(t *testing.T) {
	w, _ := wireWithDriver(t, false, delay, protecting(port, "rar"))
	if err := exchange(w.near.dial(farIPv4, port), []byte("GET /")); err != nil {
		t.Fatal(err)
	}
	w.near.changeAddress("10.77.0.9/24")
	expectRepeated(t, w, w.near.dial(farIPv4, port), []byte("GET /"))
}

// Nothing that comes from the network may stop or confuse the driver.
func TestMalformedPackets(t *testing.T) {
	for _, isTAP := range []bool{false, true} {
		w, d := wireWithDriver(t, isTAP, 5*time.Millisecond, protecting(port, "rar"))
		connection := w.near.dial(farIPv4, port)
		if err := exchange(connection, []byte("GET /")); err != nil {
			t.Fatal(err)
		}
		answers := w.segments(func(s segment) bool { return !s.up })
		random := rand.New(rand.NewPCG(4, 4))
		for range 20_000 {
			bytes := append([]byte(nil), answers[random.IntN(len(answers))].bytes...)
			for range 1 + random.IntN(4) {
				bytes[random.IntN(min(len(bytes), 80))] = byte(random.Uint32())
			}
			bytes = bytes[:1+random.IntN(len(bytes))]
			w.near.device.Write(bytes) // what even the interface refuses does not count
		}
		// the connection itself may have been reset by one of them: a new one goes on
		if err := exchange(w.near.dial(farIPv4, port), []byte("GET /again")); err != nil {
			t.Fatal(err)
		}
		d.awaitMessages(1)
	}
}

func TestMoreFlowsThanAreFollowed(t *testing.T) {
	const flows = 5_000 // maxMessages of rar are 4,096
	w := newWire(t, false, 0)
	d := startDriver(t, w.near, protecting(port, "rar"))
	w.near.do(func() error {
		_, network, err := net.ParseCIDR("10.77.0.0/16")
		if err != nil {
			return err
		}
		if err := netlink.RouteAdd(&netlink.Route{LinkIndex: w.near.index, Dst: network}); err != nil {
			return err
		}
		for i := range flows { // nobody answers: each is a flow of its own
			socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_NONBLOCK|syscall.SOCK_CLOEXEC, 0)
			if err != nil {
				return err
			}
			to := [4]byte{10, 77, byte(1 + i>>8), byte(i)}
			if err := syscall.Connect(socket, &syscall.SockaddrInet4{Port: port, Addr: to}); err != syscall.EINPROGRESS {
				return err
			}
			syscall.Close(socket)
		}
		return nil
	})
	d.await("all are counted", func() bool {
		counters := d.status().Counters
		return counters.RAR.Messages+counters.Programs.ThinLost >= flows
	})
	w.far.serve(port, echo)
	if err := exchange(w.near.dial(farIPv4, port), []byte("GET /")); err != nil {
		t.Fatal(err)
	}
}
