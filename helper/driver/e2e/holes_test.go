package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"firstscreen/driver/e2e/repair"
	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/fwp"
)

// download is a body that a server sends on a connection whose holes are filled.
type download struct {
	t          *testing.T
	driver     net.Conn
	flow       *repair.Flow
	connection *net.TCPConn
	body       []byte
	got        []byte
	holes      []bool // by byte of the body: told
	late       []bool
}

const congestion = "cubic" // of servers: they slow down when they hear of a loss

// serveBody to whoever asks with a byte.
func (h *host) serveBody(port uint16, body []byte) {
	h.serve(port, func(connection *net.TCPConn) {
		setCongestionControl(connection, congestion)
		if _, err := connection.Read(make([]byte, 1)); err == nil {
			connection.Write(body)
			io.Copy(io.Discard, connection)
		}
	})
}

func (d *driver) download(near *host, address string, port uint16, body []byte) *download {
	d.t.Helper()
	l := &download{t: d.t, driver: d.connect(), body: body, connection: near.dial(address, port), holes: make([]bool, len(body)), late: make([]bool, len(body))}
	l.connection.SetDeadline(time.Now().Add(3 * patience))
	var err error
	if l.flow, err = repair.Begin(l.driver, l.connection, uint64(len(body))); err != nil {
		d.t.Fatal(err)
	}
	return l
}

func (l *download) begin() {
	l.t.Helper()
	if _, err := l.connection.Write([]byte{'.'}); err != nil {
		l.t.Fatal(err)
	}
}

// receive some of the body.
func (l *download) receive() {
	l.t.Helper()
	block := make([]byte, 64<<10)
	n, err := l.connection.Read(block)
	l.got = append(l.got, block[:n]...)
	if err != nil {
		l.t.Fatalf("after %d of %d bytes: %v", len(l.got), len(l.body), err)
	}
}

// read up to an offset, or somewhat further, and ask for the holes of what was read each time.
func (l *download) read(end int) {
	l.t.Helper()
	for len(l.got) < end {
		l.receive()
		if err := l.flow.Until(uint64(len(l.got)), l.note); err != nil {
			l.t.Fatal(err)
		}
	}
}

// note what an answer says.
func (l *download) note(told fwp.Told) {
	l.t.Helper()
	if told.Reason != nil && *told.Reason == fwp.Closed {
		l.t.Fatal("it is said to be closed, while it is read")
	}
	for _, hole := range told.Holes {
		for at := hole[0]; at < hole[0]+hole[1]; at++ {
			if l.holes[at] || at < l.flow.From {
				l.t.Fatalf("byte %d was told twice, or before %d", at, l.flow.From)
			}
			l.holes[at] = true
		}
	}
	for _, late := range told.Late {
		for i, value := range late.Data {
			at := late.Offset + uint64(i)
			if l.late[at] || !l.holes[at] || value != l.body[at] {
				l.t.Fatalf("late byte %d: a hole %v, told before %v, %x instead of %x", at, l.holes[at], l.late[at], value, l.body[at])
			}
			l.late[at] = true
		}
	}
}

func count(all []bool) (is int) {
	for _, one := range all {
		if one {
			is++
		}
	}
	return is
}

// expectExact: all bytes that were not told to be holes are the server's; what was, is zeros, or the server's too, where TCP had them.
func (l *download) expectExact() {
	l.t.Helper()
	for at := range l.body {
		if l.got[at] != l.body[at] && (!l.holes[at] || l.got[at] != 0) {
			l.t.Fatalf("byte %d is %x instead of %x; told to be a hole: %v", at, l.got[at], l.body[at], l.holes[at])
		}
	}
}

// loses some of the segments with payload that come from the far end, also the second one: no queue is taken for congestion so early.
func loses(w *wire, share float64, seed uint64) func(p packet) bool {
	random, came := rand.New(rand.NewPCG(seed, seed)), 0
	return func(p packet) bool {
		s, is := parseSegment(p, w.near.isTAP)
		if !is || p.up || len(s.payload) == 0 {
			return false
		}
		came++
		return random.Float64() < share || came == 2
	}
}

// repeatAnswer to a first segment, the last one, as one comes that answers a copy of it: by then the connection may be repaired.
func (w *wire) repeatAnswer() {
	w.near.t.Helper()
	answers := w.segments(func(s segment) bool { return !s.up && s.flags&(syn|ack) == syn|ack })
	if _, err := w.near.device.Write(answers[len(answers)-1].bytes); err != nil {
		w.near.t.Fatal(err)
	}
}

// expectHoles in a download that loses segments, and all of them told.
func (d *driver) expectHoles(w *wire, address string, port uint16, body []byte) *download {
	d.t.Helper()
	l := d.download(w.near, address, port, body)
	w.repeatAnswer()
	w.setRule(loses(w, 0.02, 1))
	l.begin()
	l.read(len(body))
	l.expectExact()
	if count(l.holes) == 0 {
		d.t.Errorf("no holes; counted %+v", d.status().Counters.FWP)
	}
	return l
}

const (
	shortWay = 5 * time.Millisecond
	lease    = 3 * time.Second // how long holes are filled without a word of the driver's (LEASE_MS in bpf/fwp.h)
)

func TestADownloadWithHoles(t *testing.T) {
	body, _ := randomBytes(1<<20, 21)
	forEachDevice(t, func(t *testing.T, isTAP bool, address string) {
		w := newWire(t, isTAP, shortWay)
		w.far.serveBody(port, body)
		d := startDriver(t, w.near, `{}`)
		l := d.expectHoles(w, address, port, body)
		if counted := d.status().Counters.FWP; counted.HoleBytes != uint64(count(l.holes)) || counted.Flows != 1 {
			t.Errorf("%d bytes are holes; counted %+v", count(l.holes), counted)
		}
		if err := l.flow.End(); err != nil {
			t.Error(err)
		}
		if status := d.status(); status.Counters.FWP.Flows != 0 || len(status.Incoming) != 0 {
			t.Errorf("then %+v, %+v", status.Counters.FWP, status.Incoming)
		}
	})
}

// Its reader gets bytes of several paths, or their order, that TCP's offsets on one of them do not name: a hole would be mended in the wrong place.
func TestAConnectionOfMPTCPIsNotRepaired(t *testing.T) {
	w := newWire(t, false, shortWay)
	d := startDriver(t, w.near, `{}`)
	w.far.do(func() error {
		var config net.ListenConfig
		config.SetMultipathTCP(true)
		listener, err := config.Listen(context.Background(), "tcp", net.JoinHostPort(farIPv4, strconv.Itoa(port)))
		if err == nil {
			t.Cleanup(func() { listener.Close() })
		}
		return err
	})
	var connection net.Conn
	w.near.do(func() (err error) {
		var dialer net.Dialer
		dialer.SetMultipathTCP(true)
		connection, err = dialer.Dial("tcp", net.JoinHostPort(farIPv4, strconv.Itoa(port)))
		return err
	})
	t.Cleanup(func() { connection.Close() })
	if is, err := connection.(*net.TCPConn).MultipathTCP(); !is || err != nil {
		t.Skip("needs a kernel with MPTCP: ", err)
	}
	if _, err := repair.Begin(d.connect(), connection, 5); err == nil || !strings.Contains(err.Error(), fault.Unsupported) || !strings.Contains(err.Error(), "MPTCP") {
		t.Errorf("answered %v", err)
	}
}

func TestADownloadWhoseSegmentsComeInAnotherOrder(t *testing.T) {
	w := newWire(t, false, shortWay)
	body, _ := randomBytes(1<<20, 22)
	w.far.serveBody(port, body)
	d := startDriver(t, w.near, `{}`)
	l := d.download(w.near, farIPv4, port, body)
	isOvertaken := loses(w, 0.02, 3)
	var last []byte
	var others sync.WaitGroup
	w.setRule(func(p packet) bool {
		switch {
		case !isOvertaken(p):
			return false
		case last == nil:
			last = p.bytes
		default:
			others.Add(1)
			time.AfterFunc(shortWay+2*time.Millisecond, func() {
				defer others.Done()
				w.near.device.Write(p.bytes)
			})
		}
		return true
	})
	l.begin()
	l.read(len(body))
	w.setRule(func(packet) bool { return false })
	w.near.device.Write(last)
	others.Wait()
	d.await("all originals are told", func() bool {
		told, err := l.flow.Holes(uint64(len(l.got)))
		if err != nil {
			t.Fatal(err)
		}
		l.note(told)
		return count(l.late) == count(l.holes)
	})
	l.expectExact()
	if count(l.holes) == 0 {
		t.Error("no holes")
	}
}

// What a killed driver leaves is TCP's: nothing is filled from then on, and nothing is missing.
func TestADriverThatIsKilledInADownload(t *testing.T) {
	w := newWire(t, false, shortWay)
	body, _ := randomBytes(1<<20, 23)
	w.far.serveBody(port, body)
	d := startDriver(t, w.near, `{}`)
	l := d.download(w.near, farIPv4, port, body)
	w.setRule(loses(w, 0.01, 2))
	l.begin()
	l.got = make([]byte, len(body))
	if _, err := io.ReadFull(l.connection, l.got[:len(body)/2]); err != nil {
		t.Fatal(err)
	}
	d.end(syscall.SIGKILL)
	startDriver(t, w.near, `{}`) // takes off what the other has left, before kernel 6.6
	time.Sleep(4 * shortWay)     // what was on the way to the socket
	before, err := unread(l.connection)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(l.connection, l.got[len(body)/2:]); err != nil {
		t.Fatal(err)
	}
	if after := len(body)/2 + before; !bytes.Equal(l.got[after:], body[after:]) {
		t.Error("what came after the driver is not what was sent")
	}
}

// As where the machine was suspended: who fills and who reads stand still, and the server goes on until the window is full.
func TestADriverThatStandsStillInADownload(t *testing.T) {
	w := newWire(t, false, shortWay)
	body, _ := randomBytes(4<<20, 24)
	w.far.serveBody(port, body)
	d := startDriver(t, w.near, `{}`)
	l := d.download(w.near, farIPv4, port, body)
	l.connection.SetReadBuffer(256 << 10) // else all of it fits
	w.setRule(loses(w, 0.02, 4))
	l.begin()
	l.read(len(body) / 8)
	d.process.Process.Signal(syscall.SIGSTOP)
	time.Sleep(lease + 200*time.Millisecond)
	waiting, err := unread(l.connection)
	if err != nil {
		t.Fatal(err)
	}
	filledUntil := len(l.got) + waiting
	if filledUntil > len(body)/2 {
		t.Fatalf("%d bytes wait: the test shows nothing", waiting)
	}
	for len(l.got) < len(body)*3/4 {
		l.receive()
	}
	if !bytes.Equal(l.got[filledUntil:], body[filledUntil:len(l.got)]) {
		t.Error("something was filled while nobody could be told of it")
	}
	d.process.Process.Signal(syscall.SIGCONT)
	l.read(len(body))
	l.expectExact()
	if count(l.holes) == 0 {
		t.Error("no holes")
	}
}

// unread bytes that a socket holds.
func unread(connection *net.TCPConn) (count int, err error) {
	err = onSocket(connection, func(fd int) (err error) {
		count, err = unix.IoctlGetInt(fd, unix.TIOCINQ)
		return err
	})
	return count, err
}

func TestAFlowEndsWithItsConnection(t *testing.T) {
	w := newWire(t, false, 0)
	w.far.serveBody(port, []byte("a body"))
	d := startDriver(t, w.near, `{}`)
	l := d.download(w.near, farIPv4, port, []byte("a body"))
	if status := d.status(); len(status.Incoming) != 1 || status.Incoming[0].Name != deviceName || status.Counters.FWP.Flows != 1 {
		t.Errorf("status %+v", status)
	}
	t.Run("of TCP", func(t *testing.T) {
		l.connection.SetLinger(0)
		l.connection.Close()
		d.await("it is closed", func() bool {
			told, err := l.flow.Holes(1)
			return err == nil && told.Reason != nil && *told.Reason == fwp.Closed
		})
	})
	t.Run("to the driver", func(t *testing.T) {
		l.driver.Close()
		d.await("it is forgotten", func() bool {
			status := d.status()
			return len(status.Incoming) == 0 && status.Counters.FWP.Flows == 0
		})
	})
}

func TestFlowsThatCanNotBeRepaired(t *testing.T) {
	w, d := wireWithDriver(t, false, 0, `{}`)
	connection := w.near.dial(farIPv4, port)
	helper, other := d.connect(), d.connect()
	request := fmt.Sprintf(`{%s,"end":1000}`, repair.Ends(connection))
	refused := func(name string, on net.Conn, kind, payload, code string) {
		t.Helper()
		if answered, answer := ask(t, on, kind, payload); answered != "error" || !bytes.Contains([]byte(answer), []byte(code)) {
			t.Errorf("%s: %s %s", name, answered, answer)
		}
	}
	gone := `{"local":{"address":"10.77.0.1","port":9},"remote":{"address":"10.77.0.2","port":9}`
	refused("one that is not there", helper, "repair", gone+`,"end":5}`, "E_DRIVER_GONE")
	refused("one that is not repaired", helper, "holes", gone+`,"upTo":5}`, "E_DRIVER_GONE")
	say(t, helper, "repair", request)
	refused("one that is repaired already", helper, "repair", request, "E_DRIVER_LIMIT")
	refused("another's", other, "holes", fmt.Sprintf(`{%s,"upTo":5}`, repair.Ends(connection)), "E_DRIVER_GONE")
	say(t, helper, "repaired", "{"+repair.Ends(connection)+"}")
	say(t, other, "repair", request)

	w.near.do(func() error { return os.WriteFile("/proc/sys/net/ipv4/tcp_timestamps", []byte("0"), 0) }) // of the host's own
	bare := w.near.dial(farIPv4, port)
	if err := exchange(bare, []byte("GET /")); err != nil {
		t.Fatal(err)
	}
	refused("one without timestamps", helper, "repair", fmt.Sprintf(`{%s,"end":5}`, repair.Ends(bare)), "E_DRIVER_UNSUPPORTED")
}
