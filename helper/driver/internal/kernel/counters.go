package kernel

import "github.com/cilium/ebpf"

// Counters of the programs since they were loaded.
type Counters struct {
	ThinLost      uint64 `json:"thinLost"`
	FlowsSeen     uint64 `json:"flowsSeen"`
	Retransmitted uint64 `json:"retransmitted"`
	Redirected    uint64 `json:"redirected"`
}

// Counters reads all.
func (k *Kernel) Counters() Counters {
	return Counters{
		ThinLost: sum(k.loaded.Counters, bpfCounterTHIN_LOST), FlowsSeen: sum(k.loaded.Counters, bpfCounterFLOWS_SEEN),
		Retransmitted: k.Retransmitted(), Redirected: sum(k.loaded.Counters, bpfCounterREDIRECTED),
	}
}

// Retransmitted is how many segments of registered flows TCP itself has sent again.
func (k *Kernel) Retransmitted() uint64 { return sum(k.loaded.Counters, bpfCounterRETRANSMITTED) }

// SentBytes implements rar.Host.
func (k *Kernel) SentBytes(on int) uint64 {
	return sum(k.loaded.SentBytes, uint32(on)%k.loaded.SentBytes.MaxEntries())
}

// sum of an entry over all processors; 0 where it can not be read.
func sum[I ~uint32](of *ebpf.Map, index I) (total uint64) {
	var perProcessor []uint64
	if of.Lookup(index, &perProcessor) != nil {
		return 0
	}
	for _, one := range perProcessor {
		total += one
	}
	return total
}
