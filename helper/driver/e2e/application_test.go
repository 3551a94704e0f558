package e2e

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

const applicationCommand = "application"

// application is a local program that knows nothing of the driver: for each line "ADDRESS MESSAGE" it connects, sends the message and prints whom it speaks with and what comes back.
func application() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		address, message, _ := strings.Cut(lines.Text(), " ")
		connection, err := net.Dial("tcp", address)
		if err != nil {
			fmt.Println("error", err)
			continue
		}
		io.WriteString(connection, message)
		connection.(*net.TCPConn).CloseWrite()
		back, err := io.ReadAll(connection)
		if err != nil {
			fmt.Println("error", err)
			continue
		}
		fmt.Println(connection.RemoteAddr(), string(back))
		connection.Close()
	}
}

// running is an application on a host.
type running struct {
	t     *testing.T
	pid   int
	input io.Writer
	lines *bufio.Reader
}

// startApplication, in a cgroup unless that is "".
func (h *host) startApplication(cgroup string) *running {
	h.t.Helper()
	command := exec.Command(os.Args[0], applicationCommand)
	command.Stderr = os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if cgroup != "" {
		directory, err := os.Open(cgroup)
		if err != nil {
			h.t.Fatal(err)
		}
		defer directory.Close()
		command.SysProcAttr.UseCgroupFD, command.SysProcAttr.CgroupFD = true, int(directory.Fd())
	}
	input, err := command.StdinPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	h.do(command.Start)
	h.t.Cleanup(func() {
		input.Close()
		command.Process.Kill()
		command.Wait()
	})
	return &running{h.t, command.Process.Pid, input, bufio.NewReader(output)}
}

// exchange returns whom it spoke with, and what came back.
func (r *running) exchange(address, message string) (peer, back string) {
	r.t.Helper()
	fmt.Fprintf(r.input, "%s %s\n", address, message)
	line, err := r.lines.ReadString('\n')
	if err != nil {
		r.t.Fatal(err)
	}
	peer, back, _ = strings.Cut(strings.TrimSpace(line), " ")
	return peer, back
}
