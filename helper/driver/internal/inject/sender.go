// Package inject sends packets as they are, past the network stack.
package inject

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/sys/unix"
)

// Sender has a packet socket that receives nothing.
type Sender struct{ socket int }

// Open needs CAP_NET_RAW, and CAP_NET_ADMIN for the mark, by which the driver's programs know its packets.
func Open(mark int) (*Sender, error) {
	socket, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("a packet socket: %w", err)
	}
	if err := unix.SetsockoptInt(socket, unix.SOL_SOCKET, unix.SO_MARK, mark); err != nil {
		unix.Close(socket)
		return nil, fmt.Errorf("the mark of a packet socket: %w", err)
	}
	return &Sender{socket}, nil
}

const etherTypeOffset = 12

// Send a frame on an interface; hasLinkLayer tells whether it begins with an Ethernet header. What can not be sent is lost, as on the air: TCP has its own copy.
func (s *Sender) Send(on int, frame []byte, hasLinkLayer bool) error {
	protocol := uint16(unix.ETH_P_IP)
	switch {
	case len(frame) == 0:
		return fmt.Errorf("an empty frame")
	case hasLinkLayer && len(frame) > etherTypeOffset+2:
		protocol = binary.BigEndian.Uint16(frame[etherTypeOffset:])
	case !hasLinkLayer && frame[0]>>4 == 6:
		protocol = unix.ETH_P_IPV6
	}
	network := binary.NativeEndian.Uint16(binary.BigEndian.AppendUint16(nil, protocol))
	return unix.Sendto(s.socket, frame, unix.MSG_DONTWAIT, &unix.SockaddrLinklayer{Ifindex: on, Protocol: network})
}

// Close gives the socket back.
func (s *Sender) Close() error { return unix.Close(s.socket) }
