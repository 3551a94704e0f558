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

// networked is what the near role "network" saw; nothing listens at the far side, so an attempt that gets through is refused.
type networked struct {
	NearMs, FarMs                          float64
	RefusedAtFirst, LostWhileDown, UpAgain bool
	Addresses                              []string
	AfterChange                            bool
	BadAddress, BadTime                    int
}

// knock tries to connect and says whether the far side answered, and when.
func knock(address string, patience time.Duration) (answered bool, ms float64) {
	start := time.Now()
	_, err := net.DialTimeout("tcp", address+":9", patience)
	return errors.Is(err, syscall.ECONNREFUSED), float64(time.Since(start)) / float64(time.Millisecond)
}

func roam() error {
	const far, farther = "10.99.0.2", "20.100.128.1"
	socket := os.Getenv("FIRSTSCREEN_LINK_SOCKET")
	var seen networked
	var ignored any
	post := func(path string) (status int) {
		status, _ = control(socket, "POST", path, &ignored)
		return status
	}
	seen.RefusedAtFirst, seen.NearMs = knock(far, patience)
	_, seen.FarMs = knock(farther, patience)
	post("/down?ms=600000")
	answered, _ := knock(far, 500*time.Millisecond)
	seen.LostWhileDown = !answered
	post("/up")
	seen.UpAgain, _ = knock(far, patience)
	post("/address?address=10.99.0.7")
	seen.AfterChange, _ = knock(far, patience)
	device, err := net.InterfaceByName("near0")
	if err != nil {
		return err
	}
	addresses, err := device.Addrs()
	if err != nil {
		return err
	}
	for _, address := range addresses {
		seen.Addresses = append(seen.Addresses, address.String())
	}
	seen.BadAddress, seen.BadTime = post("/address?address=x"), post("/down?ms=0")
	return json.NewEncoder(os.Stdout).Encode(seen)
}

func TestServersFartherAwayAndAChangingNetwork(t *testing.T) {
	forEachUser(t, func(t *testing.T, u user) {
		r := runAs(u, "--no-check", "--server-delay", "20.100.128.0/17=80", "--", "env", roleVariable+"=network", self)
		var seen networked
		if err := json.Unmarshal([]byte(r.stdout), &seen); err != nil {
			t.Fatalf("%+v: %v", r, err)
		}
		if seen.NearMs < 4.9 || seen.FarMs < 84.9 { // a timer may be 50 us early, each way
			t.Errorf("round trips of %g and %g ms", seen.NearMs, seen.FarMs)
		}
		if !seen.RefusedAtFirst || !seen.LostWhileDown || !seen.UpAgain || !seen.AfterChange {
			t.Errorf("%+v", seen)
		}
		if len(seen.Addresses) != 1 || seen.Addresses[0] != "10.99.0.7/16" {
			t.Errorf("addresses %v", seen.Addresses)
		}
		if seen.BadAddress != 400 || seen.BadTime != 400 {
			t.Errorf("bad requests are answered with %d and %d", seen.BadAddress, seen.BadTime)
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
		_, ms := knock(os.Getenv("FIRSTSCREEN_FAR_ADDR"), patience)
		json.NewEncoder(conn).Encode(ms)
		conn.Close()
	}
}

func crossHops() error {
	var seen hops
	relayAddress := os.Getenv("FIRSTSCREEN_RELAY_ADDR")
	_, seen.ToRelayMs = knock(relayAddress, patience)
	_, seen.ToOriginMs = knock(os.Getenv("FIRSTSCREEN_FAR_ADDR"), patience)
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
