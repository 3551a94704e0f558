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

// Error is what a user is told; as JSON it is the payload of an answer of the driver's socket.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"` // what was tried, of what, and why that failed
	Next    string `json:"next"`    // what the user can do
}

func (e *Error) Error() string { return e.Code + ": " + e.Message + "\n  next: " + e.Next }

// New makes an Error; attempt may be a format for the arguments.
func New(code string, cause error, next, attempt string, arguments ...any) *Error {
	message := fmt.Sprintf(attempt, arguments...)
	if cause != nil {
		message += ": " + cause.Error()
	}
	return &Error{code, message, next}
}

// Of returns the Error in err's chain; one that nobody foresaw is the system's.
func Of(err error) *Error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	return New(System, err, "see docs/driver.md, and report it if this is not explained there", "an unforeseen error")
}
