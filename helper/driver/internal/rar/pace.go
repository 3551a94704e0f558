package rar

import "time"

const (
	// paceSamples of round trips are looked at: the last ones, as links change.
	paceSamples = 32
	// paceBytes more than in the shortest round trip tell something: on 100 kbit/s 24 ms, which stands out of jitter.
	paceBytes = 300
)

// RoundTrip is how long an acknowledgement took, and how many bytes were on the way until then.
type RoundTrip struct {
	Bytes int
	Took  time.Duration
}

// pace is how long a byte takes on the slowest link of a path, from round trips of messages of different sizes: the larger ones take longer by the time
// that their bytes need there. Delayed acknowledgements and queues make some longer, so the least one counts. Where all are small it is 0, not known.
type pace struct {
	samples [paceSamples]RoundTrip
	count   int
}

func (p *pace) learn(sample RoundTrip) {
	p.samples[p.count%paceSamples] = sample
	p.count++
}

// perByte is 0 where nothing tells it.
func (p *pace) perByte() (least time.Duration) {
	seen := p.samples[:min(p.count, paceSamples)]
	if len(seen) == 0 {
		return 0
	}
	base := seen[0]
	for _, s := range seen {
		if s.Took < base.Took {
			base = s
		}
	}
	for _, s := range seen {
		if s.Bytes < base.Bytes+paceBytes {
			continue
		}
		if each := (s.Took - base.Took) / time.Duration(s.Bytes-base.Bytes); least == 0 || each < least {
			least = each
		}
	}
	return least
}
