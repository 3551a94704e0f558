package warc

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httputil"
	"net/textproto"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// Response is the HTTP message inside a response record.
type Response struct {
	Status int
	// Header has canonical names. Lines that no HTTP server could send are left out: recorders keep them, HTTP/2 forbids them.
	Header http.Header
	// Body is without chunked framing but still in the recorded Content-Encoding.
	Body []byte
}

var errNoResponse = errors.New("the block holds no HTTP response head")

// ParseResponse reads the block of a response record.
func ParseResponse(block []byte) (*Response, error) {
	head, body, found := bytes.Cut(block, []byte("\r\n\r\n"))
	if !found {
		return nil, errNoResponse
	}
	lines := strings.Split(string(head), "\r\n")
	version, rest, _ := strings.Cut(lines[0], " ")
	code, _, _ := strings.Cut(rest, " ")
	status, err := strconv.Atoi(code)
	if !strings.HasPrefix(version, "HTTP/") || err != nil || status < 100 || status > 599 {
		return nil, errNoResponse
	}
	header := http.Header{}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if httpguts.ValidHeaderFieldName(name) && httpguts.ValidHeaderFieldValue(value) {
			header.Add(textproto.CanonicalMIMEHeaderKey(name), value)
		}
	}
	if strings.EqualFold(header.Get("Transfer-Encoding"), "chunked") {
		body = unchunk(body)
	}
	return &Response{Status: status, Header: header, Body: body}, nil
}

// unchunk removes chunked framing (RFC 9112, 7.1). Some recorders store the decoded body and leave the field: then it is taken as it is.
func unchunk(body []byte) []byte {
	decoded, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(body)))
	if err != nil {
		return body
	}
	return decoded
}
