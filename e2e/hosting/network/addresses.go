// Package network prepares the namespace the hosting runs in: its addresses and its sockets.
package network

import (
	"encoding/binary"
	"net/netip"
	"os"
	"sync"

	"github.com/vishvananda/netlink"

	"firstscreen/e2e/hosting"
)

// Prefix holds every address of the far side: DNS, then one address per recorded host.
var Prefix = netip.MustParsePrefix("10.100.0.0/16")

// DNS is where names are resolved.
var DNS = netip.MustParseAddr("10.100.0.1")

// firstHost begins the addresses of recorded hosts.
var firstHost = netip.MustParseAddr("10.100.1.0")

// AddPrefix makes all of Prefix local: an address with a prefix length on the loopback interface makes the kernel deliver the whole
// prefix locally (as with 127.0.0.1/8), so hosts of later pages need no further change of the namespace.
func AddPrefix() error {
	if sharedNamespace() {
		return &hosting.Error{
			Code:    "E_HOSTING_NAMESPACE",
			Message: "cannot add addresses: this is the network namespace of the whole system",
			Next:    "start it as the far command of firstscreen-link, or under `unshare -rn`",
		}
	}
	loopback, err := netlink.LinkByName("lo")
	if err == nil {
		err = netlink.LinkSetUp(loopback)
	}
	if err == nil {
		var address *netlink.Addr
		if address, err = netlink.ParseAddr(netip.PrefixFrom(DNS, Prefix.Bits()).String()); err == nil {
			err = netlink.AddrReplace(loopback, address)
		}
	}
	if err != nil {
		return &hosting.Error{
			Code: "E_HOSTING_ADDRESS", Message: "cannot add " + Prefix.String() + " to lo", Cause: err,
			Next: "start it as the far command of firstscreen-link, or under `unshare -rn`",
		}
	}
	return nil
}

// sharedNamespace says whether this is the namespace of process 1, whose addresses must not be touched.
func sharedNamespace() bool {
	own, ownErr := os.Readlink("/proc/self/ns/net")
	first, firstErr := os.Readlink("/proc/1/ns/net")
	return ownErr == nil && firstErr == nil && own == first
}

// Hosts gives every host name an address of its own, for as long as the process lives: a browser that still has a name of an earlier page
// in its cache must not reach another host.
type Hosts struct {
	mu      sync.Mutex
	address map[string]netip.Addr
}

// NewHosts begins with none.
func NewHosts() *Hosts {
	return &Hosts{address: map[string]netip.Addr{}}
}

// Address answers the address of a host and gives it one at its first use.
func (h *Hosts) Address(host string) netip.Addr {
	h.mu.Lock()
	defer h.mu.Unlock()
	if known, ok := h.address[host]; ok {
		return known
	}
	base := firstHost.As4()
	var next [4]byte
	binary.BigEndian.PutUint32(next[:], binary.BigEndian.Uint32(base[:])+uint32(len(h.address)))
	h.address[host] = netip.AddrFrom4(next)
	return h.address[host]
}
