package warc

import (
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// makeRecord is one response record with a correct digest.
func makeRecord(uri, block string) []byte {
	sum := sha1.Sum([]byte(block))
	return fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Block-Digest: sha1:%s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		uri, base32.StdEncoding.EncodeToString(sum[:]), len(block), block)
}

func gzipped(parts ...[]byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	for _, part := range parts {
		_, _ = w.Write(part)
	}
	_ = w.Close()
	return out.Bytes()
}

func readAll(content []byte) ([]*Record, error) {
	reader := NewReader("test.warc", bytes.NewReader(content))
	var records []*Record
	for {
		record, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return records, nil
		}
		if err != nil {
			return records, err
		}
		records = append(records, record)
	}
}

var (
	first  = makeRecord("http://a.test/", "HTTP/1.1 200 OK\r\n\r\nfirst body")
	second = makeRecord("<http://b.test/x>", "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\n\r\nsecond")
)

func TestReadsEveryFormOfTheSameRecords(t *testing.T) {
	memberA, memberB := gzipped(first), gzipped(second)
	forms := map[string]struct {
		content []byte
		offset  int64
	}{
		"plain":             {append(bytes.Clone(first), second...), int64(len(first))},
		"a member a record": {append(bytes.Clone(memberA), memberB...), int64(len(memberA))},
		"gzip as a whole":   {gzipped(first, second), 0},
		"bare line feeds":   {bytes.ReplaceAll(first, []byte("http://a.test/\r\n"), []byte("http://a.test/\n")), 0},
	}
	for name, form := range forms {
		records, err := readAll(form.content)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		last := records[len(records)-1]
		if len(records) == 2 && (last.TargetURI != "http://b.test/x" || last.Offset != form.offset || last.Number != 2) {
			t.Errorf("%s: second record is %q at %d, want offset %d", name, last.TargetURI, last.Offset, form.offset)
		}
		if !strings.HasSuffix(string(records[0].Block), "first body") {
			t.Errorf("%s: first block is %q", name, records[0].Block)
		}
	}
}

// Every prefix of a file either ends where a record (or its gzip member) ends, or gives exactly one error that says truncated.
func TestEveryCutIsTruncated(t *testing.T) {
	for name, parts := range map[string][][]byte{
		"plain":             {first, second},
		"a member a record": {gzipped(first), gzipped(second)},
		"gzip as a whole":   {gzipped(first, second)},
	} {
		whole := bytes.Join(parts, nil)
		for cut := range whole {
			wantNumber, boundary := recordAt(parts, cut)
			records, err := readAll(whole[:cut])
			if boundary {
				if err != nil || len(records) != wantNumber-1 {
					t.Errorf("%s cut at %d, a boundary: %d records, %v", name, cut, len(records), err)
				}
				continue
			}
			var failure *Error
			if !errors.As(err, &failure) || failure.Code != CodeTruncated {
				t.Errorf("%s cut at %d of %d: %v", name, cut, len(whole), err)
				continue
			}
			if len(parts) > 1 && failure.Record != wantNumber {
				t.Errorf("%s cut at %d: record %d, want %d", name, cut, failure.Record, wantNumber)
			}
		}
	}
}

// recordAt answers the number of the record that a cut falls into, and whether nothing of it is there.
func recordAt(parts [][]byte, cut int) (number int, boundary bool) {
	start := 0
	for i, part := range parts {
		if cut < start+len(part) {
			return i + 1, cut == start
		}
		start += len(part)
	}
	return len(parts) + 1, true
}

func TestCorruptContent(t *testing.T) {
	damagedMember := gzipped(second)
	damagedMember[len(damagedMember)-6] ^= 0xff // in the CRC
	noGzip := gzipped(second)
	noGzip[2] = 99 // compression method
	cases := map[string][]byte{
		"no WARC":              []byte("<!DOCTYPE html><p>Not found</p>\r\n"),
		"another version":      []byte("WARC/2.0\r\n\r\n"),
		"no length":            []byte("WARC/1.0\r\nWARC-Type: response\r\n\r\n"),
		"negative length":      []byte("WARC/1.0\r\nContent-Length: -1\r\n\r\n"),
		"length of no number":  []byte("WARC/1.0\r\nContent-Length: 12x\r\n\r\n"),
		"line without a colon": []byte("WARC/1.0\r\nnonsense\r\n\r\n"),
		"endless line":         append([]byte("WARC/1.0\r\nX: "), bytes.Repeat([]byte("x"), maxLineBytes)...),
		"endless header":       append([]byte("WARC/1.0\r\n"), bytes.Repeat([]byte("X: y\r\n"), maxHeaderLines+1)...),
		"length too small":     bytes.Replace(first, []byte("Content-Length: 29"), []byte("Content-Length: 28"), 1),
		"block changed":        bytes.Replace(first, []byte("first body"), []byte("First body"), 1),
		"checksum":             damagedMember,
		"compression method":   noGzip,
	}
	for name, content := range cases {
		_, err := readAll(append(bytes.Clone(second), content...))
		if bytes.HasPrefix(content, []byte{0x1f}) {
			_, err = readAll(append(gzipped(first), content...))
		}
		var failure *Error
		if !errors.As(err, &failure) || failure.Code != CodeCorrupt {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if failure.Record != 2 || failure.Offset == 0 {
			t.Errorf("%s: record %d at %d", name, failure.Record, failure.Offset)
		}
	}
}

func TestHugeLengthTakesNoMemory(t *testing.T) {
	_, err := readAll([]byte("WARC/1.0\r\nContent-Length: 9000000000000000000\r\n\r\nx"))
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != CodeTruncated {
		t.Fatal(err)
	}
}

type brokenDisk struct{}

func (brokenDisk) Read([]byte) (int, error) { return 0, errors.New("input/output error") }

func TestDiskFailureIsNoCorruption(t *testing.T) {
	_, err := NewReader("x", io.MultiReader(bytes.NewReader(first[:40]), brokenDisk{})).Next()
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != CodeOpen {
		t.Fatal(err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(append(bytes.Clone(first), second...))
	f.Add(append(gzipped(first), gzipped(second)...))
	f.Add([]byte("WARC/1.0\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		records, err := readAll(content)
		var failure *Error
		if err != nil && !errors.As(err, &failure) {
			t.Fatalf("an error without a code: %v", err)
		}
		for _, record := range records {
			_, _ = ParseResponse(record.Block)
		}
	})
}
