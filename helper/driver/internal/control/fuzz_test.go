package control

import (
	"testing"

	"firstscreen/driver/internal/fault"
)

// Whatever comes on the socket: no panic, and a refusal has a code that clients know.
func FuzzMessages(f *testing.F) {
	for _, line := range []string{
		`{"v":1,"id":1,"type":"register","payload":{"process":1,"policy":["rar"]}}`,
		`{"v":1,"id":1,"type":"register","payload":{"connection":{"local":"[::1]:1","remote":"192.0.2.1:2"},"policy":["spool"]}}`,
		`{"v":1,"id":1,"type":"register","payload":{"remotePorts":[443,0],"policy":["rar","rar"]}}`,
		`{"v":1,"id":1,"type":"meant","payload":{"address":"192.0.2.1","port":1}}`,
		`{"v":1,"id":1,"type":"spool","payload":{"port":0,"port6":1}} {}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var request Request
		if Strict(line, &request) != nil {
			return
		}
		var register Register
		if Strict(request.Payload, &register) == nil {
			register.Process, register.Cgroup, register.Connection = 0, "", nil // these ask the system
			if targets, err := (Peer{}).targets(register); err == nil && len(targets) != register.Count() {
				t.Errorf("%s: targets %v", line, targets)
			} else if err != nil && fault.Of(err).Code == fault.System {
				t.Errorf("%s: %v", line, err)
			}
		}
		Strict(request.Payload, &Address{})
		Strict(request.Payload, &OpenSpool{})
		Strict(request.Payload, &Repair{})
	})
}
