package control

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/attach"
	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/kernel"
	"firstscreen/driver/internal/registry"
)

// Peer is who has connected, as the kernel tells it.
type Peer struct {
	Process int
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
			peer = Peer{Process: int(credentials.Pid), User: credentials.Uid}
		}
	})
	if controlErr != nil {
		return Peer{}, controlErr
	}
	return peer, err
}

// Targets of a request that the peer may register: of its own user; the administrator may register all.
func (p Peer) targets(request Register) ([]registry.Target, error) {
	kinds := 0
	for _, is := range []bool{request.Process != 0, request.Cgroup != "", request.Connection != nil, len(request.RemotePorts)+len(request.LocalPorts) > 0} {
		if is {
			kinds++
		}
	}
	switch {
	case kinds != 1 || request.Process < 0:
		return nil, malformed(nil, "Registering: exactly one of process, cgroup, connection and ports must be named")
	case request.Process != 0:
		return []registry.Target{{Process: request.Process}}, p.mayRegister("/proc/" + strconv.Itoa(request.Process))
	case request.Cgroup != "":
		return []registry.Target{{Cgroup: request.Cgroup}}, p.mayRegisterCgroup(request.Cgroup)
	case request.Connection != nil:
		cookie, err := p.socketOf(*request.Connection)
		return []registry.Target{{Socket: cookie}}, err
	}
	if len(request.RemotePorts)+len(request.LocalPorts) > maxPorts {
		return nil, fault.New(fault.Limit, nil, "register in several requests, or the process", "Registering more than %d ports at once", maxPorts)
	}
	var targets []registry.Target
	for side, ports := range map[kernel.Side][]uint16{kernel.RemotePort: request.RemotePorts, kernel.LocalPort: request.LocalPorts} {
		for _, port := range ports {
			if port == 0 {
				return nil, malformed(nil, "Registering port 0")
			}
			targets = append(targets, registry.Target{Port: kernel.PortRule{User: p.User, Side: side, Port: port}})
		}
	}
	return targets, nil
}

// mayRegisterCgroup: nothing in cgroup2 is a link or can be moved, so what was looked at is what is attached to.
func (p Peer) mayRegisterCgroup(directory string) error {
	mount, err := attach.Mount()
	if err != nil {
		return fault.New(fault.Unsupported, err, "mount cgroup2, or register the process's ports", "Registering a cgroup")
	}
	if filepath.Clean(directory) != directory || !strings.HasPrefix(directory, mount+"/") {
		return malformed(nil, "Registering a cgroup that is not named by a clean path below "+mount)
	}
	return p.mayRegister(directory)
}

// socketOf finds a connection of the peer's user.
func (p Peer) socketOf(ends Ends) (cookie uint64, err error) {
	local, localErr := netip.ParseAddrPort(ends.Local)
	remote, remoteErr := netip.ParseAddrPort(ends.Remote)
	if err := errors.Join(localErr, remoteErr); err != nil {
		return 0, malformed(err, "Registering a connection")
	}
	socket, err := netlink.SocketGet(net.TCPAddrFromAddrPort(local), net.TCPAddrFromAddrPort(remote))
	if err != nil || socket == nil {
		return 0, fault.New(fault.Gone, err, "register it while it is there", "Registering the connection from %v", local)
	}
	if p.User != 0 && socket.UID != p.User {
		return 0, fault.New(fault.Denied, nil, "register connections of your own", "Registering the connection from %v, which is another user's", local)
	}
	return uint64(socket.ID.Cookie[0]) | uint64(socket.ID.Cookie[1])<<32, nil
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
