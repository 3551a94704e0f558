// Package layout reads and writes memory as the programs for the kernel lay it out.
package layout

import (
	"net/netip"
	"unsafe"
)

// BytesOf what is shared with the programs, in place.
func BytesOf[T any](shared *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(shared)), unsafe.Sizeof(*shared))
}

// WordsOf an address: in network order, IPv4 as ::ffff:a.b.c.d.
func WordsOf(address netip.Addr) (words [4]uint32) {
	bytes := address.As16()
	copy(BytesOf(&words), bytes[:])
	return words
}

// AddressOf undoes WordsOf.
func AddressOf(words [4]uint32) netip.Addr {
	return netip.AddrFrom16([16]byte(BytesOf(&words))).Unmap()
}
