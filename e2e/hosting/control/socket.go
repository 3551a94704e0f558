package control

import (
	"io/fs"
	"net"
	"os"

	"golang.org/x/sys/unix"

	"firstscreen/e2e/hosting"
)

// ownerOnly leaves the socket to the user who started the test bed: commands name files to read.
const ownerOnly = 0o177

// Listen opens the control socket, mode 0600 from its first moment. A socket left by an ended process is replaced.
func Listen(path string) (net.Listener, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == fs.ModeSocket {
		// If it cannot be removed, listening says so.
		_ = os.Remove(path)
	}
	before := unix.Umask(ownerOnly)
	listener, err := net.Listen("unix", path)
	unix.Umask(before)
	if err != nil {
		return nil, &hosting.Error{
			Code: "E_HOSTING_CONTROL", Message: "cannot open the control socket " + path, Cause: err,
			Next: "choose a path in a directory that exists and is writable; at most 107 bytes long",
		}
	}
	return listener, nil
}
