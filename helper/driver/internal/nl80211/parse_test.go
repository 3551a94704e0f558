package nl80211

import (
	"testing"

	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

func message(attributes ...*nl.RtAttr) []byte {
	bytes := (&nl.Genlmsg{Command: unix.NL80211_CMD_NEW_INTERFACE}).Serialize()
	for _, one := range attributes {
		bytes = append(bytes, one.Serialize()...)
	}
	return bytes
}

func TestAnInterfaceIsParsed(t *testing.T) {
	got, isOne, err := parseInterface(message(
		nl.NewRtAttr(unix.NL80211_ATTR_IFINDEX, nl.Uint32Attr(3)),
		nl.NewRtAttr(unix.NL80211_ATTR_IFNAME, nl.ZeroTerminated("wlan0")),
		nl.NewRtAttr(unix.NL80211_ATTR_WDEV, nl.Uint64Attr(1<<32|1)),
	))
	if want := (Interface{3, "wlan0", 1<<32 | 1}); err != nil || !isOne || got != want {
		t.Errorf("%+v, %v, %v", got, isOne, err)
	}
}

func TestADeviceWithoutNetworkInterfaceIsNone(t *testing.T) {
	if got, isOne, err := parseInterface(message(nl.NewRtAttr(unix.NL80211_ATTR_WDEV, nl.Uint64Attr(2)))); err != nil || isOne {
		t.Errorf("%+v, %v, %v", got, isOne, err)
	}
}

func TestAStationIsParsed(t *testing.T) {
	sent := map[int]uint32{unix.NL80211_STA_INFO_TX_PACKETS: 100, unix.NL80211_STA_INFO_TX_RETRIES: 20, unix.NL80211_STA_INFO_TX_FAILED: 3}
	both := map[int]uint32{unix.NL80211_STA_INFO_RX_MPDUS: 5000, unix.NL80211_STA_INFO_FCS_ERROR_COUNT: 60}
	for name, c := range map[string]struct {
		counted map[int]uint32
		station Station
	}{
		"what it was sent":                {sent, Station{Sent: 100, Retries: 20, Failed: 3}},
		"what came damaged":               {both, Station{Received: 5000, Damaged: 60}},
		"what came, and not what damaged": {map[int]uint32{unix.NL80211_STA_INFO_RX_MPDUS: 5000}, Station{}},
	} {
		nested := nl.NewRtAttr(unix.NL80211_ATTR_STA_INFO|unix.NLA_F_NESTED, nil)
		for attribute, value := range c.counted {
			nested.AddRtAttr(attribute, nl.Uint32Attr(value))
		}
		c.station.Address = "02:00:00:00:01:00"
		got, isOne, err := parseStation(message(nl.NewRtAttr(unix.NL80211_ATTR_MAC, []byte{2, 0, 0, 0, 1, 0}), nested))
		if err != nil || !isOne || got != c.station {
			t.Errorf("%s: %+v, %v, %v", name, got, isOne, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(message(nl.NewRtAttr(unix.NL80211_ATTR_IFINDEX, nl.Uint32Attr(3))))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, bytes []byte) {
		parseInterface(bytes)
		parseStation(bytes)
	})
}
