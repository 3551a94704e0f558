package attach

import (
	"fmt"
	"slices"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

// encryptingFeatures of devices: packets pass the egress hook before they are encrypted, so a copy of one would leave in clear
// (kTLS, IPsec's packet offload, and MACsec's, of which this is the lower device).
var encryptingFeatures = []string{"tls-hw-tx-offload", "tls-hw-record", "esp-hw-offload", "macsec-hw-offload"}

func refuseEncrypting(device string) error {
	active, err := featuresOf(device, unix.ETHTOOL_A_FEATURES_ACTIVE)
	if err != nil {
		return fmt.Errorf("whether %s encrypts packets itself is not known: %w", device, err)
	}
	return encrypting(device, active)
}

func encrypting(device string, active []string) error {
	for _, name := range encryptingFeatures {
		if slices.Contains(active, name) {
			return fmt.Errorf("it encrypts packets itself (ethtool -K %s %s off)", device, name)
		}
	}
	return nil
}

// featuresOf a device in this network namespace, by name, that are in one of the sets which the kernel tells of (Documentation/networking/ethtool-netlink.rst,
// FEATURES_GET).
func featuresOf(device string, set uint16) (names []string, err error) {
	family, err := netlink.GenlFamilyGet(unix.ETHTOOL_GENL_NAME)
	if err != nil {
		return nil, err
	}
	request := nl.NewNetlinkRequest(int(family.ID), 0)
	request.AddData(&nl.Genlmsg{Command: unix.ETHTOOL_MSG_FEATURES_GET, Version: unix.ETHTOOL_GENL_VERSION})
	header := nl.NewRtAttr(unix.ETHTOOL_A_FEATURES_HEADER|int(nl.NLA_F_NESTED), nil)
	header.AddRtAttr(unix.ETHTOOL_A_HEADER_DEV_NAME, nl.ZeroTerminated(device))
	request.AddData(header)
	answers, err := request.Execute(unix.NETLINK_GENERIC, 0)
	for _, answer := range answers {
		path := []uint16{set, unix.ETHTOOL_A_BITSET_BITS, unix.ETHTOOL_A_BITSET_BITS_BIT, unix.ETHTOOL_A_BITSET_BIT_NAME}
		for _, name := range valuesAt(answer[nl.SizeofGenlmsg:], path) {
			names = append(names, nl.BytesToString(name))
		}
	}
	return names, err
}

// valuesAt the end of a path of nested attributes.
func valuesAt(attributes []byte, path []uint16) (values [][]byte) {
	for attribute := range nl.ParseAttributes(attributes) {
		switch {
		case attribute.Type&nl.NLA_TYPE_MASK != path[0]:
		case len(path) == 1:
			values = append(values, attribute.Value)
		default:
			values = append(values, valuesAt(attribute.Value, path[1:])...)
		}
	}
	return values
}
