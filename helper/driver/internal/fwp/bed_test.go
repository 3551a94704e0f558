package fwp

import (
	"encoding/binary"
	"errors"
	"net"
	"os"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/cilium/ebpf"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/frame"
)

// bed is a connection of TCP over loopback, in a network namespace that only this test's thread is in, and the programs. Packets of its peer's are made here
// and given to the program, not to TCP, whose state stays as it is.
type bed struct {
	testing.TB
	*Programs
	connection Connection
	state      bpfFwpState
	sent       uint32 // sequence number behind what this host has sent
	windowEnd  uint32 // sequence number behind the window that the peer was told
}

const loopback = 1 // index

func newBed(t testing.TB, address string) *bed {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, for a network namespace and programs in the kernel")
	}
	runtime.LockOSThread() // never unlocked: the thread goes with the test, and the namespace with it
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		t.Fatal(err)
	}
	device, err := netlink.LinkByName("lo")
	if err == nil {
		err = netlink.LinkSetUp(device)
	}
	if err != nil {
		t.Fatal(err)
	}
	programs, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(programs.Close)
	b := &bed{TB: t, Programs: programs}
	b.connect(address)
	return b
}

// connect and exchange something, so that TCP has a state.
func (b *bed) connect(address string) {
	b.Helper()
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.ParseIP(address)})
	if err != nil {
		b.Fatal(err)
	}
	defer listener.Close()
	own, err := net.DialTCP("tcp", nil, listener.Addr().(*net.TCPAddr))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { own.Close() })
	peer, err := listener.AcceptTCP()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { peer.Close() })
	for _, pair := range [][2]*net.TCPConn{{own, peer}, {peer, own}} {
		pair[0].Write([]byte("GET /"))
		if n, err := pair[1].Read(make([]byte, 10)); n != 5 {
			b.Fatal(n, err)
		}
	}
	b.connection = Connection{Local: own.LocalAddr().(*net.TCPAddr).AddrPort(), Remote: own.RemoteAddr().(*net.TCPAddr).AddrPort()}
	b.freeze(own)
	isThere := false
	if b.state, isThere = b.stateOf(b.connection); !isThere || b.state.Recent == 0 {
		b.Fatalf("state %+v, %v", b.state, isThere)
	}
}

// freeze a socket to read what TCP tells nobody else (TCP_REPAIR).
func (b *bed) freeze(socket *net.TCPConn) {
	b.Helper()
	raw, err := socket.SyscallConn()
	if err != nil {
		b.Fatal(err)
	}
	const sendQueue = 2
	var window struct{ wl1, wnd, max, receive, receiveFrom uint32 }
	raw.Control(func(fd uintptr) {
		err = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_REPAIR, 1)
		if err == nil {
			err = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_REPAIR_QUEUE, sendQueue)
		}
		if err != nil {
			return
		}
		var next int
		next, err = unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_QUEUE_SEQ)
		b.sent = uint32(next)
		size := uint32(unsafe.Sizeof(window))
		into, its := uintptr(unsafe.Pointer(&window)), uintptr(unsafe.Pointer(&size))
		_, _, failed := unix.Syscall6(unix.SYS_GETSOCKOPT, fd, unix.IPPROTO_TCP, unix.TCP_REPAIR_WINDOW, into, its, 0)
		if err == nil && failed != 0 {
			err = failed
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	b.windowEnd = window.receiveFrom + window.receive
}

// flow as it is registered when all that TCP has was let through.
func (b *bed) flow() bpfFwpFlow {
	entry := bpfFwpFlow{
		Expected: b.state.Received, From: b.state.Received, End: unknown, HolesFrom: unknown, Number: 7, Base: b.state.Base, Clock: b.state.Clock,
		Ifindex: loopback, SegmentBytes: 1000,
	}
	now := nowMs()
	entry.Loss.LeastMs = 40
	entry.Loss.ErrorRate = rateOne / 20
	entry.Loss.InhibitedUntilMs = now
	entry.Loss.Now.BeganMs = now
	entry.Loss.Now.Segments, entry.Loss.Now.Clear = 100, 100
	entry.Loss.Now.ShortestMs = 40
	return entry
}

func (b *bed) put(entry bpfFwpFlow) {
	b.Helper()
	if err := errors.Join(b.renew(), b.loaded.FwpFlows.Update(keyOf(b.connection), &entry, ebpf.UpdateAny)); err != nil {
		b.Fatal(err)
	}
}

func (b *bed) entry() (entry bpfFwpFlow) {
	b.Helper()
	if err := b.loaded.FwpFlows.Lookup(keyOf(b.connection), &entry); err != nil {
		b.Fatal(err)
	}
	return entry
}

// segment that the peer sends.
type segment struct {
	ahead        int // of what TCP has received
	payload      []byte
	flags        byte
	acknowledges uint32
	value, rtt   uint32 // timestamps: what the peer's says, and how old that of this host is
	isBare       bool   // without timestamps
	isLeft       bool   // its checksum is left to the device
	service      byte   // of IP: ECN is in the last two bits
}

const (
	fin, syn, rst, psh, ack, urg = 1, 2, 4, 8, 16, 32
	ethernet                     = 14
)

// segment with a payload, `ahead` of what TCP has received.
func (b *bed) segment(ahead int, payload []byte) segment {
	return segment{ahead: ahead, payload: payload, flags: ack | psh, acknowledges: b.sent, value: b.state.Recent, rtt: 40}
}

func (b *bed) isIPv6() bool { return b.connection.Local.Addr().Is6() }

// packet that a device would have received.
func (b *bed) packet(s segment) []byte {
	options := []byte{1, 1, 8, 10}
	options = binary.BigEndian.AppendUint32(options, s.value)
	options = binary.BigEndian.AppendUint32(options, nowMs()+b.state.Clock-s.rtt)
	if s.isBare {
		options = nil
	}
	tcp := make([]byte, 20, 20+len(options)+len(s.payload))
	binary.BigEndian.PutUint16(tcp, b.connection.Remote.Port())
	binary.BigEndian.PutUint16(tcp[2:], b.connection.Local.Port())
	binary.BigEndian.PutUint32(tcp[4:], b.state.Base+uint32(b.state.Received)+uint32(s.ahead))
	binary.BigEndian.PutUint32(tcp[8:], s.acknowledges)
	tcp[12], tcp[13] = byte(20+len(options))<<2, s.flags
	tcp = append(append(tcp, options...), s.payload...)
	sum := b.sum(tcp)
	if s.isLeft {
		sum = b.pseudoSum(len(tcp))
	}
	binary.BigEndian.PutUint16(tcp[tcpChecksumOffset:], sum)
	if b.isIPv6() {
		ip := make([]byte, 40)
		ip[0], ip[1], ip[6], ip[7] = 0x60|s.service>>4, s.service<<4, unix.IPPROTO_TCP, 64
		binary.BigEndian.PutUint16(ip[4:], uint16(len(tcp)))
		copy(ip[8:], b.connection.Remote.Addr().AsSlice())
		copy(ip[24:], b.connection.Local.Addr().AsSlice())
		return slices.Concat(make([]byte, 12), []byte{0x86, 0xdd}, ip, tcp)
	}
	ip := make([]byte, 20)
	ip[0], ip[1], ip[8], ip[9] = 0x45, s.service, 64, unix.IPPROTO_TCP
	binary.BigEndian.PutUint16(ip[2:], uint16(len(ip)+len(tcp)))
	copy(ip[12:], b.connection.Remote.Addr().AsSlice())
	copy(ip[16:], b.connection.Local.Addr().AsSlice())
	binary.BigEndian.PutUint16(ip[10:], frame.Checksum(0, ip))
	return slices.Concat(make([]byte, 12), []byte{8, 0}, ip, tcp)
}

func (b *bed) addresses() (remote, local []byte) {
	return b.connection.Remote.Addr().AsSlice(), b.connection.Local.Addr().AsSlice()
}

// sum of a segment; 0: the one that it has is right.
func (b *bed) sum(tcp []byte) uint16 {
	remote, local := b.addresses()
	return frame.Checksum(unix.IPPROTO_TCP+len(tcp), remote, local, tcp)
}

func (b *bed) pseudoSum(bytes int) uint16 {
	remote, local := b.addresses()
	return ^frame.Checksum(unix.IPPROTO_TCP+bytes, remote, local)
}

const goOn = ^uint32(0)

// run the program on a packet and return what it has made of it.
func (b *bed) run(packet []byte) []byte {
	b.Helper()
	return b.runMerged(packet, 0)
}

// sizeOfMerged is the context of a packet that was merged (struct __sk_buff): how long its segments were, and not how many, as devices of virtual machines do.
type sizeOfMerged struct {
	_            [44]uint32
	SegmentBytes uint32 // gso_size
	_            [3]uint32
}

func (b *bed) runMerged(packet []byte, segmentBytes uint32) []byte {
	b.Helper()
	options := ebpf.RunOptions{Data: packet, DataOut: make([]byte, 1<<16), Context: sizeOfMerged{SegmentBytes: segmentBytes}}
	verdict, err := b.loaded.IncomingEthernet.Run(&options)
	if err != nil || verdict != goOn {
		b.Fatalf("verdict %d, %v", int32(verdict), err)
	}
	return options.DataOut
}

// events since the last call.
func (b *bed) drained() (all []event) {
	b.Helper()
	err := b.eachEvent(func(sample []byte) {
		e, err := decode(slices.Clone(sample))
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, e)
	})
	if err != nil {
		b.Fatal(err)
	}
	return all
}

// expectFilled: the packet is what one that begins at the hole would be, and the event says so.
func (b *bed) expectFilled(s segment, before, after []byte, hole int) {
	b.Helper()
	events := b.drained()
	told := event{flow: 7, offset: b.state.Received + uint64(s.ahead-hole), bytes: uint64(hole)}
	if len(events) != 1 || !reflect.DeepEqual(events[0], told) {
		b.Fatalf("hole of %d: events %+v", hole, events)
	}
	whole := s
	whole.ahead -= hole
	whole.payload = slices.Concat(make([]byte, hole), s.payload)
	expected := b.packet(whole)
	stamps := len(before) - len(s.payload) - 12
	copy(expected[stamps:], before[stamps:][:12]) // the clock may have gone on
	sum := tcpChecksumOffset + len(expected) - len(whole.payload) - 32
	copy(expected[sum:], []byte{0, 0})
	binary.BigEndian.PutUint16(expected[sum:], b.sum(expected[sum-tcpChecksumOffset:]))
	if s.isLeft { // nobody looks at it
		copy(expected[sum:], after[sum:][:2])
	}
	if !slices.Equal(after, expected) {
		at := 0
		for at < min(len(after), len(expected)) && after[at] == expected[at] {
			at++
		}
		begin := func(packet []byte) []byte { return packet[:min(len(packet), 120)] }
		b.Fatalf("hole of %d: %d bytes, not %d, and another byte %d:\n%x\n%x", hole, len(after), len(expected), at, begin(after), begin(expected))
	}
}

var bothFamilies = map[string]string{"IPv4": "127.0.0.1", "IPv6": "::1"}
