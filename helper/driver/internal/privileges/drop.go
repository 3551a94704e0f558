// Package privileges leaves root behind: the driver keeps what it needs for packets and programs, and nothing else.
package privileges

import (
	"errors"
	"os/user"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/fault"
)

// kept: attaching programs, and their maps.
const kept = 1<<unix.CAP_NET_ADMIN | 1<<unix.CAP_BPF

// untilLoaded: the packet socket is opened once, and the verifier of kernels before 6.8 refuses without CAP_PERFMON what later ones take.
const untilLoaded = 1<<unix.CAP_NET_RAW | 1<<unix.CAP_PERFMON

// Drop makes all threads of this process run as a user and its group. It does nothing for who is not root.
func Drop(name string) error {
	if syscall.Geteuid() != 0 {
		return nil
	}
	if err := drop(name); err != nil {
		return fault.New(fault.Denied, err, "install the package, which makes the user, or name another with --user", "Becoming the user %s", name)
	}
	return nil
}

func drop(name string) error {
	account, err := user.Lookup(name)
	if err != nil {
		return err
	}
	uid, uidErr := strconv.Atoi(account.Uid)
	gid, gidErr := strconv.Atoi(account.Gid)
	if err := errors.Join(uidErr, gidErr); err != nil {
		return err
	}
	// the capabilities of all threads outlive the change of user, in the permitted set
	if err := setOnAllThreads(unix.PR_SET_KEEPCAPS); err != nil {
		return err
	}
	if err := errors.Join(syscall.Setgroups(nil), syscall.Setresgid(gid, gid, gid), syscall.Setresuid(uid, uid, uid)); err != nil {
		return err
	}
	if err := keep(kept | untilLoaded); err != nil {
		return err
	}
	return setOnAllThreads(unix.PR_SET_NO_NEW_PRIVS)
}

func setOnAllThreads(option uintptr) error {
	if _, _, failed := syscall.AllThreadsSyscall6(unix.SYS_PRCTL, option, 1, 0, 0, 0, 0); failed != 0 {
		return failed
	}
	return nil
}

// Loaded gives up what only loading programs and opening the packet socket need, for all threads.
func Loaded() error {
	if err := keep(kept); err != nil {
		return fault.New(fault.Denied, err, "start it as root, or by its unit", "Giving up CAP_PERFMON and CAP_NET_RAW")
	}
	return nil
}

// ForWireless leaves to a process of root, in all threads, what setting a wireless interface needs. It does nothing for who is not root.
func ForWireless() error {
	if syscall.Geteuid() != 0 {
		return nil
	}
	if err := keep(1<<unix.CAP_NET_ADMIN | 1<<unix.CAP_NET_RAW); err != nil {
		return fault.New(fault.Denied, err, "run it as root with CAP_NET_ADMIN and CAP_NET_RAW", "Giving up other capabilities")
	}
	return nil
}

func keep(capabilities uint64) error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	data := [2]unix.CapUserData{}
	for i := range data {
		word := uint32(capabilities >> (32 * i))
		data[i] = unix.CapUserData{Effective: word, Permitted: word}
	}
	if _, _, failed := syscall.AllThreadsSyscall(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&data[0])), 0); failed != 0 {
		return failed
	}
	return nil
}
