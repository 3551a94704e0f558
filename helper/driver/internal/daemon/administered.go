package daemon

import (
	"log/slog"
	"slices"
	"time"

	"firstscreen/driver/internal/config"
	"firstscreen/driver/internal/kernel"
	"firstscreen/driver/internal/registry"
)

// administerEvery so often the cgroups of the administrator's file are looked for.
const administerEvery = 10 * time.Second

// administered is what the administrator's file registers, as cgroups come and go: the slice of a user is made when he logs in, which is after the driver has
// started, goes with him, and is another one when he is back.
type administered struct {
	wanted   []config.Registration
	targets  func(config.Registration) ([]registry.Target, error)
	register func([]registry.Target, kernel.Policy) (remove func() error, err error)
	log      *slog.Logger
	held     map[int]held   // by their places in the file
	causes   map[int]string // why others are not, as it was logged
}

type held struct {
	targets []registry.Target
	remove  func() error
}

func newAdministered(wanted []config.Registration, in *registry.Registry, log *slog.Logger) *administered {
	return &administered{
		wanted: wanted, targets: config.Registration.Targets, register: in.Register, log: log, held: map[int]held{}, causes: map[int]string{},
	}
}

// look at all, and register what is there and not registered yet.
func (a *administered) look() {
	for place, one := range a.wanted {
		cause := ""
		if err := a.keep(place, one); err != nil { // the others count
			cause = err.Error()
			if cause != a.causes[place] {
				a.log.Warn("not registered", "error", err)
			}
		}
		a.causes[place] = cause
	}
}

func (a *administered) keep(place int, one config.Registration) error {
	targets, err := a.targets(one)
	if before, is := a.held[place]; is {
		if err == nil && slices.Equal(before.targets, targets) {
			return nil
		}
		delete(a.held, place)
		if err := before.remove(); err != nil {
			a.log.Warn("a registration was not taken back", "error", err)
		}
	}
	if err != nil {
		return err
	}
	remove, err := a.register(targets, one.Policy)
	if err == nil {
		a.held[place] = held{targets, remove}
	}
	return err
}
