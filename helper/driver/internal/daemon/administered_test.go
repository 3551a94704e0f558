package daemon

import (
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"

	"firstscreen/driver/internal/attach"
	"firstscreen/driver/internal/config"
	"firstscreen/driver/internal/kernel"
	"firstscreen/driver/internal/registry"
)

// machine whose cgroups come and go.
type machine struct {
	cgroups    map[string]uint64 // by their paths
	registered map[uint64]bool
	log        strings.Builder
}

func (m *machine) administered(paths ...string) *administered {
	var wanted []config.Registration
	for _, path := range paths {
		wanted = append(wanted, config.Registration{Cgroup: path, Policy: kernel.RAR})
	}
	a := newAdministered(wanted, nil, slog.New(slog.NewTextHandler(&m.log, nil)))
	a.targets = func(one config.Registration) ([]registry.Target, error) {
		id, is := m.cgroups[one.Cgroup]
		if !is {
			return nil, errors.New("no " + one.Cgroup)
		}
		return []registry.Target{{Target: kernel.Target{Kind: kernel.Cgroup, Id: id}, Cgroup: attach.Cgroup{Path: one.Cgroup, ID: id}}}, nil
	}
	a.register = func(targets []registry.Target, _ kernel.Policy) (func() error, error) {
		id := targets[0].Id
		if m.registered[id] {
			return nil, errors.New("a second time")
		}
		m.registered[id] = true
		return func() error {
			delete(m.registered, id)
			return nil
		}, nil
	}
	return a
}

func TestACgroupOfTheFileIsRegisteredWheneverItIsThere(t *testing.T) {
	m := &machine{cgroups: map[string]uint64{"always": 1}, registered: map[uint64]bool{}}
	a := m.administered("slice", "always")
	for _, step := range []struct {
		what  string
		slice uint64 // 0: not there
		want  []uint64
	}{
		{"before the first login", 0, []uint64{1}},
		{"still", 0, []uint64{1}},
		{"after it", 7, []uint64{1, 7}},
		{"still", 7, []uint64{1, 7}},
		{"when he has come back meanwhile", 8, []uint64{1, 8}},
		{"when he has gone", 0, []uint64{1}},
		{"when he is back", 9, []uint64{1, 9}},
	} {
		if delete(m.cgroups, "slice"); step.slice != 0 {
			m.cgroups["slice"] = step.slice
		}
		a.look()
		if got := slices.Sorted(maps.Keys(m.registered)); !slices.Equal(got, step.want) {
			t.Errorf("%s: %v, not %v", step.what, got, step.want)
		}
	}
	// each time that it goes, once
	if told := strings.Count(m.log.String(), "not registered"); told != 2 || strings.Contains(m.log.String(), "taken back") {
		t.Errorf("told %d times: %s", told, m.log.String())
	}
}
