package attach

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/cilium/ebpf"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// Programs for interfaces with or without a link layer.
type Programs interface {
	Outgoing(hasLinkLayer bool) *ebpf.Program
}

// Interfaces keeps the programs on all interfaces that are wanted, as they come and go, while they are needed.
type Interfaces struct {
	programs Programs
	wanted   []string // names; none: all but loopback
	log      *slog.Logger
	mutex    sync.Mutex
	isNeeded bool
	wake     chan struct{} // something may be due
	cleaned  map[int]bool
	attach   func(to netlink.Link, outgoing *ebpf.Program) (*attached, error)
	refuse   func(device string) error // whose copies would leave in clear
	attached map[int]*attached
	states   map[int]State
	failed   map[int]netlink.Link // tried again when State.Next has come
}

// State of one interface, as status tells it.
type State struct {
	Name     string    `json:"name"`
	Index    int       `json:"index"`
	Method   Method    `json:"method,omitempty"`   // none: not attached
	Cause    string    `json:"cause,omitempty"`    // why not
	Attempts int       `json:"attempts,omitempty"` // that have failed
	Next     time.Time `json:"next,omitzero"`      // when it is tried again, or before when the interface changes; zero: never
}

// NewInterfaces attaches nothing yet.
func NewInterfaces(programs Programs, wanted []string, log *slog.Logger) *Interfaces {
	return &Interfaces{
		programs: programs, wanted: wanted, log: log,
		attach: attach, refuse: refuseEncrypting, attached: map[int]*attached{}, states: map[int]State{}, failed: map[int]netlink.Link{}, cleaned: map[int]bool{}, wake: make(chan struct{}, 1),
	}
}

// Run attaches to interfaces until the context ends. It returns an error when the system's list of them can not be had.
func (i *Interfaces) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		updates := make(chan netlink.LinkUpdate)
		if err := netlink.LinkSubscribe(updates, ctx.Done()); err != nil {
			return err
		}
		if err := i.compare(); err != nil {
			return err
		}
		i.follow(updates)
		// also when more has changed at once than the kernel keeps for a reader: then it is all looked at again
	}
	return nil
}

func (i *Interfaces) follow(updates <-chan netlink.LinkUpdate) {
	for {
		var due <-chan time.Time
		if next := i.tryAgain(time.Now()); !next.IsZero() {
			due = time.After(time.Until(next))
		}
		select {
		case <-due:
		case <-i.wake:
		case update, isOpen := <-updates:
			switch {
			case !isOpen:
				return
			case update.Header.Type == unix.RTM_DELLINK:
				i.gone(update.Link.Attrs().Index)
			default:
				i.changed(update.Link)
			}
		}
	}
}

// SetNeeded attaches, or takes the programs off.
func (i *Interfaces) SetNeeded(isNeeded bool) {
	i.mutex.Lock()
	isChange := i.isNeeded != isNeeded
	i.isNeeded = isNeeded
	i.mutex.Unlock()
	switch {
	case !isChange:
	case !isNeeded:
		i.Close()
	default:
		if err := i.compare(); err != nil {
			i.log.Warn("the interfaces can not be listed", "error", err)
		}
		select {
		case i.wake <- struct{}{}:
		default:
		}
	}
}

// compare what is there with what is known.
func (i *Interfaces) compare() error {
	present, err := netlink.LinkList()
	if err != nil {
		return err
	}
	there := map[int]bool{}
	for _, of := range present {
		index := of.Attrs().Index
		there[index] = true
		i.changed(of)
	}
	for _, state := range i.States() {
		if !there[state.Index] {
			i.gone(state.Index)
		}
	}
	return nil
}

// clean an interface, once, of what an earlier driver has left; the mutex is held.
func (i *Interfaces) clean(of netlink.Link) {
	index := of.Attrs().Index
	if i.cleaned[index] {
		return
	}
	i.cleaned[index] = true
	if removed, err := removeLeftovers(of); removed > 0 || err != nil {
		i.log.Warn("an earlier driver had left programs", "interface", of.Attrs().Name, "removed", removed, "error", err)
	}
}

// IsWanted tells whether an interface is among the names; where there are none, all are but loopback.
func IsWanted(of netlink.Link, names []string) bool {
	if len(names) > 0 {
		return slices.Contains(names, of.Attrs().Name)
	}
	return of.Attrs().RawFlags&unix.IFF_LOOPBACK == 0
}

func (i *Interfaces) changed(of netlink.Link) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	index := of.Attrs().Index
	i.clean(of)
	_, isKnown := i.states[index]
	_, hasFailed := i.failed[index]
	if done := i.attached[index]; done != nil {
		if cause := i.refuse(of.Attrs().Name); cause != nil { // features may be switched on later
			i.log.Warn("taken off", "interface", of.Attrs().Name, "error", errors.Join(cause, done.close()))
			delete(i.attached, index)
			hasFailed = true
		}
	}
	if !i.isNeeded || isKnown && !hasFailed || !IsWanted(of, i.wanted) || of.Attrs().RawFlags&unix.IFF_UP == 0 {
		return
	}
	i.try(of, time.Now())
}

func (i *Interfaces) gone(index int) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if done := i.attached[index]; done != nil {
		done.close() // of an interface that has gone nothing is left
		i.log.Info("interface has gone", "interface", i.states[index].Name)
	}
	delete(i.attached, index)
	delete(i.states, index)
	delete(i.failed, index)
	delete(i.cleaned, index)
}

// States of all interfaces that are wanted and up.
func (i *Interfaces) States() []State {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	states := make([]State, 0, len(i.states))
	for _, state := range i.states {
		states = append(states, state)
	}
	slices.SortFunc(states, func(a, b State) int { return a.Index - b.Index })
	return states
}

// Close takes the programs off.
func (i *Interfaces) Close() {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	for index, done := range i.attached {
		if err := done.close(); err != nil {
			i.log.Warn("not taken off", "interface", i.states[index].Name, "error", err)
		}
	}
	clear(i.attached)
	clear(i.states)
	clear(i.failed)
}
