package daemon

import (
	"errors"
	"strings"

	"firstscreen/driver/internal/attach"
	"firstscreen/driver/internal/fwp"
	"firstscreen/driver/internal/kernel"
	"firstscreen/driver/internal/rar"
)

// Status is what `firstscreen-driverd status` tells.
type Status struct {
	Features   []Feature      `json:"features"`
	Interfaces []attach.State `json:"interfaces"` // where what leaves is looked at
	Incoming   []attach.State `json:"incoming"`   // where what comes is
	Expected   []fwp.Expected `json:"expected"`   // frame error rates, of interfaces of flows
	Cgroups    []string       `json:"cgroups"`
	Registered map[string]int `json:"registered"`
	Counters   Counters       `json:"counters"`
}

// Counters since the driver began.
type Counters struct {
	Programs kernel.Counters `json:"programs"`
	RAR      rar.Counts      `json:"rar"`
	Unsent   uint64          `json:"unsent"` // copies that an interface did not take
	FWP      fwp.Counts      `json:"fwp"`
}

// Feature is one of the driver's, and why it is not there.
type Feature struct {
	Name   string `json:"name"`
	Level  string `json:"level"`
	Reason string `json:"reason,omitempty"`
}

// Levels of support.
const (
	Full = "full"
	None = "none"
)

// Status implements control.Driver.
func (d *Daemon) Status() any {
	counts, unsent := d.protector.counted()
	repaired, expected, incoming := d.repairer.told()
	return Status{
		Features: d.Features(), Interfaces: d.interfaces.States(), Incoming: incoming, Expected: expected, Cgroups: d.Cgroups(), Registered: d.Kinds(),
		Counters: Counters{Programs: d.Counters(), RAR: counts, Unsent: unsent, FWP: repaired},
	}
}

// Features tells what this kernel supports, whether attached or not.
func (d *Daemon) Features() []Feature {
	_, mountCause := attach.Mount()
	return []Feature{
		feature("RAR, copies of messages"),
		feature("processes", d.ProcessCause, mountCause),
		feature("cgroups", mountCause),
		feature("SYN time-outs", mountCause),
		feature("IB, spool", d.SpoolCause, mountCause),
		feature("FWP, placeholders", d.repairer.cause),
		feature("BBR for uploads", d.BBRCause, mountCause),
	}
}

func feature(name string, causes ...error) Feature {
	err := errors.Join(causes...)
	if err == nil {
		return Feature{Name: name, Level: Full}
	}
	reason, _, _ := strings.Cut(err.Error(), "\n")
	return Feature{name, None, reason}
}
