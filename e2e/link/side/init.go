package side

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"

	"firstscreen/e2e/link/fault"
)

// processName is how a side knows itself, and how ps shows it.
const processName = "firstscreen-link-side"

// IsSide says whether this process was started as a side.
func IsSide() bool { return os.Args[0] == processName }

// Main is a side's whole life. It must run on the main thread, locked: the command's parent-death signal hangs on the thread that
// started it. The result is the exit status.
func Main() int {
	unix.CloseOnExec(socketFd)
	var c config
	if _, err := receive(socketFd, &c); err != nil {
		return 1 // the link is gone, so there is nobody to tell
	}
	if err := setUp(c.Role, c.Addresses); err != nil {
		return refuse(err)
	}
	// Passed on before the command exists, so that no signal can be lost between the two.
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, Forwarded...)

	var start struct{}
	if _, err := receive(socketFd, &start); err != nil {
		return 1
	}
	if len(c.Command) == 0 {
		send(socketFd, answer{})
		return SignalStatus((<-signals).(syscall.Signal)) // an empty side stands until it is told to go
	}
	command, err := run(c)
	if err != nil {
		return refuse(err)
	}
	send(socketFd, answer{})
	go func() {
		for s := range signals {
			unix.Kill(command, s.(syscall.Signal))
		}
	}()
	return reap(command)
}

// Forwarded are the signals that reach the near command through the link.
var Forwarded = []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP}

func setUp(role Role, addresses []string) error {
	if err := setUpMounts(role); err != nil {
		return err
	}
	files, err := setUpNetwork(role, addresses)
	if err != nil {
		return err
	}
	if err := send(socketFd, answer{}, files...); err != nil {
		return err
	}
	for _, file := range files {
		unix.Close(file)
	}
	return nil
}

func refuse(err error) int {
	send(socketFd, answer{Fault: fault.From(err)})
	return 1
}

// run starts the command in a process group of its own, so that a terminal's Ctrl-C reaches it once: directly when it has the terminal,
// through the link when not.
func run(c config) (pid int, err error) {
	path, err := exec.LookPath(c.Command[0])
	if err != nil {
		return 0, commandFault(c, err)
	}
	pid, err = syscall.ForkExec(path, c.Command, &syscall.ProcAttr{
		Env:   c.Environment,
		Files: []uintptr{0, 1, 2},
		Sys:   &syscall.SysProcAttr{Pdeathsig: unix.SIGKILL, Setpgid: true, Foreground: c.Foreground, Ctty: 0},
	})
	if err != nil {
		return 0, commandFault(c, err)
	}
	return pid, nil
}

func commandFault(c config, err error) error {
	return fault.New(fault.Command, "check its name and PATH", "starting the %s command %q: %v", c.Role, c.Command[0], err)
}

// reap waits for the command, as an init process also for every orphan, and returns the command's status as a shell would.
func reap(command int) int {
	for {
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, 0, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return 1 // no child left: cannot be, as the command is one
		}
		if pid != command {
			continue
		}
		if status.Signaled() {
			return SignalStatus(status.Signal())
		}
		return status.ExitStatus()
	}
}

// SignalStatus is the exit status that shells give to an end by a signal.
func SignalStatus(s syscall.Signal) int { return 128 + int(s) }
