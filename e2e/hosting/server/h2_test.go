package server

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"net"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"firstscreen/e2e/hosting/replay"
)

// recordReader hands out at most one TLS record per Read, so that when a frame has been read, the count is the end of its last record.
type recordReader struct {
	net.Conn
	bytes int64
	// head collects the header of the next record, left counts what remains of the current one.
	head []byte
	left int
}

func (r *recordReader) Read(p []byte) (int, error) {
	const headerBytes = 5
	want := r.left
	if want == 0 {
		want = headerBytes - len(r.head)
	}
	n, err := r.Conn.Read(p[:min(len(p), want)])
	r.bytes += int64(n)
	if r.left > 0 {
		r.left -= n
		return n, err
	}
	if r.head = append(r.head, p[:n]...); len(r.head) == headerBytes {
		r.left, r.head = int(binary.BigEndian.Uint16(r.head[3:])), nil
	}
	return n, err
}

// h2Client speaks frames, so that tests see every byte.
type h2Client struct {
	*http2.Framer
	raw     *recordReader
	encoder *hpack.Encoder
	block   bytes.Buffer
	nextID  uint32
}

func (b *bed) dialH2(t *testing.T, settings ...http2.Setting) *h2Client {
	t.Helper()
	_, address := b.Addresses()
	tcp, err := net.Dial("tcp", address.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tcp.Close() })
	_ = tcp.SetDeadline(time.Now().Add(10 * time.Second))
	c := &h2Client{raw: &recordReader{Conn: tcp}, nextID: 1}
	secure := tls.Client(c.raw, b.clientTLS("h2"))
	if _, err := secure.Write([]byte(http2.ClientPreface)); err != nil {
		t.Fatal(err)
	}
	c.Framer = http2.NewFramer(secure, secure)
	c.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	c.encoder = hpack.NewEncoder(&c.block)
	if err := c.WriteSettings(settings...); err != nil {
		t.Fatal(err)
	}
	return c
}

// get asks for a path and answers the number of the stream.
func (c *h2Client) get(t *testing.T, path, priority string) uint32 {
	t.Helper()
	c.block.Reset()
	for _, field := range []hpack.HeaderField{
		{Name: ":method", Value: "GET"}, {Name: ":scheme", Value: "https"}, {Name: ":authority", Value: host}, {Name: ":path", Value: path},
		{Name: "priority", Value: priority},
	} {
		_ = c.encoder.WriteField(field)
	}
	id := c.nextID
	c.nextID += 2
	err := c.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: c.block.Bytes(), EndStream: true, EndHeaders: true})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// ends reads until the given streams have ended and answers, in order, which ended and where in the TCP stream.
func (c *h2Client) ends(t *testing.T, streams int) (order []uint32, end map[uint32]int64) {
	t.Helper()
	end = map[uint32]int64{}
	for len(end) < streams {
		frame, err := c.ReadFrame()
		if err != nil {
			t.Fatalf("after %d of %d streams: %v", len(end), streams, err)
		}
		ended := false
		switch f := frame.(type) {
		case *http2.MetaHeadersFrame:
			ended = f.StreamEnded()
		case *http2.DataFrame:
			ended = f.StreamEnded()
			if f.Length > 0 {
				_ = c.WriteWindowUpdate(0, f.Length)
				if !ended {
					_ = c.WriteWindowUpdate(f.StreamID, f.Length)
				}
			}
		case *http2.RSTStreamFrame, *http2.GoAwayFrame:
			t.Fatalf("%v", f)
		}
		if ended {
			end[frame.Header().StreamID] = c.raw.bytes
			order = append(order, frame.Header().StreamID)
		}
	}
	return order, end
}

func TestStreamEndH2(t *testing.T) {
	for _, window := range []uint32{1000, 65535, 1 << 20} {
		t.Run(fmt.Sprintf("window %d", window), func(t *testing.T) {
			b := start(t, replay.ProtocolH2)
			c := b.dialH2(t, http2.Setting{ID: http2.SettingInitialWindowSize, Val: window})
			url := map[uint32]string{}
			paths := append(b.paths(), "/missing", "/"+fmt.Sprint(sizes[len(sizes)-1])+".jpg?_=2")
			for i, path := range paths {
				priority := []string{"u=3", "u=1, i", "u=5", "i"}[i%4]
				url[c.get(t, path, priority)] = "https://" + host + path
			}
			_, ends := c.ends(t, len(paths))
			log := b.finished(t, len(paths))
			for id, end := range ends {
				if entry := log[url[id]]; entry.StreamEnd == nil || *entry.StreamEnd != end {
					t.Errorf("%s: streamEnd %v, the client had %d", url[id], entry.StreamEnd, end)
				}
			}
		})
	}
}

func TestH2Priorities(t *testing.T) {
	b := start(t, replay.ProtocolH2)
	// Nothing can be sent until all requests are there: the stream windows are empty.
	c := b.dialH2(t, http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0})
	low, middle := c.get(t, "/70000.jpg?_=1", "u=6"), c.get(t, "/70000.jpg?_=2", "u=7")
	high, late := c.get(t, "/16385.jpg", "u=0"), c.get(t, "/16384.jpg", "u=7")
	if err := c.WritePriorityUpdate(late, "u=0"); err != nil {
		t.Fatal(err)
	}
	lowest := c.get(t, "/1.jpg", "u=7")
	if err := c.WritePriority(middle, http2.PriorityParam{Weight: 219}); err != nil {
		t.Fatal(err)
	}
	if err := c.WriteWindowUpdate(0, 1<<20); err != nil {
		t.Fatal(err)
	}
	if err := c.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1 << 20}); err != nil {
		t.Fatal(err)
	}
	order, _ := c.ends(t, 5)
	if want := fmt.Sprint([]uint32{high, late, middle, low, lowest}); fmt.Sprint(order) != want {
		t.Errorf("ended in the order %v, want %s", order, want)
	}
}

func TestH2CancelledRequestIsAborted(t *testing.T) {
	b := start(t, replay.ProtocolH2)
	c := b.dialH2(t, http2.Setting{ID: http2.SettingInitialWindowSize, Val: 10})
	id := c.get(t, "/70000.jpg", "")
	if err := c.WriteRSTStream(id, http2.ErrCodeCancel); err != nil {
		t.Fatal(err)
	}
	for _, entry := range b.finished(t, 1) {
		if !entry.Aborted || entry.StreamEnd != nil {
			t.Errorf("%+v", entry)
		}
	}
	// The connection goes on.
	_ = c.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1000})
	c.get(t, "/100.jpg", "")
	c.ends(t, 1)
}

func TestH2LostConnectionAbortsAll(t *testing.T) {
	b := start(t, replay.ProtocolH2)
	c := b.dialH2(t, http2.Setting{ID: http2.SettingInitialWindowSize, Val: 10})
	c.get(t, "/70000.jpg", "")
	c.get(t, "/300000.jpg", "")
	// Both are answered as far as the windows go.
	for headers := 0; headers < 2; {
		frame, err := c.ReadFrame()
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := frame.(*http2.MetaHeadersFrame); ok {
			headers++
		}
	}
	_ = c.raw.Close()
	for _, entry := range b.finished(t, 2) {
		if !entry.Aborted {
			t.Errorf("%+v", entry)
		}
	}
}

func TestH2BrokenClientLosesItsConnection(t *testing.T) {
	for name, write := range map[string]func(c *h2Client) error{
		"window too large":   func(c *h2Client) error { return c.WriteWindowUpdate(0, 1<<31-1) },
		"even stream number": func(c *h2Client) error { c.nextID = 2; return nil },
		"unknown frame size": func(c *h2Client) error { return c.WriteRawFrame(http2.FramePing, 0, 0, []byte("short")) },
	} {
		b := start(t, replay.ProtocolH2)
		c := b.dialH2(t)
		if err := write(c); err != nil {
			t.Fatal(err)
		}
		c.get(t, "/1.jpg", "")
		for {
			_, err := c.ReadFrame()
			if netErr, ok := err.(net.Error); ok && netErr.Timeout() {
				t.Errorf("%s: the connection stays", name)
			}
			if err != nil {
				break
			}
		}
	}
}
