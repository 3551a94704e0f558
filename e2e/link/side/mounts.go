package side

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"firstscreen/e2e/link/fault"
)

// setUpMounts gives the side a /proc that fits its process namespace and, near and at the relay, a resolver that asks the test bed only.
func setUpMounts(role Role) error {
	const next = "mounts inside a namespace must be allowed; in a container, /proc must not be masked"
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fault.New(fault.Namespace, next, "making mounts private: %v", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fault.New(fault.Namespace, next, "mounting /proc: %v", err)
	}
	if role == Far || role == Beyond {
		return nil
	}
	if err := replaceResolver(); err != nil {
		return fault.New(fault.Namespace, next, "replacing /etc/resolv.conf in the %s namespace: %v", role, err)
	}
	return nil
}

func replaceResolver() error {
	target, err := filepath.EvalSymlinks("/etc/resolv.conf") // often a link into /run; mount follows it, an error should name it
	if err != nil {
		return err
	}
	file, err := os.CreateTemp("", "firstscreen-link-resolv")
	if err != nil {
		return err
	}
	defer file.Close()
	// The mount keeps the content; the name goes at once, so that no end of this process can leave it behind.
	defer os.Remove(file.Name())
	if _, err := file.WriteString("nameserver " + nameserverAddress + "\n"); err != nil {
		return err
	}
	const readable = 0o644
	if err := file.Chmod(readable); err != nil {
		return err
	}
	return unix.Mount(file.Name(), target, "", unix.MS_BIND, "")
}
