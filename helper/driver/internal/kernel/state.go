package kernel

import (
	"math/bits"
	"time"

	"github.com/cilium/ebpf"

	"firstscreen/driver/internal/layout"
	"firstscreen/driver/internal/rar"
)

const there = 1

// context of a program that is run on a packet (struct __sk_buff): only the interface is set.
type context struct {
	_         [10]uint32
	Interface uint32
	_         [37]uint32
}

// Progress implements rar.Host.
func (k *Kernel) Progress(flow rar.Flow, on int) (rar.Progress, bool) {
	asked := bpfFlow{Key: flow.(bpfFlowKey)}
	run := ebpf.RunOptions{Data: layout.BytesOf(&asked), DataOut: layout.BytesOf(&asked), Context: context{Interface: uint32(on)}}
	result, err := k.loaded.LookUp.Run(&run)
	return progressOf(asked.State), err == nil && result == there
}

func progressOf(s bpfTcpState) rar.Progress {
	return rar.Progress{
		Acknowledged: s.Acknowledged, Sacked: s.Sacked, Duplicates: s.Duplicates,
		RTT: time.Duration(s.RttEighthsUs) * time.Microsecond / 8, LeastRTT: time.Duration(s.LeastRttUs) * time.Microsecond,
	}
}

const (
	// maxSynTimeout is the kernel's own (RFC 6298 section 2.1): nothing measured says that a connection may be made
	// later than without the driver.
	maxSynTimeout = time.Second
	// minSynTimeout: a server may take so long for reasons of its own, and each first segment that is sent in vain
	// costs the connection its initial window.
	minSynTimeout = 250 * time.Millisecond
)

// SetSynTimeout says after how long a first segment to a flow's server is lost, for connections of registered processes
// and cgroups from the same address of this host. Where it can not be set the kernel's own holds.
func (k *Kernel) SetSynTimeout(flow rar.Flow, timeout, now time.Duration) {
	key := flow.(bpfFlowKey)
	timeout = min(max(timeout, minSynTimeout), maxSynTimeout)
	k.loaded.SynTimeouts.Put(bpfEnds{Local: key.Local, Remote: key.Remote}, bpfSynTimeout{
		SetNs: uint64(now), Jiffies: uint32(timeout / k.tick), Halvings: halvings(timeout),
	})
}

// halvings of the kernel's own time-out until it is no longer than another one.
func halvings(timeout time.Duration) uint32 {
	return uint32(bits.Len64(uint64((maxSynTimeout - 1) / timeout)))
}
