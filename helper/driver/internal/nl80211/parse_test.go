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
	counted := nl.NewRtAttr(unix.NL80211_ATTR_STA_INFO|unix.NLA_F_NESTED, nil)
	counted.AddRtAttr(unix.NL80211_STA_INFO_TX_PACKETS, nl.Uint32Attr(100))
	counted.AddRtAttr(unix.NL80211_STA_INFO_TX_RETRIES, nl.Uint32Attr(20))
	counted.AddRtAttr(unix.NL80211_STA_INFO_TX_FAILED, nl.Uint32Attr(3))
	got, isOne, err := parseStation(message(nl.NewRtAttr(unix.NL80211_ATTR_MAC, []byte{2, 0, 0, 0, 1, 0}), counted))
	if want := (Station{"02:00:00:00:01:00", 100, 20, 3}); err != nil || !isOne || got != want {
		t.Errorf("%+v, %v, %v", got, isOne, err)
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
