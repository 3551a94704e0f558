// Package registry keeps what is registered: each target for as long as one of those stays who have asked for it.
package registry

import (
	"errors"
	"log/slog"
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
	log     *slog.Logger
	mutex   sync.Mutex
	all     []*registration
}

type registration struct {
	target Target
	policy kernel.Policy
}

// New has nothing registered. `set` tells the programs what a target is registered for; `needed` is told whether those
// for packets are.
func New(set func(kernel.Target, kernel.Policy) error, cgroups Cgroups, needed func(isNeeded bool), log *slog.Logger) *Registry {
	return &Registry{set: set, cgroups: cgroups, needed: needed, log: log}
}

// Register a target; several may ask for the same, and it is acted on for all that they ask. `remove` takes this back, once: with the last one of a target its
// flows are not acted on any more.
func (r *Registry) Register(target Target, policy kernel.Policy) (remove func() error, err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if target.Cgroup != "" {
		if err := r.cgroups.Attach(target.Cgroup); err != nil {
			return nil, fault.New(fault.Gone, err, "see that it is there, and that cgroup2 is mounted", "Registering %s", target)
		}
	}
	one := &registration{target, policy}
	r.all = append(r.all, one)
	if err := r.tell(target.Target); err != nil {
		return nil, errors.Join(err, r.remove(one))
	}
	r.needed(true)
	r.log.Info("registered", "target", target.String())
	return func() error {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		return r.remove(one)
	}, nil
}

func (r *Registry) remove(one *registration) error {
	r.all = slices.DeleteFunc(r.all, func(other *registration) bool { return other == one })
	err := r.tell(one.target.Target)
	r.needed(len(r.all) > 0)
	if !slices.ContainsFunc(r.all, func(other *registration) bool { return other.target.Cgroup == one.target.Cgroup }) {
		err = errors.Join(err, r.cgroups.Detach(one.target.Cgroup))
	}
	return err
}

func (r *Registry) tell(target kernel.Target) error {
	var all kernel.Policy
	for _, one := range r.all {
		if one.target.Target == target {
			all |= one.policy
		}
	}
	return r.set(target, all)
}

// Kinds counts the targets: whose they are, and where they connect to, is nobody else's business.
func (r *Registry) Kinds() map[string]int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	kinds, counted := map[string]int{}, map[kernel.Target]bool{}
	for _, one := range r.all {
		if target := one.target.Target; !counted[target] {
			counted[target] = true
			kinds[kindNames[target.Kind]]++
		}
	}
	return kinds
}
