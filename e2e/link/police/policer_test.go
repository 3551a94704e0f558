package police

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"time"
)

// packetOf is a TCP packet over IPv4 (RFC 791, RFC 9293) of a connection that its client's port tells.
func packetOf(port uint16, sizeBytes int) []byte {
	packet := make([]byte, sizeBytes)
	packet[0], packet[9], packet[32] = 0x45, 6, 5<<4
	binary.BigEndian.PutUint16(packet[2:], uint16(sizeBytes))
	binary.BigEndian.PutUint16(packet[22:], port)
	return packet
}

const (
	rateBitsPerSecond = 400_000
	burstBytes        = 12_500
)

// Over any span of time no connection has more than the burst and its rate, and one that always sends has no less.
func TestEachConnectionHasItsRateAndItsBurst(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	p := New(Config{RateBitsPerSecond: rateBitsPerSecond, BurstBytes: burstBytes})
	type passed struct {
		atNs  int64
		bytes int
	}
	byPort := map[uint16][]passed{}
	const span = 20 * time.Second
	nowNs := int64(0)
	for nowNs < int64(span) {
		port, sizeBytes := uint16(1+random.IntN(3)), 40+random.IntN(1461)
		if p.Admit(nowNs, packetOf(port, sizeBytes)) {
			byPort[port] = append(byPort[port], passed{nowNs, sizeBytes})
		}
		nowNs += int64(random.IntN(int(4 * time.Millisecond)))
	}
	allowed := func(spanNs int64) float64 { return burstBytes + float64(spanNs)/1e9*rateBitsPerSecond/8 }
	for port, all := range byPort {
		for first := range all {
			bytes := 0
			for _, each := range all[first:] {
				bytes += each.bytes
				if most := allowed(each.atNs - all[first].atNs); float64(bytes) > most+1 {
					t.Fatalf("connection %d had %d bytes where %.0f are allowed", port, bytes, most)
				}
			}
		}
		bytes := 0
		for _, each := range all {
			bytes += each.bytes
		}
		const fullPacketBytes = 1500
		if least := allowed(int64(span)) - burstBytes - fullPacketBytes; float64(bytes) < least*0.97 {
			t.Errorf("connection %d had %d bytes of %.0f", port, bytes, least)
		}
	}
	if len(byPort) != 3 {
		t.Errorf("%d connections", len(byPort))
	}
}

func TestARestFillsTheBucketAgain(t *testing.T) {
	p := New(Config{RateBitsPerSecond: rateBitsPerSecond, BurstBytes: burstBytes})
	for _, startNs := range []int64{0, int64(time.Minute)} {
		bytes := 0
		for p.Admit(startNs, packetOf(1, 500)) {
			bytes += 500
		}
		if bytes != burstBytes {
			t.Errorf("%d bytes at once", bytes)
		}
	}
}

func TestWhatIsNoTCPPasses(t *testing.T) {
	p := New(Config{RateBitsPerSecond: 1_000, BurstBytes: 1})
	udp := packetOf(1, 1500)
	udp[9] = 17
	if !p.Admit(0, udp) || !p.Admit(0, nil) || p.Admit(0, packetOf(1, 1500)) {
		t.Error("UDP is policed, or TCP is not")
	}
}

func TestConnectionsThatRestAreForgotten(t *testing.T) {
	p := New(Config{RateBitsPerSecond: rateBitsPerSecond, BurstBytes: burstBytes})
	for port := range uint16(1000) {
		p.Admit(int64(port)*int64(time.Second), packetOf(port, 1500))
	}
	if len(p.fullNs) > 2 {
		t.Errorf("%d buckets are kept", len(p.fullNs))
	}
}
