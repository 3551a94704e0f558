// Package config is the administrator's file: what is acted on without a helper asking for it.
package config

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"slices"
	"strconv"

	"firstscreen/driver/internal/control"
	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/kernel"
	"firstscreen/driver/internal/registry"
)

// DefaultPath of the file; it need not be there.
const DefaultPath = "/etc/firstscreen/driver.json"

const maxFileBytes = 1 << 20

// File is what it says.
type File struct {
	Interfaces    []string       `json:"interfaces"` // none: all but loopback
	Registrations []Registration `json:"registrations"`
}

// Registration of one cgroup, or of some ports.
type Registration struct {
	Cgroup      string   `json:"cgroup"`
	User        string   `json:"user"` // whose ports, by name or number; "": everybody's
	RemotePorts []uint16 `json:"remotePorts"`
	LocalPorts  []uint16 `json:"localPorts"`
	Policy      []string `json:"policy"`
}

// Wanted is a Registration, understood.
type Wanted struct {
	Targets []registry.Target
	Policy  kernel.Policy
}

// Read the file; where none is, nothing is wanted. mustExist says that somebody has named it.
func Read(path string, mustExist bool) (File, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) && !mustExist {
		return File{}, nil
	}
	if err == nil && len(text) > maxFileBytes {
		err = fmt.Errorf("it has more than %d bytes", maxFileBytes)
	}
	var file File
	if err == nil {
		err = control.Strict(text, &file)
	}
	if err != nil {
		return File{}, fault.New(fault.Config, err, "mend it, or take it away (firstscreen-driverd(8) has an example)", "Reading %s", path)
	}
	return file, nil
}

// Wanted are the file's registrations.
func (f File) Wanted() (all []Wanted, err error) {
	for i, registration := range f.Registrations {
		one, err := registration.wanted()
		if err != nil {
			return nil, fault.New(fault.Config, err, "mend it (firstscreen-driverd(8) has an example)", "Reading registration %d of the configuration", i+1)
		}
		all = append(all, one)
	}
	return all, nil
}

func (r Registration) wanted() (wanted Wanted, err error) {
	if wanted.Policy, err = control.ParsePolicy(r.Policy); err != nil {
		return Wanted{}, err
	}
	ports := len(r.RemotePorts) + len(r.LocalPorts)
	if (r.Cgroup != "") == (ports > 0) {
		return Wanted{}, errors.New("either a cgroup or ports must be named")
	}
	if r.Cgroup != "" {
		wanted.Targets = []registry.Target{{Cgroup: r.Cgroup}}
		return wanted, nil
	}
	if slices.Contains(r.RemotePorts, 0) || slices.Contains(r.LocalPorts, 0) {
		return Wanted{}, errors.New("port 0 is none")
	}
	id, err := userID(r.User)
	if err != nil {
		return Wanted{}, err
	}
	for _, port := range r.RemotePorts {
		wanted.Targets = append(wanted.Targets, registry.Target{Port: kernel.PortRule{User: id, Side: kernel.RemotePort, Port: port}})
	}
	for _, port := range r.LocalPorts {
		wanted.Targets = append(wanted.Targets, registry.Target{Port: kernel.PortRule{User: id, Side: kernel.LocalPort, Port: port}})
	}
	return wanted, nil
}

func userID(name string) (uint32, error) {
	if name == "" {
		return kernel.AnyUser, nil
	}
	if number, err := strconv.ParseUint(name, 10, 32); err == nil {
		return uint32(number), nil
	}
	known, err := user.Lookup(name)
	if err != nil {
		return 0, err
	}
	number, err := strconv.ParseUint(known.Uid, 10, 32)
	return uint32(number), err
}
