// Package fault has the errors that users and clients of the driver see: a stable code, what was tried, and what to do next.
package fault

import (
	"errors"
	"fmt"
)

// Codes; clients match them, never texts. docs/driver.md explains each.
const (
	Option      = "E_DRIVER_OPTION"      // the command line
	Config      = "E_DRIVER_CONFIG"      // the administrator's file
	Unsupported = "E_DRIVER_UNSUPPORTED" // this kernel can not
	Denied      = "E_DRIVER_DENIED"      // the caller may not
	Message     = "E_DRIVER_MESSAGE"     // a request that can not be understood
	Limit       = "E_DRIVER_LIMIT"       // too many of something
	Gone        = "E_DRIVER_GONE"        // what it is about is not there any more
	Running     = "E_DRIVER_RUNNING"     // another driver has the socket
	NotRunning  = "E_DRIVER_NOT_RUNNING"
	System      = "E_DRIVER_SYSTEM" // the operating system refused
)

// Error is what a user is told.
type Error struct {
	Code    string
	Attempt string // what was tried, of what
	Next    string // what the user can do
	Cause   error
}

func (e *Error) Error() string {
	text := e.Code + ": " + e.Attempt
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	if e.Next != "" {
		text += "\n  next: " + e.Next
	}
	return text
}

func (e *Error) Unwrap() error { return e.Cause }

// New makes an Error; attempt may be a format for the arguments.
func New(code string, cause error, next, attempt string, arguments ...any) *Error {
	return &Error{Code: code, Attempt: fmt.Sprintf(attempt, arguments...), Next: next, Cause: cause}
}

// Of returns the Error in err's chain; one that nobody foresaw is the system's.
func Of(err error) *Error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	return New(System, err, "see docs/driver.md, and report it if this is not explained there", "an unforeseen error")
}
