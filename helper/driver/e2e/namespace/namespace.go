// Package namespace runs parts of a test in network namespaces.
package namespace

import (
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// Namespace is a thread in a network namespace. A new one goes with it.
type Namespace struct{ jobs chan func() }

// Enter the machine's own, without flags, or a new one (unix.CLONE_NEWNET), which needs root.
func Enter(flags int) (*Namespace, error) {
	n := &Namespace{make(chan func())}
	entered := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine, as nothing else may run in its namespace
		entered <- unix.Unshare(flags)
		for job := range n.jobs {
			job()
		}
	}()
	if err := <-entered; err != nil {
		n.Leave()
		return nil, err
	}
	return n, nil
}

// Do runs a job in it.
func (n *Namespace) Do(job func() error) error {
	done := make(chan error)
	n.jobs <- func() { done <- job() }
	return <-done
}

// File names it to the kernel, and keeps it until it is closed.
func (n *Namespace) File() (file *os.File, err error) {
	err = n.Do(func() (err error) {
		file, err = os.Open("/proc/thread-self/ns/net")
		return err
	})
	return file, err
}

// Leave ends the thread; nothing may be done in it after.
func (n *Namespace) Leave() { close(n.jobs) }
