package probe

import (
	"math"
	"net/netip"
	"strings"
	"testing"
	"time"

	"firstscreen/e2e/link/profile"
	"firstscreen/e2e/link/shape"
)

// through sends a schedule through the pure core of a link, which may be another one than is expected.
func through(expected, actual shape.Config, seed uint64, number int) sample {
	s := sample{config: expected, probes: plan(expected), received: map[int32]int64{}}
	direction := shape.NewDirection(actual, seed, number, 0)
	for i, p := range s.probes {
		s.sent = append(s.sent, p.atNs)
		if fate, atNs := direction.Arrive(p.atNs, p.sizeBytes); fate == shape.Delivered {
			s.received[int32(i)] = atNs
		}
	}
	return s
}

func judged(expected, actual profile.Profile, seed uint64) Result {
	return judge(through(expected.Down, actual.Down, seed, 0), through(expected.Up, actual.Up, seed, 1))
}

func TestEveryProfilePassesOnAPerfectLink(t *testing.T) {
	for _, p := range profile.All() {
		refused := 0
		for seed := range uint64(50) {
			if r := judged(p, p, seed); !r.OK {
				refused++
				t.Logf("%s, seed %d: %v", p.Name, seed, r.Failures)
			}
		}
		if refused > 0 {
			t.Errorf("%s: %d of 50 perfect links refused", p.Name, refused)
		}
	}
}

func TestAWrongLinkIsRefused(t *testing.T) {
	wrong := map[string]struct {
		change func(p *profile.Profile)
		word   string
	}{
		"delay":     {func(p *profile.Profile) { p.Up.DelayMs *= 1.2 }, "RTT"},
		"rate down": {func(p *profile.Profile) { p.Down.RateBitsPerSecond = p.Down.RateBitsPerSecond * 93 / 100 }, "down rate"},
		"rate up":   {func(p *profile.Profile) { p.Up.RateBitsPerSecond = p.Up.RateBitsPerSecond * 108 / 100 }, "up rate"},
		"loss":      {func(p *profile.Profile) { p.Down.Loss += 0.2 }, "down loss"},
		"dead":      {func(p *profile.Profile) { p.Down.Loss = 1 }, "no latency probe"},
	}
	for _, p := range profile.All() {
		if p.Down.JitterMs > 0 {
			continue // its intervals are wider than these changes
		}
		for name, w := range wrong {
			actual := p
			w.change(&actual)
			if r := judged(p, actual, 1); r.OK || !strings.Contains(strings.Join(r.Failures, ";"), w.word) {
				t.Errorf("%s with another %s: ok %t, %v", p.Name, name, r.OK, r.Failures)
			}
		}
	}
}

func TestBitErrorsAreExpectedByTheSizeOfEachProbe(t *testing.T) {
	p := profile.All()[0]
	for _, direction := range []*shape.Config{&p.Down, &p.Up} {
		direction.Loss, direction.BitErrorRate = 0, 1e-5
	}
	if r := judged(p, p, 1); !r.OK {
		t.Errorf("the link is good: %v", r.Failures)
	}
	wrong := p
	wrong.Down.BitErrorRate = 1e-4
	if r := judged(p, wrong, 1); r.OK || !strings.Contains(strings.Join(r.Failures, ";"), "down loss") {
		t.Errorf("ten times the errors: ok %t, %v", r.OK, r.Failures)
	}
}

func TestBurstsOfLossPassOnAPerfectLinkAndAnotherMeanDoesNot(t *testing.T) {
	p := profile.All()[0]
	p.Down.Gilbert = &shape.Gilbert{GoodMs: 20, BadMs: 4, BadLoss: 0.6}
	p.Down.Loss = p.Down.Gilbert.MeanLoss()
	wrong := p
	wrong.Down.Gilbert = &shape.Gilbert{GoodMs: 20, BadMs: 4, BadLoss: 0.6, GoodLoss: 0.6}
	refused := 0
	for seed := range uint64(50) {
		if r := judged(p, p, seed); !r.OK {
			refused++
			t.Logf("seed %d, a perfect link: %v", seed, r.Failures)
		}
		if r := judged(p, wrong, seed); r.OK {
			t.Errorf("seed %d: six times the loss passed", seed)
		}
	}
	// A few long bursts have a heavier tail than the interval's normal one; the check at start tries three times.
	const most = 2
	if refused > most {
		t.Errorf("%d of 50 perfect links refused", refused)
	}
}

func TestAnyLossIsTooMuchForALosslessLink(t *testing.T) {
	p := profile.All()[0]
	p.Down.Loss, p.Up.Loss = 0, 0
	down, up := through(p.Down, p.Down, 1, 0), through(p.Up, p.Up, 1, 1)
	if r := judge(down, up); !r.OK {
		t.Fatalf("the link is good: %v", r.Failures)
	}
	delete(up.received, 100)
	if r := judge(down, up); r.OK {
		t.Error("a lost packet passed")
	}
}

func TestChecksAreQuick(t *testing.T) {
	for _, p := range profile.All() {
		limit := 8 * time.Second
		if p.Name == "3g-fast" {
			limit = 3 * time.Second
		}
		for _, c := range []shape.Config{p.Down, p.Up} {
			probes := plan(c)
			if end := time.Duration(probes[len(probes)-1].atNs + c.DelayNs()); end > limit {
				t.Errorf("%s: %v", p.Name, end)
			}
		}
	}
}

func TestTheTrainFitsTheQueue(t *testing.T) {
	for _, queue := range []shape.Config{{QueuePackets: 1}, {QueuePackets: 20}, {QueueBytes: 3000}, {QueueBytes: 1 << 20}} {
		for _, rateBitsPerSecond := range []int64{13_200, 1_000_000, 100_000_000} {
			c := queue
			c.RateBitsPerSecond = rateBitsPerSecond
			s := through(c, c, 1, 0)
			for i, p := range s.probes {
				if _, ok := s.received[int32(i)]; p.phase == rate && !ok {
					t.Fatalf("%+v: rate probe %d was dropped", c, i)
				}
			}
		}
	}
}

func TestWilson(t *testing.T) {
	for _, c := range []struct{ share, size, low, high float64 }{
		{0, 84, 0, 0.16}, // z2/(size+z2), with z = 4
		{1, 84, 0.84, 1},
		{0.5, 84, 0.3, 0.7},
	} {
		low, high := wilson(c.share, c.size)
		if math.Abs(low-c.low) > 1e-6 || math.Abs(high-c.high) > 1e-6 {
			t.Errorf("wilson(%g, %g) = %g, %g", c.share, c.size, low, high)
		}
	}
}

func TestAWrongServerDelayIsRefused(t *testing.T) {
	p := profile.All()[6] // lossless
	server := profile.ServerDelay{Prefix: netip.MustParsePrefix("20.100.128.0/17"), DelayMs: 80}
	expected := p.Up
	expected.DelayMs += server.DelayMs
	for _, c := range []struct {
		delayMs float64
		ok      bool
	}{{80, true}, {70, false}, {90, false}, {0, false}} {
		actual := p.Up
		actual.DelayMs += c.delayMs
		r := judged(p, p, 1)
		r.judgeServer(server, through(p.Down, p.Down, 1, 0), through(expected, actual, 1, 1))
		if r.OK != c.ok || len(r.Servers) != 1 {
			t.Errorf("%g ms: ok %t, %v", c.delayMs, r.OK, r.Failures)
		}
	}
}

// inSeries sends a schedule through the core of one link and what arrives through that of another one.
func inSeries(expected, first, second shape.Config) sample {
	s := through(expected, first, 1, 0)
	direction := shape.NewDirection(second, 1, 1, 0)
	for i, p := range s.probes {
		number := int32(i)
		atNs, arrived := s.received[number]
		if !arrived {
			continue
		}
		delete(s.received, number)
		if fate, laterNs := direction.Arrive(atNs, p.sizeBytes); fate == shape.Delivered {
			s.received[number] = laterNs
		}
	}
	return s
}

func TestAWrongSecondHopIsRefused(t *testing.T) {
	for _, hopOption := range []string{"30", "30,1000000"} { // faster and slower than the link
		for change, c := range map[string]struct {
			delay, rate float64
			word        string
		}{"none": {1, 1, ""}, "nearer": {0, 1, "RTT"}, "farther": {2, 1, "RTT"}, "slower": {1, 0.01, "rate"}} {
			options, err := profile.Parse([]string{"--profile", "3g-fast", "--second-hop", hopOption, "--", "x"})
			if err != nil {
				t.Fatal(err)
			}
			p := options.Profile
			actual := *p.SecondHop
			actual.DelayMs *= c.delay
			actual.RateBitsPerSecond = int64(float64(actual.RateBitsPerSecond) * c.rate)
			path := p.BothHops(smallBytes)
			r := judged(p, p, 1)
			r.judgeBothHops(inSeries(path.Down, actual, p.Down), inSeries(path.Up, p.Up, actual))
			failures := strings.Join(r.Failures, ";")
			if r.OK != (c.word == "") || r.BothHops == nil || !strings.Contains(failures, c.word) {
				t.Errorf("%s, change %s: ok %t, %s", hopOption, change, r.OK, failures)
			}
		}
	}
}
