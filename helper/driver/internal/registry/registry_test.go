package registry

import (
	"errors"
	"reflect"
	"testing"

	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/kernel"
)

// told is a Kernel and Cgroups that remember what they were told.
type told struct {
	set       map[Target]kernel.Registration
	forgotten []uint32
	held      map[string]int
	refuse    error
}

func newTold() *told { return &told{set: map[Target]kernel.Registration{}, held: map[string]int{}} }

func (f *told) change(target Target, registration kernel.Registration) error {
	if f.refuse != nil {
		return f.refuse
	}
	if registration.Policy == 0 {
		delete(f.set, target)
	} else {
		f.set[target] = registration
	}
	return nil
}

func (f *told) SetProcess(process uint32, r kernel.Registration) error {
	return f.change(Target{Process: int(process)}, r)
}
func (f *told) SetCgroup(id uint64, r kernel.Registration) error {
	return f.change(Target{Socket: id}, r)
}
func (f *told) SetSocket(cookie uint64, r kernel.Registration) error {
	return f.change(Target{Socket: cookie}, r)
}
func (f *told) SetPort(rule kernel.PortRule, r kernel.Registration) error {
	return f.change(Target{Port: rule}, r)
}
func (f *told) Forget(id uint32) error { f.forgotten = append(f.forgotten, id); return nil }

func (f *told) OfProcess(process int) (string, error) {
	if process == 404 {
		return "", errors.New("no such process")
	}
	return "/cgroup", nil
}
func (f *told) ID(path string) (uint64, error) {
	if path == "/gone" {
		return 0, errors.New("no such directory")
	}
	return 77, nil
}
func (f *told) Hold(path string) error    { f.held[path]++; return nil }
func (f *told) Release(path string) error { f.held[path]--; return nil }

func TestATargetIsActedOnForAllWhoAsk(t *testing.T) {
	f := newTold()
	r := New(f, f, func(bool) {})
	target := Target{Process: 9}
	first, err := r.Add(target, kernel.RAR)
	if err != nil {
		t.Fatal(err)
	}
	second, err := r.Add(target, kernel.Spool)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.set[target].Policy; got != kernel.RAR|kernel.Spool {
		t.Errorf("policy %b", got)
	}
	if err := first.Remove(); err != nil || f.set[target].Policy != kernel.Spool || len(f.forgotten) > 0 {
		t.Errorf("after the first has gone: %v, %+v", err, f)
	}
	if err := second.Remove(); err != nil || len(f.set) > 0 || !reflect.DeepEqual(f.forgotten, []uint32{1}) || f.held["/cgroup"] != 0 {
		t.Errorf("after both have gone: %v, %+v", err, f)
	}
	if err := second.Remove(); err != nil || len(f.forgotten) != 1 {
		t.Errorf("taken back twice: %v", err)
	}
}

func TestEachKindOfTarget(t *testing.T) {
	for _, c := range []struct {
		target Target
		told   Target
		held   int
	}{
		{Target{Process: 9}, Target{Process: 9}, 1},
		{Target{Cgroup: "/cgroup"}, Target{Socket: 77}, 1},
		{Target{Socket: 5}, Target{Socket: 5}, 0},
		{Target{Port: kernel.PortRule{User: 1000, Side: kernel.RemotePort, Port: 443}}, Target{Port: kernel.PortRule{User: 1000, Side: kernel.RemotePort, Port: 443}}, 0},
	} {
		t.Run(c.target.String(), func(t *testing.T) {
			f := newTold()
			r := New(f, f, func(bool) {})
			if _, err := r.Add(c.target, kernel.RAR); err != nil {
				t.Fatal(err)
			}
			if got, is := f.set[c.told]; !is || got.ID != 1 || f.held["/cgroup"] != c.held {
				t.Errorf("told %+v", f)
			}
		})
	}
}

func TestWhatCanNotBeRegisteredLeavesNothing(t *testing.T) {
	for _, c := range []struct {
		name   string
		target Target
		refuse error
		code   string
	}{
		{"a process that has gone", Target{Process: 404}, nil, fault.Gone},
		{"a cgroup that has gone", Target{Cgroup: "/gone"}, nil, fault.Gone},
		{"a full map", Target{Process: 9}, fault.New(fault.Limit, nil, "", "Registering"), fault.Limit},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTold()
			f.refuse = c.refuse
			r := New(f, f, func(bool) {})
			_, err := r.Add(c.target, kernel.RAR)
			if err == nil || fault.Of(err).Code != c.code {
				t.Errorf("answered %v", err)
			}
			for path, holds := range f.held {
				if holds != 0 {
					t.Errorf("%s is held", path)
				}
			}
			if r.Count() != 0 || len(f.set) > 0 {
				t.Errorf("left: %+v", f)
			}
		})
	}
}

func TestOnlySoManyTargets(t *testing.T) {
	f := newTold()
	r := New(f, f, func(bool) {})
	for i := range maxTargets {
		if _, err := r.Add(Target{Process: i + 1000}, kernel.RAR); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Add(Target{Process: 1}, kernel.RAR); err == nil || fault.Of(err).Code != fault.Limit {
		t.Errorf("answered %v", err)
	}
}

func TestItTellsTheKindsOfWhatIsRegistered(t *testing.T) {
	f := newTold()
	r := New(f, f, func(bool) {})
	for _, target := range []Target{{Process: 9}, {Cgroup: "/a"}, {Cgroup: "/b"}, {Socket: 5}, {Port: kernel.PortRule{Port: 443}}, {Process: 9}} {
		if _, err := r.Add(target, kernel.RAR); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := r.Kinds(), (Kinds{Processes: 1, Cgroups: 2, Connections: 1, Ports: 1}); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
}
