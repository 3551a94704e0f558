// Command guest is the first process of the virtual machine that the driver is tested in: it makes a small system of what the initial file system holds, runs the
// tests in it, and turns the machine off.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/sys/unix"
)

func main() {
	isSystem := len(os.Args) > 1 && os.Args[1] == "systemd" // which has made a system already
	err := error(nil)
	if !isSystem {
		err = mount()
	}
	if err == nil {
		err = loadModules()
	}
	switch {
	case err != nil:
		fmt.Println("guest:", err)
	case isSystem:
		run("/tests/e2e", "-test.v=test2json", "-test.count=1", "-test.run=TestThePackageUnderItsUnit")
	default:
		runAll()
	}
	unix.Sync()
	fmt.Println("guest:", unix.Reboot(unix.LINUX_REBOOT_CMD_RESTART)) // qemu is told to end then
	select {}
}

func mount() error {
	for _, one := range []struct{ kind, at string }{{"proc", "/proc"}, {"sysfs", "/sys"}, {"cgroup2", "/sys/fs/cgroup"}, {"devtmpfs", "/dev"}, {"tmpfs", "/tmp"}} {
		if err := os.MkdirAll(one.at, 0o755); err != nil {
			return err
		}
		if err := unix.Mount(one.kind, one.at, one.kind, 0, ""); err != nil {
			return fmt.Errorf("mounting %s: %w", one.kind, err)
		}
	}
	return nil
}

func loadModules() error {
	modules, _ := filepath.Glob("/modules/*.ko") // in the order of their names, which is that of their needs
	for _, path := range modules {
		if err := load(path); err != nil {
			return fmt.Errorf("loading %s: %w", path, err)
		}
	}
	return nil
}

func load(module string) error {
	file, err := os.Open(module)
	if err != nil {
		return err
	}
	defer file.Close()
	return unix.FinitModule(int(file.Fd()), "", 0)
}

// runAll shows what each program says between lines that name it and its end.
func runAll() {
	run("/firstscreen-driverd", "run", "--dry-run", "--user", "nobody")
	tests, _ := filepath.Glob("/tests/*")
	for _, path := range tests {
		run(path, "-test.v=test2json", "-test.count=1")
	}
}

func run(program string, arguments ...string) {
	command := exec.Command(program, arguments...)
	command.Stdout, command.Stderr = os.Stdout, os.Stdout
	command.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin:/", "HOME=/tmp", "FIRSTSCREEN_DRIVERD=/firstscreen-driverd"}
	fmt.Println("guest: begin", program)
	err := command.Run()
	fmt.Printf("guest: end %s: %v\n", program, err)
}
