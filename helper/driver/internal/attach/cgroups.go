package attach

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"
)

// Cgroups has the programs for sockets on the cgroups of what is registered.
type Cgroups struct {
	programs map[ebpf.AttachType]*ebpf.Program
	mutex    sync.Mutex
	links    map[string][]link.Link
}

// NewCgroups attaches nothing yet.
func NewCgroups(programs map[ebpf.AttachType]*ebpf.Program) *Cgroups {
	return &Cgroups{programs: programs, links: map[string][]link.Link{}}
}

// Attach to a cgroup (a directory of cgroup2), where the programs are not yet.
func (c *Cgroups) Attach(path string) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.links[path] != nil {
		return nil
	}
	var links []link.Link
	for attach, program := range c.programs {
		on, err := link.AttachCgroup(link.CgroupOptions{Path: path, Attach: attach, Program: program})
		if err != nil {
			return errors.Join(err, closeAll(links))
		}
		links = append(links, on)
	}
	c.links[path] = links
	return nil
}

// Detach takes the programs off.
func (c *Cgroups) Detach(path string) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	links := c.links[path]
	delete(c.links, path)
	return closeAll(links)
}

func closeAll(links []link.Link) (all error) {
	for _, on := range links {
		all = errors.Join(all, on.Close())
	}
	return all
}

// Paths on which the programs are.
func (c *Cgroups) Paths() []string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return slices.Sorted(maps.Keys(c.links))
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

// OfProcess is the directory of the cgroup that a process is in.
func OfProcess(process int) (string, error) {
	mount, err := Mount()
	if err != nil {
		return "", err
	}
	path, err := find(pathBelowIt, fmt.Sprintf("/proc/%d/cgroup", process))
	return filepath.Join(mount, path), err
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

// ID of a cgroup, as programs see it.
func ID(path string) (uint64, error) {
	handle, _, err := unix.NameToHandleAt(unix.AT_FDCWD, path, 0)
	if err != nil {
		return 0, err
	}
	if handle.Size() != 8 {
		return 0, fmt.Errorf("%s is no cgroup", path)
	}
	return binary.NativeEndian.Uint64(handle.Bytes()), nil
}
