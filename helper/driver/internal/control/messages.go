// Package control is the driver's socket: who may ask for what, and the messages. docs/driver.md has them as a document.
package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"firstscreen/driver/internal/fault"
)

// Version of the protocol, in each message.
const Version = 1

// maxMessageBytes of a line.
const maxMessageBytes = 64 << 10

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
