package attach

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cilium/ebpf"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// lookEvery so often at all interfaces, besides when one changes: what could not be attached to may be by then.
const lookEvery = 10 * time.Second

// Interfaces keeps the programs of one hook on interfaces that are wanted, as they come and go, while they are needed.
type Interfaces struct {
	hook     Hook
	program  func(hasLinkLayer bool) *ebpf.Program
	wanted   []string // names; none: all but loopback
	log      *slog.Logger
	list     func() ([]netlink.Link, error)
	attach   func(to netlink.Link, program *ebpf.Program) (Method, func() error, error)
	refuse   func(device string) error // whose copies would leave in clear
	mutex    sync.Mutex
	isNeeded bool
	hasEnded bool
	only     map[int]bool // by index; nil: all that are wanted
	isClean  bool         // of what an earlier driver has left
	states   map[int]State
}

// State of one interface, as status tells it.
type State struct {
	Name   string `json:"name"`
	Method Method `json:"method,omitempty"` // none: not attached
	Cause  string `json:"cause,omitempty"`  // why not
	detach func() error
}

// NewInterfaces attaches nothing yet.
func NewInterfaces(hook Hook, program func(hasLinkLayer bool) *ebpf.Program, wanted []string, log *slog.Logger) *Interfaces {
	return &Interfaces{
		hook: hook, program: program, wanted: wanted, log: log, list: netlink.LinkList, attach: hook.attach, refuse: refuseEncrypting,
		states: map[int]State{},
	}
}

// Run attaches to interfaces. It returns only when the system does not tell of changes.
func (i *Interfaces) Run() error {
	again := time.NewTicker(lookEvery)
	for {
		changes, done := make(chan netlink.LinkUpdate), make(chan struct{})
		if err := netlink.LinkSubscribe(changes, done); err != nil {
			return err
		}
		// it ends also when more has changed at once than the kernel keeps for a reader
		for isOpen := true; isOpen; {
			i.look()
			select {
			case _, isOpen = <-changes:
			case <-again.C:
			}
		}
		close(done)
	}
}

// SetNeeded attaches to all that are wanted, or takes the programs off.
func (i *Interfaces) SetNeeded(isNeeded bool) { i.need(isNeeded, nil) }

// SetNeededOn attaches to these of those that are wanted, by their indexes, and to no others.
func (i *Interfaces) SetNeededOn(only map[int]bool) { i.need(len(only) > 0, only) }

// End takes the programs off for good: who asks for them while the driver ends would leave them behind, on kernels without tcx.
func (i *Interfaces) End() {
	i.mutex.Lock()
	i.hasEnded = true
	i.mutex.Unlock()
	i.look()
}

func (i *Interfaces) need(isNeeded bool, only map[int]bool) {
	i.mutex.Lock()
	isChange := i.isNeeded != isNeeded || !maps.Equal(i.only, only)
	i.isNeeded, i.only = isNeeded, only
	i.mutex.Unlock()
	if isChange {
		i.look()
	}
}

// look at all interfaces: attach to what is wanted and up, and leave what is not any more.
func (i *Interfaces) look() {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if isNeeded := i.isNeeded && !i.hasEnded; i.isClean && !isNeeded && len(i.states) == 0 {
		return
	}
	present, err := i.list()
	if err != nil {
		i.log.Warn("the interfaces can not be listed", "error", err)
		if i.isNeeded && !i.hasEnded { // later
			return
		}
	}
	there := map[int]State{}
	for _, of := range present {
		if !i.isClean {
			i.warn(of.Attrs().Name, i.hook.removeLeftovers(of))
		}
		if i.isNeededOn(of) && IsWanted(of, i.wanted) && of.Attrs().RawFlags&unix.IFF_UP != 0 {
			there[of.Attrs().Index] = i.keep(of)
		}
	}
	i.isClean = i.isClean || err == nil
	for index, state := range i.states {
		if _, is := there[index]; !is {
			i.leave(state)
		}
	}
	i.states = there
}

func (i *Interfaces) isNeededOn(of netlink.Link) bool {
	return i.isNeeded && !i.hasEnded && (i.only == nil || i.only[of.Attrs().Index])
}

// keep the program on an interface, as long as copies may leave by it.
func (i *Interfaces) keep(of netlink.Link) State {
	before := i.states[of.Attrs().Index]
	state := State{Name: of.Attrs().Name}
	hasLinkLayer, err := HasLinkLayer(of)
	if err == nil {
		err = i.refuse(state.Name) // features may be switched on later
	}
	if err == nil && before.Method == TCX {
		before.Name = state.Name // it may have been given another one
		return before
	}
	if err == nil { // also where a filter is: whoever deletes its clsact, or moves the interface away and back, has taken it off
		state.Method, state.detach, err = i.attach(of, i.program(hasLinkLayer))
	}
	if err != nil {
		i.leave(before)
		state = State{Name: state.Name, Cause: err.Error()}
	}
	if state.Method != before.Method || state.Cause != before.Cause {
		i.log.Info("looked at", "interface", state.Name, "attached", state.Method, "cause", state.Cause)
	}
	return state
}

func (i *Interfaces) leave(state State) {
	if state.detach != nil {
		i.warn(state.Name, state.detach())
	}
}

func (i *Interfaces) warn(name string, err error) {
	if err != nil {
		i.log.Warn("programs were not taken off", "interface", name, "error", err)
	}
}

// IsWanted tells whether an interface is among the names; where there are none, all are but loopback.
func IsWanted(of netlink.Link, names []string) bool {
	if len(names) > 0 {
		return slices.Contains(names, of.Attrs().Name)
	}
	return of.Attrs().RawFlags&unix.IFF_LOOPBACK == 0
}

// States of all interfaces that are wanted and up.
func (i *Interfaces) States() []State {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	states := slices.AppendSeq([]State{}, maps.Values(i.states)) // none is no null in JSON
	slices.SortFunc(states, func(a, b State) int { return strings.Compare(a.Name, b.Name) })
	return states
}

// Attached returns why an interface is not attached to, or nil.
func (i *Interfaces) Attached(index int) error {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	state, is := i.states[index]
	switch {
	case !is:
		return errors.New("its interface is not up")
	case state.Method == "":
		return fmt.Errorf("%s: %s", state.Name, state.Cause)
	}
	return nil
}
