package daemon

import (
	"encoding/json"
	"testing"
)

func TestCountersHaveTheNamesThatHelpersKnow(t *testing.T) {
	text, err := json.Marshal(Status{})
	if err != nil {
		t.Fatal(err)
	}
	var told struct{ Counters map[string]json.RawMessage }
	if err := json.Unmarshal(text, &told); err != nil {
		t.Fatal(err)
	}
	for part, names := range map[string][]string{ // helper/src/driver/driverMessages.ts
		"rar":      {"messages", "protected", "copies", "copyBytes", "rounds", "duplicates", "linkBusy", "notPaying"},
		"programs": {"retransmitted", "redirected", "uploads"},
		"fwp":      {"flows", "holes", "holeBytes", "late", "congested", "noRoom"},
	} {
		var counted map[string]uint64
		if err := json.Unmarshal(told.Counters[part], &counted); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if _, is := counted[name]; !is {
				t.Errorf("no %s.%s in %s", part, name, text)
			}
		}
	}
}
