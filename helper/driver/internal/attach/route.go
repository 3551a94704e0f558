package attach

import (
	"errors"
	"net/netip"

	"github.com/vishvananda/netlink"
)

// ByWhich interface packets between two addresses of a connection come, of those that are wanted: the one that they leave by, or a lower device of it. What comes
// by another one passes untouched.
func ByWhich(local, remote netip.Addr, wanted []string) (index int, err error) {
	routes, err := netlink.RouteGetWithOptions(remote.Unmap().AsSlice(), &netlink.RouteGetOptions{SrcAddr: local.Unmap().AsSlice()})
	if err != nil {
		return 0, err
	}
	if len(routes) == 0 {
		return 0, errors.New("there is no route")
	}
	for index = routes[0].LinkIndex; index != 0; {
		of, err := netlink.LinkByIndex(index)
		if err != nil {
			return 0, err
		}
		if IsWanted(of, wanted) {
			return index, nil
		}
		index = lowerDevice(of)
	}
	return 0, errors.New("its interface is not one that the driver attaches to")
}

// lowerDevice in this network namespace; 0 is none. Of pairs the kernel names the other end in its place: what leaves here comes there.
func lowerDevice(of netlink.Link) int {
	isPair := of.Type() == "veth" || of.Type() == "netkit"
	if isPair || of.Attrs().NetNsID >= 0 {
		return 0
	}
	return of.Attrs().ParentIndex
}
