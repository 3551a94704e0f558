package shape

// server says when the link transmits a packet; packets are served in the order of the calls.
type server interface {
	// begin is when a packet that arrives now would be taken out of the queue. It changes nothing.
	begin(nowNs int64) int64
	// serve transmits a packet and returns when its last byte has left.
	serve(nowNs int64, sizeBytes int) int64
}

// rateServer transmits at a constant rate.
type rateServer struct {
	config Config
	freeNs int64
}

func (s *rateServer) begin(nowNs int64) int64 { return max(nowNs, s.freeNs) }

func (s *rateServer) serve(nowNs int64, sizeBytes int) int64 {
	s.freeNs = s.begin(nowNs) + s.config.TransmissionNs(sizeBytes)
	return s.freeNs
}
