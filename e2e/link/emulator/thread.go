package emulator

import (
	"os"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"firstscreen/e2e/link/clock"
)

// Real-time priorities: above everything ordinary, below the kernel's own threads. The runtime's other threads get one too, because
// the direction threads share the runtime's locks with them: a holder without a processor would hold up the link for a time slice of
// whatever keeps the processors busy.
const (
	processPriority   = 10
	directionPriority = processPriority + 1
)

// prioritiseProcess gives every thread of this process real-time priority, where that is allowed; later ones inherit it. Commands
// started from now on would too, so the sides must have been launched.
func prioritiseProcess() (realtime bool) {
	raised := map[int]bool{}
	for {
		before := len(raised)
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return false
		}
		for _, task := range tasks {
			id, err := strconv.Atoi(task.Name())
			if err != nil || raised[id] {
				continue
			}
			if !prioritise(id, processPriority) {
				return false
			}
			raised[id] = true
		}
		if len(raised) == before {
			return true // no thread was made by one that was not yet raised
		}
	}
}

// prioritise gives a thread a real-time priority; 0 is the calling one.
func prioritise(thread, priority int) (realtime bool) {
	return unix.SchedSetAttr(thread, &unix.SchedAttr{
		Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: uint32(priority),
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
