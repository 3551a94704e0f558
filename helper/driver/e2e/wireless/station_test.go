//go:build systemd

package wireless

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"

	"firstscreen/driver/e2e/namespace"
	"firstscreen/driver/internal/nl80211"
)

const (
	patience = 60 * time.Second // of the machine's time, which leaps when nothing is to do
	ssid     = "firstscreen"
	// channel 1: where stations may begin a network in any country.
	frequencyMHz = 2412
)

// cell has a number of its own, so that stations need not find out whose they join.
var cell = []byte{0x02, 0xca, 0xfe, 0, 0, 1}

// station is a network namespace with a radio in it.
type station struct {
	t         *testing.T
	name      string
	address   netip.Addr
	namespace *namespace.Namespace
}

// newStation in the machine's own namespace, or in a new one. It takes the radio of an interface with it.
func newStation(t *testing.T, name, address string, namespaces int) *station {
	t.Helper()
	entered, err := namespace.Enter(namespaces)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(entered.Leave)
	if namespaces != 0 {
		moveRadio(t, name, entered)
	}
	return &station{t: t, name: name, address: netip.MustParseAddr(address), namespace: entered}
}

// moveRadio of an interface to a namespace.
func moveRadio(t *testing.T, name string, to *namespace.Namespace) {
	t.Helper()
	device, err := net.InterfaceByName(name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := to.File()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := ask(unix.NL80211_CMD_SET_WIPHY_NETNS, number(unix.NL80211_ATTR_IFINDEX, device.Index), number(unix.NL80211_ATTR_NETNS_FD, int(file.Fd()))); err != nil {
		t.Fatal("moving a radio: ", err)
	}
}

// do runs in the station's namespace.
func (s *station) do(job func() error) {
	s.t.Helper()
	if err := s.namespace.Do(job); err != nil {
		s.t.Fatalf("%s: %v", s.name, err)
	}
}

func number(attribute, value int) *nl.RtAttr {
	return nl.NewRtAttr(attribute, nl.Uint32Attr(uint32(value)))
}

func ask(command uint8, attributes ...*nl.RtAttr) error {
	family, err := netlink.GenlFamilyGet(unix.NL80211_GENL_NAME)
	if err != nil {
		return err
	}
	request := nl.NewNetlinkRequest(int(family.ID), unix.NLM_F_ACK)
	request.AddData(&nl.Genlmsg{Command: command})
	for _, one := range attributes {
		request.AddData(one)
	}
	_, err = request.Execute(unix.NETLINK_GENERIC, 0)
	return err
}

func (s *station) index() int {
	s.t.Helper()
	var index int
	s.do(func() error {
		link, err := netlink.LinkByName(s.name)
		if err == nil {
			index = link.Attrs().Index
		}
		return err
	})
	return index
}

// begin to be a station among stations, with an address.
func (s *station) begin() {
	s.t.Helper()
	index := s.index()
	s.do(func() error {
		if err := ask(unix.NL80211_CMD_SET_INTERFACE, number(unix.NL80211_ATTR_IFINDEX, index), number(unix.NL80211_ATTR_IFTYPE, unix.NL80211_IFTYPE_ADHOC)); err != nil {
			return fmt.Errorf("becoming a station: %w", err)
		}
		link, err := netlink.LinkByIndex(index)
		if err != nil {
			return err
		}
		address := &netlink.Addr{IPNet: &net.IPNet{IP: s.address.AsSlice(), Mask: net.CIDRMask(24, 32)}}
		return errors.Join(netlink.LinkSetUp(link), netlink.AddrAdd(link, address))
	})
	s.join()
}

// join the network; with high throughput (IEEE 802.11n), which has agreements of block acknowledgement and the receiver's reordering.
func (s *station) join() {
	s.t.Helper()
	index := s.index()
	s.do(func() error {
		return ask(unix.NL80211_CMD_JOIN_IBSS, number(unix.NL80211_ATTR_IFINDEX, index),
			nl.NewRtAttr(unix.NL80211_ATTR_SSID, []byte(ssid)), nl.NewRtAttr(unix.NL80211_ATTR_MAC, cell), nl.NewRtAttr(unix.NL80211_ATTR_FREQ_FIXED, nil),
			number(unix.NL80211_ATTR_WIPHY_FREQ, frequencyMHz), number(unix.NL80211_ATTR_CHANNEL_WIDTH, unix.NL80211_CHAN_WIDTH_20))
	})
}

func (s *station) leave() {
	s.t.Helper()
	index := s.index()
	s.do(func() error { return ask(unix.NL80211_CMD_LEAVE_IBSS, number(unix.NL80211_ATTR_IFINDEX, index)) })
}

// peers that the station knows, with what its device has counted.
func (s *station) peers() (found []nl80211.Station) {
	s.t.Helper()
	index := s.index()
	s.do(func() (err error) {
		found, err = nl80211.Stations(index)
		return err
	})
	return found
}

func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !is(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}
