package nl80211

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestTheShareOfDamagedFramesIsThatOfTheLast(t *testing.T) {
	one, other := "02:00:00:00:01:00", "02:00:00:00:02:00"
	errors := NewFrameErrors()
	for _, step := range []struct {
		name     string
		stations []Station
		err      error
		share    float64
		isKnown  bool
	}{
		{"too few frames", []Station{{Address: one, Received: 999, Damaged: 30}}, nil, 0, false},
		{"since it is associated", []Station{{Address: one, Received: 2000, Damaged: 40}}, nil, 0.02, true},
		{"too few since", []Station{{Address: one, Received: 2900, Damaged: 900}}, nil, 0.02, true},
		{"since the last time", []Station{{Address: one, Received: 4000, Damaged: 240}}, nil, 0.1, true},
		{"another access point", []Station{{Address: other, Received: 1000, Damaged: 10}}, nil, 0.01, true},
		{"associated anew", []Station{{Address: other, Received: 900}}, nil, 0, false},
		{"all of them", []Station{{Address: other, Received: 3000, Damaged: 4000}}, nil, 1, true},
		{"several peers", []Station{{Address: one, Received: 9000}, {Address: other, Received: 9000}}, nil, 0, false},
		{"one again", []Station{{Address: other, Received: 4000, Damaged: 40}}, nil, 0.01, true},
		{"damaged ones counted anew", []Station{{Address: other, Received: 6000, Damaged: 30}}, nil, 0.005, true},
		{"not counted", []Station{{Address: one, Sent: 9000}}, nil, 0, false},
		{"no wireless interface", nil, unix.ENODEV, 0, false},
	} {
		errors.stations = func(int) ([]Station, error) { return step.stations, step.err }
		if share, isKnown := errors.Share(3); share != step.share || isKnown != step.isKnown {
			t.Errorf("%s: %v, %v", step.name, share, isKnown)
		}
	}
}
