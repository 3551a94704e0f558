package emulator

import (
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"firstscreen/e2e/link/clock"
)

// prioritise gives the calling thread real-time priority where that is allowed, and the finest timer in any case.
func prioritise() (realtime bool) {
	const finestSlackNs = 1 // the default slack of 50 us would be a fifth of wlan's tolerance
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, finestSlackNs, 0, 0, 0)
	const lowPriority = 10 // above everything ordinary, below the kernel's own threads
	return unix.SchedSetAttr(0, &unix.SchedAttr{
		Size:     unix.SizeofSchedAttr,
		Policy:   unix.SCHED_FIFO,
		Flags:    unix.SCHED_FLAG_RESET_ON_FORK,
		Priority: lowPriority,
	}, 0) == nil
}

// wakeUpNs is the time from a timer's expiry until the calling thread runs, the median of a few sleeps. On a virtual machine it is
// tens of microseconds, mostly the way out of the halted processor; every packet would be late by it if timers were not set early.
func wakeUpNs() int64 {
	const (
		sleeps  = 15
		sleepNs = int64(time.Millisecond)
		// Bounds the error in the other direction when the machine was busy at the measurement and is not later: 2 % of wlan's delay.
		mostNs = int64(50 * time.Microsecond)
	)
	var late [sleeps]int64
	for i := range late {
		beginNs := clock.MonotonicNs()
		timeout := unix.NsecToTimespec(sleepNs)
		_, _ = unix.Ppoll(nil, &timeout, nil) // cut short by a signal, it is a sample below zero
		late[i] = clock.MonotonicNs() - beginNs - sleepNs
	}
	slices.Sort(late[:])
	return min(max(0, late[sleeps/2]), mostNs)
}
