package h2

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"golang.org/x/net/http2"
)

// hpackTableBytes is the size of the header table of requests (RFC 9113, 6.5.2).
const hpackTableBytes = 4096

// read takes frames until the connection ends or the client breaks the protocol.
func (s *conn) read() error {
	preface := make([]byte, len(http2.ClientPreface))
	if _, err := io.ReadFull(s.net, preface); err != nil {
		return err
	}
	if !bytes.Equal(preface, []byte(http2.ClientPreface)) {
		return errProtocol
	}
	for {
		frame, err := s.framer.ReadFrame()
		var streamError http2.StreamError
		if errors.As(err, &streamError) {
			s.reset(streamError.StreamID, streamError.Code)
			continue
		}
		if err != nil {
			return err
		}
		if err := s.take(frame); err != nil {
			return err
		}
	}
}

func (s *conn) take(frame http2.Frame) error {
	switch f := frame.(type) {
	case *http2.MetaHeadersFrame:
		return s.takeHeaders(f)
	case *http2.DataFrame:
		return s.takeData(f)
	case *http2.SettingsFrame:
		return s.takeSettings(f)
	case *http2.WindowUpdateFrame:
		return s.takeWindow(f)
	case *http2.RSTStreamFrame:
		s.cancel(f.StreamID)
	case *http2.PriorityUpdateFrame:
		s.takePriority(f)
	case *http2.PriorityFrame:
		s.mu.Lock()
		s.schedule.urge(f.StreamID, legacyUrgency(f.Weight))
		s.mu.Unlock()
	case *http2.PingFrame:
		if !f.IsAck() {
			data := f.Data
			s.send(func() error { return s.framer.WritePing(true, data) })
		}
	}
	return nil
}

func (s *conn) takeHeaders(f *http2.MetaHeadersFrame) error {
	s.mu.Lock()
	known := s.streams[f.StreamID]
	switch {
	case known != nil:
		// Trailers: of no interest, but they end the request.
		s.mu.Unlock()
		s.dispatch(known)
		return nil
	case f.StreamID%2 == 0 || f.StreamID <= s.lastStream:
		s.mu.Unlock()
		return errProtocol
	}
	s.lastStream = f.StreamID
	full := len(s.streams) >= maxConcurrentStreams
	stream := &stream{id: f.StreamID, request: newRequest(f), window: s.firstWindow}
	if !full {
		s.streams[stream.id] = stream
	}
	s.mu.Unlock()
	if full {
		s.reset(f.StreamID, http2.ErrCodeRefusedStream)
	} else if f.StreamEnded() {
		s.dispatch(stream)
	}
	return nil
}

func newRequest(f *http2.MetaHeadersFrame) Request {
	request := Request{
		Method: f.PseudoValue("method"), Authority: f.PseudoValue("authority"), Path: f.PseudoValue("path"), Header: http.Header{},
	}
	for _, field := range f.RegularFields() {
		request.Header.Add(field.Name, field.Value)
	}
	return request
}

// dispatch hands a request over whose body has ended.
func (s *conn) dispatch(stream *stream) {
	if stream.received {
		return
	}
	stream.received = true
	answer := s.handle(stream.request)
	s.mu.Lock()
	defer s.mu.Unlock()
	stream.answer = answer
	stream.rest = answer.Body
	s.replied = append(s.replied, stream)
	s.schedule.add(stream.id, ParsePriority(stream.request.Header.Get("Priority")))
	s.wake.Signal()
}

// takeData discards a request body and gives its room back at once.
func (s *conn) takeData(f *http2.DataFrame) error {
	if size := f.Length; size > 0 {
		s.send(func() error { return s.framer.WriteWindowUpdate(0, size) })
		if !f.StreamEnded() {
			id := f.StreamID
			s.send(func() error { return s.framer.WriteWindowUpdate(id, size) })
		}
	}
	s.mu.Lock()
	stream := s.streams[f.StreamID]
	s.mu.Unlock()
	if stream != nil && f.StreamEnded() {
		s.dispatch(stream)
	}
	return nil
}

func (s *conn) takeSettings(f *http2.SettingsFrame) error {
	if f.IsAck() {
		return nil
	}
	apply := []func(){}
	err := f.ForeachSetting(func(setting http2.Setting) error {
		if err := setting.Valid(); err != nil {
			return err
		}
		switch setting.ID {
		case http2.SettingInitialWindowSize:
			return s.changeFirstWindow(int64(setting.Val))
		case http2.SettingHeaderTableSize:
			apply = append(apply, func() { s.encoder.SetMaxDynamicTableSizeLimit(setting.Val) })
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.send(func() error {
		for _, change := range apply {
			change()
		}
		return s.framer.WriteSettingsAck()
	})
	return nil
}

// changeFirstWindow moves the windows of open streams too (RFC 9113, 6.9.2).
func (s *conn) changeFirstWindow(size int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, stream := range s.streams {
		if stream.window += size - s.firstWindow; stream.window > maxWindow {
			return errProtocol
		}
	}
	s.firstWindow = size
	s.wake.Signal()
	return nil
}

func (s *conn) takeWindow(f *http2.WindowUpdateFrame) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	window := &s.window
	if f.StreamID != 0 {
		stream, open := s.streams[f.StreamID]
		if !open {
			return nil
		}
		window = &stream.window
	}
	if *window += int64(f.Increment); *window > maxWindow {
		return errProtocol
	}
	s.wake.Signal()
	return nil
}

// takePriority takes a new priority of a stream that is open or to come; what is over has none.
func (s *conn) takePriority(f *http2.PriorityUpdateFrame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.streams[f.PrioritizedStreamID] != nil || f.PrioritizedStreamID > s.lastStream {
		s.schedule.update(f.PrioritizedStreamID, ParsePriority(f.Priority))
	}
}

// cancel forgets a stream that the client gave up.
func (s *conn) cancel(id uint32) {
	s.mu.Lock()
	stream, open := s.streams[id]
	s.forget(id)
	s.mu.Unlock()
	if open {
		stream.abort()
	}
}

// reset ends a stream for a reason of ours.
func (s *conn) reset(id uint32, code http2.ErrCode) {
	s.cancel(id)
	s.send(func() error { return s.framer.WriteRSTStream(id, code) })
}

// forget is called with the lock held.
func (s *conn) forget(id uint32) {
	delete(s.streams, id)
	s.schedule.remove(id)
}

// send queues a write that goes before all responses.
func (s *conn) send(write func() error) {
	s.mu.Lock()
	s.control = append(s.control, write)
	s.wake.Signal()
	s.mu.Unlock()
}
