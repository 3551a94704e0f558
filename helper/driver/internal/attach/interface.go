// Package attach puts the driver's programs on network interfaces and cgroups, and takes them off again.
package attach

import (
	"errors"
	"fmt"
	"strings"

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

const (
	filterName   = "firstscreen-driver"
	filterHandle = 0x66736472 & 0xffff
	priority     = 0xfd00 // behind what others have attached
	etherLayer   = "ether"
)

// layerThree are interface types whose packets begin with the IP header, by netlink's names.
var layerThree = map[string]bool{"none": true, "rawip": true, "ppp": true, "tunnel": true, "tunnel6": true, "ipgre": true, "sit": true}

// HasLinkLayer tells whether packets of an interface begin with an Ethernet header; an error for types that are neither.
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

// attached is one interface with the programs on it.
type attached struct {
	method Method
	undo   []func() error
}

func (a *attached) close() error {
	var all error
	for _, undo := range a.undo {
		all = errors.Join(all, undo())
	}
	return all
}

// attach puts the programs on an interface: by tcx, or where the kernel has none by clsact.
func attach(to netlink.Link, outgoing, incoming *ebpf.Program) (*attached, error) {
	done := &attached{method: TCX}
	err := done.tcx(to.Attrs().Index, outgoing, incoming)
	if err == nil {
		return done, nil
	}
	done.close()
	if !errors.Is(err, ebpf.ErrNotSupported) && !errors.Is(err, unix.EINVAL) {
		return nil, err
	}
	done = &attached{method: Clsact}
	if err := done.clsact(to, outgoing, incoming); err != nil {
		done.close()
		return nil, err
	}
	return done, nil
}

func (a *attached) tcx(index int, outgoing, incoming *ebpf.Program) error {
	for at, program := range map[ebpf.AttachType]*ebpf.Program{ebpf.AttachTCXEgress: outgoing, ebpf.AttachTCXIngress: incoming} {
		on, err := link.AttachTCX(link.TCXOptions{Interface: index, Program: program, Attach: at})
		if err != nil {
			return err
		}
		a.undo = append(a.undo, on.Close)
	}
	return nil
}

func (a *attached) clsact(to netlink.Link, outgoing, incoming *ebpf.Program) error {
	qdisc := &netlink.Clsact{QdiscAttrs: netlink.QdiscAttrs{LinkIndex: to.Attrs().Index, Handle: netlink.MakeHandle(0xffff, 0), Parent: netlink.HANDLE_CLSACT}}
	// left when the driver ends: others may have begun to use it meanwhile
	if err := netlink.QdiscAdd(qdisc); err != nil && !errors.Is(err, unix.EEXIST) {
		return err
	}
	for parent, program := range map[uint32]*ebpf.Program{netlink.HANDLE_MIN_EGRESS: outgoing, netlink.HANDLE_MIN_INGRESS: incoming} {
		filter := &netlink.BpfFilter{
			FilterAttrs:  netlink.FilterAttrs{LinkIndex: to.Attrs().Index, Parent: parent, Handle: filterHandle, Priority: priority, Protocol: unix.ETH_P_ALL},
			Fd:           program.FD(),
			Name:         filterName,
			DirectAction: true,
		}
		if err := netlink.FilterAdd(filter); err != nil {
			return err
		}
		a.undo = append(a.undo, func() error { return ignoreGone(netlink.FilterDel(filter)) })
	}
	return nil
}

// removeLeftovers takes off what a driver has left that was killed on a kernel without tcx.
func removeLeftovers(of netlink.Link) (removed int, err error) {
	for _, parent := range []uint32{netlink.HANDLE_MIN_EGRESS, netlink.HANDLE_MIN_INGRESS} {
		filters, listErr := netlink.FilterList(of, parent)
		if listErr != nil {
			continue // no clsact: nothing was left
		}
		for _, filter := range filters {
			if bpf, is := filter.(*netlink.BpfFilter); is && strings.HasPrefix(bpf.Name, filterName) {
				err = errors.Join(err, ignoreGone(netlink.FilterDel(filter)))
				removed++
			}
		}
	}
	return removed, err
}

// ignoreGone: with an interface its filters have gone.
func ignoreGone(err error) error {
	if errors.Is(err, unix.ENODEV) || errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EINVAL) {
		return nil
	}
	return err
}
