// Package network prepares the namespace the hosting runs in: its addresses and its sockets.
package network

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"net"
	"net/netip"
	"sync"

	"github.com/vishvananda/netlink"

	"firstscreen/e2e/hosting"
)

// Prefix holds every address of the far side: DNS, then one address per recorded host. It is of the public web, as browsers treat
// private addresses in other ways: Chromium learns nothing of the network's quality from them (by which it loads web fonts late on
// slow networks, with any proxy but not without), and guards them (Local Network Access). No route leads out of the namespaces.
var Prefix = netip.MustParsePrefix("20.100.0.0/16")

// DNS is where names are resolved.
var DNS = netip.MustParseAddr("20.100.0.1")

// firstHost begins the addresses of recorded hosts.
var firstHost = netip.MustParseAddr("20.100.1.0")

// hostAddresses end at 20.100.254.255, before the prefix's broadcast address.
const hostAddresses = 254 << 8

// AddPrefix makes all of Prefix local: an address with a prefix length on the loopback interface makes the kernel deliver the whole
// prefix locally (as with 127.0.0.1/8), so hosts of later pages need no further change of the namespace.
func AddPrefix() error {
	shared, err := sharedNamespace()
	if err == nil && shared {
		err = errShared
	}
	if err == nil {
		err = addToLoopback(netip.PrefixFrom(DNS, Prefix.Bits()))
	}
	if err != nil {
		return &hosting.Error{
			Code: "E_HOSTING_ADDRESS", Message: "cannot add " + Prefix.String() + " to lo", Cause: err,
			Next: "start it as the far command of firstscreen-link, or under `unshare -rn`",
		}
	}
	return nil
}

var errShared = errors.New("this network namespace has interfaces to the outside")

func addToLoopback(prefix netip.Prefix) error {
	loopback, err := netlink.LinkByName("lo")
	if err != nil {
		return err
	}
	if err := netlink.LinkSetUp(loopback); err != nil {
		return err
	}
	address, err := netlink.ParseAddr(prefix.String())
	if err != nil {
		return err
	}
	return netlink.AddrReplace(loopback, address)
}

// sharedNamespace says whether this namespace has a way out: an interface in use that is neither the loopback nor a TUN of a link.
// Addresses added there would outlive the test bed and could take packets from real hosts. (Comparing with the namespace of process 1
// is no substitute: containers may not read it.)
func sharedNamespace() (bool, error) {
	links, err := netlink.LinkList()
	if err != nil {
		return false, err
	}
	for _, link := range links {
		flags := link.Attrs().Flags
		if flags&net.FlagUp != 0 && flags&net.FlagLoopback == 0 && link.Type() != "tuntap" {
			return true, nil
		}
	}
	return false, nil
}

// Hosts gives every host name an address of its own, for as long as the process lives: a browser that still has a name of an earlier page
// in its cache must not reach another host. The address is a hash of the name, so that a prefix is a share of all hosts, the same ones in
// every run: the link delays servers by prefix.
type Hosts struct {
	mu      sync.Mutex
	address map[string]netip.Addr
	taken   map[netip.Addr]bool
}

// NewHosts begins with none.
func NewHosts() *Hosts {
	return &Hosts{address: map[string]netip.Addr{}, taken: map[netip.Addr]bool{}}
}

// Address answers the address of a host and gives it one at its first use.
func (h *Hosts) Address(host string) netip.Addr {
	h.mu.Lock()
	defer h.mu.Unlock()
	if known, ok := h.address[host]; ok {
		return known
	}
	hash := fnv.New32a()
	hash.Write([]byte(host))
	for number := hash.Sum32(); ; number++ {
		base := firstHost.As4()
		var next [4]byte
		binary.BigEndian.PutUint32(next[:], binary.BigEndian.Uint32(base[:])+number%hostAddresses)
		address := netip.AddrFrom4(next)
		if !h.taken[address] {
			h.taken[address], h.address[host] = true, address
			return address
		}
	}
}
