package kernel

// Counters of the programs since they were loaded, as these keep them (bpf/flow.h).
type Counters struct {
	ThinLost      uint64 `json:"thinLost"`
	Retransmitted uint64 `json:"retransmitted"`
	Redirected    uint64 `json:"redirected"`
	Uploads       uint64 `json:"uploads"`
}

// Counters reads all; zeros where they can not be read.
func (k *Kernel) Counters() (counted Counters) {
	k.loaded.Counters.Get(&counted)
	return counted
}

// SentBytes implements rar.Host.
func (k *Kernel) SentBytes(on int) (total uint64) {
	var perProcessor []uint64
	k.loaded.SentBytes.Lookup(uint32(on)%k.loaded.SentBytes.MaxEntries(), &perProcessor)
	for _, one := range perProcessor {
		total += one
	}
	return total
}
