package side

import (
	"net"
	"os"
	"slices"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"firstscreen/e2e/link/fault"
	"firstscreen/e2e/link/probe"
	"firstscreen/e2e/link/tun"
)

// queuePackets is the room between the kernel and the link's thread, for the time the thread is not running. It is not part of the
// emulated link and must not drop: several connections' full windows fit.
const queuePackets = 10_000

// setUpNetwork makes the side's end of the link in the new network namespace and returns its TUN, probe and, at the relay, second TUN files.
func setUpNetwork(role Role, addresses []string) (files []int, err error) {
	device, err := tun.Create(role.device())
	if err != nil {
		return nil, err
	}
	files = []int{device}
	if role == Relay {
		hop, err := tun.Create(relayHopDevice)
		if err != nil {
			return nil, err
		}
		files = append(files, hop)
	}
	// The test bed is IPv4 (its DNS answers no AAAA): without this, the kernel's router solicitations would be traffic on the link.
	// Metrics kept from one connection for the next (ssthresh, RTT) would tie the loads of a benchmark together. Both are
	// niceties that a read-only /proc/sys may refuse.
	_ = os.WriteFile("/proc/sys/net/ipv6/conf/"+role.device()+"/disable_ipv6", []byte("1"), 0)
	_ = os.WriteFile("/proc/sys/net/ipv4/tcp_no_metrics_save", []byte("1"), 0)

	if err := configure(role, addresses); err != nil {
		return nil, fault.New(fault.Namespace, "CAP_NET_ADMIN in the network namespace is needed", "configuring %s: %v", role.device(), err)
	}
	probeAddress := role.address()
	if len(addresses) > 0 {
		probeAddress = net.IPv4zero.String() // one socket for all of them
	}
	probes, err := probe.Open(probeAddress)
	if err != nil {
		return nil, fault.New(fault.Namespace, "see docs/link.md", "opening the %s probe socket: %v", role, err)
	}
	return slices.Insert(files, 1, probes), nil
}

func configure(role Role, addresses []string) error {
	loopback, err := netlink.LinkByName("lo")
	if err != nil {
		return err
	}
	if err := netlink.LinkSetUp(loopback); err != nil {
		return err
	}
	for _, text := range addresses {
		address, err := netlink.ParseAddr(text + "/32")
		if err == nil {
			err = netlink.AddrAdd(loopback, address)
		}
		if err != nil {
			return err
		}
	}
	device, err := setUpDevice(role.device(), role.address())
	if err != nil {
		return err
	}
	switch role {
	case Far:
		return nil // the near side is on the link's own subnet
	case Relay:
		return forwardToOrigins()
	default:
		return routeEverything(device)
	}
}

func setUpDevice(name, addressText string) (netlink.Link, error) {
	device, err := netlink.LinkByName(name)
	if err != nil {
		return nil, err
	}
	address, err := netlink.ParseAddr(addressText + prefixBits)
	if err != nil {
		return nil, err
	}
	for _, step := range []func() error{
		func() error { return netlink.LinkSetMTU(device, tun.MTUBytes) },
		func() error { return netlink.LinkSetTxQLen(device, queuePackets) },
		func() error { return netlink.AddrAdd(device, address) },
		func() error { return netlink.LinkSetUp(device) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return device, nil
}

// forwardToOrigins makes the relay's namespace a router between the link and the second hop: clients reach origins with and without the relay.
func forwardToOrigins() error {
	hop, err := setUpDevice(relayHopDevice, relayHopAddress)
	if err != nil {
		return err
	}
	_, origins, err := net.ParseCIDR(originAddresses)
	if err != nil {
		return err
	}
	if err := netlink.RouteReplace(&netlink.Route{LinkIndex: hop.Attrs().Index, Dst: origins, Scope: unix.RT_SCOPE_LINK}); err != nil {
		return err
	}
	return os.WriteFile("/proc/sys/net/ipv4/ip_forward", []byte("1"), 0)
}

func routeEverything(device netlink.Link) error {
	everywhere := &net.IPNet{IP: net.IPv4zero, Mask: net.CIDRMask(0, 32)}
	return netlink.RouteReplace(&netlink.Route{LinkIndex: device.Attrs().Index, Dst: everywhere, Scope: unix.RT_SCOPE_LINK})
}
