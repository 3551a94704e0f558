package main

import (
	"encoding/json"
	"testing"
)

// A-MPDU brings frames again that FWP leaves lost, over the same air and with the start's check.
func TestTheWayDownGoesOverTheAir(t *testing.T) {
	for scheme, loses := range map[string]bool{"ampdu": false, "fwp": true} {
		r := runAs(users()[0], "--profile", "lossless", "--down-rate", "300000000", "--queue", "1000000", "--air", scheme+",0.2",
			"--far", roleVariable+"=server exec "+self, "--", "env", roleVariable+"=client", self)
		var l struct {
			Bytes  int64
			Report struct {
				Profile struct {
					Down struct{ Air *struct{ Scheme string } }
				}
				Down struct{ DropsQueue, DropsLoss, Delivered int64 }
			}
		}
		if err := json.Unmarshal([]byte(r.stdout), &l); err != nil {
			t.Fatalf("%s: %+v: %v", scheme, r, err)
		}
		if air := l.Report.Profile.Down.Air; air == nil || air.Scheme != scheme {
			t.Errorf("%s: the report says %+v", scheme, air)
		}
		if down := l.Report.Down; l.Bytes != responseBytes || down.Delivered == 0 || (down.DropsLoss > 0) != loses || down.DropsQueue > 0 {
			t.Errorf("%s: %d bytes, %+v", scheme, l.Bytes, down)
		}
	}
}
