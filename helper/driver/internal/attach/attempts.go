package attach

import (
	"time"

	"github.com/vishvananda/netlink"
)

// try to attach; the mutex is held.
func (i *Interfaces) try(to netlink.Link, now time.Time) {
	index := to.Attrs().Index
	state := State{Name: to.Attrs().Name, Index: index, Attempts: i.states[index].Attempts}
	delete(i.failed, index)
	hasLinkLayer, err := HasLinkLayer(to)
	isHopeless := err != nil
	if err == nil {
		err = i.refuse(state.Name)
	}
	if err == nil {
		var done *attached
		if done, err = i.attach(to, i.programs.Outgoing(hasLinkLayer)); err == nil {
			i.attached[index] = done
			state.Method = done.method
			i.log.Info("attached", "interface", state.Name, "method", done.method)
		}
	}
	if err != nil {
		state.Cause = err.Error()
		state.Attempts++
		i.log.Warn("not attached", "interface", state.Name, "attempts", state.Attempts, "error", err)
	}
	if err != nil && !isHopeless {
		i.failed[index] = to
		state.Next = now.Add(pauseAfter(state.Attempts))
	}
	i.states[index] = state
}

// Pauses between attempts at one interface.
const (
	firstPause = time.Second
	mostPause  = time.Minute
)

// pauseAfter so many attempts, each twice the one before.
func pauseAfter(attempts int) time.Duration {
	pause := firstPause
	for range attempts - 1 {
		pause = min(2*pause, mostPause)
	}
	return pause
}

// tryAgain what is due, and return when the next is; zero: nothing is.
func (i *Interfaces) tryAgain(now time.Time) (next time.Time) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	for index, to := range i.failed {
		if !i.states[index].Next.After(now) {
			i.try(to, now)
		}
		if at := i.states[index].Next; !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}
