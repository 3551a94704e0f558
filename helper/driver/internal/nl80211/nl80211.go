// Package nl80211 asks the kernel about wireless interfaces, and tells it which frames need no acknowledgement (linux/nl80211.h).
package nl80211

import (
	"errors"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

// Interface is one of a wireless device that has a network interface.
type Interface struct {
	Index int
	Name  string
	// Device is the kernel's number of this wireless interface (NL80211_ATTR_WDEV). No other has it until the machine starts anew.
	Device uint64
}

// Station is a peer of an interface, with what the device has counted of the frames to it and from it.
type Station struct {
	Address string `json:"address"`
	// Sent frames, the times that frames were sent again, and frames that were never acknowledged.
	Sent    uint32 `json:"sent"`
	Retries uint32 `json:"retries"`
	Failed  uint32 `json:"failed"`
	// Received frames, damaged ones among them; both are 0 of a device that does not count both.
	Received uint32 `json:"received"`
	Damaged  uint32 `json:"damaged"`
}

// Interfaces of all wireless devices in this network namespace; there are none where the kernel has no wireless part.
func Interfaces() ([]Interface, error) {
	answers, err := ask(unix.NL80211_CMD_GET_INTERFACE, unix.NLM_F_DUMP)
	if errors.Is(err, unix.ENOENT) {
		return nil, nil
	}
	return collect(answers, err, parseInterface)
}

// SetNoAckMap has frames of an interface sent without acknowledgement: those whose traffic identifier is the number of a bit of the map.
// The error is the kernel's: EPERM, ENODEV, EOPNOTSUPP.
func SetNoAckMap(index int, identifiers uint16) error {
	_, err := ask(unix.NL80211_CMD_SET_NOACK_MAP, unix.NLM_F_ACK, ofInterface(index), nl.NewRtAttr(unix.NL80211_ATTR_NOACK_MAP, nl.Uint16Attr(identifiers)))
	return err
}

// Stations are the peers of an interface: of a client its access point.
func Stations(index int) ([]Station, error) {
	answers, err := ask(unix.NL80211_CMD_GET_STATION, unix.NLM_F_DUMP, ofInterface(index))
	return collect(answers, err, parseStation)
}

func ofInterface(index int) *nl.RtAttr {
	return nl.NewRtAttr(unix.NL80211_ATTR_IFINDEX, nl.Uint32Attr(uint32(index)))
}

func ask(command uint8, flags int, attributes ...*nl.RtAttr) ([][]byte, error) {
	family, err := netlink.GenlFamilyGet(unix.NL80211_GENL_NAME)
	if err != nil {
		return nil, err
	}
	request := nl.NewNetlinkRequest(int(family.ID), flags)
	request.AddData(&nl.Genlmsg{Command: command})
	for _, attribute := range attributes {
		request.AddData(attribute)
	}
	return request.Execute(unix.NETLINK_GENERIC, 0)
}
