package kernel

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"os"
	"testing"
	"time"

	"github.com/cilium/ebpf"

	"firstscreen/driver/internal/flow"
)

const (
	near, far           = 40_000, 8080
	first        uint32 = 1000
	payloadBytes        = 500
)

// bench runs the programs on packets that no network has seen.
type bench struct {
	t      *testing.T
	kernel *Kernel
	key    flow.Key
	nearIP netip.Addr
	farIP  netip.Addr
}

func newBench(t *testing.T) *bench {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("programs are loaded by root only")
	}
	k, err := Load(0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Close)
	if err := k.traffic.PortRules.Put(PortRule{AnyUser, RemotePort, far}, Registration{RAR, 1}); err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, kernel: k, nearIP: netip.MustParseAddr("192.0.2.1"), farIP: netip.MustParseAddr("192.0.2.2")}
	b.key = flow.NewTCP(netip.AddrPortFrom(b.nearIP, near), netip.AddrPortFrom(b.farIP, far))
	return b
}

// segment of TCP in a frame of Ethernet; with a timestamp option unless both are 0. Checksums are not looked at.
func segment(from, to netip.AddrPort, sequence, acknowledgement uint32, value, echo uint32, payload int) []byte {
	options := []byte{}
	if value != 0 || echo != 0 {
		options = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte{1, 1, 8, 10}, value), echo)
	}
	frame := make([]byte, 12)
	frame = append(frame, 8, 0)
	ip := make([]byte, 20)
	ip[0], ip[8], ip[9] = 0x45, 64, 6
	binary.BigEndian.PutUint16(ip[2:], uint16(40+len(options)+payload))
	copy(ip[12:], from.Addr().AsSlice())
	copy(ip[16:], to.Addr().AsSlice())
	tcp := make([]byte, 20)
	binary.BigEndian.PutUint16(tcp, from.Port())
	binary.BigEndian.PutUint16(tcp[2:], to.Port())
	binary.BigEndian.PutUint32(tcp[4:], sequence)
	binary.BigEndian.PutUint32(tcp[8:], acknowledgement)
	tcp[12], tcp[13] = byte(20+len(options))<<2, 0x18 // PSH, ACK
	return bytes.Join([][]byte{frame, ip, tcp, options, make([]byte, payload)}, nil)
}

func (b *bench) run(program *ebpf.Program, frame []byte, mark uint32) {
	b.t.Helper()
	context := struct {
		Bytes, Type, Mark uint32
		Rest              [45]uint32
	}{Mark: mark}
	if _, err := program.Run(&ebpf.RunOptions{Data: frame, Context: context}); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) sends(sequence, value, mark uint32) {
	b.t.Helper()
	frame := segment(netip.AddrPortFrom(b.nearIP, near), netip.AddrPortFrom(b.farIP, far), sequence, 1, value, 0, payloadBytes)
	b.run(b.kernel.traffic.OutgoingEthernet, frame, mark)
}

func (b *bench) isAcknowledged(end, echo uint32) {
	b.t.Helper()
	frame := segment(netip.AddrPortFrom(b.farIP, far), netip.AddrPortFrom(b.nearIP, near), 1, end, 7, echo, 0)
	b.run(b.kernel.traffic.IncomingEthernet, frame, 0)
}

func (b *bench) flow() (state flowState) {
	b.t.Helper()
	if err := b.kernel.traffic.Flows.Lookup(&b.key, &state); err != nil {
		b.t.Fatal(err)
	}
	return state
}

func (b *bench) expectRoundTrips(wanted uint32) {
	b.t.Helper()
	if got := b.flow(); got.RoundTrips != wanted || (wanted > 0) != (got.RTTUs > 0) {
		b.t.Errorf("%d round trips, expected %d: %+v", got.RoundTrips, wanted, got)
	}
}

func TestARoundTripIsMeasuredWithWhatWasOnTheWay(t *testing.T) {
	b := newBench(t)
	b.sends(first, 0, 0)
	b.sends(first+payloadBytes, 0, 0) // not timed: the one before is
	b.isAcknowledged(first+payloadBytes, 0)
	b.expectRoundTrips(1)
	if got := b.flow(); got.LastRTTBytes != payloadBytes || got.Acknowledged != first+payloadBytes {
		t.Errorf("%+v", got)
	}
}

// Karn's rule; and RFC 7323, section 4: what TCP has sent again is timed where a timestamp tells which one was acknowledged.
func TestWhatTCPHasSentAgainIsTimedByItsTimestamp(t *testing.T) {
	for _, c := range []struct {
		name        string
		value, echo uint32
		roundTrips  uint32
	}{
		{"no timestamps", 0, 0, 0},
		{"the first one's", 200, 100, 0},
		{"the second one's", 200, 200, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			b.sends(first, c.value/2, 0)
			b.sends(first, c.value, 0)
			b.isAcknowledged(first+payloadBytes, c.echo)
			b.expectRoundTrips(c.roundTrips)
		})
	}
}

func TestWhatTheDriverHasSentOnceMoreIsTimedOnlyWhileTheAcknowledgementMustBeOfTheOriginal(t *testing.T) {
	const least = 300 * time.Millisecond
	begin := func(t *testing.T) *bench {
		b := newBench(t)
		b.sends(first, 0, 0)
		time.Sleep(least)
		b.isAcknowledged(first+payloadBytes, 0)
		b.sends(first+payloadBytes, 0, 0)
		b.sends(first+payloadBytes, 0, MarkAgain)
		return b
	}
	t.Run("where none was measured", func(t *testing.T) { // else the wait would be as much too short the next time
		b := newBench(t)
		b.sends(first, 0, 0)
		b.sends(first, 0, MarkAgain)
		b.isAcknowledged(first+payloadBytes, 0)
		b.expectRoundTrips(1)
	})
	t.Run("sooner than any round trip", func(t *testing.T) {
		b := begin(t)
		b.isAcknowledged(first+2*payloadBytes, 0)
		b.expectRoundTrips(2)
	})
	t.Run("later", func(t *testing.T) {
		b := begin(t)
		time.Sleep(time.Duration(b.flow().MinRTTUs)*time.Microsecond + time.Millisecond)
		b.isAcknowledged(first+2*payloadBytes, 0)
		b.expectRoundTrips(1)
	})
}
