package kernel

import (
	"errors"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/frame"
	"firstscreen/driver/internal/rar"
)

const (
	tcpSYN = 0x02
	tcpACK = 0x10
)

// ErrMessage is of a message that can not be copied; the others are not concerned.
var ErrMessage = errors.New("a shown message that can not be read")

// Decode what the programs have shown.
func Decode(sample []byte) (rar.Message, error) {
	var thin bpfThin
	packet := &thin.Packet
	const header = int(unsafe.Offsetof(thin.Bytes))
	if copied := copy(bytesOf(&thin), sample); copied < header || copied-header < int(packet.End) {
		return rar.Message{}, ErrMessage
	}
	frames, err := frame.Frames(frame.Shown{
		Packet: thin.Bytes[:packet.End], MAC: int(packet.Network), Transport: int(packet.Transport), Payload: int(packet.Payload),
		SegmentBytes: int(thin.SegmentBytes), VLAN: int(thin.Vlan), IsTCP: packet.Key.Protocol == unix.IPPROTO_TCP,
	})
	if err != nil {
		return rar.Message{}, err
	}
	return rar.Message{
		Flow: packet.Key, Remote: addressOf(packet.Key.Remote), Interface: int(thin.Ifindex), End: thin.End, Kind: kindOf(packet),
		State: progressOf(thin.State), At: time.Duration(thin.NowNs), HasLinkLayer: packet.Network > 0, Frames: numbered(frames, &thin),
	}, nil
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

// numbered gives each packet the number behind its last byte.
func numbered(packets [][]byte, thin *bpfThin) []rar.Frame {
	frames := make([]rar.Frame, len(packets))
	for i, packet := range packets {
		frames[i] = rar.Frame{End: thin.Packet.Sequence + uint32(i+1)*thin.SegmentBytes, Bytes: packet}
	}
	frames[len(frames)-1].End = thin.End
	return frames
}
