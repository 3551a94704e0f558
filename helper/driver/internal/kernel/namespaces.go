package kernel

import (
	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/features"
	"golang.org/x/sys/unix"
)

// machinesProcesses is the inode of the process namespace that the machine began with (PROC_PID_INIT_INO in include/linux/proc_ns.h).
const machinesProcesses = 0xEFFFFFFC

// namespaces that this process is in, as programs are told of them.
type namespaces struct {
	processDevice, processInode uint64 // inode 0: the machine's, or the kernel can not tell numbers in others (before 6.10)
	networkCookie               uint64
}

func ownNamespaces() (own namespaces, err error) {
	var status unix.Stat_t
	if err := unix.Stat("/proc/self/ns/pid", &status); err != nil {
		return own, err
	}
	if status.Ino != machinesProcesses && features.HaveProgramHelper(ebpf.CGroupSockAddr, asm.FnGetNsCurrentPidTgid) == nil {
		own.processDevice, own.processInode = status.Dev, status.Ino
	}
	descriptor, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return own, err
	}
	defer unix.Close(descriptor)
	own.networkCookie, err = unix.GetsockoptUint64(descriptor, unix.SOL_SOCKET, unix.SO_NETNS_COOKIE)
	return own, err
}

// withoutNamespaces takes out what older kernels do not know: to a program without CAP_PERFMON they refuse it even where it is never run.
func withoutNamespaces(programs map[string]*ebpf.ProgramSpec) {
	for _, program := range programs {
		for i, instruction := range program.Instructions {
			if instruction.IsBuiltinCall() && instruction.Constant == int64(asm.FnGetNsCurrentPidTgid) {
				program.Instructions[i] = asm.Mov.Imm(asm.R0, -1).WithMetadata(instruction.Metadata)
			}
		}
	}
}
