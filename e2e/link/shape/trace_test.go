package shape

import (
	"strings"
	"testing"
	"time"
)

const ms = int64(time.Millisecond)

func TestTracePackets(t *testing.T) {
	type step struct {
		atMs, sizeBytes int
		doneMs          int64
	}
	for _, c := range []struct {
		name, trace string
		steps       []step
	}{
		{"a packet waits for the next opportunity", "5\n10\n", []step{{0, 1500, 5}, {6, 1500, 10}}},
		{"an unused opportunity is lost", "5\n10\n", []step{{7, 1500, 10}}},
		{"packets share an opportunity", "5\n10\n", []step{{0, 700, 5}, {0, 700, 5}, {0, 700, 10}}},
		{"a packet spans opportunities", "5\n10\n", []step{{0, 1000, 5}, {0, 1000, 10}}},
		{"what is left of a past opportunity is lost", "5\n10\n", []step{{0, 700, 5}, {6, 700, 10}}},
		{"an exact fit takes no part of the next one", "5\n10\n", []step{{0, OpportunityBytes, 5}, {0, 100, 10}}},
		{"equal lines are separate opportunities", "5\n5\n10\n", []step{{0, 1500, 5}, {0, 1500, 5}, {0, 1500, 10}}},
		{"the trace repeats after its last line", "5\n10\n", []step{{11, 1500, 15}, {16, 1500, 20}, {31, 1500, 35}}},
		{"a backlog runs over the period", "5\n10\n", []step{{0, 1500, 5}, {0, 1500, 10}, {0, 1500, 15}, {0, 1500, 20}, {0, 1500, 25}}},
		{"an opportunity at the arrival itself serves it", "5\n10\n", []step{{5, 1500, 5}, {10, 1500, 10}}},
		{"no opportunity before the first line after a repeat", "0\n10\n", []step{{0, 1500, 0}, {1, 1500, 10}, {10, 1500, 10}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			const startNs = 1_000_000_007
			server := newTraceServer(traceOf(t, c.trace), startNs)
			for i, s := range c.steps {
				done := server.serve(startNs+int64(s.atMs)*ms, s.sizeBytes) - startNs
				if done != s.doneMs*ms {
					t.Errorf("packet %d done after %d us, expected %d ms", i, done/1000, s.doneMs)
				}
			}
		})
	}
}

// Any backlog drains at one opportunity's bytes for each opportunity, over many periods.
func TestTraceRateIsNeverExceeded(t *testing.T) {
	trace := traceOf(t, "3\n3\n4\n11\n")
	server := newTraceServer(trace, 0)
	sent := 0
	for i := range 300 {
		size := 40 + i*37%1461
		doneNs := server.serve(0, size)
		sent += size
		allowed := 0
		for n := int64(0); trace.opportunityNs(n) <= doneNs; n++ {
			allowed += OpportunityBytes
			if allowed >= sent {
				break
			}
		}
		if sent > allowed {
			t.Fatalf("%d bytes by %d ns, the trace allows %d", sent, doneNs, allowed)
		}
	}
}

func TestTraceMeanRate(t *testing.T) {
	if got := traceOf(t, "1\n2\n3\n4\n").MeanBitsPerSecond(); got != 1000*OpportunityBytes*8 {
		t.Errorf("one opportunity a millisecond is %d bit/s", got)
	}
}

func TestBadTraces(t *testing.T) {
	for text, word := range map[string]string{
		"":            "no opportunity",
		"0\n0\n":      "no opportunity",
		"1\nx\n":      "line 2",
		"-1\n":        "line 1",
		"5\n3\n":      "before the line above",
		"1.5\n":       "whole number",
		"9999999999 ": "whole number",
	} {
		if _, err := ParseTrace("bad", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%q: error %v, expected one with %q", text, err, word)
		}
	}
}
