package daemon

import "testing"

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
