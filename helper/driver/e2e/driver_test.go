// Package e2e tests the driver as it is installed: the built program, in network namespaces of the tests' own, on wires that lose what a test says.
package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"firstscreen/driver/internal/control"
	"firstscreen/driver/internal/daemon"
)

const patience = 20 * time.Second

var program string

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == applicationCommand {
		application()
		return
	}
	os.Exit(build(m))
}

// builtVariable names a driver to test that is built already: where there is no Go.
const builtVariable = "FIRSTSCREEN_DRIVERD"

func build(m *testing.M) int {
	if program = os.Getenv(builtVariable); program != "" {
		return m.Run()
	}
	directory, err := os.MkdirTemp("", "firstscreen-driver-e2e")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(directory)
	program = filepath.Join(directory, "firstscreen-driverd")
	command := exec.Command("go", "build", "-o", program, "../cmd/firstscreen-driverd")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := command.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, output)
		return 1
	}
	return m.Run()
}

// driver is a running firstscreen-driverd.
type driver struct {
	t       *testing.T
	host    *host
	socket  string
	process *exec.Cmd
	log     *lockedBuffer
	ended   chan struct{}
	counted daemon.Status // at the end of a test that failed
}

type lockedBuffer struct {
	mutex sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.Buffer.String()
}

// startDriver on a host; the configuration is that of an administrator. It has attached to the host's interface when this returns, if anything is registered.
func startDriver(t *testing.T, on *host, config string, options ...string) *driver {
	t.Helper()
	directory := t.TempDir()
	path := filepath.Join(directory, "driver.json")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	d := &driver{t: t, host: on, socket: filepath.Join(directory, "driver.sock"), log: &lockedBuffer{}, ended: make(chan struct{})}
	arguments := append([]string{"run", "--socket", d.socket, "--group", "root", "--user", "nobody", "--config", path, "--log-level", "debug"}, options...)
	d.process = exec.Command(program, arguments...)
	d.process.Stderr = d.log
	d.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	on.do(d.process.Start)
	go func() {
		d.process.Wait()
		close(d.ended)
	}()
	t.Cleanup(func() {
		if t.Failed() {
			control.Ask(d.socket, "status", &d.counted)
		}
		d.process.Process.Kill()
		<-d.ended
		if t.Failed() {
			t.Logf("the driver said:\n%s\nand counted %+v", d.log, d.counted)
		}
	})
	d.await("answering", func() bool { return strings.Contains(d.log.String(), "running") })
	if strings.Contains(config, "registrations") {
		d.await("attached to "+deviceName, func() bool { return strings.Contains(d.log.String(), "attached") })
	}
	return d
}

func (d *driver) await(what string, is func() bool) {
	d.t.Helper()
	for deadline := time.Now().Add(patience); !is(); time.Sleep(10 * time.Millisecond) {
		select {
		case <-d.ended:
			d.t.Fatalf("the driver has ended:\n%s", d.log)
		default:
		}
		if time.Now().After(deadline) {
			d.t.Fatalf("never: %s; the driver says:\n%s", what, d.log)
		}
	}
}

func (d *driver) status() (status daemon.Status) {
	d.t.Helper()
	if err := control.Ask(d.socket, "status", &status); err != nil {
		d.t.Fatal(err)
	}
	return status
}

func (d *driver) end(with syscall.Signal) {
	d.t.Helper()
	d.process.Process.Signal(with)
	select {
	case <-d.ended:
	case <-time.After(patience):
		d.t.Fatal("the driver goes on")
	}
}

// protecting is a configuration that protects what goes to a port.
func protecting(port int, policy ...string) string {
	text, _ := json.Marshal(policy)
	return fmt.Sprintf(`{"registrations":[{"remotePorts":[%d],"policy":%s}]}`, port, text)
}
