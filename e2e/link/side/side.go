package side

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"firstscreen/e2e/link/fault"
)

// Side is the link's handle on one of its sides.
type Side struct {
	Role    Role
	process *exec.Cmd
	socket  int
	Tun     int           // the TUN device's file, not blocking
	HopTun  int           // the relay's other one, towards the second hop
	Probe   *os.File      // the self-check's socket
	Ended   chan struct{} // closed when the side has ended, and everything in it
}

// Launch makes a side and its end of the network. It must run on the main thread, locked, for the parent-death signal. The command
// waits for Start.
func Launch(role Role, command, environment []string, addresses ...string) (*Side, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	theirs := os.NewFile(uintptr(pair[1]), "side")
	defer theirs.Close()
	s := &Side{Role: role, socket: pair[0], Ended: make(chan struct{})}
	s.process = &exec.Cmd{
		Path:        "/proc/self/exe",
		Args:        []string{processName, string(role)},
		Stdout:      os.Stderr, // the far command's words must not mix with the near command's output
		Stderr:      os.Stderr,
		ExtraFiles:  []*os.File{theirs},
		SysProcAttr: namespaces(),
	}
	if role == Near {
		s.process.Stdin, s.process.Stdout = os.Stdin, os.Stdout
	}
	if err := s.process.Start(); err != nil {
		unix.Close(s.socket)
		return nil, fault.New(fault.Namespace, "run as root, or allow unprivileged user namespaces (sysctl user.max_user_namespaces, "+
			"kernel.apparmor_restrict_unprivileged_userns)", "making the %s namespaces: %v", role, err)
	}
	go func() {
		s.process.Wait()
		close(s.Ended)
	}()
	c := config{Role: role, Command: command, Environment: environment, Foreground: role == Near && ownsTerminal(), Addresses: addresses}
	if err := send(s.socket, c); err != nil {
		return nil, err
	}
	files, err := s.hear()
	if errors.Is(err, errSideEnded) {
		return nil, fault.New(fault.Namespace, "try again; see the kernel's log", "the %s side ended while it was being set up", role)
	}
	if err != nil {
		return nil, err
	}
	s.Tun, s.Probe = files[0], os.NewFile(uintptr(files[1]), "probe")
	if role == Relay {
		s.HopTun = files[2]
	}
	return s, nil
}

// Start lets the side start its command. A side that is killed after that may not have said that it did: then Ended and Status tell.
func (s *Side) Start() error {
	if err := send(s.socket, struct{}{}); err != nil {
		return err
	}
	if _, err := s.hear(); !errors.Is(err, errSideEnded) {
		return err
	}
	return nil
}

var errSideEnded = errors.New("the side has ended")

// hear receives the side's word on a step.
func (s *Side) hear() ([]int, error) {
	var a answer
	files, err := receive(s.socket, &a)
	if errors.Is(err, io.EOF) {
		return nil, errSideEnded
	}
	if err != nil {
		return nil, err
	}
	if a.Fault != nil {
		return nil, a.Fault
	}
	return files, nil
}

// Signal passes a signal on to the side's command.
func (s *Side) Signal(sig os.Signal) { s.process.Process.Signal(sig) }

// Status is the command's exit status, as a shell gives it. It holds after Ended.
func (s *Side) Status() int {
	status := s.process.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		return SignalStatus(status.Signal())
	}
	return status.ExitStatus()
}

// Stop ends the side: the command may finish within the grace time, then all is killed.
func (s *Side) Stop(grace time.Duration) {
	if grace > 0 {
		s.Signal(unix.SIGTERM)
		select {
		case <-s.Ended:
		case <-time.After(grace):
		}
	}
	s.process.Process.Kill()
	<-s.Ended
}

// Rootless says whether the sides need a user namespace of their own to be allowed the others.
func Rootless() bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if unix.Capget(&header, &data[0]) != nil {
		return true
	}
	const needed = 1<<unix.CAP_SYS_ADMIN | 1<<unix.CAP_NET_ADMIN
	return data[0].Effective&needed != needed
}

func namespaces() *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWNET | unix.CLONE_NEWNS | unix.CLONE_NEWPID,
		Pdeathsig:  unix.SIGKILL,
		Setpgid:    true, // signals to the link's process group come through the link, once
	}
	if Rootless() {
		attributes.Cloneflags |= unix.CLONE_NEWUSER
		attributes.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
		attributes.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
	}
	return attributes
}

// ownsTerminal says whether standard input is a terminal whose foreground is this process.
func ownsTerminal() bool {
	group, err := unix.IoctlGetInt(0, unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}
