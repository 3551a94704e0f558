package rar

import "time"

// Copies take no more of a link than these, whatever is asked for. A page load asks some tens of times in a few hundred bytes each.
const (
	flowBurstBytes      = 12_000
	flowBytesPerSecond  = 6_000
	totalBurstBytes     = 48_000
	totalBytesPerSecond = 24_000
)

// bucket is a token bucket.
type bucket struct {
	burst, perSecond float64
	tokens           float64
	at               time.Duration
}

func newBucket(burst, perSecond float64) *bucket {
	return &bucket{burst: burst, perSecond: perSecond, tokens: burst}
}

func (b *bucket) has(bytes int, now time.Duration) bool {
	if now > b.at {
		b.tokens = min(b.burst, b.tokens+b.perSecond*(now-b.at).Seconds())
		b.at = now
	}
	return b.tokens >= float64(bytes)
}

func (b *bucket) take(bytes int) { b.tokens -= float64(bytes) }
