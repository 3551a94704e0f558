package aggregation

import (
	"math/rand/v2"
	"time"
)

// frameBytes is "MTU size to 1500 bytes making a packet about equal to a frame" (section V).
const frameBytes = 1500

// saturated is a station that always has as many full frames as its windows hold.
type saturated struct{ *station[struct{}] }

func newSaturated(p Parameters, scheme Scheme, random *rand.Rand) saturated {
	return saturated{newStation[struct{}](p, scheme, random)}
}

func (s saturated) transmit(tell func(f frame[struct{}], received bool)) sent {
	for i := range s.streams {
		for len(s.streams[i]) < s.Window {
			s.enqueueOn(i, frameBytes, struct{}{})
		}
	}
	return s.station.transmit(tell)
}

// Throughput of a station that always had something to send.
type Throughput struct {
	Scheme         Scheme  `json:"scheme"`
	BitsPerSecond  float64 `json:"bitsPerSecond"` // of frames received
	FramesReceived int64   `json:"framesReceived"`
	FramesSent     int64   `json:"framesSent"` // with those that were sent again
	Opportunities  int64   `json:"opportunities"`
}

// Saturate lets stations contend for the air for a time, all of which always have full frames to send. The same seed gives the same.
func Saturate(p Parameters, schemes []Scheme, lasts time.Duration, seed uint64) []Throughput {
	stations, results := make([]saturated, len(schemes)), make([]Throughput, len(schemes))
	for i, scheme := range schemes {
		stations[i] = newSaturated(p, scheme, stationRandom(seed, i))
		results[i].Scheme = scheme
	}
	medium := mediumRandom(seed)
	now := time.Duration(0)
	for now < lasts {
		winner, wait := contend(medium, len(stations))
		result := &results[winner]
		sent := stations[winner].transmit(func(_ frame[struct{}], received bool) {
			if received {
				result.FramesReceived++
			}
		})
		result.FramesSent += int64(sent.frames)
		result.Opportunities++
		now += wait + p.dataTime(sent.longestBytes) + stations[winner].ackTime()
	}
	for i := range results {
		results[i].BitsPerSecond = float64(results[i].FramesReceived*frameBytes*8) / now.Seconds()
	}
	return results
}

// Each station, and the medium, draws from a stream of its own.
func mediumRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func stationRandom(seed uint64, number int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(number+1)))
}
