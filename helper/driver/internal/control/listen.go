package control

import (
	"errors"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/fault"
)

// DefaultSocket is where helpers look for the driver.
const DefaultSocket = "/run/firstscreen/driver.sock"

const socketMode = 0o660

// Listen opens the socket for a group and takes the place of one that nobody answers on.
func Listen(path, group string) (*net.UnixListener, error) {
	account, err := user.LookupGroup(group)
	if err != nil {
		return nil, fault.New(fault.Option, err, "install the package, which makes the group, or name another with --group", "Opening the socket for the group %s", group)
	}
	gid, err := strconv.Atoi(account.Gid)
	if err != nil {
		return nil, err
	}
	if other, err := net.Dial("unix", path); err == nil {
		other.Close()
		return nil, fault.New(fault.Running, nil, "end the other driver first", "Opening %s, where a driver answers", path)
	}
	listener, err := listen(path, gid)
	if err != nil {
		return nil, fault.New(fault.System, err, "name a place that can be written to with --socket", "Opening %s", path)
	}
	return listener, nil
}

func listen(path string, gid int) (*net.UnixListener, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSocket != 0 {
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	// nobody may connect before the mode and the group are right
	old := unix.Umask(0o777)
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	unix.Umask(old)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.Chown(path, -1, gid), os.Chmod(path, socketMode)); err != nil {
		listener.Close()
		return nil, err
	}
	return listener, nil
}
