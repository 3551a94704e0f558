package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// maxFileBytes keeps a mistyped size from being served for days.
const maxFileBytes = 1 << 40

// serveFilesCommand is an HTTP/1.1 server of files that it does not have: /N is N bytes, each a function of its offset, so that bytes at a wrong
// place are other bytes. Ranges and validators are answered (RFC 9110, 13 and 14).
func serveFilesCommand(arguments []string) error {
	options := flag.NewFlagSet("serve-files", flag.ContinueOnError)
	port := options.String("port", "", "TCP port")
	congestion := options.String("congestion", "", "congestion control; empty: the machine's")
	if err := options.Parse(arguments); err != nil {
		return err
	}
	number, err := parsePort(*port)
	if err != nil {
		return err
	}
	listener, err := listen(net.JoinHostPort("", strconv.Itoa(number)), *congestion)
	if err != nil {
		return err
	}
	return http.Serve(listener, http.HandlerFunc(serveFile))
}

func serveFile(w http.ResponseWriter, r *http.Request) {
	size, err := parseSize(strings.TrimPrefix(r.URL.Path, "/"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("ETag", fmt.Sprintf(`"%d"`, size))
	http.ServeContent(w, r, "", time.Time{}, &madeFile{size: size})
}

func parseSize(text string) (int64, error) {
	size, err := strconv.ParseInt(text, 10, 64)
	if err != nil || size < 0 || size > maxFileBytes {
		return 0, fmt.Errorf("%q is no size in bytes", text)
	}
	return size, nil
}

// digest is a line of the output: what a file has to be.
type digest struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

func digestCommand(arguments []string) error {
	options := flag.NewFlagSet("digest", flag.ContinueOnError)
	bytes := options.String("bytes", "", "size of the file")
	if err := options.Parse(arguments); err != nil {
		return err
	}
	size, err := parseSize(*bytes)
	if err != nil {
		return err
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, &madeFile{size: size}); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(digest{size, hex.EncodeToString(hash.Sum(nil))})
}

// madeFile has a word of eight bytes, little endian, for each number of a word (mix).
type madeFile struct{ size, at int64 }

const wordBytes = 8

func (f *madeFile) Read(into []byte) (int, error) {
	if f.at >= f.size {
		return 0, io.EOF
	}
	into = into[:min(int64(len(into)), f.size-f.at)]
	var word [wordBytes]byte
	for done := 0; done < len(into); {
		binary.LittleEndian.PutUint64(word[:], mix(uint64(f.at/wordBytes)))
		copied := copy(into[done:], word[f.at%wordBytes:])
		done += copied
		f.at += int64(copied)
	}
	return len(into), nil
}

func (f *madeFile) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.at
	case io.SeekEnd:
		offset += f.size
	}
	if offset < 0 {
		return 0, errors.New("before the file's beginning")
	}
	f.at = offset
	return offset, nil
}

// mix is the output function of SplitMix64 (Steele, Lea and Flood 2014).
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
