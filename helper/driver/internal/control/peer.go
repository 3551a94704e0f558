package control

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/attach"
	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/kernel"
	"firstscreen/driver/internal/registry"
)

// Peer is who has connected, as the kernel tells it.
type Peer struct {
	Process uint32
	User    uint32
}

func peerOf(connection *net.UnixConn) (peer Peer, err error) {
	raw, err := connection.SyscallConn()
	if err != nil {
		return Peer{}, err
	}
	controlErr := raw.Control(func(fd uintptr) {
		var credentials *unix.Ucred
		if credentials, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED); err == nil {
			peer = Peer{Process: uint32(credentials.Pid), User: credentials.Uid}
		}
	})
	if controlErr != nil {
		return Peer{}, controlErr
	}
	return peer, err
}

// targets of a request that the peer may register: of its own user; the administrator may register all.
func (p Peer) targets(request Register) ([]registry.Target, error) {
	kinds := 0
	for _, is := range []bool{request.Process != 0, request.Cgroup != "", request.Connection != nil, request.Count() > 0} {
		if is {
			kinds++
		}
	}
	switch {
	case kinds != 1:
		return nil, malformed(nil, "Registering: exactly one of process, cgroup, connection and ports must be named")
	case request.Count() > maxPorts:
		return nil, fault.New(fault.Limit, nil, "register in several requests, or the process", "Registering more than %d ports at once", maxPorts)
	case request.Process != 0:
		if err := p.mayRegister(fmt.Sprintf("/proc/%d", request.Process)); err != nil {
			return nil, err
		}
		return registry.Process(request.Process)
	case request.Cgroup != "":
		if err := p.mayRegisterCgroup(request.Cgroup); err != nil {
			return nil, err
		}
		return registry.Cgroup(request.Cgroup)
	case request.Connection != nil:
		return p.connection(*request.Connection)
	default:
		return request.Ports.Of(p.User), nil
	}
}

// mayRegisterCgroup: nothing in cgroup2 is a link or can be moved, so what was looked at is what is attached to.
func (p Peer) mayRegisterCgroup(directory string) error {
	mount, err := attach.Mount()
	if err != nil {
		return fault.New(fault.Unsupported, err, "mount cgroup2, or register the process's ports", "Registering a cgroup")
	}
	if filepath.Clean(directory) != directory || !strings.HasPrefix(directory, mount+"/") {
		return malformed(nil, "Registering a cgroup that is not named by a clean path below %s", mount)
	}
	return p.mayRegister(directory)
}

// connection of the peer's user.
func (p Peer) connection(ends Ends) ([]registry.Target, error) {
	cookie, err := p.socket(ends)
	if err != nil {
		return nil, err
	}
	return []registry.Target{{Target: kernel.Target{Kind: kernel.Connection, Id: cookie}}}, nil
}

// socket of a connection, which tells whose it is: it must be the peer's user's. It returns its cookie.
func (p Peer) socket(ends Ends) (cookie uint64, err error) {
	found, err := socketOf(ends)
	if err != nil {
		return 0, fault.New(fault.Gone, err, "register it while it is there", "Registering the connection from %v", ends.Local)
	}
	if p.User != 0 && found.user != p.User {
		return 0, fault.New(fault.Denied, nil, "register connections of your own", "Registering the connection from %v, which is another user's", ends.Local)
	}
	return found.cookie, nil
}

// mayRegister: what a directory stands for must belong to the peer's user.
func (p Peer) mayRegister(directory string) error {
	info, err := os.Stat(directory)
	if err != nil {
		return fault.New(fault.Gone, err, "register what is there", "Registering %s", directory)
	}
	if status, is := info.Sys().(*syscall.Stat_t); p.User != 0 && (!is || status.Uid != p.User) {
		return fault.New(fault.Denied, nil, "an administrator can register it in the configuration (firstscreen-driverd(8))", "Registering %s, which is another user's", directory)
	}
	return nil
}
