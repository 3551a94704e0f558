package profile

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"firstscreen/e2e/link/fault"
)

func parse(t *testing.T, line string) Options {
	t.Helper()
	options, err := Parse(append(strings.Fields(line), "--", "near", "--its-own-flag"))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return options
}

func TestDefaults(t *testing.T) {
	o := parse(t, "")
	if o.Profile.Name != DefaultName || !o.Check || o.Far != "" || o.ControlSocket != "" {
		t.Errorf("unexpected defaults: %+v", o)
	}
	if strings.Join(o.Near, " ") != "near --its-own-flag" {
		t.Errorf("the near command became %q", o.Near)
	}
}

func TestOverridesTouchWhatTheyName(t *testing.T) {
	o := parse(t, "--loss 0.5 --profile 3g-fast --down-rate 2000000 --up-delay 10.5 --jitter 2 --queue 50p --seed 9 --no-check --far x")
	down, up := o.Profile.Down, o.Profile.Up
	if down.RateBitsPerSecond != 2_000_000 || up.RateBitsPerSecond != 768_000 || down.DelayMs != 75 || up.DelayMs != 10.5 {
		t.Errorf("rates and delays: %+v %+v", down, up)
	}
	for _, direction := range []any{down.JitterMs == 2, up.JitterMs == 2, down.Loss == 0.5, up.Loss == 0.5, down.QueuePackets == 50, up.QueueBytes == 0} {
		if direction != true {
			t.Errorf("both directions: %+v %+v", down, up)
		}
	}
	if o.Seed != 9 || o.Check || o.Far != "x" {
		t.Errorf("%+v", o)
	}
	if again := parse(t, "--profile 3g-fast"); again.Profile.Down.Loss != 0 || again.Profile.Up.DelayMs != 75 {
		t.Error("an override changed the named profile")
	}
}

func TestQueueDefaultsToTheBandwidthDelayProduct(t *testing.T) {
	if q := parse(t, "--profile sat").Profile.Down.QueueBytes; q != 125_000 {
		t.Errorf("sat: %d bytes", q)
	}
	if q := parse(t, "--profile wlan").Profile.Down.QueueBytes; q != minQueueBytes {
		t.Errorf("wlan: %d bytes", q)
	}
	if q := parse(t, "--profile sat --down-rate 8000000").Profile.Down.QueueBytes; q != 1_000_000 {
		t.Errorf("sat with another rate: %d bytes", q)
	}
}

func TestGilbertSetsTheMeanLoss(t *testing.T) {
	o := parse(t, "--gilbert 300,100,0,0.4")
	if g := o.Profile.Down.Gilbert; g == nil || g.GoodMs != 300 || g.BadMs != 100 || g.BadLoss != 0.4 || o.Profile.Up.Loss < 0.0999 || o.Profile.Up.Loss > 0.1001 {
		t.Errorf("%+v", o.Profile)
	}
}

func TestServersHaveTheirDelays(t *testing.T) {
	servers := parse(t, "--server-delay 20.100.128.0/17=80 --server-delay 20.100.64.0/18=20").Profile.Servers
	if len(servers) != 2 || servers[0].DelayMs != 80 || servers[1].Prefix.String() != "20.100.64.0/18" || servers[0].ProbeAddress().String() != "20.100.128.1" {
		t.Errorf("%+v", servers)
	}
}

func TestASecondHopHasItsOwnDelayAndRate(t *testing.T) {
	for line, rateBitsPerSecond := range map[string]int64{"--second-hop 30": hopRateBitsPerSecond, "--second-hop 30,2000000": 2_000_000} {
		p := parse(t, line+" --relay x --profile 3g-fast").Profile
		hop := p.SecondHop
		if hop == nil || hop.DelayMs != 15 || hop.RateBitsPerSecond != rateBitsPerSecond || hop.QueueBytes < minQueueBytes || p.Down.DelayMs != 75 {
			t.Errorf("%s: %+v", line, p)
		}
		if text, err := json.Marshal(p); err != nil || !strings.Contains(string(text), `"secondHop":{"rateBitsPerSecond":`) {
			t.Errorf("%s: %s, %v", line, text, err)
		}
	}
	if text, err := json.Marshal(parse(t, "").Profile); err != nil || strings.Contains(string(text), "secondHop") {
		t.Errorf("without: %s, %v", text, err)
	}
}

func TestConnectionsArePoliced(t *testing.T) {
	for line, burstBytes := range map[string]int{"--police 400000": 12_500, "--police 400000,75000": 75_000, "--police 8000": 1_500} {
		if p := parse(t, line).Profile; p.Police == nil || p.Police.RateBitsPerSecond < 8_000 || p.Police.BurstBytes != burstBytes {
			t.Errorf("%s: %+v", line, p.Police)
		}
	}
	if p := parse(t, "").Profile; p.Police != nil {
		t.Errorf("without: %+v", p.Police)
	}
}

func TestBitErrorsTakeThePlaceOfTheProfilesLoss(t *testing.T) {
	for _, line := range []string{"--profile wlan --ber 1e-5", "--ber 1e-5 --profile wlan"} {
		p := parse(t, line).Profile
		if p.Down.BitErrorRate != 1e-5 || p.Up.BitErrorRate != 1e-5 || p.Down.Loss != 0 || p.Up.Loss != 0 {
			t.Errorf("%s: %+v", line, p)
		}
	}
}

func TestBadOptionsAreCoded(t *testing.T) {
	for _, line := range []string{
		"--profile nosuch -- x", "--down-rate 5 -- x", "--down-rate 1.5 -- x", "--up-rate 2000000000 -- x", "--down-delay -1 -- x",
		"--jitter x -- x", "--loss 1.01 -- x", "--loss NaN -- x", "--gilbert 100,200,0.3 -- x", "--gilbert 0,100,0,1 -- x", "--gilbert 100,0.5,0,1 -- x", "--gilbert 200,100,0,2 -- x",
		"--server-delay 80 -- x", "--server-delay 10.1.0.0/31=5 -- x", "--server-delay ::1/64=5 -- x", "--server-delay 10.1.0.0/16=x -- x", "--second-hop x -- x", "--second-hop 30, -- x", "--second-hop 30,5 -- x", "--relay x -- x", "--queue 0 -- x", "--queue 5q -- x", "--queue -5p -- x", "--seed -1 -- x", "--no-such-option -- x",
		"--profile", "", "--profile wlan", "--help -- x", "--loss 0.1 --gilbert 100,20,0,1 -- x", "--loss 0.1 --ber 1e-6 -- x", "--ber 1e-6 --gilbert 100,20,0,1 -- x", "--ber 2 -- x",
		"--police 5 -- x", "--police 400000, -- x", "--police 400000,100 -- x", "--air ampdu -- x", "--air amsdu,0.1 -- x", "--air fwp,1 -- x", "--air fwp,0.1/0.2 -- x", "--air fwp,x -- x", "--air fwp,0.1,many -- x", "--air fwp,0.1,1,0 -- x", "--air fwp,0.1,1,64,5 -- x", "--air fwp,0.1 --loss 0.1 -- x",
	} {
		_, err := Parse(strings.Fields(line))
		var f *fault.Fault
		if !errors.As(err, &f) || f.Code != fault.Option || f.Message == "" || f.Next == "" {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func TestProfilesAreWhole(t *testing.T) {
	for _, p := range All() {
		if p.Down.QueueBytes < minQueueBytes || p.Up.RateBitsPerSecond < minRateBitsPerSecond || p.Down.DelayMs <= 0 {
			t.Errorf("%+v", p)
		}
	}
}

func TestTheWayDownCanGoOverTheAir(t *testing.T) {
	p := parse(t, "--profile wlan --down-rate 65000000 --air fwp,0.1/0.2/0.3/0.2,9").Profile
	if air := p.Down.Air; air == nil || air.Own != "fwp" || air.FrameErrorRates[2] != 0.3 || air.OtherCount != 9 || air.AMPDU.Window != 64 || air.RateBitsPerSecond != 65_000_000 {
		t.Errorf("%+v", p.Down.Air)
	}
	if p.Up.Air != nil || p.Up.Loss != 0 || p.Down.Loss < 0.1999 || p.Down.Loss > 0.2001 {
		t.Errorf("%+v", p)
	}
	if p := parse(t, "--air ampdu,0.1,0,64/32").Profile; p.Down.Loss != 0 || p.Down.Air.AMPDU.Aggregate != 32 {
		t.Errorf("%+v", p)
	}
}
