package kernel

import "net/netip"

// SpoolAt is where a spool listens on loopback, for IPv4 and, where it does, for IPv6, and which process it is.
type SpoolAt = bpfSpool

// SetSpool of a user; no port: it has none any more.
func (k *Kernel) SetSpool(user uint32, at SpoolAt) error {
	if k.ProcessCause != nil {
		return k.ProcessCause
	}
	if at.Port == 0 {
		return k.loaded.Spools.Delete(uint64(user))
	}
	return k.loaded.Spools.Put(uint64(user), at)
}

// Meant tells, once, where the connection of a user was meant to go that comes from an address of this host.
func (k *Kernel) Meant(user uint32, from netip.AddrPort) (netip.AddrPort, bool) {
	var to bpfAddress
	err := k.loaded.MeantByEnd.LookupAndDelete(bpfAddress{Ip: wordsOf(from.Addr()), Port: uint32(from.Port()), User: user}, &to)
	return netip.AddrPortFrom(addressOf(to.Ip), uint16(to.Port)), err == nil
}
