package kernel

// Counters of the programs since they were loaded, in the order of bpf/counters.h.
type Counters struct {
	ThinSeen      uint64 `json:"thinSeen"`
	ThinLost      uint64 `json:"thinLost"`
	FlowsSeen     uint64 `json:"flowsSeen"`
	Retransmitted uint64 `json:"retransmitted"`
	Redirected    uint64 `json:"redirected"`
}

const retransmittedIndex = 3

// Counters reads all.
func (k *Kernel) Counters() (Counters, error) {
	var c Counters
	for index, to := range []*uint64{&c.ThinSeen, &c.ThinLost, &c.FlowsSeen, &c.Retransmitted, &c.Redirected} {
		value, err := k.counter(uint32(index))
		if err != nil {
			return Counters{}, err
		}
		*to = value
	}
	return c, nil
}

// Retransmitted is how many segments of registered flows TCP itself has sent again.
func (k *Kernel) Retransmitted() (uint64, error) { return k.counter(retransmittedIndex) }

func (k *Kernel) counter(index uint32) (total uint64, err error) {
	var perProcessor []uint64
	if err := k.traffic.Counters.Lookup(index, &perProcessor); err != nil {
		return 0, err
	}
	for _, value := range perProcessor {
		total += value
	}
	return total, nil
}
