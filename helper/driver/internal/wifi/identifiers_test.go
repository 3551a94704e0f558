package wifi

import "testing"

func TestIdentifiersAsText(t *testing.T) {
	for text, want := range map[string]Identifiers{"none": 0, "0": 1, "0,3": 1<<0 | 1<<3, "6,7": voice, "15": 1 << 15} {
		var got Identifiers
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want || got.String() != text {
			t.Errorf("%q: %016b, %q, %v", text, got, got, err)
		}
	}
}

func TestTextThatIsNoIdentifiers(t *testing.T) {
	for _, text := range []string{"", "16", "-1", "0,", "0, 3", "all", "0x3"} {
		var got Identifiers
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was taken as %s", text, got)
		}
	}
}
