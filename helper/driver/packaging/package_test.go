// Package packaging tests the Debian package in a clean system of its own.
package packaging

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func run(t *testing.T, name string, arguments ...string) string {
	t.Helper()
	output, err := exec.Command(name, arguments...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(arguments, " "), err, output)
	}
	return string(output)
}

func buildProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "firstscreen-driverd")
	command := exec.Command("go", "build", "-trimpath", "-o", program, "../cmd/firstscreen-driverd")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return program
}

func build(t *testing.T) string {
	t.Helper()
	program := buildProgram(t)
	directory := filepath.Dir(program)
	run(t, "sh", "build-deb.sh", program, directory)
	packages, err := filepath.Glob(filepath.Join(directory, "*.deb"))
	if err != nil || len(packages) != 1 {
		t.Fatalf("built %v, %v", packages, err)
	}
	return packages[0]
}

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, for a system of its own in a folder")
	}
}

func TestLintianHasNothingToSay(t *testing.T) {
	command := exec.Command("lintian", "--fail-on", "error,warning", "--allow-root", build(t))
	if output, err := command.CombinedOutput(); err != nil || strings.Contains(string(output), "firstscreen") {
		t.Errorf("%v\n%s", err, output)
	}
}

// The licences of what is linked into the program ask to be said with it.
func TestCopyrightNamesEveryModule(t *testing.T) {
	modules, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	copyright, err := os.ReadFile("debian/copyright")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^(?:require)?\s+(\S+\.\S+/\S+) v`).FindAllStringSubmatch(string(modules), -1)
	if len(found) == 0 {
		t.Fatal("go.mod requires nothing")
	}
	for _, module := range found {
		if !strings.Contains(string(copyright), module[1]) {
			t.Errorf("debian/copyright does not name %s", module[1])
		}
	}
}

// cleanSystem is a new Debian in a folder, with what the package depends on.
func cleanSystem(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "root")
	command := exec.Command("sh", "../../../scripts/packages/make-debian.sh", "bookworm")
	var said bytes.Buffer
	command.Stderr = &said
	made, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	run(t, "cp", "--archive", "--reflink=auto", strings.TrimSpace(string(made)), root)
	for name, kind := range map[string]string{"proc": "proc", "sys": "sysfs"} {
		at := filepath.Join(root, name)
		if err := unix.Mount(kind, at, kind, 0, ""); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { unix.Unmount(at, unix.MNT_DETACH) })
	}
	return root
}

// files that a package may leave or change, with their contents where these are accounts.
func files(t *testing.T, root string) string {
	t.Helper()
	var found []string
	for _, directory := range []string{"etc", "usr", "lib", "var/lib/systemd", "run"} {
		filepath.WalkDir(filepath.Join(root, directory), func(path string, _ os.DirEntry, err error) error {
			// copies of accounts before their last change, caches, and what adduser itself keeps
			if err == nil && !strings.HasSuffix(path, "-") && !strings.HasSuffix(path, ".lock") && !strings.HasSuffix(path, "ld.so.cache") && !strings.HasSuffix(path, "/run/adduser") {
				found = append(found, strings.TrimPrefix(path, root))
			}
			return nil
		})
	}
	sort.Strings(found)
	for _, name := range []string{"etc/passwd", "etc/group"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, string(text))
	}
	return strings.Join(found, "\n")
}

const (
	unit         = "firstscreen-driver.service"
	wantedAtBoot = "/etc/systemd/system/multi-user.target.wants"
)

func TestInstallRemovePurge(t *testing.T) {
	needRoot(t)
	deb := build(t)
	root := cleanSystem(t)
	inside := func(arguments ...string) string {
		t.Helper()
		return run(t, "chroot", append([]string{root, "env", "DEBIAN_FRONTEND=noninteractive", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"}, arguments...)...)
	}
	inside("mkdir", "-p", wantedAtBoot)
	before := files(t, root)
	run(t, "cp", deb, filepath.Join(root, "driver.deb"))

	inside("dpkg", "--install", "/driver.deb")
	if group := inside("getent", "group", "firstscreen"); !strings.HasPrefix(group, "firstscreen:") {
		t.Errorf("group %q", group)
	}
	if account := inside("getent", "passwd", "firstscreen"); !strings.Contains(account, "/nonexistent:/usr/sbin/nologin") {
		t.Errorf("user %q", account)
	}
	wanted, err := filepath.Glob(filepath.Join(root, "etc/systemd/system/*/firstscreen*"))
	if err != nil || len(wanted) > 0 {
		t.Errorf("enabled without consent: %v, %v", wanted, err)
	}
	if said := inside("firstscreen-driverd", "run", "--dry-run"); !strings.Contains(said, "verified by the kernel") {
		t.Errorf("a dry run says:\n%s", said)
	}

	inside("mkdir", "-p", "/etc/firstscreen")
	inside("ln", "-s", "/lib/systemd/system/"+unit, wantedAtBoot+"/"+unit) // as `systemctl enable` does
	inside("sh", "-c", "echo '{}' > /etc/firstscreen/driver.json")
	inside("dpkg", "--install", "/driver.deb") // again, as an update does
	inside("dpkg", "--remove", "firstscreen-driver")
	if _, err := os.Stat(filepath.Join(root, "usr/sbin/firstscreen-driverd")); err == nil {
		t.Error("the program is left")
	}
	if inside("cat", "/etc/firstscreen/driver.json") != "{}\n" {
		t.Error("the configuration has gone with a removal")
	}
	inside("dpkg", "--purge", "firstscreen-driver")
	if after := files(t, root); after != before {
		t.Errorf("a purge leaves:\n%s", difference(before, after))
	}
}

func difference(before, after string) string {
	known := map[string]bool{}
	for line := range strings.Lines(before) {
		known[strings.TrimSpace(line)] = true
	}
	var more []string
	for line := range strings.Lines(after) {
		if !known[strings.TrimSpace(line)] {
			more = append(more, line)
		}
	}
	return strings.Join(more, "")
}
