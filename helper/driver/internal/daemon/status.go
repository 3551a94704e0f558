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
	sockets := Feature{Name: "processes and cgroups", Level: Full}
	if d.kernel.SocketCause != nil {
		sockets = Feature{sockets.Name, None, firstLine(d.kernel.SocketCause)}
	} else if _, err := attach.Mount(); err != nil {
		sockets = Feature{sockets.Name, None, err.Error()}
	}
	dependent := func(name string) Feature { return Feature{name, sockets.Level, sockets.Reason} }
	return []Feature{{Name: "RAR, copies of messages", Level: Full}, sockets, dependent("SYN time-outs"), dependent("IB, spool")}
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
