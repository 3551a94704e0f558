// Package kernel has the driver's programs and maps. Nothing is pinned: they go with the process, however it ends.
package kernel

import (
	"errors"
	"sync/atomic"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/ringbuf"

	"firstscreen/driver/internal/fault"
)

// Mark of packets that the driver sends itself: they are not looked at again ("fsdr").
const Mark = 0x66736472

// Kernel is what was loaded.
type Kernel struct {
	traffic *trafficObjects
	socket  *socketObjects
	// SocketCause is why the programs for sockets could not be loaded; registering processes and cgroups does not work then.
	SocketCause error
	// ProcessCause is why processes can not be told apart; then there are no spools either, as a helper could be led into its own.
	ProcessCause error
	// jiffiesPerSecond is 0 where it is not known: TCP's own time-outs stay.
	jiffiesPerSecond float64
	registrations    atomic.Uint32 // made so far
}

// Load verifies and loads the programs. Before kernel 6.8 the verifier takes them only from who has CAP_PERFMON, which nothing after this needs.
func Load() (*Kernel, error) {
	spec, err := loadTraffic()
	if err != nil {
		return nil, err
	}
	if err := spec.Variables["own_mark"].Set(uint32(Mark)); err != nil {
		return nil, err
	}
	k := &Kernel{traffic: &trafficObjects{}}
	if err := spec.LoadAndAssign(k.traffic, nil); err != nil {
		return nil, fault.New(fault.Unsupported, verifierText(err), "this needs kernel 6.1 or later, with CAP_BPF, CAP_PERFMON, CAP_NET_ADMIN and CAP_NET_RAW (firstscreen-driverd status)", "Loading the programs for packets")
	}
	k.SocketCause = k.loadSocket()
	if k.ProcessCause = k.SocketCause; k.ProcessCause == nil {
		k.ProcessCause = isInMachinesProcessNamespace()
	}
	return k, nil
}

func (k *Kernel) loadSocket() error {
	spec, err := loadSocket()
	if err != nil {
		return err
	}
	cookie, err := ownNetworkCookie()
	if err != nil {
		return err
	}
	if err := spec.Variables["network_cookie"].Set(cookie); err != nil {
		return err
	}
	objects := &socketObjects{}
	shared := map[string]*ebpf.Map{"sockets": k.traffic.Sockets, "counters": k.traffic.Counters, "port_rules": k.traffic.PortRules}
	if err := spec.LoadAndAssign(objects, &ebpf.CollectionOptions{MapReplacements: shared}); err != nil {
		return fault.New(fault.Unsupported, verifierText(err), "registering processes and cgroups needs kernel 6.1 or later; ports can be registered", "Loading the programs for sockets")
	}
	if k.jiffiesPerSecond, err = measureJiffies(objects.ReadJiffies); err != nil {
		objects.Close()
		return err
	}
	k.socket = objects
	return nil
}

// verifierText keeps what the kernel said of a program that it refused.
func verifierText(err error) error {
	var refused *ebpf.VerifierError
	if errors.As(err, &refused) {
		return errors.New(refused.Error())
	}
	return err
}

// Close unloads what nothing is attached to.
func (k *Kernel) Close() {
	k.traffic.Close()
	if k.socket != nil {
		k.socket.Close()
	}
}

// Outgoing returns the program for an interface.
func (k *Kernel) Outgoing(hasLinkLayer bool) *ebpf.Program {
	if hasLinkLayer {
		return k.traffic.OutgoingEthernet
	}
	return k.traffic.OutgoingIp
}

// SocketProgram is attached to a cgroup.
type SocketProgram struct {
	Attach  ebpf.AttachType
	Program *ebpf.Program
}

// SocketPrograms returns those for a cgroup, or why there are none.
func (k *Kernel) SocketPrograms() ([]SocketProgram, error) {
	if k.socket == nil {
		return nil, k.SocketCause
	}
	return []SocketProgram{
		{ebpf.AttachCGroupInet4Connect, k.socket.Connect4},
		{ebpf.AttachCGroupInet6Connect, k.socket.Connect6},
		{ebpf.AttachCgroupInet4GetPeername, k.socket.Peer4},
		{ebpf.AttachCgroupInet6GetPeername, k.socket.Peer6},
		{ebpf.AttachCGroupSockOps, k.socket.SocketEvents},
	}, nil
}

// Messages opens the way on which thin messages come.
func (k *Kernel) Messages() (*Messages, error) {
	reader, err := ringbuf.NewReader(k.traffic.ThinMessages)
	if err != nil {
		return nil, err
	}
	return &Messages{reader}, nil
}
