package h2

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// unit is the least that is written between two decisions.
type unit struct {
	write func() error
	// ended is the stream whose last byte this unit holds.
	ended *stream
	// flush: a DATA frame goes out before the next decision is taken, so that it is taken as late as possible.
	flush bool
}

// write sends until the connection ends.
func (s *conn) write() {
	for {
		unit, ok := s.next()
		if !ok {
			return
		}
		err := unit.write()
		if err == nil && (unit.flush || unit.ended != nil || s.idle()) {
			// Flushed before it is counted: what lies in the buffer is not in the TCP stream yet.
			err = s.out.Flush()
		}
		switch {
		case err != nil:
			// Ends the reader, which closes. A stream already taken off the table is aborted here.
			_ = s.net.Close()
			if unit.ended != nil {
				unit.ended.abort()
			}
			return
		case unit.ended != nil:
			unit.ended.answer.Sent()
		}
	}
}

// next waits for something to write and answers false when the connection is closed.
func (s *conn) next() (unit, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case s.closed:
			return unit{}, false
		case len(s.control) > 0:
			write := s.control[0]
			s.control = s.control[1:]
			return unit{write: write}, true
		case len(s.replied) > 0:
			stream := s.replied[0]
			s.replied = s.replied[1:]
			if _, open := s.streams[stream.id]; !open {
				continue
			}
			return s.headersUnit(stream), true
		}
		if id, ok := s.schedule.next(s.canSend); ok {
			return s.dataUnit(s.streams[id]), true
		}
		s.wake.Wait()
	}
}

func (s *conn) canSend(id uint32) bool {
	stream := s.streams[id]
	return stream != nil && stream.headersSent && s.window > 0 && stream.window > 0
}

// idle says that nothing waits that could share a packet with what is in the buffer.
func (s *conn) idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.control) > 0 || len(s.replied) > 0 {
		return false
	}
	for id := range s.streams {
		if s.canSend(id) {
			return false
		}
	}
	return true
}

// headersUnit is called with the lock held.
func (s *conn) headersUnit(stream *stream) unit {
	stream.headersSent = true
	answer := stream.answer
	if len(answer.Body) > 0 {
		return unit{write: func() error { return s.writeHeaders(stream.id, answer, false) }}
	}
	s.forget(stream.id)
	return unit{write: func() error { return s.writeHeaders(stream.id, answer, true) }, ended: stream}
}

// dataUnit is called with the lock held. It takes what it writes out of the windows.
func (s *conn) dataUnit(stream *stream) unit {
	size := int(min(int64(len(stream.rest)), int64(dataFrameBytes), s.window, stream.window))
	chunk := stream.rest[:size]
	stream.rest = stream.rest[size:]
	stream.window -= int64(size)
	s.window -= int64(size)
	last := len(stream.rest) == 0
	u := unit{write: func() error { return s.framer.WriteData(stream.id, last, chunk) }, flush: true}
	if last {
		s.forget(stream.id)
		u.ended = stream
	}
	return u
}

func (s *conn) writeSettings() error {
	return s.framer.WriteSettings(
		http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: maxConcurrentStreams},
		http2.Setting{ID: http2.SettingMaxHeaderListSize, Val: maxHeaderListBytes},
		// Keeps Firefox from building a tree of idle streams (RFC 9218, 2.1). Chromium 156 tells later changes, such as an image that turns
		// out to be in view, in PRIORITY frames all the same; they are honoured, for the stock browser to be at its best.
		http2.Setting{ID: http2.SettingNoRFC7540Priorities, Val: 1},
	)
}

// writeHeaders encodes in the order of writing, as HPACK's state demands, and splits what does not fit one frame.
func (s *conn) writeHeaders(id uint32, answer Answer, last bool) error {
	s.headerBlock.Reset()
	s.field(":status", strconv.Itoa(answer.Status))
	// Sorted, so that the same answers make the same bytes.
	for _, name := range slices.Sorted(maps.Keys(answer.Header)) {
		for _, value := range answer.Header[name] {
			s.field(strings.ToLower(name), value)
		}
	}
	block := s.headerBlock.Bytes()
	first := block[:min(len(block), defaultFrameBytes)]
	rest := block[len(first):]
	err := s.framer.WriteHeaders(http2.HeadersFrameParam{
		StreamID: id, BlockFragment: first, EndStream: last, EndHeaders: len(rest) == 0,
	})
	for err == nil && len(rest) > 0 {
		part := rest[:min(len(rest), defaultFrameBytes)]
		rest = rest[len(part):]
		err = s.framer.WriteContinuation(id, len(rest) == 0, part)
	}
	return err
}

// field writes to memory, which cannot fail.
func (s *conn) field(name, value string) {
	_ = s.encoder.WriteField(hpack.HeaderField{Name: name, Value: value})
}
