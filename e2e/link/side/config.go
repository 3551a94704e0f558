// Package side makes and runs the two sides of the link. A side is this same program started again in namespaces of its own (network,
// mount, process, and user where there are no privileges). It sets its network up, passes the TUN file back, starts its command when
// told to, and is the init process of its namespaces: when it ends, for whatever reason, the kernel ends everything in them.
package side

import "firstscreen/e2e/link/fault"

// Addresses of the test bed (docs/testbed.md).
const (
	NearAddress = "10.99.0.1"
	FarAddress  = "10.99.0.2" // of the link's far end; with a second hop the relay's
	prefixBits  = "/16"

	relayHopAddress = "10.98.0.1"
	BeyondAddress   = "10.98.0.2" // of the second hop's far end
	relayHopDevice  = "hop0"
	originAddresses = "20.100.0.0/16"

	nameserverAddress = "20.100.0.1" // firstscreen-hosting's DNS, in the far namespace
)

// Role names a side.
type Role string

const (
	Near Role = "near"
	Far  Role = "far"
	// With a second hop, Relay is the link's far end and Beyond the second hop's, in the place of Far.
	Relay  Role = "relay"
	Beyond Role = "beyond"
)

// device is the side's end of the link.
func (r Role) device() string { return string(r) + "0" }

func (r Role) address() string {
	switch r {
	case Near:
		return NearAddress
	case Beyond:
		return BeyondAddress
	default:
		return FarAddress
	}
}

// config is the first message to a side.
type config struct {
	Role        Role     `json:"role"`
	Command     []string `json:"command"` // empty: nothing is started
	Environment []string `json:"environment"`
	Foreground  bool     `json:"foreground"` // the command gets the terminal
	Addresses   []string `json:"addresses"`  // more addresses of the side, for the checks of server delays
}

// answer is what a side says about each step; the TUN and the probe file, and the relay's second TUN file, come with the first one.
type answer struct {
	Fault *fault.Fault `json:"fault,omitempty"`
}

const (
	socketFd        = 3 // where a side finds its end of the socket pair
	maxMessageBytes = 1 << 20
)
