package main

import (
	"encoding/json"
	"errors"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"firstscreen/e2e/link/fault"
)

// farther is what the near role "farther" saw; nothing listens at the far side, so an attempt that gets through is refused.
type farther struct{ NearMs, FarMs float64 }

// knock tries to connect and says how long the far side's answer took.
func knock(address string) (ms float64) {
	start := time.Now()
	_, err := net.DialTimeout("tcp", address+":9", patience)
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return -1
	}
	return float64(time.Since(start)) / float64(time.Millisecond)
}

func reach() error {
	return json.NewEncoder(os.Stdout).Encode(farther{NearMs: knock("10.99.0.2"), FarMs: knock("20.100.128.1")})
}

func TestServersFartherAway(t *testing.T) {
	forEachUser(t, func(t *testing.T, u user) {
		r := runAs(u, "--no-check", "--server-delay", "20.100.128.0/17=80", "--", "env", roleVariable+"=farther", self)
		var seen farther
		if err := json.Unmarshal([]byte(r.stdout), &seen); err != nil {
			t.Fatalf("%+v: %v", r, err)
		}
		if seen.NearMs < 4.9 || seen.FarMs < 84.9 { // a timer may be 50 us early, each way
			t.Errorf("round trips of %g and %g ms", seen.NearMs, seen.FarMs)
		}
	})
}

// hops are round trips that the near role "hops" saw, and what the relay's role told it of its own.
type hops struct {
	ToRelayMs, ToOriginMs, RelayToOriginMs float64
	Report                                 json.RawMessage
}

// hopPort is where the relay's role tells its round trip.
const hopPort = ":8001"

func relay() error {
	listener, err := net.Listen("tcp", os.Getenv("FIRSTSCREEN_RELAY_ADDR")+hopPort)
	if err != nil {
		return err
	}
	for {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		json.NewEncoder(conn).Encode(knock(os.Getenv("FIRSTSCREEN_FAR_ADDR")))
		conn.Close()
	}
}

func crossHops() error {
	var seen hops
	relayAddress := os.Getenv("FIRSTSCREEN_RELAY_ADDR")
	seen.ToRelayMs = knock(relayAddress)
	seen.ToOriginMs = knock(os.Getenv("FIRSTSCREEN_FAR_ADDR"))
	conn, err := dialSoon(relayAddress + hopPort)
	if err != nil {
		return err
	}
	if err := json.NewDecoder(conn).Decode(&seen.RelayToOriginMs); err != nil {
		return err
	}
	socket := os.Getenv("FIRSTSCREEN_LINK_SOCKET")
	var ignored any
	if _, err := control(socket, "POST", "/check", &ignored); err != nil {
		return err
	}
	if _, err := control(socket, "GET", "/report", &seen.Report); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(seen)
}

func TestARelayStandsBetweenTheLinkAndASecondHop(t *testing.T) {
	forEachUser(t, func(t *testing.T, u user) {
		r := runAs(u, "--no-check", "--second-hop", "30", "--relay", roleVariable+"=relay exec "+self, "--", "env", roleVariable+"=hops", self)
		var seen hops
		if err := json.Unmarshal([]byte(r.stdout), &seen); err != nil {
			t.Fatalf("%+v: %v", r, err)
		}
		// a timer may be 50 us early, each way and hop; the link's own round trip is 5 ms
		if seen.ToRelayMs < 4.9 || seen.RelayToOriginMs < 29.9 || seen.ToOriginMs < 34.8 {
			t.Errorf("round trips: %+v", seen)
		}
		var report struct {
			Profile struct {
				SecondHop struct{ DelayMs float64 }
			}
			Check checked
		}
		if err := json.Unmarshal(seen.Report, &report); err != nil {
			t.Fatal(err)
		}
		// what the check says of a busy machine is for the pure tests of probe: here, that it looks at both hops
		both := report.Check.BothHops
		if report.Profile.SecondHop.DelayMs != 15 || both == nil || both.RTTExpectedMs < 35 || both.RTTMs < both.RTTExpectedMs*0.95 {
			t.Errorf("%+v, both hops %+v", report, both)
		}
	})
}

func TestARelayThatFailsEndsTheLink(t *testing.T) {
	forEachUser(t, func(t *testing.T, u user) {
		wantFault(t, runAs(u, "--no-check", "--second-hop", "30", "--relay", "exit 3", "--", "sleep", "1000"), fault.Command)
	})
}
