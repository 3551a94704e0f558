package bistable

// receiver is a client's TCP, with the switch before it where it has FWP.
type receiver struct {
	*flow
	judge    *judge // nil: without FWP
	from     int    // the first packet that the program sees; -1: none yet
	arrival  bpfArrival
	expected int
	received []bool
	next     int // below it all have come
	filled   int
	left     int
	signs    int
}

type acknowledgement struct {
	next  int
	came  []int  // that the sender has not heard of
	value uint32 // timestamp
}

func (r *receiver) register() {
	r.from, r.expected = -1, 0
	r.arrival.State.LeastMs = uint32(r.path.rtt.Milliseconds()) + 1
	r.arrival.State.ErrorRate, r.arrival.State.MostLearnt = rateOne/1000, rateOne/10
	r.arrival.State.InhibitedUntilMs = r.ms()
}

func (r *receiver) arrive(p packet) {
	var came []int
	if r.judge != nil && r.now >= r.registered {
		came = r.look(p)
	}
	came = append(came, p.number)
	for _, number := range came {
		for len(r.received) <= number {
			r.received = append(r.received, false)
		}
		r.received[number] = true
	}
	for r.next < len(r.received) && r.received[r.next] {
		r.next++
	}
	told := acknowledgement{r.next, came, r.ms()}
	r.after(r.path.rtt-r.path.rtt/2, func() { r.sender.hear(told) })
}

// look at a packet as the program does. It returns what is filled before it.
func (r *receiver) look(p packet) (came []int) {
	if r.arrival.State.LeastMs == 0 {
		r.register()
	}
	if r.from < 0 {
		r.from, r.expected = p.number, p.number
	}
	lost := max(0, p.number-r.expected)
	r.arrival.NowMs, r.arrival.RttMs, r.arrival.Segments, r.arrival.Lost = r.ms(), r.ms()-p.echo, 1, uint32(lost)
	switch found := r.judge.of(&r.arrival); {
	case lost == 0:
	case found == filled:
		for number := r.expected; number < p.number; number++ {
			came = append(came, number)
		}
		r.filled += lost
	case found == sign:
		r.signs++
		fallthrough
	default:
		r.left += lost
	}
	r.expected = max(r.expected, p.number+1)
	return came
}
