package wifi

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// A receiver that has agreed to block acknowledgement drops a frame as an old one if its sequence number is in the half of all 4,096 that is behind
// the one it waits for (IEEE 802.11-2020, receive reordering buffer control). Frames without acknowledgement take numbers, too, but pass the
// receiver's reordering, and what it waits for stays as it was. Of the frames with acknowledgement that follow up to 2,048 are dropped: fillers.
const fillerNumber = 2048 + 64

const (
	// fillerProtocol is the first EtherType for local experiments (IEEE 802): nobody acts on it.
	fillerProtocol = 0x88b5
	fillerBytes    = 46
	// priorityOfIdentifiers and a traffic identifier are a priority that mac80211 takes for that identifier (cfg80211_classify8021d).
	priorityOfIdentifiers = 256
	// whenFull is how long to wait when the interface takes no more, fillPatience how long for one station in all.
	whenFull     = time.Millisecond
	fillPatience = 3 * time.Second
)

// fill sends fillers to a station, with the traffic identifiers of a set, one after the other.
func fill(index int, address string, identifiers Identifiers) error {
	station, err := net.ParseMAC(address)
	if err != nil {
		return err
	}
	socket, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	to := &unix.SockaddrLinklayer{Protocol: networkOrder(fillerProtocol), Ifindex: index, Halen: uint8(len(station))}
	copy(to.Addr[:], station)
	deadline := time.Now().Add(fillPatience)
	for rest := uint16(identifiers); rest != 0; rest &= rest - 1 {
		if err := unix.SetsockoptInt(socket, unix.SOL_SOCKET, unix.SO_PRIORITY, priorityOfIdentifiers+bits.TrailingZeros16(rest)); err != nil {
			return err
		}
		for sent := 0; sent < fillerNumber; {
			switch err := unix.Sendto(socket, make([]byte, fillerBytes), unix.MSG_DONTWAIT, to); {
			case err == nil:
				sent++
			case errors.Is(err, unix.ENETDOWN), errors.Is(err, unix.ENXIO):
				return nil // with the interface its agreements have ended
			case (errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.ENOBUFS)) && time.Now().Before(deadline):
				time.Sleep(whenFull)
			default:
				return err
			}
		}
	}
	return nil
}

func networkOrder(number uint16) uint16 {
	return binary.NativeEndian.Uint16(binary.BigEndian.AppendUint16(nil, number))
}
