package kernel

import (
	"net/netip"

	"firstscreen/driver/internal/flow"
)

// Policy is what a flow is registered for; bits as in bpf/flow.h.
type Policy uint32

const (
	RAR   Policy = 1 << iota // copies of thin messages
	Spool                    // connections are led into the helper's spool
)

// AnyUser in a PortRule.
const AnyUser = ^uint32(0)

// Side of a connection that a PortRule is about.
type Side uint16

const (
	RemotePort Side = 1 + iota
	LocalPort
)

// Registration is struct registration: why a flow is acted on, and for what.
type Registration struct {
	Policy Policy
	ID     uint32
}

// PortRule is struct port_rule.
type PortRule struct {
	User uint32
	Side Side
	Port uint16
}

// address is struct address.
type address struct {
	IP   [16]byte
	Port uint32
	User uint32
}

func addressOf(of netip.AddrPort, user uint32) address {
	return address{IP: of.Addr().As16(), Port: uint32(of.Port()), User: user}
}

func (a address) addrPort() netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom16(a.IP).Unmap(), uint16(a.Port))
}

// spool is struct spool.
type spool struct {
	Process uint32
	Ports   SpoolPorts
}

// SpoolPorts are where a spool listens on loopback; 0: not.
type SpoolPorts struct {
	IPv4 uint16
	IPv6 uint16
}

// ends is struct ends.
type ends struct{ Local, Remote [16]byte }

// synTimeout is struct syn_timeout.
type synTimeout struct{ SetNs, Jiffies uint64 }

// tcpState is struct tcp_state.
type tcpState struct {
	Acknowledged uint32
	RTTEighthsUs uint32
	LeastRTTUs   uint32
	Duplicates   uint32
}

// thinHeader is struct thin without the packet.
type thinHeader struct {
	Key          flow.Key
	NowNs        uint64
	Interface    uint32
	First, End   uint32
	State        tcpState
	Bytes        uint32
	MAC          uint16
	Transport    uint16
	Payload      uint16
	SegmentBytes uint16
	VLAN         uint16
	HasVLAN      uint8
	Flags        uint8
	_            uint32
}

const (
	tcpSYN = 0x02
	tcpACK = 0x10
)
