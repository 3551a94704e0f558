// Package tun makes and uses the TUN devices at the two ends of the link.
package tun

import (
	"errors"

	"golang.org/x/sys/unix"

	"firstscreen/e2e/link/fault"
)

// MTUBytes is the largest packet on the link. Without offload flags the kernel cuts its super-packets before they reach a TUN reader,
// so every packet the link sees is one that a wire would carry.
const MTUBytes = 1500

// Create makes a TUN device in the calling thread's network namespace. The device lives as long as its file is open somewhere.
func Create(name string) (fd int, err error) {
	const path = "/dev/net/tun"
	fd, err = unix.Open(path, unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return -1, fault.New(fault.Tun, "the kernel needs TUN, and this user read and write access to "+path, "opening %s: %v", path, err)
	}
	request, err := unix.NewIfreq(name)
	if err == nil {
		request.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
		err = unix.IoctlIfreq(fd, unix.TUNSETIFF, request)
	}
	if err != nil {
		unix.Close(fd)
		return -1, fault.New(fault.Tun, "CAP_NET_ADMIN in the network namespace is needed", "making the TUN device %s: %v", name, err)
	}
	return fd, nil
}

// Read takes one packet off a device; 0 bytes say that there is none now.
func Read(fd int, buffer []byte) (int, error) {
	for {
		n, err := unix.Read(fd, buffer)
		switch {
		case err == nil:
			return n, nil
		case errors.Is(err, unix.EAGAIN):
			return 0, nil
		case !errors.Is(err, unix.EINTR):
			return 0, err
		}
	}
}

// Write hands one packet to a device's kernel.
func Write(fd int, packet []byte) error {
	for {
		_, err := unix.Write(fd, packet)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
