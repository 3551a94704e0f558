package kernel

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
)

//go:generate go tool bpf2go -go-package kernel -target bpfel,bpfeb -cflags "-O2 -g -Wall -Werror" uploads ../../bpf/uploads.bpf.c -- -I../../bpf -idirafter /usr/include/x86_64-linux-gnu -idirafter /usr/include/aarch64-linux-gnu

// What any program may choose, of the whole machine, and what the kernel has (Documentation/networking/ip-sysctl). In network namespaces of their own there is
// only the second.
const (
	allowedPath   = "/proc/sys/net/ipv4/tcp_allowed_congestion_control"
	availablePath = "/proc/sys/net/ipv4/tcp_available_congestion_control"
)

var errNoBBR = errors.New("BBR is not among the congestion controls that programs may choose; modprobe tcp_bbr, then start the driver anew")

// uploads gives sockets back the congestion control that they had before BBR.
type uploads struct {
	loaded  uploadsObjects
	restore *link.Iter
}

// openUploads where BBR is there; nothing loads a module for it. It needs the kernel's types (BTF), and CAP_PERFMON until then.
func openUploads(with bpfObjects) (*uploads, error) {
	if err := bbrIsAllowed(); err != nil {
		return nil, err
	}
	u := &uploads{}
	shared := map[string]*ebpf.Map{"uploads": with.Uploads, "known_sockets": with.KnownSockets, "targets": with.Targets}
	if err := loadUploadsObjects(&u.loaded, &ebpf.CollectionOptions{MapReplacements: shared}); err != nil {
		return nil, err
	}
	var err error
	u.restore, err = link.AttachIter(link.IterOptions{Program: u.loaded.Restore})
	if err != nil {
		u.loaded.Close()
		return nil, fmt.Errorf("an iterator over sockets: %w", err)
	}
	return u, nil
}

func bbrIsAllowed() error {
	text, err := os.ReadFile(allowedPath)
	if errors.Is(err, os.ErrNotExist) {
		text, err = os.ReadFile(availablePath)
	}
	if err == nil && !hasBBR(string(text)) {
		return errNoBBR
	}
	return err
}

// hasBBR tells whether it is in a list of names.
func hasBBR(names string) bool { return slices.Contains(strings.Fields(names), "bbr") }

// takeBack BBR from all sockets that are not registered for it any more.
func (u *uploads) takeBack() error {
	sockets, err := u.restore.Open()
	if err != nil {
		return err
	}
	defer sockets.Close()
	_, err = io.Copy(io.Discard, sockets)
	return err
}

func (u *uploads) Close() {
	if u != nil {
		u.restore.Close()
		u.loaded.Close()
	}
}
