// Package replay serves recorded pages: which recorded response answers a request, and what of it is changed. It is pure but for reading the file.
package replay

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"firstscreen/e2e/hosting/warc"
)

// Page is one recorded page, ready to be served. It does not change.
type Page struct {
	Name     string
	Protocol Protocol
	// EntryURL is where a browser is to be sent.
	EntryURL string
	// Hosts in the order in which they were first recorded.
	Hosts []string
	// Objects in recorded order.
	Objects []*Object

	index    index
	notFound *Object
}

// recording is a response before it is made ready.
type recording struct {
	url      string
	address  Address
	response *warc.Response
}

// Load reads the page recorded in a WARC file. All errors are *warc.Error.
func Load(path string, protocol Protocol) (*Page, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, &warc.Error{Code: warc.CodeOpen, File: path, Reason: "the file cannot be opened", Cause: err}
	}
	defer file.Close()
	recordings, err := readRecordings(path, file)
	if err != nil {
		return nil, err
	}
	if len(recordings) == 0 {
		return nil, &warc.Error{Code: warc.CodeNoEntry, File: path, Reason: "it holds no response to an http or https URL"}
	}
	name, _, _ := strings.Cut(filepath.Base(path), ".warc")
	return newPage(name, protocol, recordings), nil
}

// readRecordings answers the servable responses in order; the first is the entry.
func readRecordings(path string, from io.Reader) ([]recording, error) {
	var list []recording
	reader := warc.NewReader(path, from)
	for {
		record, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		if record.Type != "response" {
			continue
		}
		address, isHTTP := ParseAddress(record.TargetURI)
		if !isHTTP {
			// dns: records, and what recorders store under schemes of their own.
			continue
		}
		response, err := warc.ParseResponse(record.Block)
		if err != nil {
			return nil, &warc.Error{
				Code: warc.CodeCorrupt, File: path, Record: record.Number, Offset: record.Offset,
				Reason: "the response to " + record.TargetURI + " is not HTTP", Cause: err,
			}
		}
		if servable(record.TargetURI, address, response) {
			list = append(list, recording{record.TargetURI, address, response})
		}
	}
}

// servable leaves out what answers no first request: confirmations and parts of something the recording browser had already, and
// redirects that only change the scheme, which would loop because both schemes are served alike.
func servable(recordedURL string, address Address, response *warc.Response) bool {
	switch {
	case response.Status < 200, response.Status == http.StatusNotModified, response.Status == http.StatusPartialContent:
		return false
	case response.Status/100 == 3:
		return redirectTarget(recordedURL, response.Header.Get("Location")) != address
	}
	return true
}

// redirectTarget resolves a Location field (RFC 9110, 10.2.2); the zero Address when that is impossible.
func redirectTarget(base, location string) Address {
	from, err := url.Parse(base)
	if err != nil {
		return Address{}
	}
	to, err := from.Parse(location)
	if err != nil {
		return Address{}
	}
	address, _ := ParseAddress(to.String())
	return address
}

func newPage(name string, protocol Protocol, recordings []recording) *Page {
	known := map[string]bool{}
	page := &Page{Name: name, Protocol: protocol, index: index{}}
	for _, r := range recordings {
		if !known[r.address.Host] {
			known[r.address.Host] = true
			page.Hosts = append(page.Hosts, r.address.Host)
		}
	}
	isRecorded := func(host string) bool { return known[host] }
	objects := prepare(recordings, protocol, isRecorded)
	for i, r := range recordings {
		page.index.add(r.address, objects[i])
	}
	for i, r := range recordings {
		// Only what can be reached; an address recorded twice is served in one form.
		if found, _ := page.index.find(r.address); found == objects[i] {
			page.Objects = append(page.Objects, objects[i])
		}
	}
	page.requireUpgrades()
	page.EntryURL = entryURL(recordings[0].url, protocol)
	page.notFound = newObject("", "", &warc.Response{
		Status: http.StatusNotFound,
		Header: http.Header{"Content-Type": {notFoundType}},
		Body:   []byte(notFoundBody),
	}, protocol, isRecorded)
	return page
}

// requireUpgrades gives every document the policy when the page names http: subresources anywhere: a document's policy decides about its
// scripts' and style sheets' requests, too.
func (p *Page) requireUpgrades() {
	names := func(o *Object) bool { return o.namesPlain }
	if !slices.ContainsFunc(p.Objects, names) {
		return
	}
	for _, o := range p.Objects {
		o.upgrade = isDocument(o.ContentType)
	}
}

// prepare makes all objects ready, on all processors: compressing the largest page takes a second on one.
func prepare(recordings []recording, protocol Protocol, isRecorded func(host string) bool) []*Object {
	objects := make([]*Object, len(recordings))
	var group sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, r := range recordings {
		slots <- struct{}{}
		group.Go(func() {
			objects[i] = newObject(r.url, r.address.Path, r.response, protocol, isRecorded)
			<-slots
		})
	}
	group.Wait()
	return objects
}

// entryURL is the recorded URL with the scheme that the protocol wants.
func entryURL(recorded string, protocol Protocol) string {
	scheme := protocol.scheme()
	if scheme == "" {
		return recorded
	}
	_, rest, _ := strings.Cut(recorded, "://")
	return scheme + "://" + rest
}

// KnowsHost says whether anything was recorded from a host.
func (p *Page) KnowsHost(host string) bool { return slices.Contains(p.Hosts, host) }
