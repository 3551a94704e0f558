package main

import (
	"fmt"
	"strconv"
	"strings"
)

// kind of a flow; up is towards the server. The first byte on a connection says it.
type kind byte

const (
	up       kind = 'u'
	down     kind = 'd'
	both     kind = 'b'
	requests kind = 'r'
)

var kinds = map[string]kind{"up": up, "down": down, "both": both, "requests": requests}

// spec of one flow.
type spec struct {
	name string
	kind kind
	port int
}

const maxFlows = 1000

// parseFlows reads COUNTxKIND:PORT.
func parseFlows(text string) ([]spec, error) {
	countText, rest, _ := strings.Cut(text, "x")
	name, portText, _ := strings.Cut(rest, ":")
	count, err := strconv.Atoi(countText)
	if err != nil || count < 1 || count > maxFlows {
		return nil, fmt.Errorf("%q: give a count from 1 to %d, as in 10xrequests:8081", text, maxFlows)
	}
	kind, known := kinds[name]
	if !known {
		return nil, fmt.Errorf("%q: flows are up, down, both or requests", text)
	}
	port, err := parsePort(portText)
	if err != nil {
		return nil, err
	}
	specs := make([]spec, count)
	for i := range specs {
		specs[i] = spec{name, kind, port}
	}
	return specs, nil
}

func parsePort(text string) (int, error) {
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil || port == 0 {
		return 0, fmt.Errorf("%q is no port", text)
	}
	return int(port), nil
}
