// Package qemu runs the driver and its tests on the oldest kernel that is supported in full, Debian's 6.1, in a virtual machine without KVM.
package qemu

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

const (
	patience  = 20 * time.Minute // it gives way to all other work
	megabytes = "768"
	// processor without the features for which memory is copied and cleared by one instruction, which the emulator does byte by byte.
	processor = "max,erms=off,fsrm=off"
	// systemMegabytes hold a Debian twice: as it is given to the machine, and unpacked.
	systemMegabytes = "1536"
)

// testPackages run in the machine: those that use the kernel.
var testPackages = []string{"e2e", "internal/attach", "internal/fwp", "internal/kernel"}

func TestOnDebiansKernel(t *testing.T) {
	t.Parallel() // a machine has one processor
	emulator := needEmulator(t)
	cloudKernel.fetch(t)
	initrd := filepath.Join(t.TempDir(), "initrd")
	if err := os.WriteFile(initrd, fileSystem(t), 0o600); err != nil {
		t.Fatal(err)
	}
	said := boot(t, emulator, cloudKernel.image(), initrd, megabytes, "-- "+asFirstProcess)
	t.Run("dry run", func(t *testing.T) { checkDryRun(t, said.of("/firstscreen-driverd")) })
	for _, name := range testPackages {
		t.Run(name, func(t *testing.T) { report(t, said.of(testPath(name))) })
	}
	if t.Failed() {
		t.Logf("the machine said:\n%s", said)
	}
}

func needEmulator(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("needs Linux on amd64, for which the driver is built and the kernel is downloaded")
	}
	emulator, err := exec.LookPath("qemu-system-x86_64")
	if err != nil {
		t.Skip("needs qemu-system-x86_64")
	}
	return emulator
}

func testPath(testPackage string) string { return "/tests/" + filepath.Base(testPackage) }

// fileSystem of the machine: the guest, the driver, its tests and the kernel's modules.
func fileSystem(t *testing.T) []byte {
	t.Helper()
	files := &initramfs{}
	addPrograms(t, files, cloudKernel, "vm", testPackages...)
	files.add("etc/passwd", []byte("root:x:0:0::/:/\nnobody:x:65534:65534::/:/\n"))
	files.add("etc/group", []byte("root:x:0:\nnogroup:x:65534:\n"))
	return files.bytes()
}

// addPrograms: the guest, the driver, tests that are built with a tag, and the kernel's modules.
func addPrograms(t *testing.T, files *initramfs, of kernel, tag string, packages ...string) {
	t.Helper()
	directory := t.TempDir()
	build := func(name string, arguments ...string) []byte {
		path := filepath.Join(directory, filepath.Base(name))
		command := exec.Command("go", append(arguments, "-trimpath", "-o", path, "./"+name)...) // as the driver's package is built: nothing is compiled twice
		command.Dir = ".."
		command.Env = append(os.Environ(), "CGO_ENABLED=0")
		if output, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	files.add("init", build("qemu", "test", "-c"))
	files.add("firstscreen-driverd", build("cmd/firstscreen-driverd", "build"))
	for _, name := range packages {
		files.add(strings.TrimPrefix(testPath(name), "/"), build(name, "test", "-c", "-tags", tag))
	}
	for _, name := range of.moduleFiles() {
		content, err := os.ReadFile(filepath.Join(of.cache, name))
		if err != nil {
			t.Fatal(err)
		}
		files.add("modules/"+name, content)
	}
}

// console is what the machine has said.
type console string

// boot returns when the machine has turned itself off.
func boot(t *testing.T, emulator, image, initrd, megabytes, options string) console {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	command := exec.CommandContext(ctx, "nice", emulator,
		"-machine", "microvm,accel=tcg,rtc=on", "-cpu", processor, "-m", megabytes, "-smp", "1",
		// The machine's time passes with its instructions and leaps when it has nothing to do: what is measured in it does not depend on how busy this one is.
		"-icount", "shift=1,sleep=off", "-rtc", "clock=vm",
		"-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-serial", "stdio",
		"-kernel", image, "-initrd", initrd, "-append", "console=ttyS0 pci=off quiet panic=-1 reboot=t "+options)
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	began := time.Now()
	err := command.Run()
	said := console(strings.ReplaceAll(output.String(), "\r\n", "\n"))
	if err != nil || ctx.Err() != nil {
		t.Fatalf("the machine, after %v: %v\n%s", time.Since(began), err, said)
	}
	return said
}

var endLine = regexp.MustCompile(`(?m)^guest: end .*$`)

// of one program: what it has said, with how it ended.
func (c console) of(program string) string {
	_, after, _ := strings.Cut(string(c), "guest: begin "+program+"\n")
	if end := endLine.FindStringIndex(after); end != nil {
		return after[:end[1]]
	}
	return after
}

// checkDryRun: the programs are verified, and the features are those of this kernel.
func checkDryRun(t *testing.T, said string) {
	if !strings.HasSuffix(said, ": <nil>") || !strings.Contains(said, "verified by the kernel") {
		t.Fatalf("it said:\n%s", said)
	}
	for _, feature := range []string{"RAR, copies of messages", "processes", "cgroups", "SYN time-outs", "IB, spool", "FWP, placeholders", "BBR for uploads"} {
		if !regexp.MustCompile(`(?m)^  ` + regexp.QuoteMeta(feature) + ` +full$`).MatchString(said) {
			t.Errorf("%s is not supported in full:\n%s", feature, said)
		}
	}
}

// event of test2json (go doc test2json).
type event struct{ Action, Test, Output string }

// report shows each test of the machine as one of this test.
func report(t *testing.T, said string) {
	convert := exec.Command("go", "tool", "test2json")
	convert.Stdin = strings.NewReader(said)
	converted, err := convert.Output()
	if err != nil {
		t.Fatal(err)
	}
	outputs, parents := map[string]string{}, map[string]bool{}
	isWhole := strings.HasSuffix(said, ": <nil>")
	for events := json.NewDecoder(bytes.NewReader(converted)); events.More(); {
		var e event
		if err := events.Decode(&e); err != nil {
			t.Fatal(err)
		}
		outputs[e.Test] += e.Output
		isEnd := e.Action == "pass" || e.Action == "fail" || e.Action == "skip"
		if e.Test == "" || !isEnd || parents[e.Test] && e.Action != "fail" {
			continue
		}
		for name := e.Test; strings.Contains(name, "/"); {
			name = name[:strings.LastIndex(name, "/")]
			parents[name] = true
		}
		t.Run(e.Test, func(t *testing.T) {
			switch e.Action {
			case "fail":
				t.Error(outputs[e.Test])
			case "skip":
				t.Skip(skipReason(outputs[e.Test]))
			}
		})
	}
	if !isWhole && !t.Failed() || len(outputs) == 0 {
		t.Errorf("did not come to an end:\n%s", said)
	}
}

var source = regexp.MustCompile(`(?m)^\s+\S+\.go:\d+: (.*)$`)

func skipReason(output string) string {
	if found := source.FindStringSubmatch(output); found != nil {
		return found[1]
	}
	return "no reason given"
}
