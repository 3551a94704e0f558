package wifi

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/fault"
)

// errNotSupported is ENOTSUPP, which the kernel has for itself alone and some drivers answer.
const errNotSupported = unix.Errno(524)

// explain what the kernel has refused.
func explain(err error, attempt string, arguments ...any) error {
	code, next := fault.System, "see the cause, and docs/driver.md"
	switch {
	case errors.Is(err, fs.ErrPermission): // EPERM, too
		code, next = fault.Denied, "run it as root: it needs CAP_NET_ADMIN and CAP_NET_RAW, and its directory is root's"
	case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, errNotSupported):
		code, next = fault.Unsupported, "use an interface whose driver can; one on mac80211 takes it"
	case errors.Is(err, unix.ENODEV):
		code, next = fault.Gone, "`ip link` lists the interfaces"
	}
	return fault.New(code, err, next, attempt, arguments...)
}
