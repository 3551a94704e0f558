package fwp

import (
	"slices"
	"testing"
)

func TestWhatIsExpectedOfAnInterface(t *testing.T) {
	for name, c := range map[string]struct {
		configured float64
		share      float64
		isKnown    bool
		rate       rate
	}{
		"nobody has told":                       {0, 0, false, rate{0.001, 0.1, Learnt}},
		"the device has counted":                {0, 0.03, true, rate{0.001, 0.06, Device}},
		"it counts few":                         {0, 0.0005, true, rate{0.001, 0.001, Device}},
		"it counts none":                        {0, 0, true, rate{0, 0, Device}},
		"it counts many":                        {0, 0.4, true, rate{0.001, 0.1, Device}},
		"the administrator has told":            {0.2, 0, false, rate{0.2, 0, Configured}},
		"the administrator, and the device has": {0.2, 0.03, true, rate{0.2, 0, Configured}},
	} {
		rates := Rates{Configured: c.configured, Damaged: func(int) (float64, bool) { return c.share, c.isKnown }}
		if got := rates.of(3); got != c.rate {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestTheHighestOfEachInterfaceIsTold(t *testing.T) {
	got := highest([]Expected{{"wlan1", 0.02, Learnt}, {"wlan0", 0.01, Device}, {"wlan1", 0.03, Learnt}})
	if !slices.Equal(got, []Expected{{"wlan0", 0.01, Device}, {"wlan1", 0.03, Learnt}}) {
		t.Errorf("%+v", got)
	}
}
