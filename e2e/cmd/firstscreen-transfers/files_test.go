package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

func fetch(t *testing.T, path string, fields map[string]string) *http.Response {
	t.Helper()
	request := httptest.NewRequest(http.MethodGet, path, nil)
	for name, value := range fields {
		request.Header.Set(name, value)
	}
	recorder := httptest.NewRecorder()
	serveFile(recorder, request)
	return recorder.Result()
}

func body(t *testing.T, response *http.Response) []byte {
	t.Helper()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestRangesAreOfTheFile(t *testing.T) {
	whole := fetch(t, "/100003", nil)
	all := body(t, whole)
	if whole.StatusCode != http.StatusOK || len(all) != 100_003 || whole.Header.Get("Accept-Ranges") != "bytes" {
		t.Fatalf("%d, %d bytes, %v", whole.StatusCode, len(all), whole.Header)
	}
	etag := whole.Header.Get("ETag")
	part := fetch(t, "/100003", map[string]string{"Range": "bytes=1001-70002", "If-Range": etag})
	if got := body(t, part); part.StatusCode != http.StatusPartialContent || !bytes.Equal(got, all[1001:70003]) {
		t.Errorf("%d, %d bytes", part.StatusCode, len(got))
	}
	if other := fetch(t, "/100003", map[string]string{"Range": "bytes=0-9", "If-Range": `"other"`}); other.StatusCode != http.StatusOK {
		t.Errorf("another file's range: %d", other.StatusCode)
	}
}

func TestBytesDifferFromPlaceToPlace(t *testing.T) {
	all := body(t, fetch(t, "/65536", nil))
	seen := map[string]bool{}
	for at := 0; at < len(all); at += 16 {
		seen[string(all[at:at+16])] = true
	}
	if len(seen) != len(all)/16 {
		t.Errorf("%d of %d pieces are like others", len(all)/16-len(seen), len(all)/16)
	}
}

func TestWhatIsNoSizeIsNotThere(t *testing.T) {
	for _, path := range []string{"/", "/x", "/-1", "/99999999999999999999"} {
		if response := fetch(t, path, nil); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", path, response.StatusCode)
		}
	}
}
