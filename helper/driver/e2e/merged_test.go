package e2e

import (
	"errors"
	"net/netip"
	"testing"
	"unsafe"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

const (
	pairName                = "pair0"
	pairNear, pairFar       = "10.79.0.1", "10.79.0.2"
	xdpDrop, xdpPass        = 1, 2
	everyFiftieth     int32 = 1 << 31 / 25 // of 2^32
)

// joinByPair adds a pair of virtual Ethernet between two hosts, whose packets are merged (GRO) as those of devices are.
func joinByPair(t *testing.T, near, far *host) (nearIndex int) {
	t.Helper()
	namespace, err := far.namespace.File()
	if err != nil {
		t.Fatal(err)
	}
	defer namespace.Close()
	near.do(func() error {
		return netlink.LinkAdd(&netlink.Veth{LinkAttrs: netlink.LinkAttrs{Name: pairName}, PeerName: pairName, PeerNamespace: netlink.NsFd(namespace.Fd())})
	})
	for host, own := range map[*host]string{near: pairNear, far: pairFar} {
		host.do(func() error {
			device, err := netlink.LinkByName(pairName)
			if err != nil {
				return err
			}
			if host == near {
				nearIndex = device.Attrs().Index
			}
			return errors.Join(address(device, netip.MustParsePrefix(own+"/24")), netlink.LinkSetUp(device))
		})
	}
	return nearIndex
}

// merge has the network stack merge what a device receives (ETHTOOL_SGRO).
func (h *host) merge(device string) {
	h.t.Helper()
	h.do(func() error {
		socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return err
		}
		defer unix.Close(socket)
		value := struct{ command, data uint32 }{unix.ETHTOOL_SGRO, 1}
		request := struct {
			name [unix.IFNAMSIZ]byte
			data unsafe.Pointer
			_    [16]byte
		}{data: unsafe.Pointer(&value)}
		copy(request.name[:], device)
		if _, _, failed := unix.Syscall(unix.SYS_IOCTL, uintptr(socket), unix.SIOCETHTOOL, uintptr(unsafe.Pointer(&request))); failed != 0 {
			return failed
		}
		return nil
	})
}

// loseOnDevice drops packets before they are merged: the driver of the device does.
func (h *host) loseOnDevice(index int) {
	h.t.Helper()
	program, err := ebpf.NewProgram(&ebpf.ProgramSpec{Type: ebpf.XDP, License: "MIT", Instructions: asm.Instructions{
		asm.FnGetPrandomU32.Call(),
		asm.JLT.Imm(asm.R0, everyFiftieth, "drop"),
		asm.Mov.Imm(asm.R0, xdpPass),
		asm.Return(),
		asm.Mov.Imm(asm.R0, xdpDrop).WithSymbol("drop"),
		asm.Return(),
	}})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { program.Close() })
	h.do(func() error {
		on, err := link.AttachXDP(link.XDPOptions{Program: program, Interface: index, Flags: link.XDPDriverMode})
		if err == nil {
			h.t.Cleanup(func() { on.Close() })
		}
		return err
	})
}

// longestPacket that the network stack gets from a device, among the first.
func (h *host) longestPacket(index int) (longest func() int) {
	h.t.Helper()
	socket := 0
	h.do(func() (err error) {
		socket, err = unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return err
		}
		const anyProtocol = unix.ETH_P_ALL<<8 | unix.ETH_P_ALL>>8 // in network order
		return unix.Bind(socket, &unix.SockaddrLinklayer{Protocol: anyProtocol, Ifindex: index})
	})
	h.t.Cleanup(func() { unix.Close(socket) })
	return func() (longest int) {
		for packet := make([]byte, 1<<16); ; {
			n, from, err := unix.Recvfrom(socket, packet, 0)
			if err != nil {
				return longest
			}
			if at, is := from.(*unix.SockaddrLinklayer); is && at.Pkttype != unix.PACKET_OUTGOING {
				longest = max(longest, n)
			}
		}
	}
}

func TestADownloadWhosePacketsAreMerged(t *testing.T) {
	near, far := newHost(t, "near", false), newHost(t, "far", false)
	index := joinByPair(t, near, far)
	body, _ := randomBytes(8<<20, 24)
	far.serveBody(port, body)
	d := startDriver(t, near, `{"frameErrorRate":0.2}`)
	l := d.download(near, pairFar, port, body)
	near.merge(pairName)
	near.loseOnDevice(index)
	longest := near.longestPacket(index)
	l.begin()
	l.read(len(l.body))
	l.expectExact()
	if n := longest(); n < 4*mtu {
		t.Errorf("packets of %d bytes: the test shows nothing", n)
	}
	if count(l.holes) == 0 {
		t.Errorf("no holes: %+v", d.status().Counters.FWP)
	}
}
