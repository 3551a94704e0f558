package bistable

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

const ms = time.Millisecond

// bed is what most paths here are: a queue of one bandwidth-delay product.
var bed = path{rtt: 50 * ms, rate: 20e6, queue: 83}

func pathWith(change func(p *path)) path {
	p := bed
	change(&p)
	return p
}

var controls = map[string]func() control{
	"reno":  func() control { return reno{} },
	"cubic": func() control { return &cubic{} },
}

// download of 20 MB. It returns how long it took.
func download(p path, c control, j *judge) (time.Duration, *flow) {
	const packets, limit = 20_000_000 / 1448, time.Hour
	w := newWorld(1)
	f := newFlow(&bottleneck{path: p, world: w}, c, j)
	f.end = packets
	f.sender.start()
	w.run(limit, func() bool { return f.receiver.next >= packets })
	return w.now, f
}

func TestADownloadOverAHopThatLoses(t *testing.T) {
	j := newJudge(t)
	for name, c := range map[string]struct {
		path path
		most float64 // of the time without FWP
	}{
		"none":                           {bed, 1.01},
		"0.1 %":                          {pathWith(func(p *path) { p.isLost = each(0.001) }), 0.7},
		"0.5 %":                          {pathWith(func(p *path) { p.isLost = each(0.005) }), 0.25},
		"2 %":                            {pathWith(func(p *path) { p.isLost = each(0.02) }), 0.13},
		"5 %":                            {pathWith(func(p *path) { p.isLost = each(0.05) }), 0.09},
		"2 % behind a queue of 15 ms":    {pathWith(func(p *path) { p.isLost, p.queue = each(0.02), 25 }), 0.14},
		"2 % behind a queue of 200 ms":   {pathWith(func(p *path) { p.isLost, p.queue = each(0.02), 333 }), 0.13},
		"2 %, jitter of 6 ms":            {pathWith(func(p *path) { p.isLost, p.jitter = each(0.02), 6*ms }), 0.13},
		"2 %, jitter of 30 ms":           {pathWith(func(p *path) { p.isLost, p.jitter = each(0.02), 30*ms }), 0.2},
		"2 %, aggregates of 20 ms":       {pathWith(func(p *path) { p.isLost, p.batch, p.queue, p.pause = each(0.02), 32, 200, ms }), 0.16},
		"5 %, aggregates of 77 ms":       {pathWith(func(p *path) { p.isLost, p.batch, p.queue, p.pause = each(0.05), 128, 400, ms }), 0.1},
		"2 % in fades, which are a sign": {pathWith(func(p *path) { p.isLost = fades(0.02) }), 1.01},
	} {
		for congestion, control := range controls {
			stock, _ := download(c.path, control(), nil)
			took, f := download(c.path, control(), &j)
			if ratio := took.Seconds() / stock.Seconds(); ratio > c.most {
				t.Errorf("%s, %s: %v instead of %v, %.2f: %d filled, %d left, %d signs", name, congestion, took, stock, ratio, f.receiver.filled, f.receiver.left, f.receiver.signs)
			}
		}
	}
}

// shared by a flow and one without FWP. It returns the first one's share and what the queue drops, over some runs.
func shared(p path, j *judge) (share float64, drops int) {
	const runs, warmUp, looked = 3, 5 * time.Second, 20 * time.Second
	never := func() bool { return false }
	for seed := range uint64(runs) {
		w := newWorld(seed)
		b := &bottleneck{path: p, world: w}
		one, other := newFlow(b, &cubic{}, j), newFlow(b, &cubic{}, nil)
		other.isLost = nil
		for _, f := range []*flow{one, other} {
			w.after(time.Duration(w.random.Int64N(int64(time.Second))), f.sender.start)
		}
		w.run(warmUp, never)
		ones, others, before := one.receiver.next, other.receiver.next, one.queueDrops+other.queueDrops
		w.run(warmUp+looked, never)
		ones, others = one.receiver.next-ones, other.receiver.next-others
		share += float64(ones) / float64(ones+others) / runs
		drops += one.queueDrops + other.queueDrops - before
	}
	return share, drops
}

func TestABottleneckIsSharedAsWithoutFWP(t *testing.T) {
	j := newJudge(t)
	for _, rtt := range []time.Duration{30 * ms, 50 * ms, 70 * ms} {
		for _, queue := range []time.Duration{15 * ms, rtt} {
			const rate = 8e6
			p := path{rtt: rtt, rate: rate, queue: int(queue.Seconds() * rate / packetBits)}
			stockShare, stockDrops := shared(p, nil)
			share, drops := shared(p, &j)
			if math.Abs(share-stockShare) > 0.08 || float64(drops) > 1.1*float64(stockDrops) {
				t.Errorf("%v, queue of %v: share %.2f instead of %.2f, %d drops instead of %d", rtt, queue, share, stockShare, drops, stockDrops)
			}
		}
	}
}

func TestAHopThatLosesHidesLittleOfTheQueuesDrops(t *testing.T) {
	j := newJudge(t)
	for _, queue := range []time.Duration{25 * ms, 50 * ms} {
		p := path{rtt: 50 * ms, rate: 8e6, queue: int(queue.Seconds() * 8e6 / packetBits)}
		_, stock := shared(p, nil)
		p.isLost = each(0.02)
		if share, drops := shared(p, &j); float64(drops) > 1.1*float64(stock) || share > 0.55 {
			t.Errorf("queue of %v: share %.2f, %d drops, of two flows without loss %d", queue, share, drops, stock)
		}
	}
}

// A policer has no queue that could show: what it drops is taken for the hop's until it is more than that.
func TestAPolicerDropsLittleMore(t *testing.T) {
	j := newJudge(t)
	p := pathWith(func(p *path) { p.rate, p.allowed, p.queue = 100e6, 20e6, 1000 })
	_, stock := download(p, &cubic{}, nil)
	if _, f := download(p, &cubic{}, &j); f.queueDrops > 3*stock.queueDrops || f.receiver.signs == 0 {
		t.Errorf("%d drops instead of %d, %d signs", f.queueDrops, stock.queueDrops, f.receiver.signs)
	}
}

// signs in so many segments, of which a share is lost, while another one is expected.
func signs(j judge, segments int, share, expected float64) (count int) {
	const rtt, perMs = 50, 2
	random := rand.New(rand.NewPCG(1, 1))
	var a bpfArrival
	a.State.LeastMs, a.State.ErrorRate, a.RttMs, a.Lost = rtt, uint32(expected*rateOne), rtt, 1
	for came := 0; came < segments; {
		a.Segments = uint32(math.Log(1-random.Float64())/math.Log(1-share)) + 1
		came += int(a.Segments)
		a.NowMs = uint32(came / perMs)
		if j.of(&a) == sign {
			count++
		}
	}
	return count
}

func TestTheBucketTellsTwiceTheExpectedRateFromChance(t *testing.T) {
	j := newJudge(t)
	for expected, most := range map[float64]int{0.01: 4, 0.02: 4, 0.05: 12} {
		const segments = 300_000
		if got := signs(j, segments, expected, expected); got > most {
			t.Errorf("%v is expected: %d signs", expected, got)
		}
		if got, least := signs(j, segments, 2*expected, expected), segments*expected/40; float64(got) < least {
			t.Errorf("%v is expected, twice as much is lost: %d signs, not %v", expected, got, least)
		}
	}
}
