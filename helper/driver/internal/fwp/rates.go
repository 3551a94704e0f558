package fwp

import (
	"cmp"
	"net"
	"slices"
)

const (
	rateOne = 1 << 16 // RATE_ONE in bpf/bistable.h
	// firstErrorRate is expected until a flow has shown its own. It is low: what is too low costs a flow few answers of TCP's, what is too high hides congestion
	// for as long as it takes to see that nothing else is lost.
	firstErrorRate = 0.001
	// mostLearnt, as more is rather congestion.
	mostLearnt = 0.1
	// MaxErrorRate that can be expected: with more of a stream missing it is cheaper to fetch it anew.
	MaxErrorRate = 0.5
	// uncounted frames, for each that a device counts as damaged: their addresses are damaged, or nothing was heard of them.
	uncounted = 1
)

// Rates are the frame error rates that are expected of interfaces.
type Rates struct {
	// Configured by the administrator, above 0; 0: they are learnt from each flow.
	Configured float64
	// Damaged is the share of frames that came damaged by an interface, where its device counts it. The hop can not have lost much more: what is damaged may
	// have been sent again.
	Damaged func(index int) (share float64, isKnown bool)
}

// Source of an expected rate.
type Source string

const (
	// Configured by the administrator.
	Configured Source = "configured"
	// Device is the wireless one, which bounds what is learnt.
	Device Source = "device"
	// Learnt from each flow.
	Learnt Source = "learnt"
)

// rate that is expected of a flow at first, and what it may be learnt to be.
type rate struct {
	expected, most float64 // most is 0 where nothing is learnt
	source         Source
}

func (r Rates) of(index int) rate {
	if r.Configured != 0 {
		return rate{r.Configured, 0, Configured}
	}
	if share, isKnown := r.Damaged(index); isKnown {
		most := min(share*(1+uncounted), mostLearnt)
		return rate{min(firstErrorRate, most), most, Device}
	}
	return rate{firstErrorRate, mostLearnt, Learnt}
}

// Expected frame error rate of an interface that flows come by.
type Expected struct {
	Interface string  `json:"interface"`
	Rate      float64 `json:"rate"` // the highest of its flows
	Source    Source  `json:"source"`
}

// Expected of the interfaces of all flows that are filled.
func (f *Flows) Expected() []Expected {
	names := namesOfInterfaces() // which takes its time: who asks for holes would wait
	f.mutex.Lock()
	defer f.mutex.Unlock()
	all := []Expected{}
	for _, one := range f.all {
		var entry bpfFwpFlow
		name, isThere := names[one.index]
		if !isThere || f.programs.loaded.FwpFlows.Lookup(one.key, &entry) != nil {
			continue // it has gone
		}
		all = append(all, Expected{name, float64(entry.Loss.ErrorRate) / rateOne, one.rate.source})
	}
	return highest(all)
}

// namesOfInterfaces by their indexes; none where the system does not tell.
func namesOfInterfaces() map[int]string {
	names := map[int]string{}
	devices, _ := net.Interfaces()
	for _, one := range devices {
		names[one.Index] = one.Name
	}
	return names
}

// highest of each interface, in the order of their names.
func highest(all []Expected) []Expected {
	slices.SortFunc(all, func(a, b Expected) int {
		return cmp.Or(cmp.Compare(a.Interface, b.Interface), cmp.Compare(b.Rate, a.Rate))
	})
	return slices.CompactFunc(all, func(a, b Expected) bool { return a.Interface == b.Interface })
}

// unitsOf a rate, in the programs.
func unitsOf(rate float64) uint32 { return uint32(rate * rateOne) }
