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

func (p *pace) seen() []RoundTrip { return p.samples[:min(p.count, paceSamples)] }

// least round trip; none: zero.
func (p *pace) least() (least RoundTrip) {
	for i, s := range p.seen() {
		if i == 0 || s.Took < least.Took {
			least = s
		}
	}
	return least
}

// perByte is 0 where nothing tells it.
func (p *pace) perByte() (least time.Duration) {
	base := p.least()
	for _, s := range p.seen() {
		if s.Bytes < base.Bytes+paceBytes {
			continue
		}
		if each := (s.Took - base.Took) / time.Duration(s.Bytes-base.Bytes); least == 0 || each < least {
			least = each
		}
	}
	return least
}
