// Command firstscreen-exchanges measures fresh exchanges: each a connection of its own, a small request and a small answer (docs/benchmarks.md).
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

const (
	plainPort  = "8080"
	tlsPort    = "8443"
	answerSize = 1000 // bytes: one segment with its headers
)

func main() {
	var err error
	switch {
	case len(os.Args) > 1 && os.Args[1] == "serve":
		err = serve()
	case len(os.Args) > 1 && os.Args[1] == "measure":
		err = measure(os.Args[2:])
	default:
		err = errors.New("usage: firstscreen-exchanges serve | measure --hosts ADDRESS[,ADDRESS] [--tls] [--count N] [--timeout SECONDS]")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "E_EXCHANGES:", err)
		os.Exit(2)
	}
}

// serve answers until it is ended.
func serve() error {
	certificate, err := selfSigned()
	if err != nil {
		return err
	}
	answer := strings.Repeat("x", answerSize)
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, answer) })
	failed := make(chan error, 2)
	go func() { failed <- http.ListenAndServe(":"+plainPort, handler) }()
	go func() {
		server := &http.Server{Addr: ":" + tlsPort, Handler: handler, TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}}}
		failed <- server.ListenAndServeTLS("", "")
	}()
	return <-failed
}

func selfSigned() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}

// Exchange is one line of the output.
type Exchange struct {
	Ms     float64 `json:"ms"`
	Host   string  `json:"host"`
	Failed string  `json:"failed,omitempty"`
}

func measure(arguments []string) error {
	options := flag.NewFlagSet("measure", flag.ContinueOnError)
	hosts := options.String("hosts", "", "addresses of the server, which take turns")
	useTLS := options.Bool("tls", false, "HTTPS (TLS 1.3)")
	count := options.Int("count", 40, "exchanges")
	seconds := options.Float64("timeout", 60, "of one exchange")
	if err := options.Parse(arguments); err != nil {
		return err
	}
	addresses := strings.Split(*hosts, ",")
	isNone := func(address string) bool { return net.ParseIP(address) == nil }
	if slices.ContainsFunc(addresses, isNone) || *count < 1 || *seconds <= 0 {
		return errors.New("addresses, a count and a time-out are needed")
	}
	lines := json.NewEncoder(os.Stdout)
	for i := range *count {
		address := addresses[i%len(addresses)]
		measured := exchange(urlOf(address, *useTLS), time.Duration(*seconds*float64(time.Second)))
		measured.Host = address
		if err := lines.Encode(measured); err != nil {
			return err
		}
	}
	return nil
}

func urlOf(address string, useTLS bool) string {
	if useTLS {
		return "https://" + net.JoinHostPort(address, tlsPort)
	}
	return "http://" + net.JoinHostPort(address, plainPort)
}

// exchange connects anew: the time is from the first segment to the last byte of the answer.
func exchange(url string, timeout time.Duration) Exchange {
	client := &http.Client{Timeout: timeout, Transport: &http.Transport{
		DisableKeepAlives: true,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true}, // the server is our own, across our own link
	}}
	began := time.Now()
	response, err := client.Get(url)
	if err == nil {
		var n int64
		n, err = io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if err == nil && n != answerSize {
			err = fmt.Errorf("%d bytes came", n)
		}
	}
	result := Exchange{Ms: float64(time.Since(began).Microseconds()) / 1000}
	if err != nil {
		result.Failed = err.Error()
	}
	return result
}
