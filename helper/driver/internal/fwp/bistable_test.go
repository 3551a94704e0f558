package fwp

import "testing"

func TestASignOfCongestionInhibitsForARoundTrip(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	for name, change := range map[string]func(f *bpfFwpFlow, s *segment){
		"the rate": func(f *bpfFwpFlow, _ *segment) { f.Loss.Spent = 10 * rateOne },
		"a mark":   func(_ *bpfFwpFlow, s *segment) { s.service = 3 },
	} {
		entry, s := b.flow(), b.segment(1000, randomPayload(100, 1))
		change(&entry, &s)
		b.put(entry)
		before := nowMs()
		b.run(b.packet(s))
		after := nowMs()
		const grain = 2 // two readings of the clock
		if until := b.entry().Loss.InhibitedUntilMs; until < before+40 || until > after+40+(after-before)+grain {
			t.Errorf("%s: between %d and %d, until %d", name, before, after, until)
		}
	}
	if counts := (&Flows{programs: b.Programs}).Counts(); counts.Holes != 0 || counts.Congested != 2 {
		t.Errorf("%+v", counts)
	}
}

// What comes and what is missing is the switch's, whose rules are tested in virtual time (internal/bistable).
func TestTheSwitchIsToldOfWhatComesAndWhatIsMissing(t *testing.T) {
	b := newBed(t, "127.0.0.1")
	entry, s := b.flow(), b.segment(3000, randomPayload(100, 1))
	entry.Loss.LeastMs, s.rtt = 50_000, 30_000 // so long that no delay of this test's makes another one of it
	b.put(entry)
	b.run(b.packet(s))
	after := b.entry().Loss
	if after.Now.Segments != 101 || after.Now.Lost != 3 || after.LeastMs < 30_000 || after.LeastMs >= 50_000 {
		t.Errorf("%+v", after)
	}
}
