package daemon

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/sys/unix"
)

// sender is a packet socket that receives nothing. It sends packets as they are, past the network stack.
type sender int

// openSender needs CAP_NET_RAW, and CAP_NET_ADMIN for the mark, by which the driver's programs know its packets.
func openSender(mark int) (sender, error) {
	socket, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return 0, fmt.Errorf("a packet socket: %w", err)
	}
	if err := unix.SetsockoptInt(socket, unix.SOL_SOCKET, unix.SO_MARK, mark); err != nil {
		unix.Close(socket)
		return 0, fmt.Errorf("the mark of a packet socket: %w", err)
	}
	return sender(socket), nil
}

const etherTypeOffset = 12

// send on an interface; what can not be sent is lost, as on the air: TCP has its own copy.
func (s sender) send(on int, frame []byte, hasLinkLayer bool) error {
	protocol := uint16(unix.ETH_P_IP)
	switch {
	case hasLinkLayer:
		protocol = binary.BigEndian.Uint16(frame[etherTypeOffset:])
	case frame[0]>>4 == 6:
		protocol = unix.ETH_P_IPV6
	}
	network := binary.NativeEndian.Uint16(binary.BigEndian.AppendUint16(nil, protocol))
	return unix.Sendto(int(s), frame, unix.MSG_DONTWAIT, &unix.SockaddrLinklayer{Ifindex: on, Protocol: network})
}
