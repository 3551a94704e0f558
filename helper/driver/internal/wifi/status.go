package wifi

import (
	"errors"

	"firstscreen/driver/internal/nl80211"
)

// State of what is recorded.
type State struct {
	Record
	// Holder is the process that holds it; 0 is none: it was left behind.
	Holder int `json:"holder"`
	// IsThere says that the interface is in this network namespace.
	IsThere bool `json:"isThere"`
	// Stations that the interface sends to. Of a device that does without acknowledgement Retries and Failed do not grow.
	Stations []nl80211.Station `json:"stations"`
}

// States of all records.
func (s Switch) States() (states []State, _ error) {
	interfaces, err := s.radio.interfaces()
	if err != nil {
		return nil, explain(err, "Asking for wireless interfaces")
	}
	_, err = s.each(func(e *entry) (bool, error) {
		holder, err := e.holder()
		state := State{Record: e.Record, Holder: holder}
		for _, one := range interfaces {
			if one.Device != e.Device {
				continue
			}
			stations, stationsErr := s.radio.stations(one.Index)
			state.IsThere, state.Stations = true, stations
			err = errors.Join(err, stationsErr)
		}
		states = append(states, state)
		return true, err
	})
	return states, err
}
