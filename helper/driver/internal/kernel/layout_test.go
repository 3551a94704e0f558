package kernel

import (
	"testing"
	"unsafe"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/btf"
)

// What is shared with the programs has the same size on both sides, and no padding that only one of them knows.
func TestLayouts(t *testing.T) {
	traffic, err := loadTraffic()
	if err != nil {
		t.Fatal(err)
	}
	socket, err := loadSocket()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		spec       *ebpf.CollectionSpec
		name       string
		key, value uintptr
	}{
		{traffic, "port_rules", unsafe.Sizeof(PortRule{}), unsafe.Sizeof(Registration{})},
		{traffic, "sockets", 8, unsafe.Sizeof(Registration{})},
		{socket, "processes", 8, unsafe.Sizeof(Registration{})},
		{socket, "cgroups", 8, unsafe.Sizeof(Registration{})},
		{socket, "spools", 8, unsafe.Sizeof(spool{})},
		{socket, "meant_by_end", unsafe.Sizeof(address{}), unsafe.Sizeof(address{})},
		{socket, "syn_timeouts", unsafe.Sizeof(ends{}), unsafe.Sizeof(synTimeout{})},
	} {
		m := c.spec.Maps[c.name]
		if m == nil || uintptr(m.KeySize) != c.key || uintptr(m.ValueSize) != c.value {
			t.Errorf("%s: %+v, here keys have %d and values %d bytes", c.name, m, c.key, c.value)
		}
	}
	var thin *btf.Struct
	if err := traffic.Types.TypeByName("thin", &thin); err != nil {
		t.Fatal(err)
	}
	for _, member := range thin.Members {
		if member.Name == "packet" && uintptr(member.Offset.Bytes()) != unsafe.Sizeof(thinHeader{}) {
			t.Errorf("the packet begins at %d, here at %d", member.Offset.Bytes(), unsafe.Sizeof(thinHeader{}))
		}
	}
	var counters *btf.Enum
	if err := traffic.Types.TypeByName("counter", &counters); err == nil {
		for _, value := range counters.Values {
			if value.Name == "RETRANSMITTED" && value.Value != retransmittedIndex {
				t.Errorf("%s is %d, here %d", value.Name, value.Value, retransmittedIndex)
			}
		}
	}
}
