package control

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"time"

	"firstscreen/driver/internal/fault"
)

const askTimeout = 5 * time.Second

// Ask sends one request without payload and decodes the payload of its answer.
func Ask(socket, request string, into any) error {
	connection, err := net.Dial("unix", socket)
	if err != nil {
		return unreachable(socket, err)
	}
	defer connection.Close()
	connection.SetDeadline(time.Now().Add(askTimeout))
	if err := json.NewEncoder(connection).Encode(Request{Version: Version, ID: 1, Type: request, Payload: json.RawMessage("{}")}); err != nil {
		return err
	}
	line, err := bufio.NewReader(connection).ReadBytes('\n')
	if err != nil {
		return err
	}
	var payload json.RawMessage
	answer := Response{Payload: &payload}
	if err := json.Unmarshal(line, &answer); err != nil {
		return err
	}
	if answer.Type == "ok" {
		return json.Unmarshal(payload, into)
	}
	var refusal fault.Error
	if err := json.Unmarshal(payload, &refusal); err != nil {
		return err
	}
	return &refusal
}

func unreachable(socket string, err error) error {
	code, next := fault.NotRunning, "start it: firstscreen-driverd run (or systemctl start firstscreen-driver)"
	if errors.Is(err, fs.ErrPermission) {
		code, next = fault.Denied, "join its group, then log in again: sudo adduser \"$USER\" firstscreen (or ask as root)"
	}
	return fault.New(code, err, next, "Asking the driver at %s", socket)
}
