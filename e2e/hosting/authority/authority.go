// Package authority is the certificate authority of the test bed: browsers under test trust it, nobody else does.
package authority

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"math/big"
	"sync"
	"time"
)

const (
	commonName = "Firstscreen test bed CA"
	caLifetime = 10 * 365 * 24 * time.Hour
	// leafLifetime stays below the 398 days that browsers accept of public certificates.
	leafLifetime = 90 * 24 * time.Hour
	// clockSlack lets certificates made now be valid for a client whose clock is behind.
	clockSlack = 24 * time.Hour
	serialBits = 128
)

// Authority signs certificates for recorded hosts; they live in memory only.
type Authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	// leafKey is shared by all leafs: what tells hosts apart is the certificate.
	leafKey *ecdsa.PrivateKey

	mu    sync.Mutex
	leafs map[string]*tls.Certificate
}

func newAuthority(certificate *x509.Certificate, key *ecdsa.PrivateKey) (*Authority, error) {
	leafKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	return &Authority{certificate: certificate, key: key, leafKey: leafKey, leafs: map[string]*tls.Certificate{}}, nil
}

// create makes a new CA certificate, DER encoded, and its key.
func create(now time.Time) ([]byte, *ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	serial, err := newSerial()
	if err != nil {
		return nil, nil, err
	}
	template := &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: commonName},
		NotBefore:             now.Add(-clockSlack),
		NotAfter:              now.Add(caLifetime),
		IsCA:                  true,
		MaxPathLenZero:        true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	return der, key, err
}

// SPKI is base64(SHA-256(SubjectPublicKeyInfo)), as Chromium's --ignore-certificate-errors-spki-list wants it.
func (a *Authority) SPKI() string {
	sum := sha256.Sum256(a.certificate.RawSubjectPublicKeyInfo)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// Certificate answers the chain for one host and makes it at its first use. A certificate names one host only, so browsers do not join
// connections to several hosts into one (RFC 9113, 9.1.1), as they would not with the recorded servers either.
func (a *Authority) Certificate(host string) (*tls.Certificate, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if known, ok := a.leafs[host]; ok {
		return known, nil
	}
	serial, err := newSerial()
	if err != nil {
		return nil, err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: host},
		DNSNames:     []string{host},
		NotBefore:    now.Add(-clockSlack),
		NotAfter:     now.Add(leafLifetime),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, a.leafKey.Public(), a.key)
	if err != nil {
		return nil, err
	}
	// The root is sent too: Chromium looks for the listed SPKI in the chain it was given.
	leaf := &tls.Certificate{Certificate: [][]byte{der, a.certificate.Raw}, PrivateKey: a.leafKey}
	a.leafs[host] = leaf
	return leaf, nil
}

func newSerial() (*big.Int, error) {
	return rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), serialBits))
}
