package replay

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
)

// gzipLevel is zlib's own default, which Apache uses.
const gzipLevel = 6

var errUnknownCoding = errors.New("unknown content coding")

// decode undoes a recorded Content-Encoding (RFC 9110, 8.4), the last applied first.
func decode(body []byte, contentEncoding string) ([]byte, error) {
	codings := strings.Split(contentEncoding, ",")
	for i := len(codings) - 1; i >= 0; i-- {
		var err error
		if body, err = decodeOne(body, strings.ToLower(strings.TrimSpace(codings[i]))); err != nil {
			return nil, fmt.Errorf("content coding %q: %w", codings[i], err)
		}
	}
	return body, nil
}

func decodeOne(body []byte, coding string) ([]byte, error) {
	var from io.Reader
	var err error
	switch coding {
	// "null" and "none" are seen in recordings; browsers ignore codings they do not know.
	case "", "identity", "null", "none":
		return body, nil
	case "gzip", "x-gzip":
		from, err = gzip.NewReader(bytes.NewReader(body))
	case "deflate":
		from, err = zlib.NewReader(bytes.NewReader(body))
	case "br":
		from = brotli.NewReader(bytes.NewReader(body))
	default:
		return nil, errUnknownCoding
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(from)
}

// compress answers the gzip form of a body, or nil when that is not smaller.
func compress(body []byte) []byte {
	var out bytes.Buffer
	// Neither the level nor a write to memory can fail.
	w, _ := gzip.NewWriterLevel(&out, gzipLevel)
	_, _ = w.Write(body)
	_ = w.Close()
	if out.Len() >= len(body) {
		return nil
	}
	return out.Bytes()
}

// acceptsGzip reads Accept-Encoding (RFC 9110, 12.5.3).
func acceptsGzip(acceptEncoding string) bool {
	for item := range strings.SplitSeq(acceptEncoding, ",") {
		coding, parameters, _ := strings.Cut(item, ";")
		if !strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			continue
		}
		weight, hasWeight := strings.CutPrefix(strings.ReplaceAll(parameters, " ", ""), "q=")
		if !hasWeight {
			return true
		}
		q, err := strconv.ParseFloat(weight, 64)
		return err == nil && q > 0
	}
	return false
}
