package daemon

import (
	"strings"

	"firstscreen/driver/internal/attach"
	"firstscreen/driver/internal/kernel"
	"firstscreen/driver/internal/rar"
	"firstscreen/driver/internal/registry"
)

// Status is what `firstscreen-driverd status` tells.
type Status struct {
	Features      []Feature      `json:"features"`
	Interfaces    []attach.State `json:"interfaces"`
	Cgroups       []string       `json:"cgroups"`
	Registrations int            `json:"registrations"`
	Registered    registry.Kinds `json:"registered"`
	Counters      Counters       `json:"counters"`
}

// Counters since the driver began.
type Counters struct {
	Programs kernel.Counters `json:"programs"`
	RAR      rar.Counts      `json:"rar"`
	Unsent   uint64          `json:"unsent"` // copies that an interface did not take
}

// Level of support.
type Level string

const (
	Full Level = "full"
	None Level = "none"
)

// Feature is one of the driver's, and why it is not there in full.
type Feature struct {
	Name   string `json:"name"`
	Level  Level  `json:"level"`
	Reason string `json:"reason,omitempty"`
}

// Status implements control.Driver.
func (d *Daemon) Status() any { return d.status() }

func (d *Daemon) status() Status {
	return Status{Features: d.Features(), Interfaces: d.interfaces.States(), Cgroups: d.cgroups.Paths(), Registrations: d.registry.Count(), Registered: d.registry.Kinds(), Counters: d.counters()}
}

// Counters implements control.Driver.
func (d *Daemon) Counters() any { return d.counters() }

func (d *Daemon) counters() (c Counters) {
	var err error
	if c.Programs, err = d.kernel.Counters(); err != nil {
		d.log.Warn("counters can not be read", "error", err)
	}
	c.RAR, c.Unsent = d.protector.counted()
	return c
}

// Features tells what this kernel supports, whether attached or not.
func (d *Daemon) Features() []Feature {
	_, mountCause := attach.Mount()
	feature := func(name string, causes ...error) Feature {
		for _, cause := range causes {
			if cause != nil {
				return Feature{name, None, firstLine(cause)}
			}
		}
		return Feature{Name: name, Level: Full}
	}
	return []Feature{
		feature("RAR, copies of messages"),
		feature("processes", d.kernel.ProcessCause, mountCause),
		feature("cgroups", d.kernel.SocketCause, mountCause),
		feature("SYN time-outs", d.kernel.SocketCause, mountCause),
		feature("IB, spool", d.kernel.ProcessCause, mountCause),
	}
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
