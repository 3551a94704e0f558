package attach

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"
)

// ToCgroup attaches the programs for sockets to a cgroup, a directory of cgroup2; `detach` takes them off.
func ToCgroup(path string, programs map[ebpf.AttachType]*ebpf.Program) (detach func() error, err error) {
	var links []link.Link
	detach = func() (all error) {
		for _, on := range links {
			all = errors.Join(all, on.Close())
		}
		return all
	}
	for attach, program := range programs {
		on, err := link.AttachCgroup(link.CgroupOptions{Path: path, Attach: attach, Program: program})
		if err != nil {
			return nil, errors.Join(err, detach())
		}
		links = append(links, on)
	}
	return detach, nil
}

var (
	errNoCgroup2 = errors.New("cgroup2 is not mounted")
	// mountPoint in /proc/self/mountinfo (proc_pid_mountinfo(5)).
	mountPoint = regexp.MustCompile(`(?m)^(?:\S+ ){4}(\S+) .*- cgroup2 `)
	// pathBelowIt in /proc/PID/cgroup (cgroups(7)).
	pathBelowIt = regexp.MustCompile(`(?m)^0::(.*)$`)
)

// Mount is where cgroup2 is mounted: alone, or beside the first version.
func Mount() (string, error) { return find(mountPoint, "/proc/self/mountinfo") }

// Cgroup is a directory of cgroup2. With it goes what is attached to it, and its path may be another one's later.
type Cgroup struct {
	Path string
	ID   uint64 // as programs see it
}

// CgroupOf a process.
func CgroupOf(process int) (Cgroup, error) {
	mount, err := Mount()
	if err != nil {
		return Cgroup{}, err
	}
	path, err := find(pathBelowIt, fmt.Sprintf("/proc/%d/cgroup", process))
	if err != nil {
		return Cgroup{}, err
	}
	return CgroupAt(filepath.Join(mount, path))
}

func find(what *regexp.Regexp, in string) (string, error) {
	text, err := os.ReadFile(in)
	if err != nil {
		return "", err
	}
	found := what.FindSubmatch(text)
	if found == nil {
		return "", errNoCgroup2
	}
	return string(found[1]), nil
}

// CgroupAt a path.
func CgroupAt(path string) (Cgroup, error) {
	handle, _, err := unix.NameToHandleAt(unix.AT_FDCWD, path, 0)
	if err != nil {
		return Cgroup{}, err
	}
	if handle.Size() != 8 {
		return Cgroup{}, fmt.Errorf("%s is no cgroup", path)
	}
	return Cgroup{path, binary.NativeEndian.Uint64(handle.Bytes())}, nil
}
