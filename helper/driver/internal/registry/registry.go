// Package registry keeps what is registered: each target for as long as one of those stays who have asked for it.
package registry

import (
	"errors"
	"slices"
	"sync"

	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/kernel"
)

// Cgroups has the programs for sockets attached where they are needed.
type Cgroups interface {
	Attach(path string) error
	Detach(path string) error
}

// Registry is used from several goroutines.
type Registry struct {
	set     func(target kernel.Target, policy kernel.Policy) error
	cgroups Cgroups
	needed  func(isNeeded bool)
	mutex   sync.Mutex
	targets map[kernel.Target]*registered
}

type registered struct {
	policies []kernel.Policy // of each who has asked
	cgroup   string
}

// New has nothing registered. `set` tells the programs what a target is registered for; `needed` is told whether those
// for packets are.
func New(set func(kernel.Target, kernel.Policy) error, cgroups Cgroups, needed func(isNeeded bool)) *Registry {
	return &Registry{set: set, cgroups: cgroups, needed: needed, targets: map[kernel.Target]*registered{}}
}

// Add registers a target; several may ask for the same, and it is acted on for all that they ask. `remove` takes this
// back, once: with the last one of a target its flows are not acted on any more.
func (r *Registry) Add(target Target, policy kernel.Policy) (remove func() error, err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	known := r.targets[target.Target]
	if known == nil {
		if target.Cgroup != "" {
			if err := r.cgroups.Attach(target.Cgroup); err != nil {
				return nil, fault.New(fault.Gone, err, "see that it is there, and that cgroup2 is mounted", "Registering %s", target)
			}
		}
		known = &registered{cgroup: target.Cgroup}
		r.targets[target.Target] = known
	}
	known.policies = append(known.policies, policy)
	if err := r.tell(target.Target, known); err != nil {
		return nil, errors.Join(err, r.remove(target.Target, policy))
	}
	r.needed(true)
	return func() error {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		return r.remove(target.Target, policy)
	}, nil
}

func (r *Registry) remove(target kernel.Target, policy kernel.Policy) error {
	known := r.targets[target]
	at := slices.Index(known.policies, policy)
	known.policies = slices.Delete(known.policies, at, at+1)
	err := r.tell(target, known)
	if len(known.policies) > 0 {
		return err
	}
	delete(r.targets, target)
	r.needed(len(r.targets) > 0)
	for _, other := range r.targets {
		if other.cgroup == known.cgroup {
			return err
		}
	}
	return errors.Join(err, r.cgroups.Detach(known.cgroup))
}

func (r *Registry) tell(target kernel.Target, known *registered) error {
	var all kernel.Policy
	for _, policy := range known.policies {
		all |= policy
	}
	return r.set(target, all)
}

// Kinds counts what is registered: whose it is, and where it connects to, is nobody else's business.
func (r *Registry) Kinds() map[string]int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	kinds := map[string]int{}
	for target := range r.targets {
		kinds[kindNames[target.Kind]]++
	}
	return kinds
}
