package side

import (
	"encoding/json"
	"errors"
	"io"

	"golang.org/x/sys/unix"
)

// send writes one JSON message, with open files. The socket keeps message borders (SOCK_SEQPACKET).
func send(socket int, message any, files ...int) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	var rights []byte
	if len(files) > 0 {
		rights = unix.UnixRights(files...)
	}
	return unix.Sendmsg(socket, text, rights, nil, 0)
}

// receive reads one JSON message and the files that came with it; io.EOF when the other end is gone.
func receive(socket int, message any) (files []int, err error) {
	const maxFiles = 3
	text, rights := make([]byte, maxMessageBytes), make([]byte, unix.CmsgSpace(maxFiles*4))
	n, nRights, _, _, err := unix.Recvmsg(socket, text, rights, unix.MSG_CMSG_CLOEXEC)
	for errors.Is(err, unix.EINTR) {
		n, nRights, _, _, err = unix.Recvmsg(socket, text, rights, unix.MSG_CMSG_CLOEXEC)
	}
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, io.EOF
	}
	if err := json.Unmarshal(text[:n], message); err != nil {
		return nil, err
	}
	if nRights == 0 {
		return nil, nil
	}
	controls, err := unix.ParseSocketControlMessage(rights[:nRights])
	if err != nil {
		return nil, err
	}
	return unix.ParseUnixRights(&controls[0])
}
