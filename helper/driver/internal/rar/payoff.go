package rar

const (
	// settledCopies are so many that a loss of one percent hardly ever goes unseen in them (0.99^512 is 0.6 %).
	settledCopies = 512
	// worthwhileLoss: below it a copy saves less than one time-out in some two hundred messages.
	worthwhileLoss = 0.005
	// probeEvery so many messages one is protected all the same, to see whether the link has begun to lose.
	probeEvery = 16
)

// payoff tells whether an interface loses anything. Copies that a peer got beside the original come back as DSACK (RFC 2883): what does not is lost,
// or its acknowledgement is.
type payoff struct {
	copies, lost float64
	off          bool
	sinceProbe   int
}

// settled adds copies and how many of them the peer has reported as duplicates.
func (p *payoff) settled(copies, duplicates int) {
	p.copies += float64(copies)
	p.lost += float64(copies - duplicates)
	if p.copies < settledCopies {
		if p.off && p.lost > worthwhileLoss*settledCopies {
			p.begin()
		}
		return
	}
	p.off = p.lost/p.copies < worthwhileLoss
	p.copies /= 2
	p.lost /= 2
}

// begin anew: something was lost.
func (p *payoff) begin() { *p = payoff{} }

// protects tells whether the next message is to have copies.
func (p *payoff) protects() bool {
	if !p.off {
		return true
	}
	p.sinceProbe = (p.sinceProbe + 1) % probeEvery
	return p.sinceProbe == 0
}
