package authority

import (
	"crypto/x509"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func TestCAIsMadeOnceAndReadAgain(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "new", "ca")
	spki := make([]string, 8)
	var group sync.WaitGroup
	for i := range spki {
		group.Go(func() {
			ca, err := Open(directory)
			if err != nil {
				t.Error(err)
				return
			}
			spki[i] = ca.SPKI()
		})
	}
	group.Wait()
	stored, err := os.ReadFile(filepath.Join(directory, spkiFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range spki {
		if one != string(stored) {
			t.Errorf("%s, stored %s", one, stored)
		}
	}
	if info, err := os.Stat(filepath.Join(directory, keyFile)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	if left, _ := filepath.Glob(filepath.Join(directory, "*.*.*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestLeafIsValidForItsHostOnly(t *testing.T) {
	ca, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	pair, err := ca.Certificate("www.a.test")
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(ca.certificate)
	if _, err := leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: "www.a.test"}); err != nil {
		t.Error(err)
	}
	if leaf.VerifyHostname("a.test") == nil || leaf.VerifyHostname("b.a.test") == nil {
		t.Error("valid for other hosts")
	}
	if again, _ := ca.Certificate("www.a.test"); again != pair {
		t.Error("made twice")
	}
}

func TestDamagedCAIsRefused(t *testing.T) {
	for name, damage := range map[string]func(directory string) error{
		"no PEM":      func(d string) error { return os.WriteFile(filepath.Join(d, certificateFile), []byte("x"), 0o600) },
		"missing":     func(d string) error { return os.Remove(filepath.Join(d, certificateFile)) },
		"another key": func(d string) error { return os.Rename(otherKey(t), filepath.Join(d, keyFile)) },
	} {
		directory := t.TempDir()
		if _, err := Open(directory); err != nil {
			t.Fatal(err)
		}
		if err := damage(directory); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(directory); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func otherKey(t *testing.T) string {
	t.Helper()
	directory := t.TempDir()
	if _, err := Open(directory); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(directory, keyFile)
}
