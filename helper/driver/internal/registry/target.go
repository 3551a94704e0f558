package registry

import (
	"encoding/json"
	"errors"
	"fmt"

	"firstscreen/driver/internal/attach"
	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/kernel"
)

// Target is one thing whose flows are acted on.
type Target struct {
	kernel.Target
	Cgroup attach.Cgroup // on which the programs for sockets must be; none: packets tell enough
}

// Process is a thread group.
func Process(number uint32) ([]Target, error) {
	cgroup, err := attach.CgroupOf(int(number))
	if err != nil {
		return nil, fault.New(fault.Gone, err, "see that it is there, and that cgroup2 is mounted", "Registering process %d", number)
	}
	return []Target{{kernel.Target{Kind: kernel.Process, Id: uint64(number)}, cgroup}}, nil
}

// Cgroup is a directory of cgroup2, with all below it.
func Cgroup(path string) ([]Target, error) {
	cgroup, err := attach.CgroupAt(path)
	if err != nil {
		return nil, fault.New(fault.Gone, err, "see that it is a directory of cgroup2", "Registering cgroup %s", path)
	}
	return []Target{{kernel.Target{Kind: kernel.Cgroup, Id: cgroup.ID}, cgroup}}, nil
}

// Ports that a user connects to or serves, as messages and the administrator's file name them.
type Ports struct {
	Remote []Port `json:"remotePorts,omitempty"`
	Local  []Port `json:"localPorts,omitempty"`
}

// Port is not 0.
type Port uint16

// UnmarshalJSON reads a number.
func (p *Port) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, (*uint16)(p)); err != nil {
		return err
	}
	if *p == 0 {
		return errors.New("port 0 is none")
	}
	return nil
}

// Count of both.
func (p Ports) Count() int { return len(p.Remote) + len(p.Local) }

// Of a user, or of all (kernel.AnyUser).
func (p Ports) Of(user uint32) (targets []Target) {
	for _, port := range p.Remote {
		targets = append(targets, Target{Target: kernel.Target{Kind: kernel.RemotePort, Id: uint64(port), User: user}})
	}
	for _, port := range p.Local {
		targets = append(targets, Target{Target: kernel.Target{Kind: kernel.LocalPort, Id: uint64(port), User: user}})
	}
	return targets
}

var kindNames = map[kernel.Kind]string{
	kernel.Process: "process", kernel.Cgroup: "cgroup", kernel.Connection: "connection",
	kernel.RemotePort: "remote port", kernel.LocalPort: "local port",
}

func (t Target) String() string {
	switch {
	case t.Kind == kernel.Cgroup:
		return "cgroup " + t.Cgroup.Path
	case t.User == kernel.AnyUser:
		return fmt.Sprintf("%s %d of all users", kindNames[t.Kind], t.Id)
	}
	return fmt.Sprintf("%s %d", kindNames[t.Kind], t.Id)
}
