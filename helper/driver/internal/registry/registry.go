// Package registry keeps what is registered: processes, cgroups and ports, each for as long as one of those stays who have asked for it.
package registry

import (
	"errors"
	"sync"

	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/kernel"
)

// maxTargets in all; the maps hold as many.
const maxTargets = 1024

// Target is one thing whose flows are acted on: exactly one of the fields is set.
type Target struct {
	Process int             // a thread group
	Cgroup  string          // a directory of cgroup2, with all below it
	Socket  uint64          // of a connection that is there already, by cookie
	Port    kernel.PortRule // of a user, or of all
}

// Kernel is what the programs are told.
type Kernel interface {
	SetProcess(process uint32, registration kernel.Registration) error
	SetCgroup(id uint64, registration kernel.Registration) error
	SetSocket(cookie uint64, registration kernel.Registration) error
	SetPort(rule kernel.PortRule, registration kernel.Registration) error
	Forget(id uint32) error
}

// Cgroups has the programs for sockets attached where they are needed.
type Cgroups interface {
	OfProcess(process int) (string, error)
	ID(path string) (uint64, error)
	Hold(path string) error
	Release(path string) error
}

// Registry is used from several goroutines.
type Registry struct {
	kernel  Kernel
	cgroups Cgroups
	needed  func(isNeeded bool)
	mutex   sync.Mutex
	lastID  uint32
	targets map[Target]*registered
}

type registered struct {
	id       uint32
	policies map[*Registration]kernel.Policy
	cgroup   string // held; "": none
}

func (r *registered) policy() (all kernel.Policy) {
	for _, policy := range r.policies {
		all |= policy
	}
	return all
}

// Registration is one request for a target.
type Registration struct {
	registry *Registry
	target   Target
}

// New has nothing registered. `needed` is told whether the programs for packets are, when that changes.
func New(kernel Kernel, cgroups Cgroups, needed func(isNeeded bool)) *Registry {
	return &Registry{kernel: kernel, cgroups: cgroups, needed: needed, targets: map[Target]*registered{}}
}

// Add registers a target; several may ask for the same, and it is acted on for all that they ask.
func (r *Registry) Add(target Target, policy kernel.Policy) (*Registration, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	known := r.targets[target]
	if known == nil {
		if len(r.targets) >= maxTargets {
			return nil, fault.New(fault.Limit, nil, "take back registrations that are not needed", "Registering more than %d targets", maxTargets)
		}
		held, err := r.hold(target)
		if err != nil {
			return nil, err
		}
		r.lastID++
		known = &registered{id: r.lastID, policies: map[*Registration]kernel.Policy{}, cgroup: held}
	}
	registration := &Registration{r, target}
	known.policies[registration] = policy
	if err := r.tell(target, known); err != nil {
		delete(known.policies, registration)
		return nil, errors.Join(err, r.dropUnused(target, known))
	}
	r.targets[target] = known
	r.needed(true)
	return registration, nil
}

// Remove takes a registration back; with the last one of a target its flows are not acted on any more.
func (g *Registration) Remove() error {
	r := g.registry
	r.mutex.Lock()
	defer r.mutex.Unlock()
	known := r.targets[g.target]
	if known == nil {
		return nil
	}
	if _, is := known.policies[g]; !is {
		return nil
	}
	delete(known.policies, g)
	err := r.tell(g.target, known)
	return errors.Join(err, r.dropUnused(g.target, known))
}

func (r *Registry) dropUnused(target Target, known *registered) error {
	if len(known.policies) > 0 {
		return nil
	}
	if delete(r.targets, target); len(r.targets) == 0 {
		r.needed(false)
	}
	err := r.kernel.Forget(known.id)
	if known.cgroup != "" {
		err = errors.Join(err, r.cgroups.Release(known.cgroup))
	}
	return err
}

// hold attaches the programs for sockets where a target's are made. It returns the cgroup; "" where packets tell enough.
func (r *Registry) hold(target Target) (path string, err error) {
	switch {
	case target.Process != 0:
		path, err = r.cgroups.OfProcess(target.Process)
	case target.Cgroup != "":
		path = target.Cgroup
	default:
		return "", nil
	}
	if err == nil {
		err = r.cgroups.Hold(path)
	}
	if err == nil {
		return path, nil
	}
	if known := (*fault.Error)(nil); errors.As(err, &known) {
		return "", err
	}
	return "", fault.New(fault.Gone, err, "see that it is there, and that cgroup2 is mounted", "Registering %s", target)
}

func (r *Registry) tell(target Target, known *registered) error {
	registration := kernel.Registration{Policy: known.policy(), ID: known.id}
	switch {
	case target.Process != 0:
		return r.kernel.SetProcess(uint32(target.Process), registration)
	case target.Cgroup != "":
		id, err := r.cgroups.ID(target.Cgroup)
		if err != nil && registration.Policy == 0 {
			return nil // it has gone, and with it who would be found in it
		}
		if err != nil {
			return fault.New(fault.Gone, err, "see that it is a directory of cgroup2", "Registering %s", target)
		}
		return r.kernel.SetCgroup(id, registration)
	case target.Socket != 0:
		return r.kernel.SetSocket(target.Socket, registration)
	default:
		return r.kernel.SetPort(target.Port, registration)
	}
}

// Count of targets.
func (r *Registry) Count() int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return len(r.targets)
}

// Kinds of what is registered: whose it is, and where it connects to, is nobody else's business.
type Kinds struct {
	Processes   int `json:"processes"`
	Cgroups     int `json:"cgroups"`
	Connections int `json:"connections"`
	Ports       int `json:"ports"`
}

// Kinds counts targets of each.
func (r *Registry) Kinds() (kinds Kinds) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for target := range r.targets {
		switch {
		case target.Process != 0:
			kinds.Processes++
		case target.Cgroup != "":
			kinds.Cgroups++
		case target.Socket != 0:
			kinds.Connections++
		default:
			kinds.Ports++
		}
	}
	return kinds
}
