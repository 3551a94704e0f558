package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/attach"
)

// againByTCP connects and tells how much later TCP itself sends a first segment again that is lost with all its copies.
func againByTCP(t *testing.T, w *wire) time.Duration {
	t.Helper()
	var first []byte
	isFirst := func(s segment) bool { return isSyn(s) && bytes.Equal(s.bytes, first) } // TCP's own has another timestamp
	w.forget()
	w.setRule(func(p packet) bool {
		s, is := parseSegment(p, false)
		if is && isSyn(s) && first == nil {
			first = s.bytes
		}
		return is && isFirst(s)
	})
	if err := exchange(w.near.dial(farIPv4, port), []byte("GET /")); err != nil {
		t.Fatal(err)
	}
	w.setRule(func(packet) bool { return false })
	all := w.segments(isSyn)
	byTCP := slices.IndexFunc(all, func(s segment) bool { return !isFirst(s) })
	return all[byTCP].sentAt() - all[0].sentAt()
}

const (
	early      = 700 * time.Millisecond
	kernelsOwn = time.Second            // RFC 6298, section 2.1
	timerSlack = 200 * time.Millisecond // an eighth, by which the kernel's timers are late, and more
)

// registeredProcess is this one, with a driver that knows the round trip.
func registeredProcess(t *testing.T, w *wire) *driver {
	t.Helper()
	withCgroup2(t)
	w.far.serve(port, echo)
	d := startDriver(t, w.near, `{}`)
	say(t, d.connect(), "register", fmt.Sprintf(`{"process":%d,"policy":["rar"]}`, os.Getpid()))
	if err := exchange(w.near.dial(farIPv4, port), []byte("GET /")); err != nil {
		t.Fatal(err)
	}
	d.awaitMessages(firstAndRequest)
	return d
}

// awaitMessages until so many have taught the driver what it knows.
func (d *driver) awaitMessages(count uint64) {
	d.t.Helper()
	d.await("messages are counted", func() bool { return d.status().Counters.RAR.Messages >= count })
}

// A first segment that is lost is sent again by TCP itself after the round trip that the driver knows, not after a second.
func TestTheTimeOutOfAFirstSegment(t *testing.T) {
	w := newWire(t, false, shortWay)
	expectEarlyFirstSegment(t, w, registeredProcess(t, w))
}

func expectEarlyFirstSegment(t *testing.T, w *wire, d *driver) {
	t.Helper()
	if later := againByTCP(t, w); later > early || d.status().Counters.Programs.Retransmitted == 0 {
		t.Errorf("TCP sends it again after %v", later)
	}
}

// One acknowledgement that took 1.6 seconds must not make later connections wait longer than without the driver.
func TestTheTimeOutOfAFirstSegmentIsNeverLongerThanTheKernelsOwn(t *testing.T) {
	w := newWire(t, false, 800*time.Millisecond)
	registeredProcess(t, w)
	if later := againByTCP(t, w); later > kernelsOwn+timerSlack {
		t.Errorf("TCP sends it again after %v", later)
	}
}

func TestWhatIsKnownOfTheTimeOutOfAFirstSegmentHoldsForFiveMinutes(t *testing.T) {
	w := newWire(t, false, shortWay)
	d := registeredProcess(t, w)
	for before, c := range []struct {
		age    time.Duration
		isKept bool
	}{{4 * time.Minute, true}, {6 * time.Minute, false}} { // each exchange makes it new
		d.awaitMessages(uint64(firstAndRequest * (before + 1)))
		d.makeTimeOutsOlder(c.age)
		if later := againByTCP(t, w); (later < early) != c.isKept {
			t.Errorf("known for %v: TCP sends it again after %v", c.age, later)
		}
	}
}

// makeTimeOutsOlder in the map of the driver's programs.
func (d *driver) makeTimeOutsOlder(by time.Duration) {
	d.t.Helper()
	timeOuts := d.mapOf("syn_timeouts")
	defer timeOuts.Close()
	var ends [32]byte
	var timeOut struct{ SetNs, Jiffies uint64 }
	count := 0
	for all := timeOuts.Iterate(); all.Next(&ends, &timeOut); count++ {
		timeOut.SetNs -= uint64(by)
		if err := timeOuts.Put(ends, timeOut); err != nil {
			d.t.Fatal(err)
		}
	}
	if count == 0 {
		d.t.Fatal("none is known: the test shows nothing")
	}
}

// mapOf the driver's process, by its name.
func (d *driver) mapOf(name string) *ebpf.Map {
	d.t.Helper()
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fdinfo/*", d.process.Process.Pid))
	for _, file := range files {
		text, _ := os.ReadFile(file)
		_, after, _ := strings.Cut(string(text), "\nmap_id:\t")
		var id ebpf.MapID
		if _, err := fmt.Sscan(after, &id); err != nil {
			continue
		}
		found, err := ebpf.NewMapFromID(id)
		if err != nil {
			d.t.Fatal(err)
		}
		if info, err := found.Info(); err == nil && info.Name == name {
			return found
		}
		found.Close()
	}
	d.t.Fatalf("the driver has no map %s", name)
	return nil
}

func TestInAnotherNetworkTheTimeOutOfAFirstSegmentIsTheKernelsOwn(t *testing.T) {
	w := newWire(t, false, shortWay)
	registeredProcess(t, w)
	w.near.changeAddress("10.77.0.9/24")
	if later := againByTCP(t, w); later < kernelsOwn-timerSlack {
		t.Errorf("TCP sends it again after %v", later)
	}
}

// TCP counts first segments, each of which waits twice as long: with a shorter time-out it would give up a server sooner that is out of reach for a while.
func TestAConnectionThatIsNotAnsweredIsGivenUpNoSooner(t *testing.T) {
	const retries, ownPatience = 1, 3 * kernelsOwn // 1 s and 2 s
	w := newWire(t, false, shortWay)
	registeredProcess(t, w)
	w.near.do(func() error {
		const linear = "/proc/sys/net/ipv4/tcp_syn_linear_timeouts" // kernel 6.5
		err := os.WriteFile("/proc/sys/net/ipv4/tcp_syn_retries", []byte(strconv.Itoa(retries)), 0)
		if _, missing := os.Stat(linear); missing == nil {
			err = errors.Join(err, os.WriteFile(linear, []byte("0"), 0))
		}
		return err
	})
	w.forget()
	w.setRule(func(packet) bool { return true })
	var took time.Duration
	w.near.do(func() error {
		began := time.Now()
		if _, err := net.Dial("tcp", net.JoinHostPort(farIPv4, strconv.Itoa(port))); !errors.Is(err, unix.ETIMEDOUT) {
			return fmt.Errorf("connected, or %w", err)
		}
		took = time.Since(began)
		return nil
	})
	sent := w.segments(isSyn)
	if !slices.ContainsFunc(sent, func(s segment) bool { later := s.sentAt() - sent[0].sentAt(); return later > 0 && later < early }) {
		t.Errorf("sent %v: the test shows nothing", sent)
	}
	if took < ownPatience-timerSlack {
		t.Errorf("given up after %v", took)
	}
}

// Programs for sockets are run one after the other, and their answers are one.
func TestTheTimeOutOfAFirstSegmentIsWhatAnotherProgramSaysWhereTheDriverKnowsNone(t *testing.T) {
	withCgroup2(t)
	w := newWire(t, false, shortWay)
	w.far.serve(port, echo)
	own, err := attach.CgroupOf(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	saying := timeOutProgram(t, early/2)
	on, err := link.AttachCgroup(link.CgroupOptions{Path: own.Path, Attach: ebpf.AttachCGroupSockOps, Program: saying})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { on.Close() })
	say(t, startDriver(t, w.near, `{}`).connect(), "register", fmt.Sprintf(`{"process":%d,"policy":["rar"]}`, os.Getpid()))
	if later := againByTCP(t, w); later > early {
		t.Errorf("TCP sends it again after %v", later)
	}
}

// timeOutProgram says how long a first segment waits.
func timeOutProgram(t *testing.T, timeOut time.Duration) *ebpf.Program {
	t.Helper()
	const timeOutInit, replyOffset = 1, 4 // BPF_SOCK_OPS_TIMEOUT_INIT and reply in struct bpf_sock_ops
	var tick unix.Timespec
	if err := unix.ClockGetres(unix.CLOCK_MONOTONIC_COARSE, &tick); err != nil {
		t.Fatal(err)
	}
	program, err := ebpf.NewProgram(&ebpf.ProgramSpec{Type: ebpf.SockOps, License: "MIT", Instructions: asm.Instructions{
		asm.LoadMem(asm.R2, asm.R1, 0, asm.Word),
		asm.JNE.Imm(asm.R2, timeOutInit, "end"),
		asm.Mov.Imm(asm.R2, int32(timeOut.Nanoseconds()/tick.Nano())),
		asm.StoreMem(asm.R1, replyOffset, asm.R2, asm.Word),
		asm.Mov.Imm(asm.R0, 1).WithSymbol("end"),
		asm.Return(),
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	return program
}

func TestTimeOutsStayLinearWhileLittleIsOnTheWay(t *testing.T) {
	withCgroup2(t)
	w, d := wireWithDriver(t, false, 0, `{}`)
	before := w.near.dial(farIPv4, port)
	helper := d.connect()
	say(t, helper, "register", fmt.Sprintf(`{"process":%d,"policy":["rar"]}`, os.Getpid()))
	registered := w.near.dial(farIPv4, port)
	for connection, wanted := range map[*net.TCPConn]int{before: 0, registered: 1} {
		var got int
		err := onSocket(connection, func(fd int) (err error) {
			got, err = unix.GetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_THIN_LINEAR_TIMEOUTS)
			return err
		})
		if err != nil || got != wanted {
			t.Errorf("%d (%v), expected %d", got, err, wanted)
		}
	}
}
