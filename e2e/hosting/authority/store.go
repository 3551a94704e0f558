package authority

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"firstscreen/e2e/hosting"
)

const (
	certificateFile = "ca.pem"
	keyFile         = "ca.key"
	spkiFile        = "ca.spki"
)

// Open reads the CA from a directory and makes one when there is none. Processes that share the directory wait for each other.
func Open(directory string) (*Authority, error) {
	authority, err := open(directory)
	if err != nil {
		return nil, &hosting.Error{
			Code: "E_HOSTING_CA", Message: "cannot use the CA in " + directory, Cause: err,
			Next: "remove ca.pem and ca.key there and start again, then let the browser trust the new CA",
		}
	}
	return authority, nil
}

func open(directory string) (*Authority, error) {
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return nil, err
	}
	unlock, err := lock(directory)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if _, err := os.Stat(filepath.Join(directory, keyFile)); errors.Is(err, fs.ErrNotExist) {
		if err := write(directory); err != nil {
			return nil, err
		}
	}
	return read(directory)
}

// lock holds the directory until unlock, or until the process ends.
func lock(directory string) (unlock func(), err error) {
	handle, err := os.Open(directory)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(handle.Fd()), unix.LOCK_EX); err != nil {
		return nil, errors.Join(err, handle.Close())
	}
	return func() { _ = handle.Close() }, nil
}

// write makes a CA. The key comes last: where it exists, the rest is complete.
func write(directory string) error {
	der, key, err := create(time.Now())
	if err != nil {
		return err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := writeAtomic(filepath.Join(directory, certificateFile), certificate, 0o644); err != nil {
		return err
	}
	return writeAtomic(filepath.Join(directory, keyFile), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}), 0o600)
}

func read(directory string) (*Authority, error) {
	pair := make([]*pem.Block, 0, 2)
	for _, name := range []string{certificateFile, keyFile} {
		text, err := os.ReadFile(filepath.Join(directory, name))
		if err != nil {
			return nil, err
		}
		block, _ := pem.Decode(text)
		if block == nil {
			return nil, errors.New(name + " is not PEM")
		}
		pair = append(pair, block)
	}
	certificate, err := x509.ParseCertificate(pair[0].Bytes)
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParsePKCS8PrivateKey(pair[1].Bytes)
	if err != nil {
		return nil, err
	}
	key, isECDSA := parsed.(*ecdsa.PrivateKey)
	if !isECDSA || !key.PublicKey.Equal(certificate.PublicKey) {
		return nil, errors.New("ca.key does not belong to ca.pem")
	}
	if time.Now().After(certificate.NotAfter) {
		return nil, errors.New("ca.pem has expired")
	}
	authority, err := newAuthority(certificate, key)
	if err != nil {
		return nil, err
	}
	return authority, writeAtomic(filepath.Join(directory, spkiFile), []byte(authority.SPKI()), 0o644)
}

// writeAtomic lets others see the old content or the new, never a part, and never with wider permissions.
func writeAtomic(path string, content []byte, mode fs.FileMode) error {
	if known, err := os.ReadFile(path); err == nil && bytes.Equal(known, content) {
		return nil
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(content)
	err = errors.Join(err, temporary.Chmod(mode), temporary.Close())
	if err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}
