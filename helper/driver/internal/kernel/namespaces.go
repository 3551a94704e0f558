package kernel

import (
	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/fault"
)

// machinesProcesses is the inode of the process namespace that the machine began with (PROC_PID_INIT_INO in include/linux/proc_ns.h).
const machinesProcesses = 0xEFFFFFFC

// isInMachinesProcessNamespace: programs see the machine's numbers of processes; in another namespace helpers and the driver
// would name others.
func isInMachinesProcessNamespace() error {
	var status unix.Stat_t
	if err := unix.Stat("/proc/self/ns/pid", &status); err != nil {
		return err
	}
	if status.Ino != machinesProcesses {
		next := "run it beside the machine's own processes; cgroups and ports can be registered"
		return fault.New(fault.Unsupported, nil, next, "Finding processes from a process namespace of the driver's own")
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
