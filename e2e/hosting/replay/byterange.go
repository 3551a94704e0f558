package replay

import (
	"strconv"
	"strings"
)

type rangeKind int

const (
	// rangeIgnored: no range, several, or not in bytes; a server may answer all of it (RFC 9110, 14.2).
	rangeIgnored rangeKind = iota
	rangeSatisfied
	rangeUnsatisfiable
)

// byteRange reads a Range field for a body of size bytes; [from, to) is what to send when it is satisfied.
func byteRange(field string, size int) (from, to int, kind rangeKind) {
	spec, isBytes := strings.CutPrefix(strings.TrimSpace(field), "bytes=")
	first, last, found := strings.Cut(strings.TrimSpace(spec), "-")
	if !isBytes || !found || strings.Contains(spec, ",") {
		return 0, 0, rangeIgnored
	}
	if first == "" {
		suffix, err := strconv.Atoi(last)
		switch {
		case err != nil || suffix < 0:
			return 0, 0, rangeIgnored
		case suffix == 0 || size == 0:
			return 0, 0, rangeUnsatisfiable
		}
		return max(size-suffix, 0), size, rangeSatisfied
	}
	from, err := strconv.Atoi(first)
	if err != nil || from < 0 {
		return 0, 0, rangeIgnored
	}
	to = size
	if last != "" {
		end, err := strconv.Atoi(last)
		if err != nil || end < from {
			return 0, 0, rangeIgnored
		}
		to = min(end, size-1) + 1
	}
	if from >= size {
		return 0, 0, rangeUnsatisfiable
	}
	return from, to, rangeSatisfied
}
