package e2e

import (
	"bytes"
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// useReno: after a time-out its window is one segment; that of others may not be.
func useReno(t *testing.T, connection *net.TCPConn) {
	t.Helper()
	raw, err := connection.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	raw.Control(func(fd uintptr) { err = unix.SetsockoptString(int(fd), unix.IPPROTO_TCP, unix.TCP_CONGESTION, "reno") })
	if err != nil {
		t.Fatal(err)
	}
}

func isPureAcknowledgement(s segment) bool {
	return s.up && s.flags&(syn|fin|rst|ack) == ack && len(s.payload) == 0
}

// A connection is young after a loss: TCP begins with more than gamma, ten segments.
func TestAYoungConnectionAcknowledgesInSegmentsOfTheirOwn(t *testing.T) {
	forEachDevice(t, func(t *testing.T, isTAP bool, address string) {
		for _, c := range []struct {
			name  string
			small bool
		}{{"young", true}, {"mature", false}} {
			t.Run(c.name, func(t *testing.T) {
				w := newWire(t, isTAP, 5*time.Millisecond)
				w.far.serve(port, echo)
				d := startDriver(t, w.near, protecting(port, "am"))
				connection := w.near.dial(address, port)
				useReno(t, connection)
				if err := exchange(connection, []byte("hello")); err != nil {
					t.Fatal(err)
				}
				if c.small { // all is lost for a while: TCP's window falls to one segment
					w.setRule(func(packet) bool { return true })
					go func() {
						time.Sleep(600 * time.Millisecond)
						w.setRule(func(packet) bool { return false })
					}()
					if err := exchange(connection, []byte("lost")); err != nil {
						t.Fatal(err)
					}
				}
				w.forget()
				message := []byte("again, with what the last answer is acknowledged by")
				if err := exchange(connection, message); err != nil {
					t.Fatal(err)
				}
				data := w.segments(isRequest)
				own := w.segments(func(s segment) bool {
					return isPureAcknowledgement(s) && len(data) > 0 && s.sequence == data[0].sequence
				})
				if len(data) != 1 || !bytes.Equal(data[0].payload, message) {
					t.Fatalf("sent %v", data)
				}
				if split := d.status().Counters.Programs.AcknowledgementsSplit > 0; split != c.small || c.small && len(own) == 0 {
					t.Errorf("split %v, %v", split, own)
				}
				// what was split must be whole, with right checksums: the peer takes it
				body, _ := randomBytes(300_000, 5)
				if err := exchangeBoth(connection, body); err != nil {
					t.Error(err)
				}
			})
		}
	})
}
