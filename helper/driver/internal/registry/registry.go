// Package registry keeps what is registered: each target for as long as one of those stays who have asked for it.
package registry

import (
	"errors"
	"log/slog"
	"slices"
	"sync"

	"firstscreen/driver/internal/attach"
	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/kernel"
)

// Registry is used from several goroutines.
type Registry struct {
	set     func(target kernel.Target, policy kernel.Policy) error
	attach  func(cgroup string) (detach func() error, err error)
	needed  func(isNeeded bool)
	log     *slog.Logger
	mutex   sync.Mutex
	all     []*registration
	cgroups map[attach.Cgroup]func() error // that are attached to, and how to take that back
}

type registration struct {
	targets []Target
	policy  kernel.Policy
}

// New has nothing registered. `set` tells the programs what a target is registered for, `onCgroup` puts those for sockets on
// a cgroup, and `needed` is told whether those for packets are.
func New(
	set func(kernel.Target, kernel.Policy) error, onCgroup func(string) (func() error, error), needed func(bool), log *slog.Logger,
) *Registry {
	return &Registry{set: set, attach: onCgroup, needed: needed, log: log, cgroups: map[attach.Cgroup]func() error{}}
}

// Register targets; several may ask for the same, and it is acted on for all that they ask. `remove` takes this back, once: with the last registration of a
// target its flows are not acted on any more.
func (r *Registry) Register(targets []Target, policy kernel.Policy) (remove func() error, err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	one := &registration{targets, policy}
	r.all = append(r.all, one)
	if err := r.update(targets); err != nil {
		return nil, errors.Join(err, r.remove(one))
	}
	r.log.Info("registered", "targets", targets)
	return func() error {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		return r.remove(one)
	}, nil
}

// TakeBackAll that is registered.
func (r *Registry) TakeBackAll() (all error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, one := range slices.Clone(r.all) {
		all = errors.Join(all, r.remove(one))
	}
	return all
}

func (r *Registry) remove(one *registration) error {
	r.all = slices.DeleteFunc(r.all, func(other *registration) bool { return other == one })
	return r.update(one.targets)
}

// update where the programs are, and what they do with targets, to what is registered.
func (r *Registry) update(targets []Target) (all error) {
	policies, cgroups := r.wanted()
	for cgroup := range cgroups {
		if r.cgroups[cgroup] == nil {
			detach, err := r.attach(cgroup.Path)
			if err != nil {
				return fault.New(fault.Gone, err, "see that it is there, and that cgroup2 is mounted", "Registering what is in cgroup %s", cgroup.Path)
			}
			r.cgroups[cgroup] = detach
		}
	}
	for _, target := range targets {
		all = errors.Join(all, r.set(target.Target, policies[target.Target]))
	}
	for cgroup, detach := range r.cgroups {
		if !cgroups[cgroup] {
			delete(r.cgroups, cgroup)
			all = errors.Join(all, detach())
		}
	}
	r.needed(len(policies) > 0)
	return all
}

// wanted is what each target is registered for, and the cgroups on which the programs must be.
func (r *Registry) wanted() (policies map[kernel.Target]kernel.Policy, cgroups map[attach.Cgroup]bool) {
	policies, cgroups = map[kernel.Target]kernel.Policy{}, map[attach.Cgroup]bool{}
	for _, one := range r.all {
		for _, target := range one.targets {
			policies[target.Target] |= one.policy
			if target.Cgroup != (attach.Cgroup{}) {
				cgroups[target.Cgroup] = true
			}
		}
	}
	return policies, cgroups
}

// Kinds counts the targets: whose they are, and where they connect to, is nobody else's business.
func (r *Registry) Kinds() map[string]int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	kinds := map[string]int{}
	targets, _ := r.wanted()
	for target := range targets {
		kinds[kindNames[target.Kind]]++
	}
	return kinds
}

// Cgroups that the programs for sockets are on.
func (r *Registry) Cgroups() (paths []string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for cgroup := range r.cgroups {
		paths = append(paths, cgroup.Path)
	}
	slices.Sort(paths)
	return paths
}
