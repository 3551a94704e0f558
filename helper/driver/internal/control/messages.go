// Package control is the driver's socket: who may ask for what, and the messages. docs/driver.md has them as a document.
package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/netip"

	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/kernel"
	"firstscreen/driver/internal/registry"
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

// Response is one line of JSON, of type "ok", or of type "error" with a fault.Error.
type Response struct {
	Version int    `json:"v"`
	ID      uint64 `json:"id"`
	Type    string `json:"type"`
	Payload any    `json:"payload"`
}

// Register asks for one target, or for some ports of the caller's user; the end of the connection takes all back.
type Register struct {
	Process        uint32        `json:"process,omitempty"` // of the caller's user
	Cgroup         string        `json:"cgroup,omitempty"`  // a directory that belongs to the caller's user
	registry.Ports               // of the caller's user
	Connection     *Ends         `json:"connection,omitempty"` // of TCP, that is there already
	Policy         kernel.Policy `json:"policy"`
}

// Ends of a connection.
type Ends struct {
	Local  netip.AddrPort `json:"local"`
	Remote netip.AddrPort `json:"remote"`
}

// OpenSpool says that the calling process takes redirected connections on ports of 127.0.0.1 and, unless it is 0, of ::1;
// until the connection ends.
type OpenSpool struct {
	Port  uint16 `json:"port"`
	Port6 uint16 `json:"port6,omitempty"`
}

// Meant asks where a redirected connection was meant to go that comes from there; it is answered alike.
type Meant struct {
	Address netip.Addr `json:"address"`
	Port    uint16     `json:"port"`
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

func malformed(err error, attempt string, arguments ...any) *fault.Error {
	return fault.New(fault.Message, err, "see the messages in docs/driver.md", attempt, arguments...)
}
