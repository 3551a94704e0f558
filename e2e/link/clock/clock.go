// Package clock reads the kernel's clocks as nanoseconds, so that the link, the hosting, the bench and the helper share one time line.
package clock

import (
	"errors"

	"golang.org/x/sys/unix"
)

// MonotonicNs is CLOCK_MONOTONIC, the clock of every `ns` value that link and hosting report.
func MonotonicNs() int64 { return read(unix.CLOCK_MONOTONIC) }

// RealtimeNs is CLOCK_REALTIME, the clock of the kernel's receive timestamps (SO_TIMESTAMPNS).
func RealtimeNs() int64 { return read(unix.CLOCK_REALTIME) }

// SleepUntil returns at a time of CLOCK_MONOTONIC. Unlike time.Sleep, whose short sleeps are rounded to the poller's milliseconds, it
// is exact to the kernel's timers.
func SleepUntil(monotonicNs int64) {
	until := unix.NsecToTimespec(monotonicNs)
	for errors.Is(unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &until, nil), unix.EINTR) {
		continue
	}
}

func read(id int32) int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(id, &t); err != nil {
		panic(err) // both clocks exist on every Linux
	}
	return t.Nano()
}
