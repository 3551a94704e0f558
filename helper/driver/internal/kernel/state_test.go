package kernel

import (
	"testing"
	"time"
)

func TestTheKernelsOwnTimeOutIsHalvedUntilItIsNoLonger(t *testing.T) {
	for timeout, expected := range map[time.Duration]uint32{
		time.Second: 0, time.Second - 1: 1, 500 * time.Millisecond: 1, 500*time.Millisecond - 1: 2, 300 * time.Millisecond: 2, minSynTimeout: 2,
	} {
		if got := halvings(timeout); got != expected {
			t.Errorf("%v: %d times", timeout, got)
		}
	}
}
