package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience bounds waits for things that must happen; it says nothing about how fast they should.
const patience = 60 * time.Second

var (
	binary string // the program under test
	self   string // this test program, where any user may run it
)

// The test program is also the commands at both ends of the link, chosen by this variable.
const roleVariable = "FIRSTSCREEN_LINK_TEST_ROLE"

func TestMain(m *testing.M) {
	switch role := os.Getenv(roleVariable); role {
	case "":
		if os.Getuid() == 0 && os.Getenv(ownMountsVariable) == "" {
			os.Exit(withOwnMounts())
		}
		os.Exit(build(m))
	case "server":
		must(serve())
	case "client":
		must(load())
	case "report":
		must(tellReport())
	case "farther":
		must(reach())
	case "relay":
		must(relay())
	case "hops":
		must(crossHops())
	default:
		must(fmt.Errorf("no role %q", role))
	}
}

// ownMountsVariable is set where the mounts are this test's own.
const ownMountsVariable = "FIRSTSCREEN_LINK_TEST_OWN_MOUNTS"

// withOwnMounts runs the tests again where a TUN device that every user may open can be put over a machine's that only root may: whether an unprivileged
// user can have a link is the machine's to say, whether the link works for one is what is tested.
func withOwnMounts() int {
	tests := exec.Command(os.Args[0], os.Args[1:]...)
	tests.Stdin, tests.Stdout, tests.Stderr = os.Stdin, os.Stdout, os.Stderr
	tests.Env = append(os.Environ(), ownMountsVariable+"=1")
	tests.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	if err := tests.Run(); err != nil {
		if tests.ProcessState == nil {
			must(err)
		}
		return max(1, tests.ProcessState.ExitCode())
	}
	return 0
}

// openTunToAll does nothing where it may not: then the rootless tests are skipped, and say why.
func openTunToAll(directory string) {
	const tun = "/dev/net/tun"
	if info, err := os.Stat(tun); os.Getenv(ownMountsVariable) == "" || err != nil || info.Mode().Perm()&0o006 == 0o006 {
		return
	}
	const major, minor = 10, 200 // of the TUN driver (Documentation/admin-guide/devices.txt)
	node := filepath.Join(directory, "tun")
	if syscall.Mknod(node, syscall.S_IFCHR, major<<8|minor) == nil && os.Chmod(node, 0o666) == nil {
		_ = syscall.Mount(node, tun, "", syscall.MS_BIND, "")
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// build compiles the program into a directory that an unprivileged user can read too.
func build(m *testing.M) int {
	directory, err := os.MkdirTemp("", "firstscreen-link-test")
	must(err)
	defer os.RemoveAll(directory)
	must(os.Chmod(directory, 0o755))
	openTunToAll(directory)
	binary, self = filepath.Join(directory, "firstscreen-link"), filepath.Join(directory, "self")
	if output, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		must(fmt.Errorf("building: %w\n%s", err, output))
	}
	program, err := os.ReadFile(os.Args[0])
	must(err)
	must(os.WriteFile(self, program, 0o755))
	return m.Run()
}

const (
	serverPort    = ":8000"
	responseBytes = 200_000
)

func serve() error {
	listener, err := net.Listen("tcp", os.Getenv("FIRSTSCREEN_FAR_ADDR")+serverPort)
	if err != nil {
		return err
	}
	for {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		conn.Write(make([]byte, responseBytes))
		conn.Close()
	}
}

// loaded is what the near role prints.
type loaded struct {
	Bytes  int64
	Flows  json.RawMessage
	Report json.RawMessage
	Idle   json.RawMessage
}

// dialSoon connects to a server that is started at the same time.
func dialSoon(address string) (conn net.Conn, err error) {
	for range 100 {
		if conn, err = net.Dial("tcp", address); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	return conn, err
}

func load() error {
	conn, err := dialSoon(os.Getenv("FIRSTSCREEN_FAR_ADDR") + serverPort)
	if err != nil {
		return err
	}
	var l loaded
	if l.Bytes, err = io.Copy(io.Discard, conn); err != nil {
		return err
	}
	socket := os.Getenv("FIRSTSCREEN_LINK_SOCKET")
	for path, target := range map[string]*json.RawMessage{"/flows": &l.Flows, "/report": &l.Report, "/idle": &l.Idle} {
		if _, err := control(socket, "GET", path, target); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(l)
}

func tellReport() error {
	var report json.RawMessage
	if _, err := control(os.Getenv("FIRSTSCREEN_LINK_SOCKET"), "GET", "/report", &report); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(report)
}

// control makes one request to a link.
func control(socket, method, path string, answer any) (status int, err error) {
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", socket)
		},
	}}
	request, err := http.NewRequest(method, "http://link"+path, nil)
	if err != nil {
		return 0, err
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	return response.StatusCode, json.NewDecoder(response.Body).Decode(answer)
}

// user is who runs the link.
type user struct {
	name       string
	attributes *syscall.SysProcAttr
}

// users are the caller and, when that is root, nobody: the rootless case.
func users() []user {
	all := []user{{"as the caller", &syscall.SysProcAttr{}}}
	if os.Geteuid() == 0 {
		const nobody = 65534
		all = append(all, user{"rootless", &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}})
	}
	return all
}

// forEachUser runs a test for every user that this kernel lets make namespaces.
func forEachUser(t *testing.T, test func(t *testing.T, u user)) {
	for _, u := range users() {
		t.Run(u.name, func(t *testing.T) {
			if r := runAs(u, "--no-check", "--", "true"); strings.Contains(r.stderr, "E_LINK_NAMESPACE") || strings.Contains(r.stderr, "E_LINK_TUN") {
				t.Skipf("namespaces or TUN are not allowed here: %s", r.stderr)
			}
			test(t, u)
		})
	}
}

type result struct {
	status         int
	stdout, stderr string
}

func command(u user, arguments ...string) *exec.Cmd {
	cmd := exec.Command(binary, arguments...)
	cmd.SysProcAttr = u.attributes
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), "HOME=/tmp")
	return cmd
}

func runAs(u user, arguments ...string) result {
	cmd := command(u, arguments...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	stop := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer stop.Stop()
	err := cmd.Run()
	if cmd.ProcessState == nil {
		return result{-1, "", err.Error()}
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}
