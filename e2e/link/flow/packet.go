// Package flow reads the packets the link delivers and keeps, for each TCP connection, how far its server-to-client stream has come.
package flow

import (
	"encoding/binary"
	"net/netip"
)

// segment is what the recorder needs of an IPv4 TCP packet (RFC 791, RFC 9293 section 3.1).
type segment struct {
	source, destination netip.AddrPort
	sequence            uint32
	flags               byte
	payloadBytes        int
	packetBytes         int
}

const (
	flagFIN = 1 << 0
	flagSYN = 1 << 1
	flagRST = 1 << 2
	flagACK = 1 << 4

	protocolTCP = 6
)

// parse reads a packet; ok is false for anything but a whole TCP segment over IPv4.
func parse(packet []byte) (s segment, ok bool) {
	const minIP, minTCP = 20, 20
	if len(packet) < minIP || packet[0]>>4 != 4 || packet[9] != protocolTCP {
		return s, false
	}
	const moreFragmentsAndOffset = 0x3fff
	if binary.BigEndian.Uint16(packet[6:])&moreFragmentsAndOffset != 0 {
		return s, false
	}
	ipHeader, total := int(packet[0]&0xf)*4, int(binary.BigEndian.Uint16(packet[2:]))
	if ipHeader < minIP || total > len(packet) || total < ipHeader+minTCP {
		return s, false
	}
	tcp := packet[ipHeader:total]
	tcpHeader := int(tcp[12]>>4) * 4
	if tcpHeader < minTCP || tcpHeader > len(tcp) {
		return s, false
	}
	address := func(offset int) netip.Addr { return netip.AddrFrom4([4]byte(packet[offset : offset+4])) }
	return segment{
		source:       netip.AddrPortFrom(address(12), binary.BigEndian.Uint16(tcp)),
		destination:  netip.AddrPortFrom(address(16), binary.BigEndian.Uint16(tcp[2:])),
		sequence:     binary.BigEndian.Uint32(tcp[4:]),
		flags:        tcp[13],
		payloadBytes: len(tcp) - tcpHeader,
		packetBytes:  total,
	}, true
}

// Connection is what packets of one TCP connection in one direction have in common.
type Connection struct{ Source, Destination netip.AddrPort }

// ConnectionOf is the connection of a packet; ok is false for anything but a whole TCP segment over IPv4.
func ConnectionOf(packet []byte) (c Connection, ok bool) {
	s, ok := parse(packet)
	return Connection{s.source, s.destination}, ok
}

// TCPPayloadBytes is how much of an application's data a packet moves; none of it acknowledges or probes.
func TCPPayloadBytes(packet []byte) int {
	s, ok := parse(packet)
	if !ok {
		return 0
	}
	return s.payloadBytes
}
