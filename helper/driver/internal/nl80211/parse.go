package nl80211

import (
	"net"

	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

// collect the answers that are about what is asked for; parse returns false for others.
func collect[T any](answers [][]byte, err error, parse func(message []byte) (T, bool, error)) (found []T, _ error) {
	if err != nil {
		return nil, err
	}
	for _, message := range answers {
		one, isOne, err := parse(message)
		if err != nil {
			return nil, err
		}
		if isOne {
			found = append(found, one)
		}
	}
	return found, nil
}

// parseInterface returns false for a wireless device without network interface, as for Wi-Fi Direct.
func parseInterface(message []byte) (of Interface, isOne bool, _ error) {
	attributes, err := parseMessage(message)
	if err != nil {
		return of, false, err
	}
	of.Index = int(attributes.number32(unix.NL80211_ATTR_IFINDEX))
	of.Name = unix.ByteSliceToString(attributes[unix.NL80211_ATTR_IFNAME])
	of.Device = attributes.number64(unix.NL80211_ATTR_WDEV)
	return of, of.Index != 0, nil
}

func parseStation(message []byte) (of Station, isOne bool, _ error) {
	attributes, err := parseMessage(message)
	if err != nil {
		return of, false, err
	}
	counted, err := parse(attributes[unix.NL80211_ATTR_STA_INFO])
	if err != nil {
		return of, false, err
	}
	of.Address = net.HardwareAddr(attributes[unix.NL80211_ATTR_MAC]).String()
	of.Sent = counted.number32(unix.NL80211_STA_INFO_TX_PACKETS)
	of.Retries = counted.number32(unix.NL80211_STA_INFO_TX_RETRIES)
	of.Failed = counted.number32(unix.NL80211_STA_INFO_TX_FAILED)
	if _, areBoth := counted[unix.NL80211_STA_INFO_FCS_ERROR_COUNT]; areBoth {
		of.Received = counted.number32(unix.NL80211_STA_INFO_RX_MPDUS)
		of.Damaged = counted.number32(unix.NL80211_STA_INFO_FCS_ERROR_COUNT)
	}
	return of, of.Address != "", nil
}

// attributes by their type.
type attributes map[uint16][]byte

// parseMessage of generic netlink.
func parseMessage(message []byte) (attributes, error) {
	if len(message) < nl.SizeofGenlmsg {
		return nil, unix.EBADMSG
	}
	return parse(message[nl.SizeofGenlmsg:])
}

func parse(bytes []byte) (attributes, error) {
	listed, err := nl.ParseRouteAttr(bytes)
	if err != nil {
		return nil, err
	}
	found := attributes{}
	for _, one := range listed {
		found[one.Attr.Type&nl.NLA_TYPE_MASK] = one.Value
	}
	return found, nil
}

// number32 is 0 where there is none.
func (a attributes) number32(of uint16) uint32 {
	if value := a[of]; len(value) == 4 {
		return nl.NativeEndian().Uint32(value)
	}
	return 0
}

func (a attributes) number64(of uint16) uint64 {
	if value := a[of]; len(value) == 8 {
		return nl.NativeEndian().Uint64(value)
	}
	return 0
}
