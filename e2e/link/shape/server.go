package shape

// rateServer transmits one packet after the other at a constant rate.
type rateServer struct {
	config Config
	freeNs int64
}

// begin is when a packet that arrives now would be taken out of the queue. It changes nothing.
func (s *rateServer) begin(nowNs int64) int64 { return max(nowNs, s.freeNs) }

// serve transmits a packet and returns when its last byte has left.
func (s *rateServer) serve(nowNs int64, sizeBytes int) int64 {
	s.freeNs = s.begin(nowNs) + s.config.TransmissionNs(sizeBytes)
	return s.freeNs
}
