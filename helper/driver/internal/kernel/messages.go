package kernel

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/cilium/ebpf/ringbuf"

	"firstscreen/driver/internal/flow"
	"firstscreen/driver/internal/frame"
	"firstscreen/driver/internal/rar"
)

// Messages are the thin messages that the programs show.
type Messages struct{ reader *ringbuf.Reader }

// Read waits for the next one until the deadline that Until has set; then the error is os.ErrDeadlineExceeded.
func (m *Messages) Read() (rar.Message, error) {
	record, err := m.reader.Read()
	if err != nil {
		return rar.Message{}, err
	}
	return decode(record.RawSample)
}

// More tells whether another one is there: Read would not wait.
func (m *Messages) More() bool { return m.reader.AvailableBytes() > 0 }

// Until sets when Read gives up waiting.
func (m *Messages) Until(t time.Time) { m.reader.SetDeadline(t) }

// Close ends a waiting Read with ringbuf.ErrClosed.
func (m *Messages) Close() error { return m.reader.Close() }

// ErrMessage is of a message that can not be copied; the others are not concerned.
var ErrMessage = errors.New("a shown message that can not be read")

func decode(sample []byte) (rar.Message, error) {
	var header thinHeader
	reader := bytes.NewReader(sample)
	if err := binary.Read(reader, binary.NativeEndian, &header); err != nil {
		return rar.Message{}, fmt.Errorf("%w: %w", ErrMessage, err)
	}
	packet := sample[len(sample)-reader.Len():]
	if len(packet) < int(header.Bytes) {
		return rar.Message{}, ErrMessage
	}
	vlan := -1
	if header.HasVLAN != 0 {
		vlan = int(header.VLAN)
	}
	frames, err := frame.Frames(frame.Shown{
		Packet: packet[:header.Bytes], MAC: int(header.MAC), Transport: int(header.Transport), Payload: int(header.Payload),
		SegmentBytes: int(header.SegmentBytes), VLAN: vlan, IsTCP: header.Key.Protocol == flow.TCP,
	})
	if err != nil {
		return rar.Message{}, fmt.Errorf("%w: %w", ErrMessage, err)
	}
	return rar.Message{
		Key: header.Key, Interface: int(header.Interface), End: header.End, Kind: kindOf(header), State: header.State.progress(),
		At: time.Duration(header.NowNs), HasLinkLayer: header.MAC > 0, Frames: numbered(frames, header),
	}, nil
}

func kindOf(header thinHeader) rar.Kind {
	switch {
	case header.Key.Protocol != flow.TCP:
		return rar.Query
	case header.Flags&(tcpSYN|tcpACK) == tcpSYN|tcpACK:
		return rar.FirstAnswer
	case header.Flags&tcpSYN != 0:
		return rar.First
	default:
		return rar.Data
	}
}

// numbered gives each packet the number behind its last byte.
func numbered(packets [][]byte, header thinHeader) []rar.Frame {
	frames := make([]rar.Frame, len(packets))
	for i, packet := range packets {
		frames[i] = rar.Frame{End: header.First + uint32(i+1)*uint32(header.SegmentBytes), Bytes: packet}
	}
	frames[len(frames)-1].End = header.End
	return frames
}
