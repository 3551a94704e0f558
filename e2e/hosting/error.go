// Package hosting holds what all its parts share: errors with a stable code.
package hosting

// Error is a failure that callers tell apart by its code. Message says attempt, object and cause; Next what to do.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Next    string `json:"next"`
	Cause   error  `json:"-"`
}

func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Message + ": " + e.Cause.Error()
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.Cause }
