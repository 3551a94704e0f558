package qemu

import (
	"bytes"
	"fmt"
	"path"
)

// initramfs is a file system for the kernel to begin with: a cpio archive in the "newc" format (Linux, Documentation/driver-api/early-userspace/buffer-format.rst).
type initramfs struct {
	archive     bytes.Buffer
	inodes      int
	directories map[string]bool
}

const (
	modeDirectory = 0o040755
	modeFile      = 0o100755
	modeLink      = 0o120777
)

// add a file with the directories that it is in; the path begins without a slash.
func (i *initramfs) add(name string, content []byte) {
	i.addDirectory(path.Dir(name))
	i.entry(name, modeFile, content)
}

func (i *initramfs) addDirectory(name string) {
	if name == "." || i.directories[name] {
		return
	}
	i.addDirectory(path.Dir(name))
	i.entry(name, modeDirectory, nil)
	if i.directories == nil {
		i.directories = map[string]bool{}
	}
	i.directories[name] = true
}

// link to a path.
func (i *initramfs) link(name, to string) {
	i.addDirectory(path.Dir(name))
	i.entry(name, modeLink, []byte(to))
}

func (i *initramfs) entry(name string, mode int, content []byte) {
	i.inodes++
	const links, modified, device = 1, 0, 0
	fmt.Fprintf(&i.archive, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X",
		i.inodes, mode, 0, 0, links, modified, len(content), device, device, device, device, len(name)+1, 0)
	i.archive.WriteString(name + "\x00")
	i.pad()
	i.archive.Write(content)
	i.pad()
}

func (i *initramfs) pad() {
	for i.archive.Len()%4 != 0 {
		i.archive.WriteByte(0)
	}
}

// bytes of the archive; nothing may be added after.
func (i *initramfs) bytes() []byte {
	i.entry("TRAILER!!!", 0, nil)
	return i.archive.Bytes()
}
