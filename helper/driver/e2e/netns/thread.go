// Package netns has threads in network namespaces of their own, for tests.
package netns

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// Thread does one job after the other, in namespaces that nothing else is in: they go with it.
type Thread struct {
	jobs chan func()
}

// Start makes a thread in new namespaces (CLONE_NEW*, unshare(2)); 0: in the caller's.
func Start(namespaces int) (*Thread, error) {
	thread := &Thread{jobs: make(chan func())}
	ready := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine, as nothing else may run in its namespace
		ready <- unix.Unshare(namespaces)
		for job := range thread.jobs {
			job()
		}
	}()
	if err := <-ready; err != nil {
		thread.Close()
		return nil, err
	}
	return thread, nil
}

// Do waits for a job.
func (t *Thread) Do(job func() error) error {
	done := make(chan error)
	t.jobs <- func() { done <- job() }
	return <-done
}

// Close ends the thread. No job may follow.
func (t *Thread) Close() {
	close(t.jobs)
}
