package kernel

import (
	"encoding/binary"
	"time"
	"unsafe"

	"github.com/cilium/ebpf"

	"firstscreen/driver/internal/flow"
	"firstscreen/driver/internal/rar"
)

// query is struct query: a flow, and TCP's state of it.
type query struct {
	Key   flow.Key
	State tcpState
}

const there = 1

// context of a program that is run on a packet (struct __sk_buff): only the interface is set.
type context struct {
	_         [10]uint32
	Interface uint32
	_         [37]uint32
}

// sentEntries of the map sent_bytes.
const sentEntries = 64

// Progress implements rar.Host.
func (k *Kernel) Progress(key flow.Key, on int) (rar.Progress, bool) {
	asked := make([]byte, unsafe.Sizeof(query{}))
	if _, err := binary.Encode(asked, binary.NativeEndian, query{Key: key}); err != nil {
		return rar.Progress{}, false
	}
	run := ebpf.RunOptions{Data: asked, DataOut: make([]byte, len(asked)), Context: context{Interface: uint32(on)}}
	result, err := k.traffic.LookUp.Run(&run)
	var answer query
	if err != nil || result != there {
		return rar.Progress{}, false
	}
	if _, err := binary.Decode(run.DataOut, binary.NativeEndian, &answer); err != nil {
		return rar.Progress{}, false
	}
	return answer.State.progress(), true
}

// SentBytes implements rar.Host: 0 where they can not be read, so that nothing but messages keeps the link busy.
func (k *Kernel) SentBytes(on int) (total uint64) {
	var perProcessor []uint64
	if err := k.traffic.SentBytes.Lookup(uint32(on)%sentEntries, &perProcessor); err != nil {
		return 0
	}
	for _, bytes := range perProcessor {
		total += bytes
	}
	return total
}

func (s tcpState) progress() rar.Progress {
	return rar.Progress{
		Acknowledged: s.Acknowledged, Duplicates: s.Duplicates,
		RTT: time.Duration(s.RTTEighthsUs) * time.Microsecond / 8, LeastRTT: time.Duration(s.LeastRTTUs) * time.Microsecond,
	}
}
