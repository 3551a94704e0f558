package attach

import (
	"bytes"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// encryptingFeatures of devices: packets pass the egress hook before they are encrypted, so a copy of one would leave in clear
// (kTLS, and IPsec's packet offload).
var encryptingFeatures = []string{"tls-hw-tx-offload", "tls-hw-record", "esp-hw-offload"}

func refuseEncrypting(device string) error {
	features, err := readFeatures(device)
	if err != nil {
		return fmt.Errorf("whether %s encrypts packets itself is not known: %w", device, err)
	}
	return encrypting(device, features)
}

func encrypting(device string, features map[string]bool) error {
	for _, name := range encryptingFeatures {
		if features[name] {
			return fmt.Errorf("it encrypts packets itself (ethtool -K %s %s off)", device, name)
		}
	}
	return nil
}

// From linux/ethtool.h.
const (
	ethtoolGetStringSetInfo = 0x37
	ethtoolGetStrings       = 0x1b
	ethtoolGetFeatures      = 0x3a
	featureNames            = 4 // ETH_SS_FEATURES
	nameBytes               = 32
	blockFeatures           = 32
)

// readFeatures that are on, of a device in this network namespace.
func readFeatures(device string) (map[string]bool, error) {
	socket, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(socket)
	count := struct {
		command, reserved uint32
		mask              uint64
		count             uint32
	}{command: ethtoolGetStringSetInfo, mask: 1 << featureNames}
	if err := ethtool(socket, device, unsafe.Pointer(&count)); err != nil || count.mask == 0 {
		return nil, fmt.Errorf("features can not be counted: %w", err)
	}
	names := make([]byte, 12+count.count*nameBytes)
	*(*[3]uint32)(unsafe.Pointer(&names[0])) = [3]uint32{ethtoolGetStrings, featureNames, count.count}
	if err := ethtool(socket, device, unsafe.Pointer(&names[0])); err != nil {
		return nil, fmt.Errorf("features have no names: %w", err)
	}
	blocks := (count.count + blockFeatures - 1) / blockFeatures
	words := make([]uint32, 2+4*blocks) // available, requested, active, never changed
	words[0], words[1] = ethtoolGetFeatures, blocks
	if err := ethtool(socket, device, unsafe.Pointer(&words[0])); err != nil {
		return nil, fmt.Errorf("features can not be read: %w", err)
	}
	active := map[string]bool{}
	for i := range count.count {
		name, _, _ := bytes.Cut(names[12+i*nameBytes:12+(i+1)*nameBytes], []byte{0})
		active[string(name)] = words[2+4*(i/blockFeatures)+2]>>(i%blockFeatures)&1 == 1
	}
	return active, nil
}

// ethtool asks for what a command's structure, which begins with its number, says.
func ethtool(socket int, device string, command unsafe.Pointer) error {
	var request struct {
		name    [unix.IFNAMSIZ]byte
		command unsafe.Pointer
		_       [16]byte
	}
	copy(request.name[:unix.IFNAMSIZ-1], device)
	request.command = command
	if _, _, failed := unix.Syscall(unix.SYS_IOCTL, uintptr(socket), unix.SIOCETHTOOL, uintptr(unsafe.Pointer(&request))); failed != 0 {
		return failed
	}
	return nil
}
