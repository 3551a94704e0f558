package kernel

import (
	"os"

	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/fault"
)

// machinesProcesses is the process namespace that the machine began with (PROC_PID_INIT_INO in include/linux/proc_ns.h).
const machinesProcesses = "pid:[4026531836]"

// isInMachinesProcessNamespace: programs see the machine's numbers of processes; in another namespace helpers and the driver
// would name others.
func isInMachinesProcessNamespace() error {
	name, err := os.Readlink("/proc/self/ns/pid")
	if name == machinesProcesses {
		return nil
	}
	next := "run it beside the machine's own processes; cgroups and ports can be registered"
	return fault.New(fault.Unsupported, err, next, "Finding processes from a process namespace of the driver's own")
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
