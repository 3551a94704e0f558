// Package frame makes copies of packets that the programs have shown: each one as it would have been on the wire. Pure: bytes in, bytes out.
package frame

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
)

// Shown is a packet as it left TCP or UDP: perhaps of several segments or datagrams, its checksums left to the device.
type Shown struct {
	Packet       []byte
	MAC          int    // bytes of the link-layer header; 0 on interfaces without one
	Transport    int    // offset of the TCP or UDP header
	Payload      int    // offset
	SegmentBytes int    // payload of each; 0: there is one
	Tag          []byte // that the device puts behind the addresses: EtherType and tag control information (IEEE 802.1Q-2022, 9.3); none: empty
	IsTCP        bool
}

// ErrMalformed says that the offsets and lengths do not fit together.
var ErrMalformed = errors.New("a shown packet whose lengths do not fit")

const (
	ethernetAddresses = 12
	ethernetHeader    = 14
	minIPv4           = 20
	ipv6Header        = 40
	minTCP            = 20
	udpHeader         = 8
	ecnBits           = 3 // of the traffic class

	tcpFIN = 0x01
	tcpPSH = 0x08

	tcpSequenceOffset = 4
	tcpFlagsOffset    = 13
	tcpChecksumOffset = 16
	udpLengthOffset   = 4
	udpChecksumOffset = 6
)

func (s Shown) check() error {
	network, header := minIPv4, minTCP
	if s.MAC != 0 && s.MAC != ethernetHeader || len(s.Packet) <= s.MAC {
		return ErrMalformed
	}
	if s.isIPv6() {
		network = ipv6Header
	}
	if !s.IsTCP {
		header = udpHeader
	}
	if s.Transport < s.MAC+network || s.Payload < s.Transport+header || s.Payload > len(s.Packet) || s.SegmentBytes < 0 {
		return ErrMalformed
	}
	return nil
}

func (s Shown) isIPv6() bool { return s.Packet[s.MAC]>>4 == 6 }

// Frames are the segments or datagrams, ready to be sent on the interface that they were shown on.
func Frames(s Shown) ([][]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	payload := s.Packet[s.Payload:]
	size := cmp.Or(s.SegmentBytes, len(payload))
	var frames [][]byte
	for offset := 0; offset < len(payload) || len(frames) == 0; offset += size {
		end := min(offset+size, len(payload))
		frames = append(frames, s.segment(payload, offset, end, len(frames)))
	}
	return frames, nil
}

// segment is headers and payload[from:to] of one packet, the number-th from 0, as segmentation offload would make it.
func (s Shown) segment(payload []byte, from, to, number int) []byte {
	packet := slices.Concat(s.Packet[:s.Payload], payload[from:to])
	transport := packet[s.Transport:]
	if s.IsTCP {
		sequence := binary.BigEndian.Uint32(transport[tcpSequenceOffset:]) + uint32(from)
		binary.BigEndian.PutUint32(transport[tcpSequenceOffset:], sequence)
		if to < len(payload) {
			transport[tcpFlagsOffset] &^= tcpFIN | tcpPSH
		}
	} else {
		binary.BigEndian.PutUint16(transport[udpLengthOffset:], uint16(len(transport)))
	}
	s.setNetwork(packet, len(transport), number)
	s.setChecksum(packet)
	return s.tagged(packet)
}

func (s Shown) setNetwork(packet []byte, transportBytes, number int) {
	ip := packet[s.MAC:]
	// what is sent again may not say that its transport hears of marks (RFC 3168 section 6.1.5): nobody looks for one on what has come already
	if s.isIPv6() {
		ip[1] &^= ecnBits << 4
		binary.BigEndian.PutUint16(ip[4:], uint16(len(ip)-ipv6Header))
		return
	}
	ip[1] &^= ecnBits
	binary.BigEndian.PutUint16(ip[2:], uint16(s.Transport-s.MAC+transportBytes))
	// fragments of segments with one identification would be taken for those of one segment (RFC 6864)
	binary.BigEndian.PutUint16(ip[4:], binary.BigEndian.Uint16(ip[4:])+uint16(number))
	binary.BigEndian.PutUint16(ip[10:], 0)
	binary.BigEndian.PutUint16(ip[10:], Checksum(0, ip[:s.Transport-s.MAC]))
}

// setChecksum computes the whole checksum (RFC 9293 section 3.1, RFC 768): what the field held is TCP's note to the device.
func (s Shown) setChecksum(packet []byte) {
	ip, transport := packet[s.MAC:], packet[s.Transport:]
	offset, protocol := tcpChecksumOffset, 6
	if !s.IsTCP {
		offset, protocol = udpChecksumOffset, 17
	}
	addresses := ip[12:20]
	if s.isIPv6() {
		addresses = ip[8:40]
	}
	binary.BigEndian.PutUint16(transport[offset:], 0)
	whole := Checksum(protocol+len(transport), addresses, transport)
	if whole == 0 && !s.IsTCP {
		whole = 0xffff // 0 means none, RFC 768
	}
	binary.BigEndian.PutUint16(transport[offset:], whole)
}

func (s Shown) tagged(packet []byte) []byte {
	if s.MAC == 0 {
		return packet
	}
	return slices.Insert(packet, ethernetAddresses, s.Tag...)
}

// Checksum of the Internet (RFC 1071): of parts of an even number of bytes, but the last, and of a number besides.
func Checksum(number int, parts ...[]byte) uint16 {
	total := uint64(number)
	for _, part := range parts {
		for ; len(part) > 1; part = part[2:] {
			total += uint64(binary.BigEndian.Uint16(part))
		}
		if len(part) == 1 {
			total += uint64(part[0]) << 8
		}
	}
	for total > 0xffff {
		total = total&0xffff + total>>16
	}
	return ^uint16(total)
}
