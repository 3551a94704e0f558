package wifi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// DefaultDirectory goes with the machine's end, as the map does that the kernel keeps with an interface.
const DefaultDirectory = "/run/firstscreen-wifi"

// store has one file for each record, which only its owner can read. Who holds what is set has a lock on the file; the kernel lets go of it
// whatever ends the holder, so a record without lock is one that was left behind.
type store struct{ directory string }

// entry is a record in its file.
type entry struct {
	Record
	file *os.File
}

// create a record that this process holds. It is there as a whole, with the lock, or not at all; fs.ErrExist says that the interface has one.
func (s store) create(r Record) (*entry, error) {
	if err := os.Mkdir(s.directory, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	descriptor, err := unix.Open(s.directory, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, &fs.PathError{Op: "create", Path: s.directory, Err: err}
	}
	e := &entry{r, os.NewFile(uintptr(descriptor), s.path(r))}
	if err := e.publish(); err != nil {
		e.file.Close()
		return nil, err
	}
	return e, nil
}

func (s store) path(r Record) string {
	return filepath.Join(s.directory, fmt.Sprintf("%x.json", r.Device))
}

func (e *entry) publish() error {
	if err := json.NewEncoder(e.file).Encode(e.Record); err != nil {
		return err
	}
	if _, err := e.lock(); err != nil {
		return err
	}
	unnamed := fmt.Sprintf("/proc/self/fd/%d", e.file.Fd())
	if err := unix.Linkat(unix.AT_FDCWD, unnamed, unix.AT_FDCWD, e.file.Name(), unix.AT_SYMLINK_FOLLOW); err != nil {
		return &os.LinkError{Op: "link", Old: unnamed, New: e.file.Name(), Err: err}
	}
	return nil
}

// entries are opened, and closed by who asks.
func (s store) entries() (all []*entry, err error) {
	names, err := os.ReadDir(s.directory)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, name := range names {
		path := filepath.Join(s.directory, name.Name())
		file, openErr := os.OpenFile(path, os.O_RDWR, 0)
		if errors.Is(openErr, fs.ErrNotExist) {
			continue // has been put back meanwhile
		}
		if openErr != nil {
			err = errors.Join(err, openErr)
			continue
		}
		text, readErr := io.ReadAll(file)
		record, parseErr := parseRecord(text)
		if broken := errors.Join(readErr, parseErr); broken != nil {
			file.Close()
			err = errors.Join(err, fmt.Errorf("%s: %w", path, broken))
			continue
		}
		all = append(all, &entry{record, file})
	}
	return all, err
}

// lock returns false if another process holds the record.
func (e *entry) lock() (bool, error) {
	err := unix.FcntlFlock(e.file.Fd(), unix.F_SETLK, &unix.Flock_t{Type: unix.F_WRLCK})
	if err == unix.EAGAIN || err == unix.EACCES {
		return false, nil
	}
	return err == nil, err
}

// holder is the process that has the lock; 0 is none.
func (e *entry) holder() (process int, _ error) {
	asked := unix.Flock_t{Type: unix.F_WRLCK}
	if err := unix.FcntlFlock(e.file.Fd(), unix.F_GETLK, &asked); err != nil {
		return 0, err
	}
	if asked.Type == unix.F_UNLCK {
		return 0, nil
	}
	return int(asked.Pid), nil
}

// isKept is false when the record was removed after it had been opened.
func (e *entry) isKept() bool {
	var of unix.Stat_t
	return unix.Fstat(int(e.file.Fd()), &of) == nil && of.Nlink > 0
}

// remove the record, with its lock.
func (e *entry) remove() error {
	return errors.Join(os.Remove(e.file.Name()), e.file.Close())
}
