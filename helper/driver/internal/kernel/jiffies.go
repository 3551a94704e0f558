package kernel

import (
	"math"
	"net/netip"
	"time"

	"github.com/cilium/ebpf"
)

const jiffiesSample = 60 * time.Millisecond

// hertz are the clock rates that kernels are built with.
var hertz = []float64{100, 250, 300, 1000}

// minSynTimeout: a server may take so long for reasons of its own, and each first segment that is sent in vain costs the connection its initial window.
const minSynTimeout = 250 * time.Millisecond

// measureJiffies learns the rate of the kernel's clock.
func measureJiffies(program *ebpf.Program) (perSecond float64, err error) {
	read := func() (uint32, time.Time, error) {
		ticks, _, err := program.Test(make([]byte, 14))
		return ticks, time.Now(), err
	}
	first, began, err := read()
	if err != nil {
		return 0, err
	}
	time.Sleep(jiffiesSample)
	last, ended, err := read()
	if err != nil {
		return 0, err
	}
	measured := float64(last-first) / ended.Sub(began).Seconds()
	perSecond = hertz[0]
	for _, rate := range hertz {
		if math.Abs(rate-measured) < math.Abs(perSecond-measured) {
			perSecond = rate
		}
	}
	return perSecond, nil
}

// SetSynTimeout says after how long a first segment to a server is lost, for connections of registered processes and cgroups.
func (k *Kernel) SetSynTimeout(to netip.Addr, timeout time.Duration) error {
	if k.jiffiesPerSecond == 0 {
		return nil
	}
	jiffies := uint32(math.Ceil(max(timeout, minSynTimeout).Seconds() * k.jiffiesPerSecond))
	return k.socket.SynTimeouts.Put(to.As16(), jiffies)
}
