package warc

import "fmt"

// Code names one kind of failure; callers match it, never the message.
type Code string

const (
	// CodeOpen: the file cannot be opened or read.
	CodeOpen Code = "E_WARC_OPEN"
	// CodeTruncated: the file ends inside a record.
	CodeTruncated Code = "E_WARC_TRUNCATED"
	// CodeCorrupt: a record breaks the format or its own digest.
	CodeCorrupt Code = "E_WARC_CORRUPT"
	// CodeNoEntry: the file holds no response a browser could be sent to.
	CodeNoEntry Code = "E_WARC_NO_ENTRY"
)

// Error says which record of which file could not be read, and why.
type Error struct {
	Code Code
	File string
	// Record counts from 1; 0 when the failure concerns the whole file.
	Record int
	// Offset is where the record begins, in bytes of the file as stored. For gzip that is the start of the member in which the
	// record begins, the same number a CDX index holds.
	Offset int64
	Reason string
	Cause  error
}

func (e *Error) Error() string {
	where := e.File
	if e.Record > 0 {
		where = fmt.Sprintf("%s, record %d at byte %d", e.File, e.Record, e.Offset)
	}
	if e.Cause != nil {
		return fmt.Sprintf("cannot read %s: %s: %v", where, e.Reason, e.Cause)
	}
	return fmt.Sprintf("cannot read %s: %s", where, e.Reason)
}

func (e *Error) Unwrap() error { return e.Cause }

// Next is the step the reader of the message should take.
func (e *Error) Next() string {
	switch e.Code {
	case CodeOpen:
		return "check the path and its permissions"
	case CodeTruncated:
		return "fetch or record the file again: its end is missing"
	case CodeNoEntry:
		return "record the page again; its first response record is what the browser is sent to"
	default:
		return "fetch or record the file again: its content was changed or is no WARC"
	}
}
