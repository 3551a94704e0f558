//go:build systemd

package wireless

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/wifi"
)

const (
	near, far = "wlan0", "wlan1"
	// radios are the hardware addresses that hwsim gives to its first two.
	radioNear, radioFar = "\x42\x00\x00\x00\x00\x00", "\x42\x00\x00\x00\x01\x00"

	port          = 4000
	datagrams     = 150
	datagramBytes = 1000
	settling      = 30
	pace          = 2 * time.Millisecond
	// behind by so much, a receiver that puts frames in order takes more of those that follow for old than the test sends (over half of 4,096 numbers).
	behind = 2400
	// reorderPatience is how long mac80211's receivers wait for a frame that is missing (HT_RX_REORDER_BUF_TIMEOUT).
	reorderPatience = 100 * time.Millisecond
	arrivalPatience = 10 * time.Second

	unmarked, video = 0, 5
	classVideo      = video << 5 // the DSCP that Linux sends with that traffic identifier, as a byte of the header

	program = "firstscreen-driverd" // as the package installs it
	unit    = "firstscreen-driver.service"
	timer   = "firstscreen-driver-wifi-restore.timer"
	restore = "firstscreen-driver-wifi-restore.service"
)

// link is two stations and what is between them.
type link struct {
	t         *testing.T
	medium    *medium
	near, far *station
	listening net.PacketConn

	mutex    sync.Mutex
	arrivals []time.Duration // how long each datagram took
}

func newLink(t *testing.T) *link {
	t.Helper()
	m, err := newMedium([2]string{radioNear, radioFar})
	if err != nil {
		t.Fatal(err)
	}
	l := &link{t: t, medium: m, near: newStation(t, near, "10.11.0.1", 0), far: newStation(t, far, "10.11.0.2", unix.CLONE_NEWNET)}
	l.near.begin()
	l.far.begin()
	l.awaitPeers()
	l.far.do(func() (err error) {
		l.listening, err = net.ListenPacket("udp4", fmt.Sprintf(":%d", port))
		return err
	})
	t.Cleanup(func() { l.listening.Close() })
	go l.receive()
	return l
}

func (l *link) awaitPeers() {
	l.t.Helper()
	await(l.t, "the stations know each other", func() bool { return len(l.near.peers()) == 1 && len(l.far.peers()) == 1 })
}

// rejoin as after a suspend or out of reach: a new association.
func (l *link) rejoin() {
	l.t.Helper()
	l.near.leave()
	l.far.leave()
	await(l.t, "the stations have forgotten each other", func() bool { return len(l.near.peers())+len(l.far.peers()) == 0 })
	l.medium.forget()
	l.near.join()
	l.far.join()
	l.awaitPeers()
}

func (l *link) receive() {
	buffer := make([]byte, datagramBytes)
	for {
		if _, _, err := l.listening.ReadFrom(buffer); err != nil {
			return
		}
		sent := time.Unix(0, int64(binary.BigEndian.Uint64(buffer)))
		l.mutex.Lock()
		l.arrivals = append(l.arrivals, time.Since(sent))
		l.mutex.Unlock()
	}
}

// sent is what became of datagrams.
type sent struct {
	air     counts
	arrived int
	slowest time.Duration
}

// send a number of datagrams of a class from near to far.
func (l *link) send(number, class, identifier int) (s sent) {
	l.t.Helper()
	connection, err := net.Dial("udp4", netip.AddrPortFrom(l.far.address, port).String())
	if err != nil {
		l.t.Fatal(err)
	}
	defer connection.Close()
	raw, _ := connection.(*net.UDPConn).SyscallConn()
	raw.Control(func(descriptor uintptr) {
		err = unix.SetsockoptInt(int(descriptor), unix.IPPROTO_IP, unix.IP_TOS, class)
	})
	if err != nil {
		l.t.Fatal(err)
	}
	l.medium.take(identifier)
	l.take()
	for range number {
		payload := make([]byte, datagramBytes)
		binary.BigEndian.PutUint64(payload, uint64(time.Now().UnixNano()))
		if _, err := connection.Write(payload); err != nil {
			l.t.Fatal(err)
		}
		time.Sleep(pace)
	}
	l.awaitArrivals(number, identifier)
	s.air = l.medium.take(identifier)
	arrivals := l.take()
	s.arrived = len(arrivals)
	for _, one := range arrivals {
		s.slowest = max(s.slowest, one)
	}
	l.t.Logf("TID %d: %+v", identifier, s)
	return s
}

// awaitArrivals until so many frames were on the air and all that were received have come up. Frames wait in the kernel while stations get to know each
// other; what mac80211 loses meanwhile, or drops above the air, is waited for in vain.
func (l *link) awaitArrivals(number, identifier int) {
	for deadline := time.Now().Add(arrivalPatience); time.Now().Before(deadline); time.Sleep(reorderPatience) {
		if air := l.medium.seen(identifier); air.Frames >= number && l.arrived() >= air.Received {
			return
		}
	}
}

func (l *link) arrived() int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return len(l.arrivals)
}

func (l *link) take() []time.Duration {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	taken := l.arrivals
	l.arrivals = nil
	return taken
}

// settle until the stations have agreed how to acknowledge: what is sent in the meantime mac80211 may lose, or mark wrongly.
func (l *link) settle(class, identifier int) {
	l.t.Helper()
	l.send(settling, class, identifier)
	await(l.t, fmt.Sprintf("block acknowledgement for TID %d, and so reordering", identifier), func() bool { return l.medium.hasAgreed(identifier) })
}

// expectAcknowledged: each frame is sent until it has arrived, and above nothing is lost.
func (l *link) expectAcknowledged(class, identifier int) {
	l.t.Helper()
	l.settle(class, identifier)
	s := l.send(datagrams, class, identifier)
	if s.air.WithoutAck != 0 || s.air.PolicyNoAck != 0 {
		l.t.Errorf("frames without acknowledgement: %+v", s)
	}
	if s.air.Frames != datagrams || s.air.Attempts <= s.air.Frames || s.arrived != datagrams {
		l.t.Errorf("lost frames were not sent again: %+v", s)
	}
}

// expectNotAcknowledged: each frame is sent once, and what is lost on the air is lost above; nothing waits for it.
func (l *link) expectNotAcknowledged() {
	l.t.Helper()
	l.settle(0, unmarked)
	s := l.send(datagrams, 0, unmarked)
	if s.air.WithoutAck != datagrams || s.air.PolicyNoAck != datagrams {
		l.t.Errorf("frames with acknowledgement: %+v", s)
	}
	if lost := datagrams / losesEvery; s.air.Frames != datagrams || s.air.Attempts != datagrams || s.arrived != datagrams-lost {
		l.t.Errorf("not %d lost of %d, each sent once: %+v", lost, datagrams, s)
	}
	if s.slowest >= reorderPatience {
		l.t.Errorf("what came behind a lost frame waited for it: %+v", s)
	}
}

// holder is a running `firstscreen-driverd wifi on`.
type holder struct {
	process *exec.Cmd
	said    *bytes.Buffer
	ended   chan error
}

func turnOn(t *testing.T, on *station) *holder {
	t.Helper()
	h := &holder{exec.Command(program, "wifi", "on", on.name), &bytes.Buffer{}, make(chan error, 1)}
	h.process.Stdout, h.process.Stderr = h.said, h.said
	on.do(h.process.Start)
	t.Cleanup(func() { h.process.Process.Kill() })
	go func() { h.ended <- h.process.Wait() }()
	await(t, "wifi on holds "+on.name, func() bool {
		states := states(t)
		return len(states) == 1 && states[0].Holder == h.process.Process.Pid
	})
	return h
}

func states(t *testing.T) []wifi.State {
	t.Helper()
	found, err := wifi.New(wifi.DefaultDirectory).States()
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func (h *holder) kill() {
	h.process.Process.Kill()
	<-h.ended
}

func run(t *testing.T, name string, arguments ...string) string {
	t.Helper()
	output, err := exec.Command(name, arguments...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, arguments, err, output)
	}
	return string(output)
}

// What the driver's package does to a wireless interface on request, and that nothing of it is left, whatever ends it.
func TestWithoutAcknowledgement(t *testing.T) {
	if _, err := exec.LookPath(program); err != nil { // another test may have installed it
		run(t, "dpkg", "--install", "/driver.deb")
	}
	run(t, "systemctl", "stop", unit)
	l := newLink(t)
	l.expectAcknowledged(0, unmarked)

	h := turnOn(t, l.near)
	l.expectNotAcknowledged()
	l.expectAcknowledged(classVideo, video)
	t.Run("status", func(t *testing.T) { expectStatus(t, h) })
	t.Run("refusals", expectRefusals)

	l.rejoin()
	l.expectNotAcknowledged()

	if said := run(t, program, "wifi", "off", near); !strings.Contains(said, near+": without acknowledgement as before: none") {
		t.Errorf("off says:\n%s", said)
	}
	if err := <-h.ended; err != nil {
		t.Errorf("%v\n%s", err, h.said)
	}
	l.expectAcknowledged(0, unmarked)

	killed := turnOn(t, l.near)
	run(t, "systemctl", "stop", timer)
	run(t, "systemctl", "start", restore) // it may have just begun: this waits for its end, where a stop would be in the journal
	killed.kill()
	l.expectNotAcknowledged()
	run(t, "systemctl", "start", unit)
	await(t, "the driver's start has put back what was before", func() bool { return len(states(t)) == 0 })
	l.expectAcknowledged(0, unmarked)

	killed = turnOn(t, l.near)
	l.send(behind, 0, unmarked)
	killed.kill()
	await(t, "the timer has put back what was before", func() bool { return len(states(t)) == 0 })
	l.expectAcknowledged(0, unmarked)
	if said := run(t, "journalctl", "--no-pager", "--output", "cat", "--unit", restore); !isOnlyOf(said, near+": ") {
		t.Errorf("of what is put back the journal has:\n%s", said)
	}

	t.Run("a download that is repaired", func(t *testing.T) { expectRepaired(t, l) })
}

// isOnlyOf lines that begin so, and some.
func isOnlyOf(text, begin string) bool {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, begin) {
			return false
		}
	}
	return text != ""
}

func expectStatus(t *testing.T, h *holder) {
	if said := run(t, program, "wifi", "restore"); said != "" {
		t.Errorf("what is held was put back:\n%s", said)
	}
	said := run(t, program, "wifi", "status")
	for _, part := range []string{"without acknowledgement: 0; before: none; held by process " + fmt.Sprint(h.process.Process.Pid), "to 02:00:00:00:01:00: "} {
		if !strings.Contains(said, part) {
			t.Errorf("%q is not in\n%s", part, said)
		}
	}
}

func expectRefusals(t *testing.T) {
	const nobody = 65534
	for _, one := range []struct {
		user      uint32
		arguments []string
		code      string
	}{
		{0, []string{"on", "wlan9"}, fault.Gone},
		{0, []string{"on", "lo"}, fault.Unsupported},
		{0, []string{"on", near}, fault.Running},
		{0, []string{"on", near, "--tids", "0,6"}, fault.Option},
		{nobody, []string{"on", near}, fault.Denied},
		{nobody, []string{"off"}, fault.Denied},
	} {
		command := exec.Command(program, append([]string{"wifi"}, one.arguments...)...)
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: one.user, Gid: one.user}}
		output, err := command.CombinedOutput()
		if err == nil || !strings.HasPrefix(string(output), one.code+": ") || !strings.Contains(string(output), "\n  next: ") {
			t.Errorf("%v as user %d: %v\n%s", one.arguments, one.user, err, output)
		}
	}
}
