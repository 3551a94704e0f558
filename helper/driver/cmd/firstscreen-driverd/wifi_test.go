package main

import (
	"flag"
	"io"
	"strings"
	"testing"

	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/nl80211"
	"firstscreen/driver/internal/wifi"
)

func TestAnOperandStandsAnywhereAmongOptions(t *testing.T) {
	for _, arguments := range [][]string{{"wlan0", "--tids", "5"}, {"--tids", "5", "wlan0"}, {"--tids=5", "wlan0"}} {
		var name string
		var set wifi.Identifiers
		options := flag.NewFlagSet("wifi on", flag.ContinueOnError)
		options.TextVar(&set, "tids", set, "")
		if err := parse(options, arguments, io.Discard, &name); err != nil || name != "wlan0" || set != 1<<5 {
			t.Errorf("%v: %q, %s, %v", arguments, name, set, err)
		}
	}
}

func TestWifiRefusesWhatItDoesNotKnow(t *testing.T) {
	for _, arguments := range [][]string{
		{"wifi"}, {"wifi", "toggle"}, {"wifi", "on"}, {"wifi", "on", "wlan0", "wlan1"}, {"wifi", "on", "wlan0", "--tids", "16"},
		{"wifi", "off", "wlan0", "--tids", "0"}, {"wifi", "restore", "wlan0"}, {"wifi", "status", "wlan0"},
	} {
		if err := command(arguments, io.Discard); err == nil || fault.Of(err).Code != fault.Option {
			t.Errorf("%v: %v", arguments, err)
		}
	}
}

func TestWifiStatusTellsWhoHoldsWhatAndWhatTheDeviceCounted(t *testing.T) {
	record := wifi.Record{Interface: "wlan0", Set: wifi.Unmarked}
	for want, states := range map[string][]wifi.State{
		"Nothing is set by this command. (The kernel does not tell what others have set.)\n": nil,
		"  wlan0                     without acknowledgement: 0; before: none; held by process 12\n    to 02:00:00:00:01:00: 100 frames, sent again 20 times, 3 never acknowledged\n": {
			{Record: record, Holder: 12, IsThere: true, Stations: []nl80211.Station{{Address: "02:00:00:00:01:00", Sent: 100, Retries: 20, Failed: 3}}},
		},
		"  wlan0                     without acknowledgement: 0; before: none; left behind, to be put back by wifi restore\n": {{Record: record, IsThere: true}},
		"  wlan0                     without acknowledgement: 0; before: none; the interface is gone, or in another network namespace\n": {
			{Record: record},
		},
	} {
		var text strings.Builder
		if printWifi(&text, states); text.String() != want {
			t.Errorf("%q, not %q", text.String(), want)
		}
	}
}
