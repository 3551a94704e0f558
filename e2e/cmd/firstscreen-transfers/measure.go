package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"sync/atomic"
	"time"
)

// measurement of all flows at once.
type measurement struct {
	host          string
	specs         []spec
	congestion    string // empty: the machine's
	warmUp, lasts time.Duration
	seed          uint64
}

// result of one flow over the measured time: one line of the output. Bytes are of TCP's stream; up are those that the server has acknowledged.
type result struct {
	Kind      string  `json:"kind"`
	Port      int     `json:"port"`
	Seconds   float64 `json:"seconds"`
	UpBytes   uint64  `json:"upBytes"`
	DownBytes uint64  `json:"downBytes"`
	Requests  int64   `json:"requests"` // answered
}

// flow that is under way.
type flow struct {
	spec
	connection *net.TCPConn
	answered   atomic.Int64
}

// reading of a flow at a time.
type reading struct {
	at       time.Time
	progress progress
	answered int64
}

func (m measurement) run() ([]result, error) {
	flows, err := m.connect()
	defer func() {
		for _, f := range flows {
			f.connection.Close()
		}
	}()
	if err != nil {
		return nil, err
	}
	failed := make(chan error, len(flows))
	for i, f := range flows {
		go func() { failed <- f.drive(rand.New(rand.NewPCG(m.seed, uint64(i)))) }()
	}
	var readings [2][]reading
	for i, wait := range []time.Duration{m.warmUp, m.lasts} {
		select {
		case err := <-failed:
			return nil, fmt.Errorf("a flow ended by itself: %w", err)
		case <-time.After(wait):
		}
		for _, f := range flows {
			r, err := f.read()
			if err != nil {
				return nil, err
			}
			readings[i] = append(readings[i], r)
		}
	}
	results := make([]result, len(flows))
	for i, f := range flows {
		results[i] = f.result(readings[0][i], readings[1][i])
	}
	return results, nil
}

// connect opens all connections at once; those that opened are returned also with an error.
func (m measurement) connect() (flows []*flow, err error) {
	type opened struct {
		flow *flow
		err  error
	}
	all := make(chan opened)
	for _, s := range m.specs {
		go func() {
			connection, err := dial(net.JoinHostPort(m.host, strconv.Itoa(s.port)), m.congestion)
			all <- opened{&flow{spec: s, connection: connection}, err}
		}()
	}
	for range m.specs {
		if one := <-all; one.err != nil {
			err = errors.Join(err, one.err)
		} else {
			flows = append(flows, one.flow)
		}
	}
	return flows, err
}

// drive goes on until the connection ends.
func (f *flow) drive(random *rand.Rand) error {
	if _, err := f.connection.Write([]byte{byte(f.kind)}); err != nil {
		return err
	}
	switch f.kind {
	case up:
		return fill(f.connection)
	case both:
		go fill(f.connection)
	case requests:
		return f.request(random)
	}
	if _, err := io.Copy(io.Discard, f.connection); err != nil {
		return err
	}
	return io.ErrUnexpectedEOF
}

// request asks again as soon as an answer is there.
func (f *flow) request(random *rand.Rand) error {
	var request [requestBytes]byte
	for {
		size := minAnswerBytes + random.IntN(maxAnswerBytes-minAnswerBytes+1)
		binary.BigEndian.PutUint32(request[:answerSizeBytes], uint32(size))
		if _, err := f.connection.Write(request[:]); err != nil {
			return err
		}
		if _, err := io.CopyN(io.Discard, f.connection, int64(size)); err != nil {
			return err
		}
		f.answered.Add(1)
	}
}

func (f *flow) read() (r reading, err error) {
	r.progress, err = progressOf(f.connection)
	r.at, r.answered = time.Now(), f.answered.Load()
	return r, err
}

func (f *flow) result(from, to reading) result {
	return result{
		Kind: f.name, Port: f.port, Seconds: to.at.Sub(from.at).Seconds(),
		UpBytes: to.progress.up - from.progress.up, DownBytes: to.progress.down - from.progress.down, Requests: to.answered - from.answered,
	}
}
