package flow

import (
	"encoding/binary"
	"encoding/json"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
)

var (
	client = netip.MustParseAddrPort("10.99.0.1:40001")
	server = netip.MustParseAddrPort("20.100.1.3:443")
)

// packet makes an IPv4 TCP packet with options in both headers, so that the lengths are not the usual ones.
func packet(from, to netip.AddrPort, sequence uint32, flags byte, payloadBytes int) []byte {
	const ipHeader, tcpHeader = 24, 32
	p := make([]byte, ipHeader+tcpHeader+payloadBytes)
	p[0], p[9] = 4<<4|ipHeader/4, protocolTCP
	binary.BigEndian.PutUint16(p[2:], uint16(len(p)))
	source, destination := from.Addr().As4(), to.Addr().As4()
	copy(p[12:], source[:])
	copy(p[16:], destination[:])
	tcp := p[ipHeader:]
	binary.BigEndian.PutUint16(tcp, from.Port())
	binary.BigEndian.PutUint16(tcp[2:], to.Port())
	binary.BigEndian.PutUint32(tcp[4:], sequence)
	tcp[12], tcp[13] = tcpHeader/4<<4, flags
	return p
}

// open is a recorder with one connection whose server starts at a sequence number.
func open(isn uint32) *Recorder {
	r := NewRecorder()
	r.DeliveredUp(packet(client, server, 77, flagSYN, 0), 10)
	r.DeliveredDown(packet(server, client, isn, flagSYN|flagACK, 0), 20)
	return r
}

func steps(t *testing.T, r *Recorder) []Step {
	t.Helper()
	records := r.Records(true)
	if len(records) != 1 {
		t.Fatalf("%d flows, expected 1", len(records))
	}
	return records[0].Steps
}

func TestStepsFollowTheContiguousBytes(t *testing.T) {
	const isn = 0xffffff00 // so that the sequence numbers wrap soon
	r := open(isn)
	down := func(nowNs int64, offset uint32, payloadBytes int, flags byte) {
		r.DeliveredDown(packet(server, client, isn+1+offset, flags|flagACK, payloadBytes), nowNs)
	}
	down(30, 0, 100, 0)
	down(31, 0, 100, 0)   // a retransmission
	down(32, 200, 100, 0) // behind a hole
	down(33, 400, 50, 0)  // and another
	down(34, 250, 100, 0) // overlaps what is there
	down(35, 100, 100, 0) // fills the first hole, past the wrap
	down(36, 300, 100, 0) // fills the second, overlapping
	down(37, 0, 460, 0)   // a retransmission that brings ten new bytes
	down(38, 460, 0, flagFIN)
	down(39, 461, 0, 0)
	if got, expected := steps(t, r), []Step{{30, 100}, {35, 350}, {36, 450}, {37, 460}}; !slices.Equal(got, expected) {
		t.Errorf("steps %v, expected %v", got, expected)
	}
}

func TestFINWithDataCountsTheData(t *testing.T) {
	r := open(5)
	r.DeliveredDown(packet(server, client, 6, flagFIN|flagACK, 10), 30)
	if got := steps(t, r); !slices.Equal(got, []Step{{30, 10}}) {
		t.Errorf("steps %v", got)
	}
}

// Whatever the order and overlap of segments, steps rise strictly and end at the whole, and each is the true contiguous length.
func TestAnyOrderOfSegments(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		isn := random.Uint32()
		r := open(isn)
		const total = 4000
		there := make([]bool, total)
		contiguous := 0
		for nowNs := int64(30); contiguous < total; nowNs++ {
			from := random.IntN(total)
			to := min(total, from+1+random.IntN(900))
			r.DeliveredDown(packet(server, client, isn+1+uint32(from), flagACK, to-from), nowNs)
			for i := from; i < to; i++ {
				there[i] = true
			}
			before := contiguous
			for contiguous < total && there[contiguous] {
				contiguous++
			}
			got := steps(t, r)
			if contiguous > before && (len(got) == 0 || got[len(got)-1] != Step{nowNs, int64(contiguous)}) {
				t.Fatalf("steps end %v, expected %d bytes at %d", got, contiguous, nowNs)
			}
			if contiguous == before && len(got) > 0 && got[len(got)-1][0] == nowNs {
				t.Fatalf("a step without growth at %d", nowNs)
			}
		}
	}
}

func TestConnectionsAreToldApart(t *testing.T) {
	r := open(100)
	r.DeliveredUp(packet(client, server, 77, flagSYN, 0), 40) // the same SYN again
	if n := len(r.Records(true)); n != 1 {
		t.Errorf("a retransmitted SYN made %d flows", n)
	}
	r.DeliveredUp(packet(client, server, 5000, flagSYN, 0), 50) // the ports used again
	r.DeliveredDown(packet(server, client, 900, flagSYN|flagACK, 0), 60)
	r.DeliveredDown(packet(server, client, 901, flagACK, 7), 70)
	records := r.Records(true)
	if len(records) != 2 || records[0].SynNs != 10 || records[1].SynNs != 50 || len(records[0].Steps) != 0 || !slices.Equal(records[1].Steps, []Step{{70, 7}}) {
		t.Errorf("%+v", records)
	}
}

func TestBytesAreCountedAndJSONIsAsDocumented(t *testing.T) {
	r := open(100)
	r.DeliveredUp(packet(client, server, 78, flagACK, 44), 30)
	text, err := json.Marshal(r.Records(true))
	const expected = `[{"client":"10.99.0.1:40001","server":"20.100.1.3:443","synNs":10,"steps":[],"upBytes":156,"downBytes":56}]`
	if err != nil || string(text) != expected {
		t.Errorf("%s, %v", text, err)
	}
}

func TestResetForgetsWhatHasNotBegun(t *testing.T) {
	r := open(100)
	r.Reset()
	r.DeliveredDown(packet(server, client, 101, flagACK, 7), 70)
	if n := len(r.Records(true)); n != 0 {
		t.Errorf("%d flows after a reset", n)
	}
}

func TestAnOpenConnectionGoesOnAfterAReset(t *testing.T) {
	r := open(100)
	r.DeliveredDown(packet(server, client, 101, flagACK, 50), 30)
	r.DeliveredDown(packet(server, client, 171, flagACK, 30), 31) // behind a hole
	r.Reset()
	if n := len(r.Records(true)); n != 0 {
		t.Errorf("%d flows before it brought anything", n)
	}
	r.DeliveredDown(packet(server, client, 151, flagACK, 20), 70) // fills the hole
	r.DeliveredUp(packet(client, server, 78, flagACK, 4), 80)
	text, err := json.Marshal(r.Records(true))
	const expected = `[{"client":"10.99.0.1:40001","server":"20.100.1.3:443","synNs":10,"beforeBytes":50,"steps":[[70,100]],"upBytes":60,"downBytes":76}]`
	if err != nil || string(text) != expected {
		t.Errorf("%s, %v", text, err)
	}
	r.Reset()
	r.DeliveredDown(packet(server, client, 201, flagACK, 5), 90)
	if records := r.Records(true); len(records) != 1 || records[0].BeforeBytes != 100 || !slices.Equal(records[0].Steps, []Step{{90, 105}}) {
		t.Errorf("%+v", records)
	}
}

func TestAClosedConnectionIsForgottenAtAReset(t *testing.T) {
	for name, end := range map[string]func(*Recorder){
		"by its server": func(r *Recorder) { r.DeliveredDown(packet(server, client, 151, flagFIN|flagACK, 0), 40) },
		"by its client": func(r *Recorder) { r.DeliveredUp(packet(client, server, 78, flagRST, 0), 40) },
	} {
		r := open(100)
		r.DeliveredDown(packet(server, client, 101, flagACK, 50), 30)
		end(r)
		r.Reset()
		r.DeliveredDown(packet(server, client, 151, flagACK, 20), 70)
		if n := len(r.Records(true)); n != 0 {
			t.Errorf("%d flows after one was closed %s", n, name)
		}
	}
}

func TestWhatIsNoWholeTCPSegmentIsIgnored(t *testing.T) {
	whole := packet(client, server, 1, flagACK, 100)
	if TCPPayloadBytes(whole) != 100 || TCPPayloadBytes(packet(client, server, 1, flagACK, 0)) != 0 {
		t.Error("payload not told from none")
	}
	for length := range whole {
		if TCPPayloadBytes(whole[:length]) > 0 {
			t.Errorf("%d of %d bytes taken for a segment", length, len(whole))
		}
	}
	for name, change := range map[string]func(p []byte){
		"IPv6": func(p []byte) { p[0] = 6 << 4 }, "UDP": func(p []byte) { p[9] = 17 }, "fragment": func(p []byte) { p[7] = 1 },
		"more fragments": func(p []byte) { p[6] = 0x20 }, "short IP header": func(p []byte) { p[0] = 4<<4 | 4 },
		"short TCP header": func(p []byte) { p[24+12] = 4 << 4 }, "long TCP header": func(p []byte) { binary.BigEndian.PutUint16(p[2:], 24+20) },
	} {
		p := slices.Clone(whole)
		change(p)
		if TCPPayloadBytes(p) > 0 {
			t.Errorf("%s taken for a whole segment", name)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 { // nothing a TUN device may hand over can panic the link
		p := make([]byte, random.IntN(80))
		for i := range p {
			p[i] = byte(random.Uint32())
		}
		if len(p) > 9 {
			p[0], p[9] = 4<<4|p[0]&0xf, protocolTCP
		}
		TCPPayloadBytes(p)
	}
}
