package daemon

import (
	"fmt"
	"os"
	"strconv"
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
	Part Level = "part"
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
	buffers := Feature{Name: "IB, receive buffers", Level: sockets.Level, Reason: sockets.Reason}
	if buffer := receiveBuffer(); buffer.Bytes == 0 && buffers.Level == Full {
		buffers.Level, buffers.Reason = Part, buffer.Reason
	}
	dependent := func(name string) Feature { return Feature{name, sockets.Level, sockets.Reason} }
	return []Feature{
		{Name: "RAR, copies of messages", Level: Full},
		{Name: "AM, acknowledgements", Level: Full},
		sockets,
		dependent("SYN time-outs"),
		buffers,
		dependent("IB, spool"),
	}
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// buffer that IB asks for; 0 bytes, with the reason, where TCP's own tuning reaches more.
type buffer struct {
	Bytes  uint32
	Reason string
}

func receiveBuffer() buffer {
	most, err := readNumbers("/proc/sys/net/core/rmem_max")
	if err != nil {
		return buffer{Reason: err.Error()}
	}
	tuned, err := readNumbers("/proc/sys/net/ipv4/tcp_rmem")
	if err != nil || len(tuned) != 3 {
		return buffer{Reason: "net.ipv4.tcp_rmem can not be read"}
	}
	return bufferFor(most[0], tuned[2])
}

// bufferFor net.core.rmem_max and the third value of net.ipv4.tcp_rmem; the kernel doubles what is asked for.
func bufferFor(most, tuned uint64) buffer {
	if 2*most <= tuned {
		return buffer{Reason: fmt.Sprintf("TCP's own tuning reaches more: set net.core.rmem_max above %d for larger ones", tuned/2)}
	}
	return buffer{Bytes: uint32(min(most, 1<<30))}
}

func readNumbers(path string) (numbers []uint64, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for _, field := range strings.Fields(string(text)) {
		number, err := strconv.ParseUint(field, 10, 64)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, number)
	}
	if len(numbers) == 0 {
		return nil, fmt.Errorf("%s is empty", path)
	}
	return numbers, nil
}
