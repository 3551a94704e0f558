package kernel

import (
	"errors"

	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/fault"
)

// machinesProcesses is the inode of the process namespace that the machine began with (PROC_PID_INIT_INO in include/linux/proc_ns.h).
const machinesProcesses = 0xEFFFFFFC

// errOtherProcesses: programs see the machine's numbers of processes, helpers and the driver would name others.
var errOtherProcesses = errors.New("the driver runs in a process namespace of its own")

func isInMachinesProcessNamespace() error {
	var status unix.Stat_t
	if err := unix.Stat("/proc/self/ns/pid", &status); err != nil {
		return err
	}
	if status.Ino != machinesProcesses {
		return fault.New(fault.Unsupported, errOtherProcesses, "run it beside the machine's own processes; cgroups and ports can be registered", "Finding processes")
	}
	return nil
}

// ownNetworkCookie names this process's network namespace, as programs see it. The family is one that the unit allows.
func ownNetworkCookie() (uint64, error) {
	descriptor, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(descriptor)
	return unix.GetsockoptUint64(descriptor, unix.SOL_SOCKET, unix.SO_NETNS_COOKIE)
}
