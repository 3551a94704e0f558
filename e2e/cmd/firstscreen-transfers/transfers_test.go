package main

import (
	"net"
	"testing"
	"time"
)

func TestFlowsAreReadAsWritten(t *testing.T) {
	specs, err := parseFlows("3xrequests:8081")
	if err != nil || len(specs) != 3 || specs[2] != (spec{"requests", requests, 8081}) {
		t.Errorf("%v, %v", specs, err)
	}
	for _, text := range []string{"", "x", "0xup:80", "1xup", "1xup:0", "1xup:70000", "1xaround:80", "2000xup:80", "-1xup:80"} {
		if specs, err := parseFlows(text); err == nil {
			t.Errorf("%q: %v", text, specs)
		}
	}
}

func measured(t *testing.T, specs ...string) ([]result, error) {
	t.Helper()
	listener, err := listen("127.0.0.1:0", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go serve(listener)
	m := measurement{host: "127.0.0.1", warmUp: 20 * time.Millisecond, lasts: 300 * time.Millisecond, seed: 1, congestion: "reno"}
	for _, s := range specs {
		m.specs = append(m.specs, spec{s, kinds[s], listener.Addr().(*net.TCPAddr).Port})
	}
	return m.run()
}

func TestEachFlowCarriesBytesItsWay(t *testing.T) {
	results, err := measured(t, "up", "down", "both", "requests")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		isUp, isDown := r.UpBytes > 10_000, r.DownBytes > 10_000
		var right bool
		switch r.Kind {
		case "up":
			right = isUp && r.DownBytes == 0
		case "down":
			right = isDown && r.UpBytes < 10
		case "both":
			right = isUp && isDown
		case "requests":
			least, most := uint64(r.Requests)*minAnswerBytes/2, uint64(r.Requests+1)*maxAnswerBytes
			right = r.Requests > 1 && r.DownBytes > least && r.DownBytes < most && r.UpBytes > 0
		}
		if !right || r.Seconds < 0.3 {
			t.Errorf("%+v", r)
		}
	}
	if len(results) != 4 {
		t.Errorf("%d flows", len(results))
	}
}

func TestAnUnknownCongestionControlIsRefused(t *testing.T) {
	if listener, err := listen("127.0.0.1:0", "none-such"); err == nil {
		listener.Close()
		t.Error("taken")
	}
}
