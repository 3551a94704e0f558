package frame

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"
)

// packet is headers and payload, with fields as TCP leaves them to the device.
func packet(isIPv6, isTCP, hasLinkLayer bool, payload []byte) Shown {
	s := Shown{IsTCP: isTCP}
	var p []byte
	if hasLinkLayer {
		p = append(p, 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x08, 0x00)
		if isIPv6 {
			p[12], p[13] = 0x86, 0xdd
		}
		s.MAC = ethernetHeader
	}
	protocol := byte(17)
	if isTCP {
		protocol = 6
	}
	if isIPv6 {
		header := make([]byte, ipv6Header)
		header[0], header[6], header[7] = 0x60, protocol, 64
		header[8], header[23], header[24], header[39] = 0xfd, 1, 0xfd, 2
		p = append(p, header...)
	} else {
		header := make([]byte, minIPv4)
		header[0], header[8], header[9] = 0x45, 64, protocol
		binary.BigEndian.PutUint16(header[4:], 0xffff)
		copy(header[12:], []byte{192, 0, 2, 1, 198, 51, 100, 1})
		p = append(p, header...)
	}
	s.Transport = len(p)
	if isTCP {
		header := make([]byte, minTCP+12)
		header[12], header[13] = 8<<4, 0x18|tcpFIN
		binary.BigEndian.PutUint32(header[tcpSequenceOffset:], 0xfffffff0)
		binary.BigEndian.PutUint16(header[tcpChecksumOffset:], 0xabcd) // of the pseudo header
		p = append(p, header...)
	} else {
		p = append(p, 0, 53, 0, 53, 0, 0, 0, 0)
	}
	s.Payload = len(p)
	s.Packet = append(p, payload...)
	return s
}

// isRight tells whether the checksums are those of RFC 1071: with the field, everything sums up to all ones.
func isRight(t *testing.T, s Shown, frame []byte) {
	t.Helper()
	ip := frame[s.MAC:]
	addresses, length := ip[12:20], int(binary.BigEndian.Uint16(ip[2:]))
	if ip[0]>>4 == 6 {
		addresses, length = ip[8:40], int(binary.BigEndian.Uint16(ip[4:]))+ipv6Header
	} else if Checksum(0, ip[:minIPv4]) != 0 {
		t.Error("the IP header's checksum is wrong")
	}
	if length != len(ip) {
		t.Errorf("length %d of %d bytes", length, len(ip))
	}
	transport := frame[s.Transport:]
	protocol := uint32(17)
	if s.IsTCP {
		protocol = 6
	} else if int(binary.BigEndian.Uint16(transport[udpLengthOffset:])) != len(transport) {
		t.Error("the UDP length is wrong")
	}
	if Checksum(int(protocol)+len(transport), addresses, transport) != 0 {
		t.Error("the checksum is wrong")
	}
}

func TestCopiesAreAsOnTheWire(t *testing.T) {
	for _, isIPv6 := range []bool{false, true} {
		for _, isTCP := range []bool{false, true} {
			for _, hasLinkLayer := range []bool{false, true} {
				for _, bytes := range []int{0, 1, 2, 517} {
					s := packet(isIPv6, isTCP, hasLinkLayer, make([]byte, bytes))
					frames, err := Frames(s)
					if err != nil || len(frames) != 1 || len(frames[0]) != len(s.Packet) {
						t.Fatalf("%d frames of %+v: %v", len(frames), s, err)
					}
					isRight(t, s, frames[0])
				}
			}
		}
	}
}

func TestALargeSendBecomesSegments(t *testing.T) {
	payload := make([]byte, 3001)
	for i := range payload {
		payload[i] = byte(i * 7)
	}
	for _, isIPv6 := range []bool{false, true} {
		s := packet(isIPv6, true, true, payload)
		s.SegmentBytes = 1400
		frames, err := Frames(s)
		if err != nil || len(frames) != 3 {
			t.Fatalf("%d frames: %v", len(frames), err)
		}
		var whole []byte
		for i, frame := range frames {
			isRight(t, s, frame)
			if got, wanted := binary.BigEndian.Uint32(frame[s.Transport+tcpSequenceOffset:]), uint32(0xfffffff0)+uint32(len(whole)); got != wanted {
				t.Errorf("segment %d: sequence number %d, expected %d", i, got, wanted)
			}
			if isLast, ends := i == 2, frame[s.Transport+tcpFlagsOffset]&(tcpFIN|tcpPSH) != 0; isLast != ends {
				t.Errorf("segment %d: flags %x", i, frame[s.Transport+tcpFlagsOffset])
			}
			if got, wanted := binary.BigEndian.Uint16(frame[s.MAC+4:]), uint16(0xffff+i); !isIPv6 && got != wanted {
				t.Errorf("segment %d: identification %d, expected %d", i, got, wanted)
			}
			whole = append(whole, frame[s.Payload:]...)
		}
		if !bytes.Equal(whole, payload) {
			t.Error("the payload is another")
		}
	}
}

// As resolvers send several queries by one call (UDP_SEGMENT, udp(7)).
func TestALargeSendBecomesDatagrams(t *testing.T) {
	for _, isIPv6 := range []bool{false, true} {
		s := packet(isIPv6, false, true, make([]byte, 100))
		s.SegmentBytes = 40
		frames, err := Frames(s)
		if err != nil || len(frames) != 3 {
			t.Fatalf("%d frames: %v", len(frames), err)
		}
		for i, frame := range frames {
			isRight(t, s, frame)
			if got, wanted := len(frame)-s.Payload, min(40, 100-40*i); got != wanted {
				t.Errorf("datagram %d: %d bytes, expected %d", i, got, wanted)
			}
		}
	}
}

func TestATagThatTheDeviceWouldAdd(t *testing.T) {
	s := packet(false, true, true, []byte("GET"))
	s.Tag = []byte{0x88, 0xa8, 0x60, 5}
	frames, err := Frames(s)
	if err != nil {
		t.Fatal(err)
	}
	if got := frames[0][12:18]; !bytes.Equal(got, []byte{0x88, 0xa8, 0x60, 5, 0x08, 0}) {
		t.Errorf("tagged %x", got)
	}
}

// RFC 3168 section 6.1.5: what is sent again must not be of an ECN-capable transport. Priorities stay.
func TestCopiesCanNotBeMarked(t *testing.T) {
	const class, ect0 = 0xb8, 2
	for _, isIPv6 := range []bool{false, true} {
		s := packet(isIPv6, true, true, []byte("GET"))
		trafficClass := func(packet []byte) byte {
			if isIPv6 {
				return byte(binary.BigEndian.Uint16(packet[s.MAC:]) >> 4)
			}
			return packet[s.MAC+1]
		}
		if s.Packet[s.MAC+1] = class | ect0; isIPv6 {
			binary.BigEndian.PutUint16(s.Packet[s.MAC:], 6<<12|(class|ect0)<<4|5) // with a flow label
		}
		frames, err := Frames(s)
		if err != nil {
			t.Fatal(err)
		}
		isRight(t, s, frames[0])
		if got := trafficClass(frames[0]); got != class {
			t.Errorf("IPv6 %v: traffic class %x", isIPv6, got)
		}
		if isIPv6 && frames[0][s.MAC+1]&15 != 5 {
			t.Error("the flow label is another")
		}
	}
}

func TestTheShownPacketIsNotChanged(t *testing.T) {
	s := packet(false, true, true, []byte("GET"))
	before := bytes.Clone(s.Packet)
	if _, err := Frames(s); err != nil || !bytes.Equal(before, s.Packet) {
		t.Errorf("changed, or %v", err)
	}
}

func FuzzFrames(f *testing.F) {
	good := packet(false, true, true, []byte("GET"))
	f.Add(good.Packet, good.MAC, good.Transport, good.Payload, 2, []byte{}, true)
	f.Fuzz(func(t *testing.T, packet []byte, mac, transport, payload, segment int, tag []byte, isTCP bool) {
		if segment > 0 && len(packet)/segment > 1000 {
			t.Skip("more segments than a packet has room for")
		}
		frames, err := Frames(Shown{packet, mac, transport, payload, segment, tag, isTCP})
		if err != nil && !errors.Is(err, ErrMalformed) || err == nil && len(frames) == 0 {
			t.Errorf("%d frames: %v", len(frames), err)
		}
	})
}
