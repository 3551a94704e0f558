package kernel

import (
	"math"
	"net/netip"
	"time"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

const jiffiesSample = 60 * time.Millisecond

// hertz are the clock rates that kernels are built with.
var hertz = []float64{100, 250, 300, 1000}

// synTimeoutCeiling is the kernel's own (RFC 6298 section 2.1): nothing measured says that a connection may be made later than without the driver.
const synTimeoutCeiling = time.Second

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

// SetSynTimeout says after how long a first segment to a server is lost, for connections of registered processes and cgroups from the same address of this host.
func (k *Kernel) SetSynTimeout(local, remote netip.Addr, timeout time.Duration) error {
	if k.jiffiesPerSecond == 0 {
		return nil
	}
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return err
	}
	bounded := min(max(timeout, minSynTimeout), synTimeoutCeiling)
	return k.socket.SynTimeouts.Put(ends{local.As16(), remote.As16()}, synTimeout{SetNs: uint64(now.Nano()), Jiffies: uint64(bounded.Seconds() * k.jiffiesPerSecond)})
}
