package emulator

import (
	"os"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"firstscreen/e2e/link/clock"
)

// Only the two direction threads have real-time priority. The runtime's other threads must not: they spin on each other with sched_yield
// (the collector's workers above all), which under SCHED_FIFO never lets a lower thread run, and two of them then keep both processors of
// a small machine for ever. They share locks with the direction threads, though, and a holder without a processor would hold up the link
// for a time slice of whatever is busy, so they get the best ordinary priority.
const (
	directionPriority = 10 // above everything ordinary, below the kernel's own threads
	processNice       = -19
)

// prioritiseProcess gives every thread of this process the best ordinary priority, where that is allowed; later ones inherit it. Commands
// started from now on would too, so the sides must have been launched.
func prioritiseProcess() {
	raised := map[int]bool{}
	for {
		before := len(raised)
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return
		}
		for _, task := range tasks {
			id, err := strconv.Atoi(task.Name())
			if err != nil || raised[id] {
				continue
			}
			if unix.Setpriority(unix.PRIO_PROCESS, id, processNice) != nil {
				return // not allowed; the report says by its lateness what that costs
			}
			raised[id] = true
		}
		if len(raised) == before {
			return // no thread was made by one that was not yet raised
		}
	}
}

// prioritise gives the calling thread real-time priority; threads that it makes do not inherit it.
func prioritise() (realtime bool) {
	return unix.SchedSetAttr(0, &unix.SchedAttr{
		Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Flags: unix.SCHED_FLAG_RESET_ON_FORK, Priority: directionPriority,
	}, 0) == nil
}

// sharpenTimers gives the calling thread the finest timer; the default slack of 50 us would be a fifth of wlan's tolerance. It can only
// fail on kernels without timer slack, which have none to reduce.
func sharpenTimers() {
	const finestSlackNs = 1
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, finestSlackNs, 0, 0, 0)
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
