// Package attach puts the driver's programs on network interfaces and cgroups, and takes them off again.
package attach

import (
	"errors"
	"fmt"
	"slices"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// Method of attaching, as status tells it.
type Method string

const (
	TCX    Method = "tcx"    // kernel 6.6; goes with the process
	Clsact Method = "clsact" // before; what a killed driver leaves is removed by the next one
)

// Hook of an interface that a program is put on.
type Hook struct {
	tcx ebpf.AttachType
	// clsact is the parent of filters there.
	clsact uint32
}

var (
	Outgoing = Hook{ebpf.AttachTCXEgress, netlink.HANDLE_MIN_EGRESS}
	Incoming = Hook{ebpf.AttachTCXIngress, netlink.HANDLE_MIN_INGRESS}
)

const (
	filterName   = "firstscreen-driver"
	filterHandle = 0x66736472 & 0xffff
	priority     = 0xfd00 // behind what others have attached
	etherLayer   = "ether"
)

// layerThree are interface types whose packets begin with the IP header, by netlink's names.
var layerThree = map[string]bool{"none": true, "rawip": true, "ppp": true, "tunnel": true, "tunnel6": true, "ipgre": true, "sit": true}

// HasLinkLayer tells whether packets of an interface begin with an Ethernet header; an error for types that begin with neither that nor the IP header.
func HasLinkLayer(of netlink.Link) (bool, error) {
	switch kind := of.Attrs().EncapType; {
	case kind == etherLayer:
		return true, nil
	case layerThree[kind]:
		return false, nil
	default:
		return false, fmt.Errorf("interfaces of type %q are not supported", kind)
	}
}

// attach puts a program on an interface: by tcx, or where the kernel has none by clsact. It returns how, and how to take it off.
func (h Hook) attach(to netlink.Link, program *ebpf.Program) (Method, func() error, error) {
	on, err := link.AttachTCX(link.TCXOptions{Interface: to.Attrs().Index, Program: program, Attach: h.tcx})
	if err == nil {
		return TCX, on.Close, nil
	}
	if !errors.Is(err, ebpf.ErrNotSupported) && !errors.Is(err, unix.EINVAL) {
		return "", nil, err
	}
	detach, err := h.attachFilter(to, program)
	return Clsact, detach, err
}

func clsactOf(link netlink.Link) netlink.Qdisc {
	return &netlink.Clsact{QdiscAttrs: netlink.QdiscAttrs{LinkIndex: link.Attrs().Index, Handle: netlink.MakeHandle(0xffff, 0), Parent: netlink.HANDLE_CLSACT}}
}

func (h Hook) attachFilter(to netlink.Link, program *ebpf.Program) (detach func() error, err error) {
	// left when the driver ends: others may have begun to use it meanwhile
	err = netlink.QdiscAdd(clsactOf(to))
	if errors.Is(err, unix.EEXIST) {
		err = h.refuseIngress(to)
	}
	if err != nil {
		return nil, err
	}
	filter := &netlink.BpfFilter{
		FilterAttrs:  netlink.FilterAttrs{LinkIndex: to.Attrs().Index, Parent: h.clsact, Handle: filterHandle, Priority: priority, Protocol: unix.ETH_P_ALL},
		Fd:           program.FD(),
		Name:         filterName,
		DirectAction: true,
	}
	if err := netlink.FilterReplace(filter); err != nil {
		return nil, err
	}
	return func() error { return ignoreGone(netlink.FilterDel(filter)) }, nil
}

var errIngress = errors.New("its queueing discipline `ingress` has the place of `clsact`: shape what comes by that, or use kernel 6.6")

// refuseIngress in the place of clsact, which only shapes what comes: it takes a filter for what leaves, and runs that on what comes.
func (h Hook) refuseIngress(to netlink.Link) error {
	if h == Incoming {
		return nil
	}
	qdiscs, err := netlink.QdiscList(to)
	isIngress := func(one netlink.Qdisc) bool { return one.Type() == "ingress" }
	if err == nil && slices.ContainsFunc(qdiscs, isIngress) {
		err = errIngress
	}
	return err
}

// removeLeftovers takes off what a driver has left that was killed on a kernel without tcx.
func (h Hook) removeLeftovers(of netlink.Link) (err error) {
	filters, _ := netlink.FilterList(of, h.clsact) // none where there is no clsact
	for _, filter := range filters {
		if bpf, is := filter.(*netlink.BpfFilter); is && bpf.Name == filterName {
			err = errors.Join(err, ignoreGone(netlink.FilterDel(filter)))
		}
	}
	return err
}

// ignoreGone: with an interface its filters have gone.
func ignoreGone(err error) error {
	if errors.Is(err, unix.ENODEV) || errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EINVAL) {
		return nil
	}
	return err
}
