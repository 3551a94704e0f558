package attach

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/kernel"
)

// Cgroups keeps the programs for sockets on the cgroups of what is registered: each once, as long as somebody needs it.
type Cgroups struct {
	programs func() ([]kernel.SocketProgram, error)
	mutex    sync.Mutex
	held     map[string]*held
}

type held struct {
	links []link.Link
	users int
}

// NewCgroups attaches nothing yet.
func NewCgroups(programs func() ([]kernel.SocketProgram, error)) *Cgroups {
	return &Cgroups{programs: programs, held: map[string]*held{}}
}

// Hold attaches to a cgroup (a directory of cgroup2), if nobody has yet.
func (c *Cgroups) Hold(path string) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if h := c.held[path]; h != nil {
		h.users++
		return nil
	}
	programs, err := c.programs()
	if err != nil {
		return err
	}
	h := &held{users: 1}
	for _, program := range programs {
		on, err := link.AttachCgroup(link.CgroupOptions{Path: path, Attach: program.Attach, Program: program.Program})
		if err != nil {
			h.close()
			return err
		}
		h.links = append(h.links, on)
	}
	c.held[path] = h
	return nil
}

// Release takes the programs off with the last user.
func (c *Cgroups) Release(path string) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	h := c.held[path]
	if h == nil {
		return nil
	}
	h.users--
	if h.users > 0 {
		return nil
	}
	delete(c.held, path)
	return h.close()
}

// Paths on which the programs are.
func (c *Cgroups) Paths() []string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	paths := make([]string, 0, len(c.held))
	for path := range c.held {
		paths = append(paths, path)
	}
	return paths
}

func (h *held) close() (all error) {
	for _, on := range h.links {
		all = errors.Join(all, on.Close())
	}
	return all
}

// ErrNoCgroup2 says that cgroups of the second version are not mounted.
var ErrNoCgroup2 = errors.New("cgroup2 is not mounted")

// Mount is where cgroup2 is mounted: alone, or beside the first version.
func Mount() (string, error) {
	mounts, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return "", err
	}
	defer mounts.Close()
	lines := bufio.NewScanner(mounts)
	for lines.Scan() {
		before, after, _ := strings.Cut(lines.Text(), " - ")
		fields := strings.Fields(before)
		if strings.HasPrefix(after, "cgroup2 ") && len(fields) > 4 {
			return fields[4], nil
		}
	}
	return "", ErrNoCgroup2
}

// OfProcess is the directory of the cgroup that a process is in.
func OfProcess(process int) (string, error) {
	mount, err := Mount()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", process))
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if path, is := strings.CutPrefix(strings.TrimSpace(line), "0::"); is {
			return filepath.Join(mount, path), nil
		}
	}
	return "", ErrNoCgroup2
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
	var id uint64
	for i, b := range handle.Bytes() {
		id |= uint64(b) << (8 * i)
	}
	return id, nil
}
