package rar

import "time"

const (
	// paceSamples of round trips are looked at: the last ones, as links change.
	paceSamples = 32
	// largeBytes tell something: on 100 kbit/s they take 24 ms, which stands out of jitter. Of these fewer are looked at, so that a change is noticed.
	largeBytes   = 300
	largeSamples = 8
)

// RoundTrip is how long an acknowledgement took, and how many bytes were on the way until then.
type RoundTrip struct {
	Bytes int
	Took  time.Duration
}

// pace is how long a byte takes on the slowest link of a path, from round trips of messages of different sizes: the larger ones take longer by the time
// that their bytes need there. Delayed acknowledgements and queues make some longer, so the least one counts.
type pace struct {
	small, large lately
}

func (p *pace) learn(sample RoundTrip) {
	if sample.Bytes < largeBytes {
		p.small.add(sample, paceSamples)
	} else {
		p.large.add(sample, largeSamples)
	}
}

// least round trip; none: zero.
func (p *pace) least() RoundTrip {
	small, isSmall := p.small.least()
	large, isLarge := p.large.least()
	if !isSmall || (isLarge && large.Took < small.Took) {
		return large
	}
	return small
}

// perByte is known as soon as a larger message was acknowledged; 0 where that took no longer than a small one.
func (p *pace) perByte() (each time.Duration, isKnown bool) {
	base := p.least()
	isKnown = len(p.large.samples) > 0
	if !isKnown || base.Bytes >= largeBytes {
		return 0, isKnown
	}
	for i, s := range p.large.samples {
		if one := (s.Took - base.Took) / time.Duration(s.Bytes-base.Bytes); i == 0 || one < each {
			each = one
		}
	}
	return each, true
}

// lately are the last samples.
type lately struct {
	samples []RoundTrip
	next    int
}

func (l *lately) add(sample RoundTrip, most int) {
	if len(l.samples) < most {
		l.samples = append(l.samples, sample)
		return
	}
	l.samples[l.next] = sample
	l.next = (l.next + 1) % most
}

func (l *lately) least() (least RoundTrip, is bool) {
	for i, s := range l.samples {
		if i == 0 || s.Took < least.Took {
			least = s
		}
	}
	return least, len(l.samples) > 0
}
