package aggregation

import (
	"math"
	"math/rand/v2"
	"time"
)

// The paper counts "the radio header, IFS, and ACK time" of each aggregate (section V) and gives no durations. These are of IEEE
// 802.11-2012 at 5 GHz: 18.4.4 (SIFS, slot, contention window), 20.3.9 (HT-mixed preamble: 8 + 8 + 4 + 8 + 4 us, and 4 us a stream), 8.3.1.9
// (compressed block ACK, 32 octets, at 24 Mbit/s: 20 us and three symbols).
const (
	sifs        = 16 * time.Microsecond
	slot        = 9 * time.Microsecond
	difs        = sifs + 2*slot
	maxBackoff  = 15 * slot
	radioHeader = 32*time.Microsecond + Streams*4*time.Microsecond
	blockACK    = 32 * time.Microsecond
)

// contend is which of so many stations wins the medium, and after what time. Each is as likely as any other: the least of as many uniform
// draws wins. Collisions are none, as in the paper's emulators.
func contend(random *rand.Rand, stations int) (winner int, wait time.Duration) {
	least := 1 - math.Pow(random.Float64(), 1/float64(stations))
	return random.IntN(stations), difs + time.Duration(least*float64(maxBackoff))
}

// dataTime is how long the aggregates of all streams take, which begin together: as long as the longest one.
func (p Parameters) dataTime(longestBytes int) time.Duration {
	const bitsPerByteTimesNsPerSecond = 8 * int64(time.Second)
	return radioHeader + time.Duration(int64(longestBytes)*bitsPerByteTimesNsPerSecond*Streams/p.RateBitsPerSecond)
}

// ackTime is how long the medium is still not free behind the data.
func (r rules) ackTime() time.Duration {
	if r.acknowledged {
		return sifs + blockACK
	}
	return 0
}
