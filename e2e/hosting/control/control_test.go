package control

import (
	"context"
	"encoding/json"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"firstscreen/e2e/hosting/authority"
	"firstscreen/e2e/hosting/pagetest"
	"firstscreen/e2e/hosting/server"
)

// bench drives a real server over a real socket.
type bench struct {
	client *http.Client
	server *server.Server
	socket string
}

func start(t *testing.T) *bench {
	t.Helper()
	ca, err := authority.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	web, err := server.Start(server.Config{
		HTTPAddress: "127.0.0.1:0", HTTPSAddress: "127.0.0.1:0", Congestion: "reno", Authority: ca, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{server: web, socket: filepath.Join(t.TempDir(), "control")}
	listener, err := Listen(b.socket)
	if err != nil {
		t.Fatal(err)
	}
	commands := &http.Server{Handler: New(web)}
	go func() { _ = commands.Serve(listener) }()
	b.client = &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", b.socket)
		},
	}}
	t.Cleanup(func() { _ = commands.Close(); _ = web.Close() })
	return b
}

func (b *bench) send(t *testing.T, method, path, body string) (int, map[string]any) {
	t.Helper()
	request, _ := http.NewRequest(method, "http://control"+path, strings.NewReader(body))
	response, err := b.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer map[string]any
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		t.Fatal(method, path, err)
	}
	return response.StatusCode, answer
}

func TestPageLogInventoryReset(t *testing.T) {
	b := start(t)
	path := pagetest.WARC(t,
		pagetest.Object{URL: "http://a.test/index.html", ContentType: "text/html", Body: []byte(strings.Repeat("<p>text</p>", 100))},
		pagetest.Object{URL: "http://b.test/i.jpg", ContentType: "image/jpeg", Body: pagetest.Noise(500, 1)},
	)
	status, page := b.send(t, "POST", "/page", `{"path":"`+path+`","protocol":"h2"}`)
	if status != 200 || page["name"] != "test" || page["entryUrl"] != "https://a.test/index.html" || page["records"] != 2.0 ||
		page["bytes"] != 1600.0 || page["protocol"] != "h2" || page["congestion"] != "reno" {
		t.Fatalf("%d %v", status, page)
	}
	hosts, _ := json.Marshal(page["hosts"])
	if string(hosts) != `[{"address":"20.100.53.14","host":"a.test"},{"address":"20.100.122.169","host":"b.test"}]` {
		t.Errorf("%s", hosts)
	}

	plain, _ := b.server.Addresses()
	request, _ := http.NewRequest("GET", "http://"+plain.String()+"/i.jpg", nil)
	request.Host = "b.test"
	request.Header.Set("Priority", "u=1")
	request.Header.Set("Sec-Fetch-Dest", "image")
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	b.server.Asked("10.99.0.1:5353", "b.test")
	_, log := b.send(t, "GET", "/log", "")
	if name := log["names"].([]any)[0].(map[string]any); name["client"] != "10.99.0.1:5353" || name["name"] != "b.test" || name["ns"].(float64) <= 0 {
		t.Errorf("names %v", log["names"])
	}
	entry := log["requests"].([]any)[0].(map[string]any)
	for field, want := range map[string]any{
		"id": 1.0, "protocol": "http/1.1", "tls": false, "method": "GET", "url": "http://b.test/i.jpg", "recordedUrl": "http://b.test/i.jpg",
		"match": "exact", "status": 200.0, "contentType": "image/jpeg", "bodyBytes": 500.0, "aborted": false,
	} {
		if entry[field] != want {
			t.Errorf("%s is %v, want %v", field, entry[field], want)
		}
	}
	if headers := entry["headers"].(map[string]any); headers["priority"] != "u=1" || headers["secFetchDest"] != "image" || len(headers) != 2 {
		t.Errorf("headers %v", headers)
	}

	_, inventory := b.send(t, "GET", "/inventory", "")
	document := inventory["objects"].([]any)[0].(map[string]any)
	if document["recordedBytes"] != 1100.0 || document["servedBytes"].(float64) > 100 || document["contentType"] != "text/html" {
		t.Errorf("%v", document)
	}

	b.send(t, "POST", "/reset", "")
	if _, log := b.send(t, "GET", "/log", ""); len(log["requests"].([]any)) != 0 || len(log["names"].([]any)) != 0 {
		t.Errorf("%v", log)
	}
}

func TestRefusals(t *testing.T) {
	b := start(t)
	cut := filepath.Join(t.TempDir(), "cut.warc")
	if err := os.WriteFile(cut, []byte("WARC/1.0\r\nContent-Length: 5\r\n\r\nab"), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := pagetest.WARC(t)
	foreign := pagetest.WARC(t, pagetest.Object{URL: "dns:a.test"})
	for _, c := range []struct {
		method, path, body string
		status             int
		code               string
	}{
		{"POST", "/page", `{`, 400, "E_HOSTING_INPUT"},
		{"POST", "/page", `[]`, 400, "E_HOSTING_INPUT"},
		{"POST", "/page", `{"path":""}`, 400, "E_HOSTING_INPUT"},
		{"POST", "/page", `{"path":"x","speed":1}`, 400, "E_HOSTING_INPUT"},
		{"POST", "/page", `{"path":"x","protocol":"h3"}`, 400, "E_HOSTING_INPUT"},
		{"POST", "/page", `{"path":"` + strings.Repeat("x", maxBodyBytes) + `"}`, 400, "E_HOSTING_INPUT"},
		{"POST", "/page", `{"path":"/nothing/here"}`, 422, "E_WARC_OPEN"},
		{"POST", "/page", `{"path":"/"}`, 422, "E_WARC_OPEN"},
		{"POST", "/page", `{"path":"` + cut + `"}`, 422, "E_WARC_TRUNCATED"},
		{"POST", "/page", `{"path":"` + empty + `"}`, 422, "E_WARC_NO_ENTRY"},
		{"POST", "/page", `{"path":"` + foreign + `"}`, 422, "E_WARC_NO_ENTRY"},
		{"POST", "/page", `{"path":"control_test.go"}`, 422, "E_WARC_CORRUPT"},
		{"GET", "/page", "", 404, "E_HOSTING_COMMAND"},
		{"GET", "/inventory", "", 409, "E_HOSTING_NO_PAGE"},
		{"GET", "/nothing", "", 404, "E_HOSTING_COMMAND"},
	} {
		status, answer := b.send(t, c.method, c.path, c.body)
		if status != c.status || answer["code"] != c.code || answer["message"] == "" || answer["next"] == "" {
			t.Errorf("%s %s %.60s: %d %v", c.method, c.path, c.body, status, answer)
		}
		if _, hasOffset := answer["offset"]; hasOffset != (c.status == 422) {
			t.Errorf("%.60s: %v", c.body, answer)
		}
	}
}

func TestSocketIsPrivateAndReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "control")
	for range 2 {
		listener, err := Listen(path)
		if err != nil {
			t.Fatal(err)
		}
		// As a killed process leaves it.
		listener.(*net.UnixListener).SetUnlinkOnClose(false)
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v %v", info.Mode(), err)
		}
		_ = listener.Close()
	}
	regular := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(regular, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(regular); err == nil {
		t.Error("a file was replaced")
	}
	if info, _ := os.Stat(regular); info.Mode().Type() != fs.FileMode(0) {
		t.Error("the file is gone")
	}
}
