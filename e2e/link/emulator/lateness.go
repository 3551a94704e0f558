package emulator

// Lateness is how much after its scheduled time a packet was delivered, over all packets since the last reset. One that a timer's lead
// let out early (by at most wakeUpNs) counts as in time.
type Lateness struct {
	P50Us   int64 `json:"p50Us"`
	P99Us   int64 `json:"p99Us"`
	MaxUs   int64 `json:"maxUs"`
	Samples int64 `json:"samples"`
}

// lateBuckets is one bucket a microsecond; the last one takes all that is later, for which only the maximum is exact.
const lateBuckets = 1 << 16

type latenessHistogram struct {
	buckets [lateBuckets]int64
	maxUs   int64
	samples int64
}

func (h *latenessHistogram) add(lateNs int64) {
	const nsPerUs = 1000
	us := lateNs / nsPerUs
	h.buckets[min(us, lateBuckets-1)]++
	h.maxUs = max(h.maxUs, us)
	h.samples++
}

func (h *latenessHistogram) merge(other *latenessHistogram) {
	for us, n := range other.buckets {
		h.buckets[us] += n
	}
	h.maxUs = max(h.maxUs, other.maxUs)
	h.samples += other.samples
}

func (h *latenessHistogram) summary() Lateness {
	return Lateness{P50Us: h.quantileUs(0.50), P99Us: h.quantileUs(0.99), MaxUs: h.maxUs, Samples: h.samples}
}

// quantileUs is the least lateness that a share of the samples does not exceed; 0 without samples.
func (h *latenessHistogram) quantileUs(share float64) int64 {
	below := int64(0)
	for us, n := range h.buckets {
		below += n
		if n > 0 && float64(below) >= share*float64(h.samples) {
			return int64(us)
		}
	}
	return 0
}
