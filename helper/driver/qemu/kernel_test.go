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

// cache holds what was taken out of Debian's package; without it it is downloaded anew.
const cache = "../../../build/kernel-6.1"

// modules that the tests need and the kernel has not built in, in the order in which they can be loaded.
var modules = []string{"tun", "veth", "sch_ingress", "cls_bpf", "inet_diag", "tcp_diag", "llc", "stp", "garp", "mrp", "8021q"}

const imageName = "vmlinuz"

// debianKernel returns the folder with the image and the modules; the test is skipped where they can not be had.
func debianKernel(t *testing.T) string {
	t.Helper()
	if isComplete(cache) {
		return cache
	}
	name, err := newestKernel()
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
	made := cache + ".new"
	if err := errors.Join(os.RemoveAll(made), os.MkdirAll(made, 0o755), unpack(packages[0], made), os.RemoveAll(cache), os.Rename(made, cache)); err != nil {
		t.Fatal(err)
	}
	return cache
}

func isComplete(directory string) bool {
	for _, name := range append([]string{imageName}, moduleFiles()...) {
		if _, err := os.Stat(filepath.Join(directory, name)); err != nil {
			return false
		}
	}
	return true
}

// moduleFiles are named so that their order is that of loading.
func moduleFiles() (names []string) {
	for order, module := range modules {
		names = append(names, fmt.Sprintf("%02d-%s.ko", order, module))
	}
	return names
}

// kernelPattern is understood by apt-cache, too.
const kernelPattern = `^linux-image-6\.1\.0-([0-9]+)-cloud-amd64`

var kernelName = regexp.MustCompile("(?m)" + kernelPattern)

// newestKernel that apt offers; its lists are fetched where they are not there yet.
func newestKernel() (string, error) {
	if _, err := exec.LookPath("apt-get"); err != nil {
		return "", err
	}
	for _, prepare := range [][]string{{"true"}, {"apt-get", "update", "-q"}} {
		exec.Command(prepare[0], prepare[1:]...).Run() // fails without root: then there is nothing to choose from
		offered, err := exec.Command("apt-cache", "search", "--names-only", kernelPattern+"$").Output()
		if err != nil {
			return "", err
		}
		if names := kernelName.FindAllString(string(offered), -1); len(names) > 0 {
			return slices.MaxFunc(names, func(a, b string) int { return buildOf(a) - buildOf(b) }), nil
		}
	}
	return "", errors.New("apt offers none")
}

func buildOf(name string) int {
	build, _ := strconv.Atoi(kernelName.FindStringSubmatch(name)[1])
	return build
}

// unpack takes the image and the modules out of a package.
func unpack(deb, to string) error {
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
		if name := keptAs(filepath.Base(header.Name)); name != "" {
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

func keptAs(name string) string {
	if strings.HasPrefix(name, "vmlinuz-") {
		return imageName
	}
	if order := slices.Index(modules, strings.TrimSuffix(name, ".ko")); order >= 0 {
		return moduleFiles()[order]
	}
	return ""
}
