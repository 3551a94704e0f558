package fwp

// Counts since the programs were loaded (struct fwp_counters in bpf/fwp.h).
type Counts struct {
	Flows     int    `json:"flows"` // that are repaired now
	Holes     uint64 `json:"holes"`
	HoleBytes uint64 `json:"holeBytes"`
	Late      uint64 `json:"late"`
	Congested uint64 `json:"congested"`
	NoRoom    uint64 `json:"noRoom"`
}

// Counts reads all; zeros where they can not be read.
func (f *Flows) Counts() Counts {
	var counted bpfFwpCounters
	f.programs.loaded.FwpCounters.Get(&counted)
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return Counts{len(f.all), counted.Holes, counted.HoleBytes, counted.Late, counted.Congested, counted.NoRoom}
}
