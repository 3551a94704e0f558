// Package kernel has the driver's programs and maps. Nothing is pinned: they go with the process, however it ends.
package kernel

import (
	"errors"
	"os"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/ringbuf"
	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/fault"
)

//go:generate go tool bpf2go -go-package kernel -target bpfel,bpfeb -cflags "-O2 -g -Wall -Werror" -type kind -type packet -type flow -type flow_key -type tcp_state bpf ../../bpf/driver.bpf.c -- -I../../bpf -idirafter /usr/include/x86_64-linux-gnu -idirafter /usr/include/aarch64-linux-gnu

// Mark of packets that the driver sends itself: they are not looked at again ("fsdr").
const Mark = 0x66736472

// typesPath is where the kernel tells its types (BTF).
const typesPath = "/sys/kernel/btf/vmlinux"

// Kernel is what was loaded.
type Kernel struct {
	loaded bpfObjects
	// ProcessCause is why processes can not be told apart.
	ProcessCause error
	// SpoolCause is why there are no spools: a helper could be led into its own, or programs with another user's rights
	// into that of who has started them.
	SpoolCause error
	// BBRCause is why uploads stay as they are.
	BBRCause error
	uploads  *uploads // nil then
	// tick of the kernel's clock, in which it counts time-outs.
	tick          time.Duration
	registrations uint32 // changes so far
}

// Load verifies and loads the programs. Before kernel 6.8 the verifier takes them only from who has CAP_PERFMON, which
// nothing after this needs.
func Load() (*Kernel, error) { return loadWith(typesPath) }

// loadWith a file that tells the kernel's types, if it is there.
func loadWith(typesPath string) (*Kernel, error) {
	spec, err := loadBpf()
	if err != nil {
		return nil, err
	}
	cookie, err := ownNetworkCookie()
	if err != nil {
		return nil, err
	}
	var options ebpf.CollectionOptions
	var typesCause error
	if _, err := os.Stat(typesPath); err != nil {
		options.Programs.KernelTypes = spec.Types // in their place: nothing is read then
		typesCause = fault.New(fault.Unsupported, err, "this needs a kernel with "+typesPath, "Telling programs with another user's rights")
	}
	err = errors.Join(
		spec.Variables["own_mark"].Set(uint32(Mark)), spec.Variables["network_cookie"].Set(cookie), spec.Variables["knows_types"].Set(typesCause == nil),
	)
	if err != nil {
		return nil, err
	}
	// coarse clocks are as fine as the kernel's own, CONFIG_HZ (posix_get_coarse_res in kernel/time/posix-timers.c)
	var tick unix.Timespec
	if err := unix.ClockGetres(unix.CLOCK_MONOTONIC_COARSE, &tick); err != nil {
		return nil, err
	}
	k := &Kernel{ProcessCause: isInMachinesProcessNamespace(), tick: time.Duration(tick.Nano())}
	k.SpoolCause = errors.Join(k.ProcessCause, typesCause)
	if err := spec.LoadAndAssign(&k.loaded, &options); err != nil {
		next := "this needs kernel 6.1 or later, with CAP_BPF, CAP_PERFMON, CAP_NET_ADMIN and CAP_NET_RAW"
		return nil, fault.New(fault.Unsupported, err, next, "Loading the programs")
	}
	k.uploads, k.BBRCause = openUploads(k.loaded)
	return k, nil
}

// Close unloads what nothing is attached to.
func (k *Kernel) Close() {
	k.uploads.Close()
	k.loaded.Close()
}

// Outgoing returns the program for an interface.
func (k *Kernel) Outgoing(hasLinkLayer bool) *ebpf.Program {
	if hasLinkLayer {
		return k.loaded.OutgoingEthernet
	}
	return k.loaded.OutgoingIp
}

// OnCgroups are the programs for sockets.
func (k *Kernel) OnCgroups() map[ebpf.AttachType]*ebpf.Program {
	return map[ebpf.AttachType]*ebpf.Program{
		ebpf.AttachCGroupInet4Connect:     k.loaded.Connect4,
		ebpf.AttachCGroupInet6Connect:     k.loaded.Connect6,
		ebpf.AttachCgroupInet4GetPeername: k.loaded.Peer4,
		ebpf.AttachCgroupInet6GetPeername: k.loaded.Peer6,
		ebpf.AttachCGroupSockOps:          k.loaded.SocketEvents,
	}
}

// Messages opens the way on which thin messages come: records for Decode.
func (k *Kernel) Messages() (*ringbuf.Reader, error) { return ringbuf.NewReader(k.loaded.ThinMessages) }
