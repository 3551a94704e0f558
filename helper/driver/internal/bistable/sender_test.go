package bistable

import (
	"math"
	"time"
)

const (
	initialWindow = 10 // RFC 6928
	duplicates    = 3  // that were sent later and have come, until a packet is lost (RFC 6675; of all transmissions, as RFC 8985)
	leastTimeout  = 200 * time.Millisecond
)

type sent struct {
	at         time.Duration
	order      int // of its last transmission
	hasCome    bool
	isUnderWay bool
	isWaiting  bool // to be sent again
}

type transmission struct{ number, order int }

// sender of TCP: selective acknowledgements, proportional rate reduction (RFC 6937), and a congestion control.
type sender struct {
	*flow
	control       control
	window        float64 // packets
	threshold     float64
	packets       []sent
	transmissions []transmission // that may be under way, in their order
	again         []int
	first         int // below it all have come
	underWay      int
	orders        int
	newest        int // order that has come
	recovering    bool
	timedOut      bool
	recoverTo     int
	before        int // under way when recovery began
	came, out     int // since
	echo          uint32
	deadline      time.Duration
	backoff       int
	leastRtt      time.Duration
	rtt           time.Duration
}

func (s *sender) start() {
	s.window, s.threshold = initialWindow, math.Inf(1)
	s.rtt, s.leastRtt = s.path.rtt, s.path.rtt
	s.echo = s.ms() - uint32(s.path.rtt.Milliseconds())/2 // of the request
	s.fill()
	s.watch()
}

func (s *sender) hear(a acknowledgement) {
	newly := 0
	s.echo = max(s.echo, a.value)
	for _, number := range a.came {
		one := &s.packets[number]
		if one.hasCome {
			continue
		}
		newly++
		one.hasCome = true
		if one.isUnderWay {
			s.underWay--
			one.isUnderWay = false
		}
		s.newest = max(s.newest, one.order)
		s.rtt = s.now - one.at
	}
	s.first = max(s.first, a.next)
	if newly > 0 {
		s.backoff = 0
		s.renew()
	}
	underWay := s.underWay + newly
	areLost := s.findLost()
	if (s.recovering || s.timedOut) && s.first >= s.recoverTo {
		if s.recovering {
			s.window = s.threshold
		}
		s.recovering, s.timedOut = false, false
	}
	switch {
	case s.recovering:
		s.reduce(newly, false)
	case areLost && !s.timedOut:
		s.recovering, s.recoverTo = true, len(s.packets)
		s.threshold = s.control.reduce(s.window)
		s.before, s.came, s.out = underWay, 0, 0
		s.reduce(newly, true)
	case s.window < s.threshold:
		s.window = min(s.window+float64(newly), max(s.threshold, s.window))
	default:
		s.window = s.control.grow(s.window, newly, s.now, s.leastRtt)
	}
	s.fill()
}

// findLost marks what others have overtaken.
func (s *sender) findLost() (areLost bool) {
	for len(s.transmissions) > 0 && s.transmissions[0].order+duplicates <= s.newest {
		one := &s.packets[s.transmissions[0].number]
		if one.isUnderWay && one.order == s.transmissions[0].order {
			s.lose(s.transmissions[0].number)
			areLost = true
		}
		s.transmissions = s.transmissions[1:]
	}
	return areLost
}

func (s *sender) lose(number int) {
	one := &s.packets[number]
	one.isUnderWay, one.isWaiting = false, true
	s.underWay--
	s.again = append(s.again, number)
}

func (s *sender) reduce(newly int, isFirst bool) {
	s.came += newly
	allowed := 0
	if float64(s.underWay) > s.threshold {
		allowed = int(math.Ceil(float64(s.came)*s.threshold/float64(s.before))) - s.out
	} else {
		allowed = min(int(s.threshold)-s.underWay, max(s.came-s.out, newly)+1)
	}
	if isFirst {
		allowed = max(allowed, 1)
	}
	s.window = float64(s.underWay + max(allowed, 0))
}

func (s *sender) fill() {
	for float64(s.underWay) < math.Floor(s.window) {
		number := len(s.packets)
		for len(s.again) > 0 && s.packets[s.again[0]].hasCome {
			s.again = s.again[1:]
		}
		switch {
		case len(s.again) > 0:
			number, s.again = s.again[0], s.again[1:]
		case number < s.end:
			s.packets = append(s.packets, sent{})
		default:
			return
		}
		s.send(number)
	}
}

func (s *sender) send(number int) {
	s.orders++
	one := &s.packets[number]
	*one = sent{at: s.now, order: s.orders, isUnderWay: true}
	s.underWay++
	s.out++
	s.transmissions = append(s.transmissions, transmission{number, s.orders})
	s.bottleneck.take(packet{s.flow, number, s.echo})
}

func (s *sender) renew() {
	s.deadline = s.now + max(leastTimeout, s.rtt)<<s.backoff + s.rtt
}

// watch the retransmission time-out (RFC 6298).
func (s *sender) watch() {
	s.renew()
	var look func()
	look = func() {
		if s.now >= s.deadline && s.underWay > 0 {
			s.timeOut()
		}
		s.after(max(s.deadline-s.now, time.Millisecond), look)
	}
	s.after(s.deadline-s.now, look)
}

func (s *sender) timeOut() {
	s.timeouts++
	if !s.timedOut && !s.recovering {
		s.threshold = s.control.reduce(s.window)
	}
	s.recovering, s.timedOut, s.recoverTo, s.window = false, true, len(s.packets), 1
	for _, one := range s.transmissions {
		if p := s.packets[one.number]; p.isUnderWay && p.order == one.order {
			s.lose(one.number)
		}
	}
	s.transmissions = nil
	s.backoff = min(s.backoff+1, 6)
	s.renew()
	s.fill()
}
