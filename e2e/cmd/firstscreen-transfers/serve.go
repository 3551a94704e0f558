package main

import (
	"encoding/binary"
	"io"
	"net"
)

const (
	requestBytes    = 400 // a request with its headers: the first four say the size of the answer
	answerSizeBytes = 4
	minAnswerBytes  = 1_000
	maxAnswerBytes  = 10_000
	blockBytes      = 64 << 10
)

// serve answers connections until the listener is closed.
func serve(listener net.Listener) error {
	for {
		connection, err := listener.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer connection.Close()
			answer(connection)
		}()
	}
}

// answer does what the client's first byte says until the client has gone.
func answer(connection net.Conn) {
	var first [1]byte
	if _, err := io.ReadFull(connection, first[:]); err != nil {
		return
	}
	switch kind(first[0]) {
	case up:
		io.Copy(io.Discard, connection)
	case down:
		fill(connection)
	case both:
		go fill(connection)
		io.Copy(io.Discard, connection)
	case requests:
		answerRequests(connection)
	}
}

// fill sends until it can not any more.
func fill(connection net.Conn) error {
	block := make([]byte, blockBytes)
	for {
		if _, err := connection.Write(block); err != nil {
			return err
		}
	}
}

func answerRequests(connection net.Conn) {
	var request [requestBytes]byte
	body := make([]byte, maxAnswerBytes)
	for {
		if _, err := io.ReadFull(connection, request[:]); err != nil {
			return
		}
		size := binary.BigEndian.Uint32(request[:answerSizeBytes])
		if size > maxAnswerBytes {
			return
		}
		if _, err := connection.Write(body[:size]); err != nil {
			return
		}
	}
}
