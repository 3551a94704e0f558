package server

import (
	"net/http"
	"sync"

	"firstscreen/e2e/hosting/replay"
	"firstscreen/e2e/link/clock"
)

// Entry is one request in the log, in the form of docs/testbed.md. Times are CLOCK_MONOTONIC nanoseconds, the clock of the link's report.
type Entry struct {
	ID          uint64            `json:"id"`
	StartNs     int64             `json:"startNs"`
	EndNs       *int64            `json:"endNs"`
	Client      string            `json:"client"`
	Server      string            `json:"server"`
	Protocol    string            `json:"protocol"`
	TLS         bool              `json:"tls"`
	Method      string            `json:"method"`
	URL         string            `json:"url"`
	RecordedURL *string           `json:"recordedUrl"`
	Match       replay.Match      `json:"match"`
	Status      int               `json:"status"`
	ContentType string            `json:"contentType"`
	BodyBytes   int               `json:"bodyBytes"`
	StreamEnd   *int64            `json:"streamEnd"`
	Headers     map[string]string `json:"headers"`
	Aborted     bool              `json:"aborted"`
}

// Name is a question for a host's address, in the form of docs/testbed.md.
type Name struct {
	Ns     int64  `json:"ns"`
	Client string `json:"client"`
	Name   string `json:"name"`
}

// requestLog holds the requests, and the questions for names, since the last clearing.
type requestLog struct {
	mu      sync.Mutex
	lastID  uint64
	entries []*Entry
	names   []Name
}

func (l *requestLog) asked(client, host string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.names = append(l.names, Name{Ns: clock.MonotonicNs(), Client: client, Name: host})
}

// begin enters a request; the entry is changed by finish and abort only.
func (l *requestLog) begin(entry Entry) *Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lastID++
	entry.ID = l.lastID
	entry.StartNs = clock.MonotonicNs()
	l.entries = append(l.entries, &entry)
	return &entry
}

// finish notes that the last byte of the answer is streamEnd bytes into the TCP stream.
func (l *requestLog) finish(entry *Entry, streamEnd int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := clock.MonotonicNs()
	entry.EndNs, entry.StreamEnd = &now, &streamEnd
}

func (l *requestLog) abort(entry *Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := clock.MonotonicNs()
	entry.EndNs, entry.Aborted = &now, true
}

func (l *requestLog) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries, l.names = nil, nil
}

// snapshot copies the log as it is now.
func (l *requestLog) snapshot() []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := make([]Entry, 0, len(l.entries))
	for _, entry := range l.entries {
		list = append(list, *entry)
	}
	return list
}

func (l *requestLog) askedNames() []Name {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Name{}, l.names...) // never null in JSON
}

// loggedFields are the request fields that say why and how urgently a browser asked.
var loggedFields = map[string][]string{
	"priority":     {"Priority"},
	"purpose":      {"Sec-Purpose", "Purpose"},
	"secFetchDest": {"Sec-Fetch-Dest"},
	"referer":      {"Referer"},
}

func logged(header http.Header) map[string]string {
	found := map[string]string{}
	for name, fields := range loggedFields {
		for _, field := range fields {
			if value := header.Get(field); value != "" && found[name] == "" {
				found[name] = value
			}
		}
	}
	return found
}
