// Package server accepts connections, answers requests with the current page and accounts for every byte.
package server

import (
	"crypto/tls"
	"net"
	"sync"
	"sync/atomic"
)

// conn is an accepted TCP connection, below TLS. Its count of written bytes is a position in the server's TCP stream.
type conn struct {
	net.Conn
	written atomic.Int64
	// answering counts requests that have no complete answer yet.
	answering atomic.Int32
	set       *connSet
}

func (c *conn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.written.Add(int64(n))
	return n, err
}

func (c *conn) Close() error {
	c.set.remove(c)
	return c.Conn.Close()
}

// below answers the counted connection that a TLS connection, or the connection itself, runs on.
func below(c net.Conn) *conn {
	if secure, ok := c.(*tls.Conn); ok {
		c = secure.NetConn()
	}
	return c.(*conn)
}

// connSet knows the open connections.
type connSet struct {
	mu   sync.Mutex
	open map[*conn]struct{}
}

func newConnSet() *connSet { return &connSet{open: map[*conn]struct{}{}} }

func (s *connSet) add(raw net.Conn) *conn {
	c := &conn{Conn: raw, set: s}
	s.mu.Lock()
	s.open[c] = struct{}{}
	s.mu.Unlock()
	return c
}

func (s *connSet) remove(c *conn) {
	s.mu.Lock()
	delete(s.open, c)
	s.mu.Unlock()
}

// closeAll closes every connection, or only those that answer nothing.
func (s *connSet) closeAll(onlyIdle bool) {
	s.mu.Lock()
	var victims []*conn
	for c := range s.open {
		if !onlyIdle || c.answering.Load() == 0 {
			victims = append(victims, c)
		}
	}
	s.mu.Unlock()
	for _, c := range victims {
		// It may have ended by itself meanwhile.
		_ = c.Close()
	}
}

// countingListener hands out connections that are counted and known.
type countingListener struct {
	net.Listener
	set *connSet
}

func (l countingListener) Accept() (net.Conn, error) {
	raw, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return l.set.add(raw), nil
}
