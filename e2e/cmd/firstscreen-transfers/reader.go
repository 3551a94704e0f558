package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// reader takes bytes from a server in turns: for a time as they come, then for a time none.
type reader struct {
	address       string
	bytes         int64
	receiveBuffer int // bytes, as programs ask for with SO_RCVBUF; 0: left to TCP
	on, off       time.Duration
	stops         int // then it takes all; below 0: there is always another one
}

// transfer is one line of the output.
type transfer struct {
	Ms float64 `json:"ms"` // from the first segment to the last byte that the reader has taken
}

func readCommand(arguments []string) error {
	options := flag.NewFlagSet("read", flag.ContinueOnError)
	r := reader{}
	host := options.String("host", "", "address of the server")
	port := options.String("port", "", "its TCP port")
	options.Int64Var(&r.bytes, "bytes", 1_000_000, "that are read")
	options.IntVar(&r.receiveBuffer, "receive-buffer", 0, "SO_RCVBUF in bytes; 0: TCP's own")
	on := options.Float64("on", 0, "seconds for which it reads before each stop")
	off := options.Float64("off", 0, "seconds of a stop")
	options.IntVar(&r.stops, "stops", 0, "after which it reads all; -1: no end of them")
	if err := options.Parse(arguments); err != nil {
		return err
	}
	number, err := parsePort(*port)
	if err != nil {
		return err
	}
	if net.ParseIP(*host) == nil || r.bytes < 1 || r.receiveBuffer < 0 || *on < 0 || *off < 0 || r.stops != 0 && *on == 0 {
		return errors.New(usage)
	}
	r.address, r.on, r.off = net.JoinHostPort(*host, strconv.Itoa(number)), inSeconds(*on), inSeconds(*off)
	result, err := r.run()
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}

func (r reader) run() (transfer, error) {
	began := time.Now()
	dialer := net.Dialer{Timeout: dialLimit, Control: r.control}
	connection, err := dialer.Dial("tcp4", r.address)
	if err != nil {
		return transfer{}, err
	}
	defer connection.Close()
	if _, err := connection.Write([]byte{byte(down)}); err != nil {
		return transfer{}, err
	}
	left := r.bytes
	for stop := 0; left > 0; stop++ {
		until := time.Now().Add(r.on)
		if stop == r.stops {
			until = time.Time{}
		}
		if left, err = take(connection, left, until); err != nil {
			return transfer{}, fmt.Errorf("%d bytes were missing: %w", left, err)
		}
		if left > 0 {
			time.Sleep(r.off)
		}
	}
	return transfer{float64(time.Since(began).Microseconds()) / 1000}, nil
}

// control: the window's scale is in the first segment, so the buffer has to be known before.
func (r reader) control(_, _ string, raw syscall.RawConn) (err error) {
	if r.receiveBuffer == 0 {
		return nil
	}
	outer := raw.Control(func(fd uintptr) { err = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF, r.receiveBuffer) })
	return errors.Join(err, outer)
}

// take reads up to so many bytes, until a time unless that is zero. It returns how many are left.
func take(connection net.Conn, left int64, until time.Time) (int64, error) {
	connection.SetReadDeadline(until)
	block := make([]byte, blockBytes)
	for left > 0 {
		n, err := connection.Read(block[:min(left, blockBytes)])
		left -= int64(n)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return left, nil
		}
		if err != nil {
			return left, err
		}
	}
	return 0, nil
}
