package kernel

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cilium/ebpf"

	"firstscreen/driver/internal/fault"
)

// Target can be registered.
type Target = bpfTarget

// Kind of a Target.
type Kind = bpfKind

const (
	Process    = bpfKindPROCESS
	Cgroup     = bpfKindCGROUP
	Connection = bpfKindCONNECTION
	RemotePort = bpfKindREMOTE_PORT
	LocalPort  = bpfKindLOCAL_PORT
)

// AnyUser of a port.
const AnyUser = ^uint32(0)

// Policy is what a flow is registered for; bits.
type Policy = bpfPolicy

const (
	RAR   = bpfPolicyPOLICY_RAR   // copies of thin messages
	Spool = bpfPolicyPOLICY_SPOOL // connections are led into the helper's spool
	BBR   = bpfPolicyPOLICY_BBR   // uploads have BBR, where the kernel has it
)

var policies = map[string]Policy{"rar": RAR, "spool": Spool, "bbr": BBR}

// UnmarshalJSON reads a list of names.
func (p *bpfPolicy) UnmarshalJSON(text []byte) error {
	var names []string
	if err := json.Unmarshal(text, &names); err != nil {
		return err
	}
	for _, name := range names {
		one, known := policies[name]
		if !known {
			return fmt.Errorf("%q is no policy", name)
		}
		*p |= one
	}
	return nil
}

// Set what a target is registered for; with no policy it is taken back. Then what is known of sockets is found out
// again. Not for several goroutines at once.
func (k *Kernel) Set(target Target, policy Policy) (err error) {
	if target.Kind == Process && k.ProcessCause != nil {
		return k.ProcessCause
	}
	if k.BBRCause != nil || target.Kind != Process && target.Kind != Cgroup {
		policy &^= BBR // which no other uploads have; what else it is registered for counts all the same
	}
	var before Policy
	k.loaded.Targets.Lookup(target, &before) // nothing where it is new
	if policy == 0 {
		err = k.loaded.Targets.Delete(target)
	} else {
		err = k.loaded.Targets.Put(target, policy)
	}
	if err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
		return fault.New(fault.Limit, err, "take back registrations that are not needed", "Registering")
	}
	k.registrations++
	err = k.loaded.Registrations.Set(k.registrations)
	if before&^policy&BBR != 0 {
		err = errors.Join(err, k.uploads.takeBack())
	}
	return err
}
