package wifi

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// endPatience is how long a holder may take to put back what was before: an access point has many stations.
const endPatience = 30 * time.Second

// endHolder asks the process that holds the record to end, and waits for that; false if there is none.
func (e *entry) endHolder() (bool, error) {
	process, err := e.holder()
	if err != nil || process == 0 {
		return false, err
	}
	handle, err := unix.PidfdOpen(process, 0)
	if err == unix.ESRCH {
		return true, nil
	}
	if err != nil {
		return false, explain(err, "Ending process %d", process)
	}
	defer unix.Close(handle)
	// The number may have become another's before the handle was opened: who has the lock still is the one.
	if now, err := e.holder(); err != nil || now != process {
		return true, err
	}
	if err := unix.PidfdSendSignal(handle, unix.SIGTERM, nil, 0); err != nil && err != unix.ESRCH {
		return false, explain(err, "Ending process %d", process)
	}
	if !hasEnded(handle, time.Now().Add(endPatience)) {
		return false, explain(fmt.Errorf("it did not end within %v", endPatience), "Ending process %d, which holds %s", process, e.Interface)
	}
	return true, nil
}

// hasEnded waits for the process of a handle.
func hasEnded(handle int, deadline time.Time) bool {
	for {
		left := max(time.Until(deadline), 0)
		ended, err := unix.Poll([]unix.PollFd{{Fd: int32(handle), Events: unix.POLLIN}}, int(left.Milliseconds()))
		if err != unix.EINTR { // by a signal of Go's own
			return err == nil && ended > 0
		}
	}
}
