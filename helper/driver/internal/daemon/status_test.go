package daemon

import (
	"encoding/json"
	"testing"
)

func TestBuffersAreEnlargedOnlyBeyondWhatTCPReachesByItself(t *testing.T) {
	for _, c := range []struct {
		most, tuned uint64
		bytes       uint32
	}{
		{212_992, 6_291_456, 0},
		{3_145_728, 6_291_456, 0},
		{3_145_729, 6_291_456, 3_145_729},
		{1 << 40, 6_291_456, 1 << 30},
	} {
		got := bufferFor(c.most, c.tuned)
		if got.Bytes != c.bytes || (got.Reason == "") != (c.bytes > 0) {
			t.Errorf("rmem_max %d beside %d: %+v", c.most, c.tuned, got)
		}
	}
}

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
		"rar":      {"messages", "protected", "copies", "copyBytes", "rounds", "duplicates", "overBudget", "congested", "notPaying"},
		"programs": {"retransmitted", "acknowledgementsSplit", "redirected"},
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
