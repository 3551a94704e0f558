package qemu

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// notNeeded of it to boot: the machine's memory holds all.
var notNeeded = []string{"boot", "dev", "proc", "sys", "var/cache", "var/lib/apt", "usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/zoneinfo", "usr/lib/udev/hwdb.bin", "usr/lib/udev/hwdb.d"}

// systemPackages run in it: what needs systemd and the driver's package.
var systemPackages = []string{"e2e", "e2e/wireless"}

// The package in a system that systemd has booted, on a kernel with radios: what units forbid must not take anything from the driver.
func TestUnderSystemd(t *testing.T) {
	t.Parallel() // a machine has one processor
	emulator := needEmulator(t)
	if os.Geteuid() != 0 {
		t.Skip("needs root, for debootstrap")
	}
	wirelessKernel.fetch(t)
	files := &initramfs{}
	addSystem(t, files, debianWithSystemd(t))
	addPrograms(t, files, wirelessKernel, "systemd", systemPackages...)
	files.add("driver.deb", buildPackage(t))
	files.add("etc/systemd/system/tests.service", []byte("[Unit]\nAfter=multi-user.target\n[Service]\nType=oneshot\nExecStart=/init "+underSystemd+"\nStandardOutput=tty\nStandardError=tty\nTTYPath=/dev/ttyS0\n"))
	files.link("etc/systemd/system/default.target", "/lib/systemd/system/multi-user.target")
	files.link("etc/systemd/system/multi-user.target.wants/tests.service", "/etc/systemd/system/tests.service")
	initrd := filepath.Join(t.TempDir(), "initrd")
	if err := os.WriteFile(initrd, files.bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	said := boot(t, emulator, wirelessKernel.image(), initrd, systemMegabytes, "rdinit=/lib/systemd/systemd systemd.show_status=0")
	for _, name := range systemPackages {
		t.Run(name, func(t *testing.T) { report(t, said.of(testPath(name))) })
	}
	if t.Failed() {
		t.Logf("the machine said:\n%s", said)
	}
}

func debianWithSystemd(t *testing.T) string {
	t.Helper()
	command := exec.Command("sh", "../../../scripts/packages/make-debian.sh", "bookworm", "systemd", "systemd-sysv")
	var said bytes.Buffer
	command.Stderr = &said
	made, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	return strings.TrimSpace(string(made))
}

func addSystem(t *testing.T, files *initramfs, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(strings.TrimPrefix(path, root), "/")
		if slices.Contains(notNeeded, name) {
			files.addDirectory(name)
			return fs.SkipDir
		}
		info, err := entry.Info()
		switch {
		case err != nil || name == "":
			return err
		case entry.IsDir():
			files.addDirectory(name)
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			files.link(name, target)
			return err
		case info.Mode().IsRegular():
			content, err := os.ReadFile(path)
			files.entry(name, 0o100000|int(info.Mode().Perm()), content)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func buildPackage(t *testing.T) []byte {
	t.Helper()
	directory := t.TempDir()
	program := filepath.Join(directory, "firstscreen-driverd")
	for _, words := range [][]string{{"go", "build", "-trimpath", "-o", program, "../cmd/firstscreen-driverd"}, {"sh", "../packaging/build-deb.sh", program, directory}} {
		command := exec.Command(words[0], words[1:]...)
		command.Env = append(os.Environ(), "CGO_ENABLED=0")
		if output, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
	}
	packages, err := filepath.Glob(filepath.Join(directory, "*.deb"))
	if err != nil || len(packages) != 1 {
		t.Fatalf("built %v, %v", packages, err)
	}
	content, err := os.ReadFile(packages[0])
	if err != nil {
		t.Fatal(err)
	}
	return content
}
