package warc

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
)

// systemError is a failure of the disk rather than of the content.
type systemError struct{ error }

func (e *systemError) Unwrap() error { return e.error }

// counter counts what was taken from the file and marks its errors as the system's.
type counter struct {
	from io.Reader
	n    int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &systemError{err}
	}
	return n, err
}

// source is the uncompressed content of a file. It never returns bytes of two gzip members in one Read, so the reader above, which asks
// for more only when its buffer is empty, always knows in which member a record began.
type source struct {
	counter *counter
	raw     *bufio.Reader
	member  *gzip.Reader
	// memberStart is the offset of the current member in the file.
	memberStart int64
	started     bool
	plain       bool
}

func newSource(r io.Reader) *source {
	c := &counter{from: r}
	return &source{counter: c, raw: bufio.NewReader(c)}
}

func (s *source) Read(p []byte) (int, error) {
	if !s.started {
		magic, _ := s.raw.Peek(2)
		s.plain = len(magic) > 0 && magic[0] != 0x1f
		s.started = true
	}
	if s.plain {
		return s.raw.Read(p)
	}
	for {
		if s.member == nil {
			if err := s.open(); err != nil {
				return 0, err
			}
		}
		n, err := s.member.Read(p)
		if errors.Is(err, io.EOF) {
			s.member, err = nil, nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// open begins the next gzip member, or answers io.EOF when the file ends where a member ended.
func (s *source) open() error {
	s.memberStart = s.position()
	if _, err := s.raw.Peek(1); err != nil {
		return err
	}
	member, err := gzip.NewReader(s.raw)
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	if err != nil {
		return err
	}
	member.Multistream(false)
	s.member = member
	return nil
}

func (s *source) position() int64 { return s.counter.n - int64(s.raw.Buffered()) }

// offset answers where a record begins of which ahead bytes were read already.
func (s *source) offset(ahead int) int64 {
	if s.plain {
		return s.position() - int64(ahead)
	}
	return s.memberStart
}
