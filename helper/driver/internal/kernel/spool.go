package kernel

import (
	"net/netip"

	"github.com/cilium/ebpf"

	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/layout"
)

// SpoolAt is where a spool listens on loopback, for IPv4 and, where it does, for IPv6, and which process it is.
type SpoolAt = bpfSpool

// OpenSpool leads the connections of a user's registered programs there, until it is closed; a user has one spool at a time.
func (k *Kernel) OpenSpool(user uint32, at SpoolAt) (closeSpool func() error, err error) {
	if k.SpoolCause != nil {
		return nil, k.SpoolCause
	}
	if err := k.loaded.Spools.Update(uint64(user), at, ebpf.UpdateNoExist); err != nil {
		return nil, fault.New(fault.Limit, err, "close the other one", "Opening a second spool of one user, or one of too many users")
	}
	return func() error { return k.loaded.Spools.Delete(uint64(user)) }, nil
}

// Meant tells, once, where the connection of a user was meant to go that comes from an address of this host.
func (k *Kernel) Meant(user uint32, from netip.AddrPort) (netip.AddrPort, bool) {
	var to bpfAddress
	err := k.loaded.MeantByEnd.LookupAndDelete(bpfAddress{Ip: layout.WordsOf(from.Addr()), Port: uint32(from.Port()), User: user}, &to)
	return netip.AddrPortFrom(layout.AddressOf(to.Ip), uint16(to.Port)), err == nil
}
