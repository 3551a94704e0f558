package e2e

import (
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/daemon"
)

const (
	bbrFeature = "BBR for uploads"
	atFirst    = "reno" // which any network namespace may have
)

// congestionControl of a connection.
func congestionControl(t *testing.T, connection *net.TCPConn) (name string) {
	t.Helper()
	err := onSocket(connection, func(fd int) (err error) {
		name, err = unix.GetsockoptString(fd, unix.IPPROTO_TCP, unix.TCP_CONGESTION)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func setCongestionControl(connection *net.TCPConn, name string) error {
	return onSocket(connection, func(fd int) error { return unix.SetsockoptString(fd, unix.IPPROTO_TCP, unix.TCP_CONGESTION, name) })
}

func expectControl(t *testing.T, of *net.TCPConn, what, expected string) {
	t.Helper()
	if got := congestionControl(t, of); got != expected {
		t.Errorf("%s: %s, expected %s", what, got, expected)
	}
}

// upload some bytes, until the other end has them.
func upload(t *testing.T, connection *net.TCPConn, bytes int) {
	t.Helper()
	if _, err := connection.Write(make([]byte, bytes)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(connection, make([]byte, bytes/acknowledgedBytes)); err != nil {
		t.Fatal(err)
	}
}

const acknowledgedBytes = 1 << 10

// acknowledge each kilobyte by one byte.
func acknowledge(connection *net.TCPConn) {
	for message := make([]byte, acknowledgedBytes); ; {
		if _, err := io.ReadFull(connection, message); err != nil {
			return
		}
		connection.Write(message[:1])
	}
}

// uploadWire is one whose near end sends by loss where nobody says otherwise.
func uploadWire(t *testing.T) *wire {
	t.Helper()
	withCgroup2(t)
	w := newWire(t, false, delay)
	w.near.do(func() error {
		return os.WriteFile("/proc/sys/net/ipv4/tcp_congestion_control", []byte(atFirst), 0)
	})
	w.far.serve(port, acknowledge)
	return w
}

// bbrOf tells whether the driver can give uploads BBR on this kernel.
func (d *driver) bbrOf() daemon.Feature {
	d.t.Helper()
	for _, feature := range d.status().Features {
		if feature.Name == bbrFeature {
			return feature
		}
	}
	d.t.Fatal("the driver says nothing of " + bbrFeature)
	return daemon.Feature{}
}

const uploadBytes, requestBytes = 256 << 10, 8 << 10

func TestUploadsOfWhatIsRegisteredHaveBBR(t *testing.T) {
	w := uploadWire(t)
	d := startDriver(t, w.near, `{}`)
	registration := fmt.Sprintf(`{"process":%d,"policy":["rar","bbr"]}`, os.Getpid())
	foreign := w.near.dial(farIPv4, port)
	helper := d.connect()
	say(t, helper, "register", registration)
	registered, chosen, small := w.near.dial(farIPv4, port), w.near.dial(farIPv4, port), w.near.dial(farIPv4, port)
	for _, connection := range []*net.TCPConn{foreign, registered, chosen} {
		upload(t, connection, uploadBytes)
	}
	upload(t, small, requestBytes)

	changed := uint64(2)
	bbr := "bbr"
	if feature := d.bbrOf(); feature.Level == daemon.None {
		changed, bbr = 0, atFirst
		if !strings.Contains(feature.Reason, "modprobe tcp_bbr") {
			t.Errorf("it does not say what to do: %+v", feature)
		}
	}
	expectControl(t, registered, "registered", bbr)
	expectControl(t, chosen, "registered, too", bbr)
	if err := setCongestionControl(chosen, congestion); err != nil {
		t.Fatal(err)
	}
	expectControl(t, small, "with little to send", atFirst)
	expectControl(t, foreign, "of nobody who is registered", atFirst)
	if counted := d.status().Counters.Programs.Uploads; counted != changed {
		t.Errorf("counted %d", counted)
	}

	t.Run("until they are released", func(t *testing.T) {
		helper.Close()
		d.await("it is not registered any more", func() bool { return len(d.status().Registered) == 0 })
		expectControl(t, registered, "released", atFirst)
		expectControl(t, chosen, "changed by its program meanwhile", congestion)
	})

	t.Run("until the driver ends", func(t *testing.T) {
		say(t, d.connect(), "register", registration)
		again := w.near.dial(farIPv4, port)
		upload(t, again, uploadBytes)
		expectControl(t, again, "registered anew", bbr)
		d.end(syscall.SIGTERM)
		expectControl(t, again, "when the driver has ended", atFirst)
		upload(t, again, uploadBytes) // it goes on
	})
}

func TestUploadsStayAsTheyAreWhereTheAdministratorSaysSo(t *testing.T) {
	w := uploadWire(t)
	d := startDriver(t, w.near, `{"bbr":false}`)
	if feature := d.bbrOf(); feature.Level != daemon.None || !strings.Contains(feature.Reason, "administrator") {
		t.Errorf("%+v", feature)
	}
	say(t, d.connect(), "register", fmt.Sprintf(`{"process":%d,"policy":["bbr"]}`, os.Getpid()))
	connection := w.near.dial(farIPv4, port)
	upload(t, connection, uploadBytes)
	expectControl(t, connection, "registered", atFirst)
}
