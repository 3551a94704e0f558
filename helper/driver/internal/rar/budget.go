package rar

import "time"

// Copies take no more of a link than these, whatever is asked for. A page load asks some tens of times in a few hundred bytes each.
const (
	flowBurstBytes          = 12_000
	flowBytesPerSecond      = 6_000
	interfaceBurstBytes     = 48_000
	interfaceBytesPerSecond = 24_000
	// budgetShare of a link whose rate is known: on 100 kbit/s 1.6 kB/s.
	budgetShare = 0.125
	// leastBurstBytes: the largest message, 4,380 bytes in some segments with their headers, may go whole.
	leastBurstBytes = 5_000
)

// bucket is a token bucket.
type bucket struct {
	mostBurst, mostPerSecond float64
	burst, perSecond         float64
	tokens                   float64
	at                       time.Duration
}

func newBucket(burst, perSecond float64) *bucket {
	return &bucket{mostBurst: burst, mostPerSecond: perSecond, burst: burst, perSecond: perSecond, tokens: burst}
}

// limit to what a link allows that needs so long for a byte.
func (b *bucket) limit(perByte time.Duration) {
	b.perSecond, b.burst = b.mostPerSecond, b.mostBurst
	if perByte > 0 {
		share := budgetShare * float64(time.Second) / float64(perByte)
		b.perSecond = min(b.perSecond, share)
		b.burst = min(b.burst, max(share, leastBurstBytes))
	}
	b.tokens = min(b.tokens, b.burst)
}

func (b *bucket) has(bytes int, now time.Duration) bool {
	if now > b.at {
		b.tokens = min(b.burst, b.tokens+b.perSecond*(now-b.at).Seconds())
		b.at = now
	}
	return b.tokens >= float64(bytes)
}

func (b *bucket) take(bytes int) { b.tokens -= float64(bytes) }
