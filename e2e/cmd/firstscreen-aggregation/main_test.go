package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"firstscreen/e2e/link/aggregation"
)

func TestAStationALine(t *testing.T) {
	var out bytes.Buffer
	if err := run(strings.Fields("--stations fwp,ampdu --fer 0.1 --ampdu 64/32 --seconds 0.5 --seed 7"), &out); err != nil {
		t.Fatal(err)
	}
	lines := json.NewDecoder(&out)
	for _, scheme := range []aggregation.Scheme{aggregation.FWP, aggregation.AMPDU} {
		var station aggregation.Throughput
		if err := lines.Decode(&station); err != nil || station.Scheme != scheme || station.BitsPerSecond <= 0 {
			t.Errorf("%+v, %v", station, err)
		}
	}
	if lines.More() {
		t.Error("there are more lines")
	}
}

func TestBadOptionsAreRefused(t *testing.T) {
	for _, line := range []string{"", "--stations amsdu", "--stations fwp --fer 1", "--stations fwp --rate 0", "--stations fwp --ampdu 65", "--stations fwp --seconds 0", "--stations fwp --nothing"} {
		if err := run(strings.Fields(line), &bytes.Buffer{}); err == nil {
			t.Errorf("%q was taken", line)
		}
	}
}
