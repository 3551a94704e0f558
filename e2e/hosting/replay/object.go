package replay

import (
	"net/http"
	"time"

	"firstscreen/e2e/hosting/warc"
)

// Object is one recorded response, ready to be served.
type Object struct {
	// URL as recorded.
	URL         string
	Status      int
	ContentType string
	// RecordedBytes is the size of the recorded body in its recorded coding.
	RecordedBytes int

	header http.Header
	// recorded is when; zero where the response did not say.
	recorded time.Time
	identity []byte
	// gzip is nil when the object is served in identity coding only.
	gzip []byte
	// coding is set when the body could not be decoded and is served as recorded.
	coding string
	// namesPlain: the text names http: subresources of recorded hosts.
	namesPlain bool
	// upgrade: over TLS the document is served with the policy upgrade-insecure-requests.
	upgrade bool
}

// ServedBytes is the size of the body that a browser gets.
func (o *Object) ServedBytes() int {
	if o.gzip != nil {
		return len(o.gzip)
	}
	return len(o.identity)
}

// newObject decodes, rewrites and compresses once, at load: work done at the first request would count as the server's think time.
func newObject(url string, path string, recorded *warc.Response, protocol Protocol, isRecorded func(host string) bool) *Object {
	scheme := protocol.scheme()
	o := &Object{
		URL:           url,
		Status:        recorded.Status,
		RecordedBytes: len(recorded.Body),
		header:        servedHeader(recorded.Header, scheme, isRecorded),
	}
	// Without a date that can be read it stays zero.
	o.recorded, _ = http.ParseTime(recorded.Header.Get("Date"))
	coding := recorded.Header.Get("Content-Encoding")
	body, err := decode(recorded.Body, coding)
	if err != nil {
		o.identity, o.coding = recorded.Body, coding
		o.ContentType = contentType(recorded.Header.Get("Content-Type"), path, nil)
		return o
	}
	o.identity = body
	o.ContentType = contentType(recorded.Header.Get("Content-Type"), path, body)
	if !isText(o.ContentType) {
		return o
	}
	if scheme == "http" {
		o.identity = toPlainHTTP(body, isDocument(o.ContentType), isRecorded)
	}
	o.namesPlain = namesPlainSubresources(o.identity, isDocument(o.ContentType), isRecorded)
	o.gzip = compress(o.identity)
	return o
}
