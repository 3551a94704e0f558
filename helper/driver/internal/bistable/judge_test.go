// Package bistable tests the switch of FWP (bpf/bistable.h), as the kernel runs it, in closed loops with senders of TCP and a bottleneck in virtual time.
package bistable

import (
	"os"
	"testing"

	"github.com/cilium/ebpf"

	"firstscreen/driver/internal/layout"
)

//go:generate go tool bpf2go -go-package bistable -target bpfel,bpfeb -cflags "-O2 -g -Wall -Werror -mcpu=v3" -type arrival bpf ../../bpf/bistable_test.bpf.c -- -I../../bpf -idirafter /usr/include/x86_64-linux-gnu -idirafter /usr/include/aarch64-linux-gnu

const rateOne = 1 << 16 // RATE_ONE in bpf/bistable.h

type verdict uint32

// What becomes of a hole (bpf/bistable_test.bpf.c).
const (
	left verdict = iota
	filled
	sign
)

// judge has the program judge segments.
type judge struct {
	testing.TB
	program *ebpf.Program
}

func newJudge(t testing.TB) judge {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, for a program in the kernel")
	}
	var loaded bpfObjects
	if err := loadBpfObjects(&loaded, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { loaded.Close() })
	return judge{t, loaded.Judge}
}

// of a segment; its state is the one behind it then.
func (j judge) of(arrival *bpfArrival) verdict {
	bytes := layout.BytesOf(arrival)
	result, err := j.program.Run(&ebpf.RunOptions{Data: bytes, DataOut: bytes})
	if err != nil || verdict(result) > sign {
		j.Fatalf("verdict %d, %v", result, err)
	}
	return verdict(result)
}
