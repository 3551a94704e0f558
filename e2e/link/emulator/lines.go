package emulator

import (
	"net/netip"
	"time"

	"firstscreen/e2e/link/profile"
	"firstscreen/e2e/link/tun"
)

// lines are the packets in one direction: line 0 for those that go no farther than the link's end, one more for each server delay, as
// packets to near servers overtake those to far ones. Buffers are shared.
type lines []line

func (l lines) buffer() *[tun.MTUBytes]byte        { return l[0].buffer() }
func (l lines) recycle(buffer *[tun.MTUBytes]byte) { l[0].recycle(buffer) }

// first is the packet to be delivered next, and the number of its line.
func (l lines) first() (number int, next held, ok bool) {
	for i := range l {
		if h, some := l[i].first(); some && (!ok || h.atNs < next.atNs) {
			number, next, ok = i, h, true
		}
	}
	return number, next, ok
}

// bytes of all packets.
func (l lines) bytes() (sum int64) {
	for i := range l {
		for at := range l[i].count {
			sum += int64(l[i].ring[(l[i].head+at)&(len(l[i].ring)-1)].bytes)
		}
	}
	return sum
}

// route is the line of a packet, by its destination, and what it takes beyond the link.
func route(servers []profile.ServerDelay, packet []byte) (number int, delayNs int64) {
	const version4, destinationAt, destinationEnd = 4, 16, 20 // RFC 791, 3.1
	if len(servers) == 0 || len(packet) < destinationEnd || packet[0]>>4 != version4 {
		return 0, 0
	}
	destination := netip.AddrFrom4([4]byte(packet[destinationAt:destinationEnd]))
	for i, server := range servers {
		if server.Prefix.Contains(destination) {
			return i + 1, int64(server.DelayMs * float64(time.Millisecond))
		}
	}
	return 0, 0
}
