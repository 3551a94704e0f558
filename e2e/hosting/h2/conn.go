// Package h2 is an HTTP/2 server (RFC 9113) for complete answers held in memory.
//
// It is written on the frame layer of golang.org/x/net/http2 instead of that package's Server for two reasons. A response's last byte must be
// located in the TCP stream, so whoever writes a frame has to know which request it answers. And that Server sends END_STREAM in a frame of
// its own, which its RFC 9218 scheduler puts behind the whole next response of the same urgency; here the last DATA frame carries it.
//
//	reader: frames -> requests -> Handler -> answers ─┐ (mutex)
//	                                                  ├─ writer: control, then HEADERS, then one DATA frame as the scheduler says
//	                          windows, priorities ────┘
package h2

import (
	"bufio"
	"bytes"
	"errors"
	"net"
	"net/http"
	"sync"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

const (
	// maxConcurrentStreams is what nginx and h2o allow.
	maxConcurrentStreams = 128
	// maxHeaderListBytes bounds a request's header.
	maxHeaderListBytes = 64 << 10
	// dataFrameBytes is nginx's http2_chunk_size: small enough that a more urgent response soon gets its turn.
	dataFrameBytes = 8 << 10
	// defaultFrameBytes is SETTINGS_MAX_FRAME_SIZE where the client says nothing (RFC 9113, 6.5.2).
	defaultFrameBytes = 16 << 10
	// initialWindow is the flow-control window before any SETTINGS (RFC 9113, 6.9.2).
	initialWindow = 65535
	// maxWindow: RFC 9113, 6.9.1.
	maxWindow = 1<<31 - 1
)

// Request is a complete request.
type Request struct {
	Method    string
	Authority string
	Path      string
	Header    http.Header
}

// Answer is a complete answer. Exactly one of its callbacks is called, once.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	// Sent is called when the last byte was given to the connection and nothing after it.
	Sent func()
	// Aborted is called when the client cancelled the request or the connection ended.
	Aborted func()
}

// Handler answers a request at once.
type Handler func(Request) Answer

type conn struct {
	net    net.Conn
	framer *http2.Framer
	handle Handler

	// Of the writer only.
	out         *bufio.Writer
	encoder     *hpack.Encoder
	headerBlock bytes.Buffer

	mu   sync.Mutex
	wake *sync.Cond
	// control holds writes that go before everything else.
	control []func() error
	// replied holds streams whose HEADERS are to be written.
	replied  []*stream
	streams  map[uint32]*stream
	schedule *scheduler
	// window is what the client lets us send on the connection, firstWindow on a new stream.
	window      int64
	firstWindow int64
	lastStream  uint32
	closed      bool
}

type stream struct {
	id     uint32
	answer Answer
	// request is kept until its body has ended.
	request  Request
	received bool
	// headersSent: from then on the scheduler gives it turns.
	headersSent bool
	rest        []byte
	window      int64
}

var errProtocol = errors.New("the client broke HTTP/2")

// Serve answers the requests of one connection until it ends.
func Serve(c net.Conn, handle Handler) {
	out := bufio.NewWriter(c)
	s := &conn{
		net: c, handle: handle, out: out, framer: http2.NewFramer(out, bufio.NewReader(c)),
		streams: map[uint32]*stream{}, schedule: newScheduler(),
		window: initialWindow, firstWindow: initialWindow,
	}
	s.wake = sync.NewCond(&s.mu)
	s.encoder = hpack.NewEncoder(&s.headerBlock)
	s.framer.ReadMetaHeaders = hpack.NewDecoder(hpackTableBytes, nil)
	s.framer.MaxHeaderListSize = maxHeaderListBytes
	s.control = append(s.control, s.writeSettings)

	var writer sync.WaitGroup
	writer.Go(s.write)
	// An error ends the connection; there is nobody to tell.
	_ = s.read()
	s.close()
	writer.Wait()
}

// close ends the connection and aborts what is unfinished.
func (s *conn) close() {
	s.mu.Lock()
	unfinished := s.streams
	s.streams = map[uint32]*stream{}
	s.closed = true
	s.wake.Broadcast()
	s.mu.Unlock()
	_ = s.net.Close()
	for _, stream := range unfinished {
		stream.abort()
	}
}

func (t *stream) abort() {
	if t.answer.Aborted != nil {
		t.answer.Aborted()
	}
}
