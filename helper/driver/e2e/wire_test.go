package e2e

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"firstscreen/driver/e2e/namespace"
)

// host is a network namespace with one interface, on a wire of the test's.
type host struct {
	t         *testing.T
	name      string
	namespace *namespace.Namespace
	device    *os.File
	index     int
	isTAP     bool
}

const (
	deviceName = "air0"
	mtu        = 1500
)

// newHost in a new namespace.
func newHost(t *testing.T, name string, isTAP bool) *host {
	t.Helper()
	return newHostIn(t, name, isTAP, unix.CLONE_NEWNET)
}

// newHostIn the machine's namespace, or in a new one.
func newHostIn(t *testing.T, name string, isTAP bool, namespaces int) *host {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, for network namespaces and programs in the kernel")
	}
	entered, err := namespace.Enter(namespaces)
	if err != nil {
		t.Fatalf("a network namespace (root is needed): %v", err)
	}
	t.Cleanup(entered.Leave)
	h := &host{t: t, name: name, namespace: entered, isTAP: isTAP}
	h.do(func() error { return h.addDevice() })
	return h
}

// do runs in the host's namespace.
func (h *host) do(job func() error) {
	h.t.Helper()
	if err := h.namespace.Do(job); err != nil {
		h.t.Fatalf("%s: %v", h.name, err)
	}
}

func (h *host) addDevice() error {
	file, err := os.OpenFile("/dev/net/tun", os.O_RDWR|unix.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	var request [unix.IFNAMSIZ + 24]byte
	copy(request[:], deviceName)
	flags := uint16(unix.IFF_TUN | unix.IFF_NO_PI)
	if h.isTAP {
		flags = unix.IFF_TAP | unix.IFF_NO_PI
	}
	binary.NativeEndian.PutUint16(request[unix.IFNAMSIZ:], flags)
	if _, _, failed := unix.Syscall(unix.SYS_IOCTL, file.Fd(), unix.TUNSETIFF, uintptr(unsafe.Pointer(&request))); failed != 0 {
		return failed
	}
	// os.File.Fd has made it blocking: a new file, that the runtime polls
	descriptor, err := unix.FcntlInt(file.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return err
	}
	file.Close()
	if err := unix.SetNonblock(descriptor, true); err != nil {
		return err
	}
	h.device = os.NewFile(uintptr(descriptor), "/dev/net/tun")
	h.t.Cleanup(func() { h.device.Close() })
	loopback, err := netlink.LinkByName("lo")
	if err != nil {
		return err
	}
	device, err := netlink.LinkByName(deviceName)
	if err != nil {
		return err
	}
	h.index = device.Attrs().Index
	return errors.Join(netlink.LinkSetUp(loopback), netlink.LinkSetUp(device))
}

// address gives an interface an address without waiting for duplicates to be detected.
func address(device netlink.Link, prefix netip.Prefix) error {
	return netlink.AddrAdd(device, &netlink.Addr{
		IPNet: &net.IPNet{IP: prefix.Addr().AsSlice(), Mask: net.CIDRMask(prefix.Bits(), prefix.Addr().BitLen())},
		Flags: unix.IFA_F_NODAD,
	})
}

func (h *host) addAddresses(prefixes ...string) {
	h.t.Helper()
	h.do(func() error {
		device, err := netlink.LinkByName(deviceName)
		for _, prefix := range prefixes {
			if err == nil {
				err = address(device, netip.MustParsePrefix(prefix))
			}
		}
		return err
	})
}

// addVLAN on the host's interface.
func (h *host) addVLAN(name string, protocol netlink.VlanProtocol, tag int, prefix string) error {
	vlan := &netlink.Vlan{LinkAttrs: netlink.LinkAttrs{Name: name, ParentIndex: h.index}, VlanId: tag, VlanProtocol: protocol}
	if err := netlink.LinkAdd(vlan); err != nil {
		return err
	}
	return errors.Join(address(vlan, netip.MustParsePrefix(prefix)), netlink.LinkSetUp(vlan))
}

// packet on the wire.
type packet struct {
	bytes []byte
	at    time.Time
	up    bool // from near to far
}

// wire carries packets between two hosts, as its rule says.
type wire struct {
	near, far *host
	mutex     sync.Mutex
	rule      func(p packet) (drop bool)
	delay     time.Duration // a way
	seen      []packet
}

const (
	nearIPv4, farIPv4 = "10.77.0.1", "10.77.0.2"
	nearIPv6, farIPv6 = "fd77::1", "fd77::2"
)

// newWire joins two new hosts.
func newWire(t *testing.T, isTAP bool, delay time.Duration) *wire {
	t.Helper()
	return newWireFrom(t, newHost(t, "near", isTAP), delay)
}

// newWireFrom a host to a new one.
func newWireFrom(t *testing.T, near *host, delay time.Duration) *wire {
	t.Helper()
	w := &wire{near: near, far: newHost(t, "far", near.isTAP), delay: delay, rule: func(packet) bool { return false }}
	near.addAddresses(nearIPv4+"/24", nearIPv6+"/64")
	w.far.addAddresses(farIPv4+"/24", farIPv6+"/64")
	go w.carry(w.near, w.far, true)
	go w.carry(w.far, w.near, false)
	return w
}

func (w *wire) carry(from, to *host, up bool) {
	onTheWay := make(chan packet, 10_000)
	defer close(onTheWay)
	go w.deliver(to, onTheWay)
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.device.Read(buffer)
		if err != nil {
			return
		}
		p := packet{append([]byte(nil), buffer[:n]...), time.Now(), up}
		w.mutex.Lock()
		w.seen = append(w.seen, p)
		drop := w.rule(p)
		w.mutex.Unlock()
		if !drop {
			onTheWay <- p
		}
	}
}

// deliver keeps the order.
func (w *wire) deliver(to *host, onTheWay <-chan packet) {
	for p := range onTheWay {
		time.Sleep(time.Until(p.at.Add(w.delay)))
		to.device.Write(p.bytes) // what the host does not take is lost
	}
}

// setRule says which packets are lost from now on.
func (w *wire) setRule(rule func(p packet) (drop bool)) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.rule = rule
}

// segments of TCP that have come on the wire so far.
func (w *wire) segments(isMeant func(segment) bool) (found []segment) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, p := range w.seen {
		if s, is := parseSegment(p, w.near.isTAP); is && isMeant(s) {
			found = append(found, s)
		}
	}
	return found
}

func (w *wire) forget() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.seen = nil
}

// segment of TCP, or datagram of UDP.
type segment struct {
	packet
	protocol              byte
	source, destination   uint16
	sequence, acknowledge uint32
	flags                 byte
	options, payload      []byte
	hasTag                bool
}

const (
	fin, syn, rst, psh, ack = 1, 2, 4, 8, 16
)

func (s segment) String() string {
	return fmt.Sprintf("%d>%d seq %d ack %d flags %x, %d bytes", s.source, s.destination, s.sequence, s.acknowledge, s.flags, len(s.payload))
}

func parseSegment(p packet, isTAP bool) (s segment, is bool) {
	s.packet = p
	bytes := p.bytes
	if isTAP {
		if len(bytes) < 18 {
			return s, false
		}
		protocol := binary.BigEndian.Uint16(bytes[12:])
		s.hasTag = protocol == unix.ETH_P_8021Q || protocol == unix.ETH_P_8021AD
		if bytes = bytes[14:]; s.hasTag {
			bytes = bytes[4:]
		}
	}
	if len(bytes) < 20 {
		return s, false
	}
	header := 40
	switch bytes[0] >> 4 {
	case 4:
		header = int(bytes[0]&15) * 4
		s.protocol = bytes[9]
		if total := int(binary.BigEndian.Uint16(bytes[2:])); total <= len(bytes) {
			bytes = bytes[:total]
		}
	case 6:
		s.protocol = bytes[6]
	default:
		return s, false
	}
	if len(bytes) < header+8 || s.protocol != unix.IPPROTO_TCP && s.protocol != unix.IPPROTO_UDP {
		return s, false
	}
	bytes = bytes[header:]
	s.source, s.destination = binary.BigEndian.Uint16(bytes), binary.BigEndian.Uint16(bytes[2:])
	if s.protocol == unix.IPPROTO_UDP {
		s.payload = bytes[8:]
		return s, true
	}
	const leastHeader = 20
	if len(bytes) < leastHeader {
		return s, false
	}
	end := int(bytes[12]>>4) * 4
	if end < leastHeader || end > len(bytes) {
		return s, false
	}
	s.sequence, s.acknowledge, s.flags = binary.BigEndian.Uint32(bytes[4:]), binary.BigEndian.Uint32(bytes[8:]), bytes[13]
	s.options, s.payload = bytes[leastHeader:end], bytes[end:]
	return s, true
}

// sentAt by the clock of TCP, of which its timestamps tell (RFC 7323): the wire may be read late.
func (s segment) sentAt() time.Duration {
	_, value, _ := bytes.Cut(s.options, []byte{8, 10}) // kind and length
	return time.Duration(binary.BigEndian.Uint32(value)) * time.Millisecond
}
