// Package control is the driver's socket: who may ask for what, and the messages. docs/driver.md has them as a document.
package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"

	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/kernel"
)

// Version of the protocol, in each message.
const Version = 1

// maxMessageBytes of a line.
const maxMessageBytes = 64 << 10

// maxPorts in one request.
const maxPorts = 64

// Request is one line of JSON; answers carry its id.
type Request struct {
	Version int             `json:"v"`
	ID      uint64          `json:"id"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload"`
}

// Response is one line of JSON: of type "ok", "error", or "counters" where it was not asked for by itself.
type Response struct {
	Version int    `json:"v"`
	ID      uint64 `json:"id"`
	Type    string `json:"type"`
	Payload any    `json:"payload"`
}

// Refusal is the payload of type "error".
type Refusal struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Next    string `json:"next"`
}

// Register asks for one target, or for some ports of the caller's user.
type Register struct {
	Process     int      `json:"process,omitempty"`     // of the caller's user
	Cgroup      string   `json:"cgroup,omitempty"`      // a directory that belongs to the caller's user
	RemotePorts []uint16 `json:"remotePorts,omitempty"` // what the caller's user connects to
	LocalPorts  []uint16 `json:"localPorts,omitempty"`  // what the caller's user serves
	Connection  *Ends    `json:"connection,omitempty"`  // of TCP, that is there already
	Policy      []string `json:"policy"`                // "rar", "spool"
}

// Ends of a connection, as address:port or [address]:port.
type Ends struct {
	Local  string `json:"local"`
	Remote string `json:"remote"`
}

// Registered is its answer.
type Registered struct {
	Registration uint64 `json:"registration"`
}

// Unregister takes it back; the end of the connection takes all back.
type Unregister struct {
	Registration uint64 `json:"registration"`
}

// OpenSpool says that the calling process takes redirected connections on ports of 127.0.0.1 and ::1; 0: not any more, and not over IPv6.
type OpenSpool struct {
	Port  uint16 `json:"port"`
	Port6 uint16 `json:"port6,omitempty"`
}

// Meant asks where a redirected connection was meant to go.
type Meant struct {
	Address netip.Addr `json:"address"` // that it comes from
	Port    uint16     `json:"port"`
}

// MeantFor is its answer.
type MeantFor struct {
	Address netip.Addr `json:"address"`
	Port    uint16     `json:"port"`
}

var policies = map[string]kernel.Policy{"rar": kernel.RAR, "spool": kernel.Spool}

// ParsePolicy reads what flows are registered for.
func ParsePolicy(names []string) (policy kernel.Policy, err error) {
	for _, name := range names {
		one, known := policies[name]
		if !known {
			return 0, fmt.Errorf("%q is no policy", name)
		}
		policy |= one
	}
	if policy == 0 {
		return 0, errors.New("no policy is named")
	}
	return policy, nil
}

// Strict decodes one JSON value without unknown members and with nothing behind it.
func Strict(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the message")
	}
	return nil
}

func malformed(err error, attempt string) *fault.Error {
	return fault.New(fault.Message, err, "see the messages in docs/driver.md", "%s", attempt)
}

func parsePayload[T any](request Request) (payload T, err error) {
	if err := Strict(request.Payload, &payload); err != nil {
		return payload, malformed(err, fmt.Sprintf("Reading a request %q", request.Type))
	}
	return payload, nil
}
