package fwp

import (
	"encoding/binary"
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/frame"
	"firstscreen/driver/internal/layout"
)

// event is what the programs have told of a flow: of a hole that was filled, or of a segment that may be the original of one.
type event struct {
	flow    uint32 // its number
	offset  uint64 // in the stream
	bytes   uint64
	segment []byte // TCP header and payload; none: a hole
	headers int    // bytes of its TCP header
	// isChecked by the device; else its sum has to be looked at, as TCP does only after the programs.
	isChecked bool
}

var errMalformed = errors.New("an event whose lengths do not fit")

// decode a record of the ring. The event shares its bytes.
func decode(sample []byte) (event, error) {
	var told bpfFwpEvent
	if copied := copy(layout.BytesOf(&told), sample); copied < int(unsafe.Sizeof(told)) {
		return event{}, errMalformed
	}
	e := event{flow: told.Flow, offset: told.Offset, bytes: uint64(told.Bytes), headers: int(told.Headers), isChecked: told.IsChecked != 0}
	if told.Kind == eventHole {
		return e, nil
	}
	if len(sample) < int(lateHeader)+e.headers+int(e.bytes) || e.headers < minHeader || e.bytes == 0 {
		return event{}, errMalformed
	}
	e.segment = sample[lateHeader:][:e.headers+int(e.bytes)]
	return e, nil
}

const (
	eventHole         = 0 // EVENT_HOLE in bpf/fwp.h
	lateHeader        = unsafe.Offsetof(bpfFwpLate{}.Segment)
	minHeader         = 20
	tcpChecksumOffset = 16
)

// isWhole tells whether the bytes of a segment of a connection are those that the peer has sent, as far as its checksum tells. One that was left to the device
// holds the sum of the pseudo header alone: the packet was on no wire, or was looked at when it was merged with others (GRO).
func (e event) isWhole(key bpfFlowKey) bool {
	if e.isChecked {
		return true
	}
	remote, local := layout.AddressOf(key.Remote).AsSlice(), layout.AddressOf(key.Local).AsSlice()
	number := unix.IPPROTO_TCP + len(e.segment)
	if frame.Checksum(number, remote, local, e.segment) == 0 {
		return true
	}
	return binary.BigEndian.Uint16(e.segment[tcpChecksumOffset:]) == ^frame.Checksum(number, remote, local)
}
