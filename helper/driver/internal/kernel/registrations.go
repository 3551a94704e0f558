package kernel

import (
	"errors"
	"net/netip"

	"github.com/cilium/ebpf"

	"firstscreen/driver/internal/fault"
)

// SetPort registers a port, or, with no policy, takes it back.
func (k *Kernel) SetPort(rule PortRule, registration Registration) error {
	return k.set(k.traffic.PortRules, &rule, registration)
}

// SetProcess registers a process (a thread group); the programs for sockets must be attached to its cgroup.
func (k *Kernel) SetProcess(process uint32, registration Registration) error {
	if k.ProcessCause != nil {
		return k.ProcessCause
	}
	return k.set(k.socket.Processes, uint64(process), registration)
}

// SetCgroup registers a cgroup with all below it; the programs for sockets must be attached to it.
func (k *Kernel) SetCgroup(id uint64, registration Registration) error {
	if k.socket == nil {
		return k.SocketCause
	}
	return k.set(k.socket.Cgroups, &id, registration)
}

// SetSocket registers a connection that is there already; what it has sent before is not known.
func (k *Kernel) SetSocket(cookie uint64, registration Registration) error {
	return k.set(k.traffic.Sockets, &cookie, registration)
}

// set a registration, or, with no policy, take it back. Then what is known of sockets is found out again.
func (k *Kernel) set(m *ebpf.Map, key any, registration Registration) error {
	var err error
	if registration.Policy == 0 {
		err = m.Delete(key)
	} else {
		err = m.Put(key, registration)
	}
	if err == nil || errors.Is(err, ebpf.ErrKeyNotExist) {
		return k.changed()
	}
	return fault.New(fault.Limit, err, "take back registrations that are not needed", "Registering")
}

func (k *Kernel) changed() error { return k.traffic.Registrations.Set(k.registrations.Add(1)) }

// Forget ends what came of a registration: its sockets are not acted on any more.
func (k *Kernel) Forget(id uint32) error {
	var cookie uint64
	var registration Registration
	var meant []uint64
	entries := k.traffic.Sockets.Iterate()
	for entries.Next(&cookie, &registration) {
		if registration.ID == id {
			meant = append(meant, cookie)
		}
	}
	for _, cookie := range meant {
		if err := k.traffic.Sockets.Delete(&cookie); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return err
		}
	}
	// others may have been added and taken out meanwhile
	if err := entries.Err(); err != nil && !errors.Is(err, ebpf.ErrIterationAborted) {
		return err
	}
	return k.changed()
}

// SetSpool says where a user's spool listens on loopback, and which process it is; no port for IPv4: nowhere any more.
func (k *Kernel) SetSpool(user, process uint32, ports SpoolPorts) error {
	if k.ProcessCause != nil {
		return k.ProcessCause
	}
	if ports.IPv4 == 0 {
		return k.socket.Spools.Delete(uint64(user))
	}
	return k.socket.Spools.Put(uint64(user), spool{Process: process, Ports: ports})
}

// Meant tells, once, where the connection of a user was meant to go that comes from an address of this host.
func (k *Kernel) Meant(user uint32, from netip.AddrPort) (netip.AddrPort, bool) {
	if k.socket == nil {
		return netip.AddrPort{}, false
	}
	key := addressOf(from, user)
	var to address
	if k.socket.MeantByEnd.Lookup(&key, &to) != nil || k.socket.MeantByEnd.Delete(&key) != nil {
		return netip.AddrPort{}, false
	}
	return to.addrPort(), true
}
