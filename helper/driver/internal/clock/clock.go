// Package clock is that of the programs in the kernel.
package clock

import (
	"time"

	"golang.org/x/sys/unix"
)

// Monotonic is bpf_ktime_get_ns: nobody sets it.
func Monotonic() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		panic(err) // it is always there
	}
	return time.Duration(now.Nano())
}
