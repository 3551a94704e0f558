package registry

import (
	"errors"
	"log/slog"
	"reflect"
	"testing"

	"firstscreen/driver/internal/attach"
	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/kernel"
)

// told are programs and cgroups that remember what they were told.
type told struct {
	set      map[kernel.Target]kernel.Policy
	attached map[string]int // how often
	full     uint64         // a target that finds no room
	isNeeded bool
}

func newTold() (*told, *Registry) {
	f := &told{set: map[kernel.Target]kernel.Policy{}, attached: map[string]int{}}
	return f, New(f.change, f.attach, func(isNeeded bool) { f.isNeeded = isNeeded }, slog.New(slog.DiscardHandler))
}

func (f *told) change(target kernel.Target, policy kernel.Policy) error {
	if policy == 0 {
		delete(f.set, target)
		return nil
	}
	if target.Id == f.full {
		return fault.New(fault.Limit, nil, "", "Registering")
	}
	f.set[target] = policy
	return nil
}

func (f *told) attach(path string) (detach func() error, err error) {
	if path == "/gone" {
		return nil, errors.New("no such directory")
	}
	f.attached[path]++
	return func() error { f.attached[path]--; return nil }, nil
}

func (f *told) is(path string) bool { return f.attached[path] == 1 }

func (f *told) isIdle() bool {
	for _, times := range f.attached {
		if times != 0 {
			return false
		}
	}
	return len(f.set) == 0 && !f.isNeeded
}

func process(number uint64, cgroup string) []Target {
	return []Target{{kernel.Target{Kind: kernel.Process, Id: number}, attach.Cgroup{Path: cgroup}}}
}

func TestATargetIsActedOnForAllWhoAsk(t *testing.T) {
	f, r := newTold()
	target := process(9, "/cgroup")
	first, err := r.Register(target, kernel.RAR)
	if err != nil || !f.isNeeded || !f.is("/cgroup") {
		t.Fatalf("%v, %+v", err, f)
	}
	second, err := r.Register(target, kernel.Spool)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.set[target[0].Target]; got != kernel.RAR|kernel.Spool {
		t.Errorf("policy %b", got)
	}
	if err := first(); err != nil || f.set[target[0].Target] != kernel.Spool || !f.is("/cgroup") {
		t.Errorf("after the first has gone: %v, %+v", err, f)
	}
	if err := second(); err != nil || !f.isIdle() {
		t.Errorf("after both have gone: %v, %+v", err, f)
	}
}

func TestACgroupIsAttachedToAsLongAsATargetIsInIt(t *testing.T) {
	f, r := newTold()
	first, _ := r.Register(process(9, "/cgroup"), kernel.RAR)
	second, _ := r.Register(process(10, "/cgroup"), kernel.RAR)
	if err := first(); err != nil || !f.is("/cgroup") {
		t.Errorf("while the second is in it: %v, %+v", err, f)
	}
	if err := second(); err != nil || !f.isIdle() {
		t.Errorf("afterwards: %v, %+v", err, f)
	}
}

// What was attached to a cgroup goes with it: as where a user logs out and in while two registrations name his slice.
func TestACgroupThatIsMadeAnewAtItsPathIsAttachedTo(t *testing.T) {
	f, r := newTold()
	slice := func(id uint64) []Target {
		return []Target{{kernel.Target{Kind: kernel.Cgroup, Id: id}, attach.Cgroup{Path: "/slice", ID: id}}}
	}
	first, _ := r.Register(slice(7), kernel.RAR)
	second, _ := r.Register(slice(7), kernel.Spool)
	if !f.is("/slice") {
		t.Errorf("at first: %+v", f)
	}
	f.attached["/slice"] = 0 // it goes, and the next one is there
	if _, err := r.Register(slice(8), kernel.RAR); err != nil || !f.is("/slice") {
		t.Errorf("then: %v, %+v", err, f)
	}
	if err := errors.Join(first(), second()); err != nil || len(r.Cgroups()) != 1 {
		t.Errorf("when nobody asks for the former one: %v, %v", err, r.Cgroups())
	}
}

// Processes may be moved; a registration holds for the connections of both cgroups.
func TestAProcessThatIsRegisteredAgainInAnotherCgroup(t *testing.T) {
	f, r := newTold()
	first, _ := r.Register(process(9, "/before"), kernel.RAR)
	second, _ := r.Register(process(9, "/after"), kernel.RAR)
	if !f.is("/before") || !f.is("/after") || r.Kinds()["process"] != 1 {
		t.Errorf("while both are registered: %+v", f)
	}
	if err := first(); err != nil || f.is("/before") || !f.is("/after") || len(f.set) != 1 {
		t.Errorf("after the first has gone: %v, %+v", err, f)
	}
	if err := second(); err != nil || !f.isIdle() {
		t.Errorf("afterwards: %v, %+v", err, f)
	}
}

func TestWhatCanNotBeRegisteredLeavesNothing(t *testing.T) {
	for _, c := range []struct {
		name    string
		targets []Target
		code    string
	}{
		{"a cgroup that has gone", process(9, "/gone"), fault.Gone},
		{"a process where there is no room", process(443, "/cgroup"), fault.Limit},
		{"ports of which one finds no room", (Ports{Remote: []Port{80, 443, 8080}}).Of(1000), fault.Limit},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, r := newTold()
			f.full = 443
			_, err := r.Register(c.targets, kernel.RAR)
			if err == nil || fault.Of(err).Code != c.code {
				t.Errorf("answered %v", err)
			}
			if len(r.Kinds()) != 0 || !f.isIdle() {
				t.Errorf("left: %v, %+v", r.Kinds(), f)
			}
		})
	}
}

func TestAProcessOrCgroupThatIsNotThere(t *testing.T) {
	_, noProcess := Process(1 << 30)
	_, noCgroup := Cgroup(t.TempDir() + "/none")
	for _, err := range []error{noProcess, noCgroup} {
		if err == nil || fault.Of(err).Code != fault.Gone {
			t.Errorf("answered %v", err)
		}
	}
}

func TestItTellsTheKindsOfWhatIsRegistered(t *testing.T) {
	_, r := newTold()
	ports := (Ports{Remote: []Port{80, 443}, Local: []Port{80}}).Of(1000)
	for _, targets := range [][]Target{ports, process(9, ""), process(9, "")} {
		if _, err := r.Register(targets, kernel.RAR); err != nil {
			t.Fatal(err)
		}
	}
	wanted := map[string]int{"remote port": 2, "local port": 1, "process": 1}
	if got := r.Kinds(); !reflect.DeepEqual(got, wanted) {
		t.Errorf("%v, not %v", got, wanted)
	}
}
