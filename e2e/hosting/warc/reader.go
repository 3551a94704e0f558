// Package warc reads recorded pages from WARC files (ISO 28500, WARC/1.0 and 1.1): plain, one gzip member per record, or gzip as a whole.
package warc

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"strings"
)

const (
	// maxLineBytes bounds a header line. Long URLs of advertisements reach a few kilobytes; anything near this is no WARC.
	maxLineBytes = 64 << 10
	// maxHeaderLines bounds a record header; ISO 28500 defines 19 fields.
	maxHeaderLines = 256
)

// Record is one WARC record, wholly in memory.
type Record struct {
	// Number counts from 1.
	Number int
	// Offset is described at Error.Offset.
	Offset    int64
	Type      string
	TargetURI string
	Block     []byte
}

// Reader yields the records of one file in order.
type Reader struct {
	file   string
	source *source
	text   *bufio.Reader
	number int
	offset int64
}

// NewReader reads records from r; file is the name that errors carry.
func NewReader(file string, r io.Reader) *Reader {
	s := newSource(r)
	return &Reader{file: file, source: s, text: bufio.NewReaderSize(s, maxLineBytes)}
}

// Next answers the next record, io.EOF after the last, or an *Error. After an error the reader is of no further use.
func (r *Reader) Next() (*Record, error) {
	_, err := r.text.Peek(1)
	if errors.Is(err, io.EOF) {
		return nil, io.EOF
	}
	offset := r.source.offset(r.text.Buffered())
	if err != nil && r.number > 0 && offset == r.offset {
		// The gzip member of the record before is damaged behind the record's last byte.
		return nil, r.fail("its gzip member has no proper end", err)
	}
	r.number++
	r.offset = offset
	if err != nil {
		return nil, r.fail("it cannot be decompressed", err)
	}
	return r.record()
}

func (r *Reader) record() (*Record, error) {
	version, err := r.line()
	if err != nil {
		return nil, r.fail("no version line", err)
	}
	if version != "WARC/1.0" && version != "WARC/1.1" {
		return nil, r.fail(fmt.Sprintf("the record does not begin with WARC/1.0 or WARC/1.1 but with %.40q", version), nil)
	}
	header, err := r.header()
	if err != nil {
		return nil, err
	}
	length, err := strconv.ParseInt(header.Get("Content-Length"), 10, 64)
	if err != nil || length < 0 {
		return nil, r.fail(fmt.Sprintf("Content-Length is %.40q", header.Get("Content-Length")), nil)
	}
	// Not make([]byte, length): a corrupt length must not decide how much memory is taken.
	var block bytes.Buffer
	if _, err := io.CopyN(&block, r.text, length); err != nil {
		return nil, r.fail(fmt.Sprintf("%d of %d bytes of the block are there", block.Len(), length), err)
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	if err := r.verify(header.Get("WARC-Block-Digest"), block.Bytes()); err != nil {
		return nil, err
	}
	return &Record{
		Number: r.number,
		Offset: r.offset,
		Type:   strings.ToLower(header.Get("WARC-Type")),
		// WARC/1.0 writes <uri> in its grammar, and some recorders did.
		TargetURI: strings.Trim(header.Get("WARC-Target-URI"), "<>"),
		Block:     block.Bytes(),
	}, nil
}

// header reads named fields up to the empty line; a line that begins with white space continues the field before (ISO 28500, 4).
func (r *Reader) header() (textproto.MIMEHeader, error) {
	header := textproto.MIMEHeader{}
	last := ""
	for range maxHeaderLines {
		line, err := r.line()
		if err != nil {
			return nil, r.fail("the header has no end", err)
		}
		if line == "" {
			return header, nil
		}
		if last != "" && (line[0] == ' ' || line[0] == '\t') {
			values := header[last]
			values[len(values)-1] += " " + strings.TrimSpace(line)
			continue
		}
		name, value, found := strings.Cut(line, ":")
		if !found {
			return nil, r.fail(fmt.Sprintf("header line without a colon: %.40q", line), nil)
		}
		last = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))
		header[last] = append(header[last], strings.TrimSpace(value))
	}
	return nil, r.fail(fmt.Sprintf("more than %d header lines", maxHeaderLines), nil)
}

// line reads one line without its end. ISO 28500 wants CRLF; a bare LF is taken too, as every WARC tool does.
func (r *Reader) line() (string, error) {
	line, err := r.text.ReadSlice('\n')
	if err != nil {
		return "", err
	}
	return string(bytes.TrimRight(line, "\r\n")), nil
}

// end reads the two CRLF that close every record. They are how a cut at the end of a block is noticed.
func (r *Reader) end() error {
	var closing [4]byte
	if _, err := io.ReadFull(r.text, closing[:]); err != nil {
		return r.fail("the record is not closed", err)
	}
	if string(closing[:]) != "\r\n\r\n" {
		return r.fail(fmt.Sprintf("the block is followed by %q instead of two line ends", closing), nil)
	}
	return nil
}

// verify checks a SHA-1 block digest in base 32, which all common recorders write; other forms are not checked.
func (r *Reader) verify(digest string, block []byte) error {
	algorithm, want, _ := strings.Cut(digest, ":")
	if !strings.EqualFold(algorithm, "sha1") || len(want) != base32.StdEncoding.EncodedLen(sha1.Size) {
		return nil
	}
	sum := sha1.Sum(block)
	if got := base32.StdEncoding.EncodeToString(sum[:]); !strings.EqualFold(got, want) {
		return r.fail(fmt.Sprintf("the block has the digest sha1:%s, its header says %.60s", got, digest), nil)
	}
	return nil
}

// fail makes the one error of this file. What ended too early is truncated, everything else is corrupt.
func (r *Reader) fail(reason string, cause error) error {
	code := CodeCorrupt
	var system *systemError
	switch {
	case errors.As(cause, &system):
		code = CodeOpen
	case errors.Is(cause, io.EOF), errors.Is(cause, io.ErrUnexpectedEOF):
		// That the file ended is what the code says already.
		code, cause = CodeTruncated, nil
	}
	return &Error{Code: code, File: r.file, Record: r.number, Offset: r.offset, Reason: reason, Cause: cause}
}
