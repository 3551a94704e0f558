package kernel

import (
	"encoding/binary"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/frame"
	"firstscreen/driver/internal/layout"
	"firstscreen/driver/internal/rar"
)

const (
	tcpFIN = 0x01
	tcpSYN = 0x02
	tcpPSH = 0x08
	tcpACK = 0x10
)

// Decode what the programs have shown; frame.ErrMalformed is of this message alone.
func Decode(sample []byte) (rar.Message, error) {
	var thin bpfThin
	packet := &thin.Packet
	const header = int(unsafe.Offsetof(thin.Bytes))
	if copied := copy(layout.BytesOf(&thin), sample); copied < header || copied-header < int(packet.End) {
		return rar.Message{}, frame.ErrMalformed
	}
	frames, err := frame.Frames(frame.Shown{
		Packet: thin.Bytes[:packet.End], MAC: int(packet.Network), Transport: int(packet.Transport), Payload: int(packet.Payload),
		SegmentBytes: int(thin.SegmentBytes), Tag: tagOf(&thin), IsTCP: packet.Key.Protocol == unix.IPPROTO_TCP,
	})
	if err != nil {
		return rar.Message{}, err
	}
	return rar.Message{
		Flow: packet.Key, Remote: layout.AddressOf(packet.Key.Remote), Interface: int(thin.Ifindex), First: packet.Sequence, End: thin.End,
		Kind: kindOf(packet), State: progressOf(thin.State), At: time.Duration(thin.NowNs), Protocol: thin.Protocol,
		Frames: frames, SegmentBytes: thin.SegmentBytes, IsOpen: kindOf(packet) == rar.Data && packet.Flags&(tcpPSH|tcpFIN) == 0,
	}, nil
}

func tagOf(thin *bpfThin) []byte {
	if thin.Vlan < 0 {
		return nil
	}
	return binary.BigEndian.AppendUint16(binary.NativeEndian.AppendUint16(nil, thin.Protocol), uint16(thin.Vlan))
}

func kindOf(packet *bpfPacket) rar.Kind {
	switch {
	case packet.Key.Protocol != unix.IPPROTO_TCP:
		return rar.Query
	case packet.Flags&(tcpSYN|tcpACK) == tcpSYN|tcpACK:
		return rar.FirstAnswer
	case packet.Flags&tcpSYN != 0:
		return rar.First
	default:
		return rar.Data
	}
}
