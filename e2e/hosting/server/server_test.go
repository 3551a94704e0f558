package server

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/sys/unix"

	"firstscreen/e2e/hosting/authority"
	"firstscreen/e2e/hosting/network"
	"firstscreen/e2e/hosting/pagetest"
	"firstscreen/e2e/hosting/replay"
)

// bed is a server on loopback with a page of objects of many sizes.
type bed struct {
	*Server
	roots   *x509.CertPool
	objects []pagetest.Object
}

const host = "a.test"

// sizes cross the borders of buffers, frames, TLS records and the bound on unsent bytes.
var sizes = []int{0, 1, 100, 4095, 8191, 8192, 8193, 16384, 16385, 70000, 300000}

func start(t *testing.T, protocol replay.Protocol) *bed {
	t.Helper()
	directory := t.TempDir()
	ca, err := authority.Open(directory)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(directory, "ca.pem"))
	if err != nil {
		t.Fatal(err)
	}
	b := &bed{roots: x509.NewCertPool()}
	b.roots.AppendCertsFromPEM(text)
	b.objects = append(b.objects, pagetest.Object{URL: "http://" + host + "/", ContentType: "text/html", Body: []byte("<p>entry</p>")})
	for i, size := range sizes {
		b.objects = append(b.objects, pagetest.Object{
			URL: fmt.Sprintf("http://%s/%d.jpg", host, size), ContentType: "image/jpeg", Body: pagetest.Noise(size, uint64(i)),
		})
	}
	page, err := replay.Load(pagetest.WARC(t, b.objects...), protocol)
	if err != nil {
		t.Fatal(err)
	}
	b.Server, err = Start(Config{
		HTTPAddress: "127.0.0.1:0", HTTPSAddress: "127.0.0.1:0", Congestion: "reno",
		Authority: ca, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	b.SetPage(page)
	return b
}

func (b *bed) clientTLS(alpn ...string) *tls.Config {
	return &tls.Config{RootCAs: b.roots, ServerName: host, NextProtos: alpn}
}

// received counts what a client reads from its socket.
type received struct {
	net.Conn
	bytes int64
}

func (r *received) Read(p []byte) (int, error) {
	n, err := r.Conn.Read(p)
	r.bytes += int64(n)
	return n, err
}

// finished answers the log once no request is unanswered; the server notes an end just after the client has seen it.
func (b *bed) finished(t *testing.T, requests int) map[string]Entry {
	t.Helper()
	for range 200 {
		found := map[string]Entry{}
		for _, entry := range b.Log() {
			if entry.EndNs != nil {
				found[entry.URL] = entry
			}
		}
		if len(found) == requests {
			return found
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("not all of %d requests ended: %+v", requests, b.Log())
	return nil
}

// HTTP/1.1: after each answer the client has read exactly streamEnd bytes, because nothing follows before the next request.
func TestStreamEndHTTP1(t *testing.T) {
	for name, secure := range map[string]bool{"plain": false, "TLS": true} {
		t.Run(name, func(t *testing.T) {
			b := start(t, replay.ProtocolRecorded)
			plainAddress, secureAddress := b.Addresses()
			counted := &received{}
			transport := &http.Transport{
				TLSClientConfig: b.clientTLS("http/1.1"),
				DialContext: func(context.Context, string, string) (net.Conn, error) {
					address := plainAddress
					if secure {
						address = secureAddress
					}
					raw, err := net.Dial("tcp", address.String())
					counted.Conn = raw
					return counted, err
				},
			}
			defer transport.CloseIdleConnections()
			scheme := map[bool]string{false: "http", true: "https"}[secure]
			ends := map[string]int64{}
			for _, path := range append(b.paths(), "/missing") {
				for _, method := range []string{"GET", "HEAD"} {
					url := fmt.Sprintf("%s://%s%s?%s=1301234567", scheme, host, path, method)
					request, _ := http.NewRequest(method, url, nil)
					response, err := transport.RoundTrip(request)
					if err != nil {
						t.Fatal(err)
					}
					if _, err := io.Copy(io.Discard, response.Body); err != nil {
						t.Fatal(err)
					}
					_ = response.Body.Close()
					ends[url] = counted.bytes
				}
			}
			for url, entry := range b.finished(t, len(ends)) {
				if entry.StreamEnd == nil || *entry.StreamEnd != ends[url] {
					t.Errorf("%s: streamEnd %v, the client had %d", url, entry.StreamEnd, ends[url])
				}
				if entry.Protocol != "http/1.1" || entry.TLS != secure || entry.Aborted {
					t.Errorf("%+v", entry)
				}
			}
		})
	}
}

func (b *bed) paths() []string {
	var paths []string
	for _, o := range b.objects {
		paths = append(paths, o.URL[len("http://"+host):])
	}
	return paths
}

func TestH2ServesARealClient(t *testing.T) {
	b := start(t, replay.ProtocolH2)
	_, address := b.Addresses()
	transport := &http2.Transport{
		TLSClientConfig: b.clientTLS(),
		DialTLSContext: func(_ context.Context, _, _ string, config *tls.Config) (net.Conn, error) {
			return tls.Dial("tcp", address.String(), config)
		},
	}
	defer transport.CloseIdleConnections()
	var group sync.WaitGroup
	for _, object := range b.objects {
		for copyNumber := range 5 {
			group.Go(func() {
				url := fmt.Sprintf("https%s?_=%d", object.URL[len("http"):], copyNumber)
				request, _ := http.NewRequest("POST", url, bytes.NewReader(make([]byte, 50000)))
				response, err := transport.RoundTrip(request)
				if err != nil {
					t.Error(url, err)
					return
				}
				defer response.Body.Close()
				body, err := io.ReadAll(response.Body)
				if err != nil || response.StatusCode != 200 || object.ContentType == "image/jpeg" && !bytes.Equal(body, object.Body) {
					t.Errorf("%s: %d, %d bytes, %v", url, response.StatusCode, len(body), err)
				}
			})
		}
	}
	group.Wait()
	for url, entry := range b.finished(t, 5*len(b.objects)) {
		if entry.Protocol != "h2" || entry.StreamEnd == nil {
			t.Errorf("%s: %+v", url, entry)
		}
	}
}

func TestSocketOptionsAreInherited(t *testing.T) {
	b := start(t, replay.ProtocolRecorded)
	address, _ := b.Addresses()
	client, err := net.Dial("tcp", address.String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	raw, err := b.onlyConn(t).Conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	_ = raw.Control(func(fd uintptr) {
		if name, err := unix.GetsockoptString(int(fd), unix.IPPROTO_TCP, unix.TCP_CONGESTION); err != nil || name != "reno" {
			t.Errorf("congestion control %q, %v", name, err)
		}
		if low, err := unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_NOTSENT_LOWAT); err != nil || low != 16<<10 {
			t.Errorf("TCP_NOTSENT_LOWAT %d, %v", low, err)
		}
	})
	if b.Congestion() != "reno" {
		t.Errorf("reported %s", b.Congestion())
	}
}

// onlyConn waits for the server to have accepted the one connection.
func (b *bed) onlyConn(t *testing.T) *conn {
	t.Helper()
	for range 200 {
		b.conns.mu.Lock()
		for c := range b.conns.open {
			b.conns.mu.Unlock()
			return c
		}
		b.conns.mu.Unlock()
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("no connection")
	return nil
}

func TestUnknownCongestionControl(t *testing.T) {
	if _, err := network.ChooseCongestion("nosuch"); err == nil {
		t.Error("taken")
	}
	if name, err := network.ChooseCongestion(""); err != nil || (name != "cubic" && name != "reno") {
		t.Errorf("%q, %v", name, err)
	}
}

func TestResetAndNewPageCloseConnections(t *testing.T) {
	b := start(t, replay.ProtocolRecorded)
	plain, _ := b.Addresses()
	exchange := func(c net.Conn) error {
		_, _ = fmt.Fprintf(c, "GET /1.jpg HTTP/1.1\r\nHost: %s\r\n\r\n", host)
		_ = c.SetReadDeadline(time.Now().Add(2 * time.Second))
		_, err := c.Read(make([]byte, 4096))
		return err
	}
	for name, closing := range map[string]func(){"reset": b.Reset, "page": func() { b.SetPage(b.Page()) }} {
		c, err := net.Dial("tcp", plain.String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := exchange(c); err != nil {
			t.Fatal(name, err)
		}
		b.finished(t, 1)
		closing()
		if len(b.Log()) != 0 {
			t.Errorf("%s: the log is not empty", name)
		}
		if err := exchange(c); err == nil {
			t.Errorf("%s: the connection is still open", name)
		}
	}
}

func TestUnknownServerName(t *testing.T) {
	b := start(t, replay.ProtocolH2)
	_, address := b.Addresses()
	config := b.clientTLS("h2")
	config.ServerName = "b.test"
	if c, err := tls.Dial("tcp", address.String(), config); err == nil {
		_ = c.Close()
		t.Error("a certificate for a host that was not recorded")
	}
}

func TestALPN(t *testing.T) {
	for protocol, want := range map[replay.Protocol]string{
		replay.ProtocolRecorded: "h2", replay.ProtocolHTTP1: "http/1.1", replay.ProtocolH1: "http/1.1", replay.ProtocolH2: "h2",
	} {
		b := start(t, protocol)
		_, address := b.Addresses()
		c, err := tls.Dial("tcp", address.String(), b.clientTLS("h2", "http/1.1"))
		if err != nil {
			t.Fatal(protocol, err)
		}
		if got := c.ConnectionState().NegotiatedProtocol; got != want {
			t.Errorf("%s: %s", protocol, got)
		}
		_ = c.Close()
	}
}
