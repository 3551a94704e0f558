// Package fault holds the one error type that leaves firstscreen-link: a stable code, what was attempted, and what to do next.
package fault

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Codes are matched by callers; the texts beside them are for people and may change.
const (
	Option    = "E_LINK_OPTION"    // the command line cannot be used
	Namespace = "E_LINK_NAMESPACE" // the kernel refuses the namespaces or what is set up in them
	Tun       = "E_LINK_TUN"       // a TUN device cannot be made
	Check     = "E_LINK_CHECK"     // the link does not do what its profile says
	Control   = "E_LINK_CONTROL"   // the control socket cannot be made, or a request to it is unknown
	Command   = "E_LINK_COMMAND"   // the near or the far command cannot be started, or the far command failed
)

// Fault is an error with a code and a next step. Its JSON form is the line printed on stderr.
type Fault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Next    string `json:"next"`
}

func (f *Fault) Error() string { return f.Code + ": " + f.Message }

// New makes a fault; the message is formatted from what follows the next step.
func New(code, next, format string, args ...any) *Fault {
	return &Fault{Code: code, Message: fmt.Sprintf(format, args...), Next: next}
}

// From is the fault in an error. An error without a code is one of setting the namespaces up, where most system calls are.
func From(err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	return New(Namespace, "see docs/link.md", "%v", err)
}

// Line is the error as one line of JSON.
func Line(err error) string {
	text, _ := json.Marshal(From(err)) // three strings cannot fail to marshal
	return string(text)
}
