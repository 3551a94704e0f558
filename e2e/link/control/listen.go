package control

import (
	"net"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"

	"firstscreen/e2e/link/fault"
)

// DefaultPath is where the socket is when the caller does not say.
func DefaultPath() string {
	return filepath.Join(os.TempDir(), "firstscreen-link-"+strconv.Itoa(os.Getpid())+".sock")
}

// Listen makes the control socket, for its owner only. A socket that a killed link left at the path is replaced.
func Listen(path string) (net.Listener, error) {
	if conn, err := net.Dial("unix", path); err == nil {
		conn.Close()
		return nil, fault.New(fault.Control, "choose another --control path", "another link answers at %s", path)
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSocket != 0 {
		os.Remove(path)
	}
	// By umask rather than chmod, so that there is no moment in which others could connect.
	const ownerOnly = 0o177
	old := unix.Umask(ownerOnly)
	listener, err := net.Listen("unix", path)
	unix.Umask(old)
	if err != nil {
		return nil, fault.New(fault.Control, "choose another --control path", "making the control socket %s: %v", path, err)
	}
	return listener, nil
}
