// Package config is the administrator's file: what is acted on without a helper asking for it.
package config

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/user"
	"strconv"

	"firstscreen/driver/internal/control"
	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/fwp"
	"firstscreen/driver/internal/kernel"
	"firstscreen/driver/internal/registry"
)

// DefaultPath of the file; it need not be there.
const DefaultPath = "/etc/firstscreen/driver.json"

// File is what it says.
type File struct {
	Interfaces    []string       `json:"interfaces"` // none: all but loopback
	Registrations []Registration `json:"registrations"`
	// FrameErrorRate that is expected of wireless hops (FWP): what more is lost is congestion. 0: learnt from each flow.
	FrameErrorRate Rate `json:"frameErrorRate"`
	// BBR false: no upload has it, whoever is registered for it.
	BBR *bool `json:"bbr"`
}

// Rate of frames that are lost, above 0 and up to fwp.MaxErrorRate.
type Rate float64

// UnmarshalJSON reads a number.
func (r *Rate) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, (*float64)(r)); err != nil {
		return err
	}
	if *r <= 0 || *r > fwp.MaxErrorRate {
		return fmt.Errorf("a frame error rate is above 0, and at most %v", fwp.MaxErrorRate)
	}
	return nil
}

// Registration of one cgroup, or of some ports.
type Registration struct {
	Cgroup string `json:"cgroup"`
	User   *User  `json:"user"` // whose ports; none: everybody's
	registry.Ports
	Policy kernel.Policy `json:"policy"`
}

// User by name or number.
type User uint32

// UnmarshalJSON reads a text.
func (u *User) UnmarshalJSON(text []byte) error {
	var name string
	if err := json.Unmarshal(text, &name); err != nil {
		return err
	}
	known, err := user.Lookup(name)
	if err == nil {
		name = known.Uid
	}
	number, notNumber := strconv.ParseUint(name, 10, 32)
	if notNumber != nil {
		return errors.Join(err, notNumber)
	}
	*u = User(number)
	return nil
}

// Read the file. Where nobody names it, "", the default one need not be there: then nothing is wanted.
func Read(named string) (file File, err error) {
	path := cmp.Or(named, DefaultPath)
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) && named == "" {
		return File{}, nil
	}
	if err == nil {
		err = control.Strict(text, &file)
	}
	for i, one := range file.Registrations {
		if (one.Cgroup == "") == (one.Count() == 0) || one.Policy == 0 {
			err = errors.Join(err, fmt.Errorf("registration %d must name a policy, and either a cgroup or ports", i+1))
		}
	}
	if err != nil {
		return File{}, fault.New(fault.Config, err, "mend it, or take it away (firstscreen-driverd(8) has an example)", "Reading %s", path)
	}
	return file, nil
}

// Targets of it; an error when the cgroup is not there (yet).
func (r Registration) Targets() ([]registry.Target, error) {
	if r.Cgroup != "" {
		return registry.Cgroup(r.Cgroup)
	}
	if r.User != nil {
		return r.Ports.Of(uint32(*r.User)), nil
	}
	return r.Ports.Of(kernel.AnyUser), nil
}
