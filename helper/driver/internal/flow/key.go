// Package flow names flows as bpf/flow.h does.
package flow

import (
	"fmt"
	"net/netip"
)

// Protocols of the IP header.
const (
	TCP = 6
	UDP = 17
)

// Key is one flow, seen from this host; the layout of struct flow_key.
type Key struct {
	Local       [16]byte // IPv4 as ::ffff:a.b.c.d
	Remote      [16]byte
	LocalPort   uint16
	RemotePort  uint16
	Transaction uint16 // of DNS
	Protocol    uint8
	_           uint8
}

// NewTCP is the key of a TCP connection.
func NewTCP(local, remote netip.AddrPort) Key {
	return Key{Local: local.Addr().As16(), Remote: remote.Addr().As16(), LocalPort: local.Port(), RemotePort: remote.Port(), Protocol: TCP}
}

// RemoteAddr is the peer's address.
func (k Key) RemoteAddr() netip.Addr { return netip.AddrFrom16(k.Remote).Unmap() }

// LocalAddr is this host's address.
func (k Key) LocalAddr() netip.Addr { return netip.AddrFrom16(k.Local).Unmap() }

func (k Key) String() string {
	return fmt.Sprintf("%v -> %v", netip.AddrPortFrom(k.LocalAddr(), k.LocalPort), netip.AddrPortFrom(k.RemoteAddr(), k.RemotePort))
}
