package control

import (
	"encoding/binary"
	"net/netip"

	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/layout"
)

// socket of TCP, as the kernel tells of it.
type socket struct {
	cookie uint64
	user   uint32
}

// What follows is laid out as in linux/inet_diag.h.

// socketID is struct inet_diag_sockid.
type socketID struct {
	LocalPort, RemotePort [2]byte // network order
	Local, Remote         [4]uint32
	_                     uint32 // interface that it is bound to: none
	Cookie                [2]uint32
}

// socketRequest is struct inet_diag_req_v2.
type socketRequest struct {
	Family, Protocol uint8
	_                [6]uint8
	ID               socketID
}

// socketAnswer is struct inet_diag_msg.
type socketAnswer struct {
	Family, State uint8
	_             [2]uint8
	ID            socketID
	_             [3]uint32
	User, Inode   uint32
}

const listening = 10 // TCP_LISTEN in include/net/tcp_states.h

// socketOf a connection that a program has, by all of its ends: others of other users may have the same ports at other addresses.
func socketOf(ends Ends) (socket, error) {
	asked := socketRequest{
		Family: unix.AF_INET6, Protocol: unix.IPPROTO_TCP, // the kernel looks for ::ffff:a.b.c.d among those of IPv4
		ID: socketID{Local: layout.WordsOf(ends.Local.Addr()), Remote: layout.WordsOf(ends.Remote.Addr()), Cookie: [2]uint32{nl.TCPDIAG_NOCOOKIE, nl.TCPDIAG_NOCOOKIE}},
	}
	setPort(&asked.ID.LocalPort, ends.Local)
	setPort(&asked.ID.RemotePort, ends.Remote)
	request := nl.NewNetlinkRequest(nl.SOCK_DIAG_BY_FAMILY, 0)
	request.AddRawData(layout.BytesOf(&asked))
	answers, err := request.Execute(unix.NETLINK_INET_DIAG, nl.SOCK_DIAG_BY_FAMILY)
	if err != nil {
		return socket{}, err
	}
	var told socketAnswer
	if len(answers) != 1 || len(answers[0]) < len(layout.BytesOf(&told)) {
		return socket{}, unix.EBADMSG
	}
	copy(layout.BytesOf(&told), answers[0])
	if told.State == listening || told.Inode == 0 { // it stands for a connection that is not there, or its program has closed it
		return socket{}, unix.ENOENT
	}
	return socket{uint64(told.ID.Cookie[0]) | uint64(told.ID.Cookie[1])<<32, told.User}, nil
}

func setPort(to *[2]byte, of netip.AddrPort) { binary.BigEndian.PutUint16(to[:], of.Port()) }
