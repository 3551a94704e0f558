//go:build systemd

package wireless

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"testing"
	"time"

	"firstscreen/driver/e2e/repair"
	"firstscreen/driver/internal/control"
	"firstscreen/driver/internal/daemon"
	"firstscreen/driver/internal/fwp"
)

const (
	bodyBytes = 1 << 20
	// downloadLosesEvery frame of this number: 4 %.
	downloadLosesEvery = 25
)

// transfer is what became of a download.
type transfer struct {
	air       counts
	sentAgain int // by TCP
	holes     int // that were filled
	isExact   bool
}

// What the air loses of a download without acknowledgement is filled by the driver, in its unit, and repaired by ranges; without it, TCP sends it again.
func expectRepaired(t *testing.T, l *link) {
	await(t, "the driver answers", func() bool { return control.Ask(control.DefaultSocket, "status", &daemon.Status{}) == nil })
	driver, err := net.Dial("unix", control.DefaultSocket)
	if err != nil {
		t.Fatal(err)
	}
	defer driver.Close()
	body := make([]byte, bodyBytes)
	rand.NewChaCha8([32]byte{17}).Read(body)
	o := serveBody(t, l.far, body)
	l.medium.lose(downloadLosesEvery)

	acknowledged := l.transfer(t, o, nil)
	if air := acknowledged.air; air.WithoutAck != 0 || air.Attempts <= air.Frames || air.lost() != 0 {
		t.Errorf("with acknowledgement: %+v", acknowledged)
	}
	turnOn(t, l.far)
	byTCP, byRanges := l.transfer(t, o, nil), l.transfer(t, o, driver)
	for _, one := range []transfer{byTCP, byRanges} {
		if air := one.air; air.WithoutAck != air.Frames || air.PolicyNoAck != air.Frames || air.Attempts != air.Frames || air.lost() == 0 {
			t.Errorf("not without acknowledgement, each frame sent once, some lost: %+v", one)
		}
	}
	if byTCP.sentAgain < byTCP.air.lost() {
		t.Errorf("left to TCP: %+v", byTCP)
	}
	if lost := byRanges.air.lost(); byRanges.sentAgain > lost/4 || byRanges.holes < lost/2 {
		t.Errorf("repaired by ranges: %+v", byRanges)
	}
	for _, one := range []transfer{acknowledged, byTCP, byRanges} {
		if !one.isExact {
			t.Errorf("other bytes came than were sent: %+v", one)
		}
	}
}

// transfer of the body to the near station; without a connection to the driver, it is left to TCP.
func (l *link) transfer(t *testing.T, of *origin, driver net.Conn) (done transfer) {
	t.Helper()
	connection, err := net.Dial("tcp4", of.address)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	l.medium.take(unmarked)
	got, holes, err := download(connection, driver)
	if err != nil {
		t.Fatal(err)
	}
	done = transfer{air: l.medium.take(unmarked), holes: len(holes), isExact: sha256.Sum256(got) == sha256.Sum256(of.body)}
	if done.sentAgain, err = of.sentAgain(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", done)
	return done
}

// download the body of a server, and repair what the driver says are holes.
func download(connection, driver net.Conn) (body []byte, holes [][2]uint64, err error) {
	server := connection.RemoteAddr().String()
	connection.SetDeadline(time.Now().Add(patience))
	if _, err := fmt.Fprintf(connection, "GET / HTTP/1.1\r\nHost: %s\r\n\r\n", server); err != nil {
		return nil, nil, err
	}
	stream, head, err := readHead(connection)
	if err != nil {
		return nil, nil, err
	}
	end := head + bodyBytes
	tell := func() error { return nil }
	if driver != nil {
		flow, err := repair.Begin(driver, connection, uint64(end))
		if err != nil {
			return nil, nil, err
		}
		tell = func() error {
			return flow.Until(uint64(len(stream)), func(told fwp.Told) { holes = append(holes, told.Holes...) })
		}
	}
	for len(stream) < end {
		if stream, err = read(connection, stream); err != nil {
			return nil, nil, err
		}
		if err := tell(); err != nil {
			return nil, nil, err
		}
	}
	for _, hole := range holes {
		if err := fetchRange(server, int(hole[0])-head, stream[hole[0]:hole[0]+hole[1]]); err != nil {
			return nil, nil, err
		}
	}
	return stream[head:], holes, nil
}

// read more of a stream.
func read(connection net.Conn, stream []byte) ([]byte, error) {
	block := make([]byte, 64<<10)
	n, err := connection.Read(block)
	if n > 0 {
		err = nil
	}
	return append(stream, block[:n]...), err
}

// readHead of an answer whose body the test knows. It returns what was read, and how much of it is the head.
func readHead(connection net.Conn) (stream []byte, head int, err error) {
	const endOfHead = "\r\n\r\n"
	for !bytes.Contains(stream, []byte(endOfHead)) {
		if stream, err = read(connection, stream); err != nil {
			return nil, 0, err
		}
	}
	head = bytes.Index(stream, []byte(endOfHead)) + len(endOfHead)
	response, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(stream[:head])), nil)
	if err != nil {
		return nil, 0, err
	}
	if response.ContentLength != bodyBytes || response.Header.Get("ETag") != validator {
		return nil, 0, fmt.Errorf("the answer is %v", response)
	}
	return stream, head, nil
}

// fetchRange of the body on another connection.
func fetchRange(server string, offset int, into []byte) error {
	request, err := http.NewRequest(http.MethodGet, "http://"+server+"/", nil)
	if err != nil {
		return err
	}
	request.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", offset, offset+len(into)-1))
	request.Header.Set("If-Range", validator)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusPartialContent || response.ContentLength != int64(len(into)) {
		return errors.New("a range was answered " + response.Status)
	}
	_, err = io.ReadFull(response.Body, into)
	return err
}
