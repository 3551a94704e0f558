package qemu

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// sameOnEveryKernel are tests of many packets, which an emulated processor takes long for, and in which only the driver's own code decides: they run on the machine's kernel alone.
const sameOnEveryKernel = "^(TestMore|TestAHoleOfAnyLengthIsFilled$|TestMalformedPackets$|TestATransferBesideSegmentsWithWrongLengths$)"

// What the tests' own program does in the virtual machine, by its first argument: as its first process, it makes a small system of what the initial file system
// holds and runs all tests in it; under systemd, which has made a system already, that of the package.
const (
	asFirstProcess = "guest"
	underSystemd   = "guest-under-systemd"
)

func TestMain(m *testing.M) {
	switch append(os.Args, "")[1] {
	case asFirstProcess:
		guest(func() error {
			if err := mount(); err != nil {
				return err
			}
			return loadModules()
		}, runAll)
	case underSystemd:
		guest(loadModules, func() {
			run("/tests/e2e", "-test.v=test2json", "-test.count=1", "-test.run=TestThePackageUnderItsUnit")
			run("/tests/wireless", "-test.v=test2json", "-test.count=1", "-test.run=TestWithoutAcknowledgement")
		})
	default:
		m.Run()
	}
}

// guest turns the machine off when the tests have run.
func guest(prepare func() error, runTests func()) {
	if err := prepare(); err != nil {
		fmt.Println("guest:", err)
	} else {
		runTests()
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
		run(path, "-test.v=test2json", "-test.count=1", "-test.skip="+sameOnEveryKernel)
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
