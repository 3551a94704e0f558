package wireless

import (
	"slices"
	"testing"

	"github.com/vishvananda/netlink/nl"
)

// data to a station, of a traffic identifier.
func data(identifier, policy byte) []byte {
	bytes := make([]byte, 60)
	bytes[0] = typeQoSData
	bytes[receiverAt] = 0x02
	bytes[qosControlAt] = identifier | policy
	return bytes
}

func message(attributes ...*nl.RtAttr) []byte {
	bytes := (&nl.Genlmsg{Command: commandFrame}).Serialize()
	for _, one := range attributes {
		bytes = append(bytes, one.Serialize()...)
	}
	return bytes
}

func TestAFrameIsParsed(t *testing.T) {
	got, err := parseFrame(message(
		nl.NewRtAttr(attributeTransmitter, []byte("radio0")),
		nl.NewRtAttr(attributeFrame, data(3, policyNoAck)),
		nl.NewRtAttr(attributeFlags, nl.Uint32Attr(flagNoAck)),
		nl.NewRtAttr(attributeFrequency, nl.Uint32Attr(2412)),
		nl.NewRtAttr(attributeTXInfo, []byte{7, 2, 5, 3, 0xff, 0, 0xff, 0}),
		nl.NewRtAttr(attributeCookie, nl.Uint64Attr(9)),
	))
	if err != nil || got.radio != "radio0" || got.frequency != 2412 || got.cookie != 9 || got.rates != [maxRates]rate{{7, 2}, {5, 3}, {-1, 0}, {-1, 0}} {
		t.Errorf("%+v, %v", got, err)
	}
	if driver, receiver := got.isWithoutAck(); !got.isQoSData() || got.identifier() != 3 || !driver || !receiver {
		t.Errorf("QoS data: %v, TID %d, without acknowledgement: %v, %v", got.isQoSData(), got.identifier(), driver, receiver)
	}
}

func TestWhatIsNoFrame(t *testing.T) {
	for _, bytes := range [][]byte{{}, message(), message(nl.NewRtAttr(attributeFrame, make([]byte, 10))), (&nl.Genlmsg{Command: commandTXInfo}).Serialize()} {
		if got, err := parseFrame(bytes); err == nil {
			t.Errorf("%v was taken as %+v", bytes, got)
		}
	}
}

func TestAttemptsOfAFrame(t *testing.T) {
	rates := [maxRates]rate{{7, 2}, {5, 3}, {-1, 0}, {-1, 0}}
	none := rate{-1, 0}
	group := data(0, 0)
	group[receiverAt] = 0xff
	for name, one := range map[string]struct {
		frame frame
		lost  int // attempts, from the first
		want  outcome
	}{
		"first attempt":                     {frame{bytes: data(0, 0), rates: rates}, 0, outcome{true, 1, [maxRates]rate{{7, 1}, none, none, none}}},
		"third attempt, at the second rate": {frame{bytes: data(0, 0), rates: rates}, 2, outcome{true, 3, [maxRates]rate{{7, 2}, {5, 1}, none, none}}},
		"all lost":                          {frame{bytes: data(0, 0), rates: rates}, 9, outcome{false, 5, [maxRates]rate{{7, 2}, {5, 3}, none, none}}},
		"without acknowledgement":           {frame{bytes: data(0, policyNoAck), rates: rates, flags: flagNoAck}, 0, outcome{true, 1, [maxRates]rate{{7, 1}, none, none, none}}},
		"without acknowledgement, lost":     {frame{bytes: data(0, policyNoAck), rates: rates, flags: flagNoAck}, 1, outcome{false, 1, [maxRates]rate{{7, 1}, none, none, none}}},
		"to a group, lost":                  {frame{bytes: group, rates: rates}, 1, outcome{false, 1, [maxRates]rate{{7, 1}, none, none, none}}},
	} {
		attempt := 0
		if got := one.frame.transmit(func() bool { attempt++; return attempt <= one.lost }); got != one.want {
			t.Errorf("%s: %+v, not %+v", name, got, one.want)
		}
	}
}

func TestAnAgreementIsSeen(t *testing.T) {
	reply := func(status byte) frame {
		return frame{bytes: slices.Concat([]byte{actionFrame}, make([]byte, bodyAt-1), []byte{categoryBlockAck, addBlockAckReply, 1, status, 0, 5<<2 | 1<<1, 0x10, 0, 0})}
	}
	if identifier, isOne := reply(0).agreement(); identifier != 5 || !isOne {
		t.Errorf("TID %d, %v", identifier, isOne)
	}
	for name, f := range map[string]frame{"refused": reply(37), "data": {bytes: data(5, 0)}} {
		if _, isOne := f.agreement(); isOne {
			t.Errorf("%s is taken for one", name)
		}
	}
}

func TestOnlyWhatIsAcknowledgedIsReportedSo(t *testing.T) {
	for name, one := range map[string]struct {
		flags      uint32
		isReceived bool
		want       uint32
	}{
		"received":                          {0, true, flagAcknowledged},
		"lost":                              {0, false, 0},
		"received, without acknowledgement": {flagNoAck, true, flagNoAck},
	} {
		f := frame{bytes: data(0, 0), flags: one.flags}
		report := f.report(outcome{isReceived: one.isReceived}, 0)
		at := slices.IndexFunc(report, func(a *nl.RtAttr) bool { return a.Type == attributeFlags })
		if got := nl.NativeEndian().Uint32(report[at].Data); got != one.want {
			t.Errorf("%s: flags %b, not %b", name, got, one.want)
		}
	}
}
