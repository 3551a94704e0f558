package h2

import "strings"

// Priority is what RFC 9218 tells about a response.
type Priority struct {
	// Urgency is 0 (first) to 7.
	Urgency int
	// Incremental responses of one urgency share the connection; others are sent one after the other.
	Incremental bool
}

// defaultPriority: RFC 9218, 4.1 and 4.2.
var defaultPriority = Priority{Urgency: 3}

// ParsePriority reads a Priority field. It is a dictionary of structured fields (RFC 9651), of which two members are defined; what is unknown
// or out of range is ignored (RFC 9218, 4).
func ParsePriority(field string) Priority {
	priority := defaultPriority
	for member := range strings.SplitSeq(field, ",") {
		item, _, _ := strings.Cut(strings.TrimSpace(member), ";")
		key, value, _ := strings.Cut(item, "=")
		switch {
		case key == "u" && len(value) == 1 && '0' <= value[0] && value[0] <= '7':
			priority.Urgency = int(value[0] - '0')
		case key == "i" && (value == "" || value == "?1"):
			priority.Incremental = true
		case key == "i" && value == "?0":
			priority.Incremental = false
		}
	}
	return priority
}

// legacyUrgency is the urgency that Chromium means by the weight of a PRIORITY frame (RFC 7540, 6.3; on the wire one less than the weight).
// It spreads its eight priorities, the same that it puts into the Priority field, evenly over the weights.
func legacyUrgency(weight uint8) int {
	const steps, maxWeight = 7, 255
	return (steps*(maxWeight-int(weight)) + maxWeight/2) / maxWeight
}
