package shape

import "math/rand/v2"

// delayLine adds the propagation delay. Jitter is normal, cut off at no delay at all, and never reorders: a packet that drew a short
// delay waits for the one before it, as behind a reliable link layer (WWAN study, section 4.4).
type delayLine struct {
	delayNs, jitterNs int64
	random            *rand.Rand
	lastNs            int64
}

func (l *delayLine) pass(enteredNs int64) int64 {
	delayNs := l.delayNs
	if l.jitterNs > 0 {
		delayNs = max(0, delayNs+int64(l.random.NormFloat64()*float64(l.jitterNs)))
	}
	l.lastNs = max(l.lastNs, enteredNs+delayNs)
	return l.lastNs
}
