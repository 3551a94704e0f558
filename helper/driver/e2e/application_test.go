package e2e

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

const applicationCommand = "application"

// order is what an application is told to do, on a line of JSON.
type order struct {
	To      string // address and port
	Port    int    // to come from; 0: any
	From    string // address to come from; "": any
	Device  string // to bind to; "": none
	Mark    int    // of the socket (SO_MARK); 0: none
	Mapped  bool   // to IPv4 by a socket of IPv6
	As      int    // the user with whose rights to connect, as set-user-ID programs do; 0: root
	Message string
}

// application is a local program that knows nothing of the driver: it tells its number, and for each order it connects, sends the message and prints whom it speaks with and what comes back.
func application() {
	fmt.Println(os.Getpid())
	orders := json.NewDecoder(os.Stdin)
	for {
		var o order
		if orders.Decode(&o) != nil {
			return
		}
		peer, back, err := o.carryOut()
		if err != nil {
			fmt.Println("error", err)
			continue
		}
		fmt.Println(peer, back)
	}
}

func (o order) carryOut() (peer, back string, err error) {
	defer syscall.Setreuid(-1, 0)
	connection, err := o.connect()
	if err != nil {
		return "", "", err
	}
	defer connection.Close()
	io.WriteString(connection, o.Message)
	connection.(*net.TCPConn).CloseWrite()
	all, err := io.ReadAll(connection)
	return connection.RemoteAddr().String(), string(all), err
}

func (o order) connect() (net.Conn, error) {
	if o.Mapped {
		return dialMapped(netip.MustParseAddrPort(o.To))
	}
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(o.From), Port: o.Port}, Control: func(_, _ string, raw syscall.RawConn) (failed error) {
		raw.Control(func(descriptor uintptr) {
			failed = errors.Join(unix.BindToDevice(int(descriptor), o.Device), unix.SetsockoptInt(int(descriptor), unix.SOL_SOCKET, unix.SO_MARK, o.Mark), syscall.Setreuid(-1, o.As))
		})
		return failed
	}}
	if strings.HasPrefix(o.To, "[") {
		return dialer.Dial("tcp6", o.To) // a socket for IPv6 only
	}
	return dialer.Dial("tcp4", o.To)
}

// dialMapped is how programs connect that have sockets of IPv6 only.
func dialMapped(to netip.AddrPort) (net.Conn, error) {
	descriptor, err := unix.Socket(unix.AF_INET6, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(descriptor), "socket")
	defer file.Close()
	if err := unix.Connect(descriptor, &unix.SockaddrInet6{Addr: to.Addr().As16(), Port: int(to.Port())}); err != nil {
		return nil, err
	}
	return net.FileConn(file)
}

// running is an application on a host.
type running struct {
	t     *testing.T
	pid   int // where it is
	input io.Writer
	lines *bufio.Reader
}

// startApplication, in a cgroup unless that is "".
func (h *host) startApplication(cgroup string) *running {
	h.t.Helper()
	return h.start(exec.Command(os.Args[0], applicationCommand), cgroup)
}

func (h *host) start(command *exec.Cmd, cgroup string) *running {
	h.t.Helper()
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
	r := &running{t: h.t, input: input, lines: bufio.NewReader(output)}
	if _, err := fmt.Fscanln(r.lines, &r.pid); err != nil {
		h.t.Fatal(err)
	}
	return r
}

// exchange returns whom it spoke with, and what came back.
func (r *running) exchange(address, message string) (peer, back string) {
	r.t.Helper()
	return r.carryOut(order{To: address, Message: message})
}

func (r *running) carryOut(o order) (peer, back string) {
	r.t.Helper()
	if err := json.NewEncoder(r.input).Encode(o); err != nil {
		r.t.Fatal(err)
	}
	line, err := r.lines.ReadString('\n')
	if err != nil {
		r.t.Fatal(err)
	}
	peer, back, _ = strings.Cut(strings.TrimSpace(line), " ")
	return peer, back
}
