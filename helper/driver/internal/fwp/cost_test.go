package fwp

import (
	"testing"

	"github.com/cilium/ebpf"
)

// What a packet costs, a full one in order: `go test -run - -bench Packet ./internal/fwp` (as root).

func BenchmarkAPacketOfAFlow(b *testing.B)       { costOfAPacket(b, func(*bed) {}) }
func BenchmarkAPacketOfAnotherFlow(b *testing.B) { costOfAPacket(b, (*bed).forget) }

func costOfAPacket(b *testing.B, change func(*bed)) {
	on := newBed(b, "127.0.0.1")
	on.put(on.flow())
	packet := on.packet(on.segment(0, randomPayload(1448, 1)))
	change(on)
	verdict, _, err := on.loaded.IncomingEthernet.Benchmark(packet, b.N, b.ResetTimer)
	if err != nil || verdict != goOn {
		b.Fatalf("verdict %d, %v", int32(verdict), err)
	}
}

// forget the flow, and have another one.
func (b *bed) forget() {
	b.Helper()
	entry, other := b.flow(), keyOf(b.connection)
	other.RemotePort++
	if err := b.loaded.FwpFlows.Delete(keyOf(b.connection)); err != nil {
		b.Fatal(err)
	}
	if err := b.loaded.FwpFlows.Update(other, &entry, ebpf.UpdateAny); err != nil {
		b.Fatal(err)
	}
}
