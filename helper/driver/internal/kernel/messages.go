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
	const header = unsafe.Offsetof(thin.Packet)
	copied := copy(bytesOf(&thin), sample)
	if copied < int(header) || copied-int(header) < int(thin.Bytes) {
		return rar.Message{}, ErrMessage
	}
	frames, err := frame.Frames(frame.Shown{
		Packet: thin.Packet[:thin.Bytes], MAC: int(thin.MacBytes), Transport: int(thin.Transport), Payload: int(thin.Payload),
		SegmentBytes: int(thin.SegmentBytes), VLAN: int(thin.Vlan), IsTCP: thin.Flow.Key.Protocol == unix.IPPROTO_TCP,
	})
	if err != nil {
		return rar.Message{}, err
	}
	return rar.Message{
		Flow: thin.Flow.Key, Remote: addressOf(thin.Flow.Key.Remote), Interface: int(thin.Ifindex), End: thin.End, Kind: kindOf(&thin),
		State: progressOf(thin.Flow.State), At: time.Duration(thin.NowNs), HasLinkLayer: thin.MacBytes > 0, Frames: numbered(frames, &thin),
	}, nil
}

func kindOf(thin *bpfThin) rar.Kind {
	switch {
	case thin.Flow.Key.Protocol != unix.IPPROTO_TCP:
		return rar.Query
	case thin.Flags&(tcpSYN|tcpACK) == tcpSYN|tcpACK:
		return rar.FirstAnswer
	case thin.Flags&tcpSYN != 0:
		return rar.First
	default:
		return rar.Data
	}
}

// numbered gives each packet the number behind its last byte.
func numbered(packets [][]byte, thin *bpfThin) []rar.Frame {
	frames := make([]rar.Frame, len(packets))
	for i, packet := range packets {
		frames[i] = rar.Frame{End: thin.First + uint32(i+1)*uint32(thin.SegmentBytes), Bytes: packet}
	}
	frames[len(frames)-1].End = thin.End
	return frames
}
