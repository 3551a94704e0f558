package warc

import "testing"

func TestParseResponse(t *testing.T) {
	cases := map[string]struct {
		block, body string
		status      int
	}{
		"plain":                      {"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody", "body", 200},
		"no reason":                  {"HTTP/2 301\r\nLocation: /x\r\n\r\n", "", 301},
		"chunked":                    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "abcde", 200},
		"said chunked, is decoded":   {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<html>", "<html>", 200},
		"lines no server could send": {"HTTP/1.1 200 OK\r\nbad name: x\r\nGood: y\r\nNul: a\x00b\r\n\r\nz", "z", 200},
		"no HTTP":                    {"GET / HTTP/1.1\r\n\r\n", "", 0},
		"status out of range":        {"HTTP/1.1 999 Denied\r\n\r\n", "", 0},
		"no end of head":             {"HTTP/1.1 200 OK\r\n", "", 0},
	}
	for name, c := range cases {
		response, err := ParseResponse([]byte(c.block))
		if c.status == 0 {
			if err == nil {
				t.Errorf("%s: taken as %d", name, response.Status)
			}
			continue
		}
		if err != nil || response.Status != c.status || string(response.Body) != c.body {
			t.Errorf("%s: %+v, %v", name, response, err)
			continue
		}
		if response.Header.Get("Nul") != "" || len(response.Header) > 1 {
			t.Errorf("%s: header %v", name, response.Header)
		}
	}
}
