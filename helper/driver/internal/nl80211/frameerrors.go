package nl80211

import "sync"

// enough frames to tell a share by: at 1 % ten are damaged.
const enough = 1000

// FrameErrors follows what share of the frames that come by wireless interfaces is damaged. It is used from several goroutines.
type FrameErrors struct {
	stations func(index int) ([]Station, error)
	mutex    sync.Mutex
	known    map[int]reading // by interface
}

type reading struct {
	station Station
	share   float64
	isKnown bool
}

// NewFrameErrors has read nothing yet.
func NewFrameErrors() *FrameErrors {
	return &FrameErrors{stations: Stations, known: map[int]reading{}}
}

// Share of the frames from the one peer of an interface that came damaged lately, from 0 to 1, whether they were sent again or not. It is not known of an
// interface that is not wireless or has several peers, of a device that does not count both, and before enough frames have come.
func (f *FrameErrors) Share(index int) (share float64, isKnown bool) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	stations, err := f.stations(index)
	if err != nil || len(stations) != 1 {
		delete(f.known, index)
		return 0, false
	}
	now := f.known[index].then(stations[0])
	f.known[index] = now
	return now.share, now.isKnown
}

// then is what is known when a station has counted further, or from the beginning on.
func (r reading) then(s Station) reading {
	if s.Address != r.station.Address || s.Received < r.station.Received || s.Damaged < r.station.Damaged {
		r = reading{station: Station{Address: s.Address}}
	}
	frames := s.Received - r.station.Received
	if frames < enough {
		return r
	}
	return reading{s, min(1, float64(s.Damaged-r.station.Damaged)/float64(frames)), true}
}
