// Package pagetest makes small recorded pages for tests.
package pagetest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// Object is one response to record.
type Object struct {
	URL, ContentType string
	Body             []byte
}

// WARC writes objects as a plain WARC file and answers its path.
func WARC(t *testing.T, objects ...Object) string {
	t.Helper()
	var content bytes.Buffer
	for _, o := range objects {
		block := fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n%s", o.ContentType, o.Body)
		fmt.Fprintf(&content, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", o.URL, len(block), block)
	}
	path := filepath.Join(t.TempDir(), "test.warc")
	if err := os.WriteFile(path, content.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Noise is a body that does not compress, the same for the same seed.
func Noise(size int, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, seed))
	body := make([]byte, size)
	for i := range body {
		body[i] = byte(random.Uint32())
	}
	return body
}
