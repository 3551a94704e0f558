package qemu

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// kernel is one of Debian's packages of a kernel 6.1.
type kernel struct {
	// cache holds what was taken out of the package; without it it is downloaded anew.
	cache   string
	flavour string
	// modules that the tests need and the kernel has not built in, in the order in which they can be loaded.
	modules []string
}

var (
	cloudKernel = kernel{
		cache:   "../../../build/kernel-6.1",
		flavour: "cloud-amd64",
		modules: []string{"tun", "veth", "sch_ingress", "cls_bpf", "inet_diag", "tcp_diag", "llc", "stp", "garp", "mrp", "8021q", "tcp_bbr"},
	}
	// wirelessKernel has what that of the cloud has not: radios, if simulated ones.
	wirelessKernel = kernel{
		cache:   "../../../build/kernel-6.1-wireless",
		flavour: "amd64",
		modules: []string{"tun", "veth", "sch_ingress", "cls_bpf", "inet_diag", "tcp_diag", "virtio_ring", "virtio", "rfkill", "libarc4", "cfg80211", "mac80211", "mac80211_hwsim"},
	}
)

const imageName = "vmlinuz"

// image is the kernel itself, after fetch.
func (k kernel) image() string { return filepath.Join(k.cache, imageName) }

// fetch the image and the modules into the cache; the test is skipped where they can not be had.
func (k kernel) fetch(t *testing.T) {
	t.Helper()
	if k.isComplete() {
		return
	}
	name, err := k.newest()
	if err != nil {
		t.Skip("needs Debian's kernel 6.1: ", err)
	}
	directory := t.TempDir()
	download := exec.Command("apt-get", "download", "-q", name)
	download.Dir = directory
	if output, err := download.CombinedOutput(); err != nil {
		t.Skipf("needs Debian's kernel 6.1, which could not be downloaded: %v: %s", err, output)
	}
	packages, _ := filepath.Glob(filepath.Join(directory, "*.deb"))
	if len(packages) != 1 {
		t.Fatalf("downloaded %v", packages)
	}
	made := k.cache + ".new"
	if err := errors.Join(os.RemoveAll(made), os.MkdirAll(made, 0o755), k.unpack(packages[0], made), os.RemoveAll(k.cache), os.Rename(made, k.cache)); err != nil {
		t.Fatal(err)
	}
	if !k.isComplete() {
		t.Fatalf("%s has not all of %v", name, k.modules)
	}
}

func (k kernel) isComplete() bool {
	for _, name := range append([]string{imageName}, k.moduleFiles()...) {
		if _, err := os.Stat(filepath.Join(k.cache, name)); err != nil {
			return false
		}
	}
	return true
}

// moduleFiles are named so that their order is that of loading.
func (k kernel) moduleFiles() (names []string) {
	for order, module := range k.modules {
		names = append(names, fmt.Sprintf("%02d-%s.ko", order, module))
	}
	return names
}

// newest that apt offers; its lists are fetched where they are not there yet.
func (k kernel) newest() (string, error) {
	if _, err := exec.LookPath("apt-get"); err != nil {
		return "", err
	}
	pattern := `^linux-image-6\.1\.0-([0-9]+)-` + k.flavour // apt-cache understands it, too
	name := regexp.MustCompile("(?m)" + pattern)
	build := func(of string) int {
		number, _ := strconv.Atoi(name.FindStringSubmatch(of)[1])
		return number
	}
	for _, prepare := range [][]string{{"true"}, {"apt-get", "update", "-q"}} {
		exec.Command(prepare[0], prepare[1:]...).Run() // fails without root: then there is nothing to choose from
		offered, err := exec.Command("apt-cache", "search", "--names-only", pattern+"$").Output()
		if err != nil {
			return "", err
		}
		if names := name.FindAllString(string(offered), -1); len(names) > 0 {
			return slices.MaxFunc(names, func(a, b string) int { return build(a) - build(b) }), nil
		}
	}
	return "", errors.New("apt offers none")
}

// unpack takes the image and the modules out of a package.
func (k kernel) unpack(deb, to string) error {
	command := exec.Command("dpkg-deb", "--fsys-tarfile", deb)
	output, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	files := tar.NewReader(output)
	for {
		header, err := files.Next()
		if err == io.EOF {
			return command.Wait()
		}
		if err != nil {
			return err
		}
		if name := k.keptAs(filepath.Base(header.Name)); name != "" {
			content, err := io.ReadAll(files)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(to, name), content, 0o644); err != nil {
				return err
			}
		}
	}
}

func (k kernel) keptAs(name string) string {
	if strings.HasPrefix(name, "vmlinuz-") {
		return imageName
	}
	if order := slices.Index(k.modules, strings.TrimSuffix(name, ".ko")); order >= 0 {
		return k.moduleFiles()[order]
	}
	return ""
}
