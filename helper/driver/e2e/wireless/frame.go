// Package wireless tests `firstscreen-driverd wifi` with radios that mac80211_hwsim makes, on a medium of its own that loses frames. That part
// runs in the virtual machine only (helper/driver/qemu).
package wireless

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/vishvananda/netlink/nl"
)

// Of linux/drivers/net/wireless/mac80211_hwsim.h.
const (
	familyName = "MAC80211_HWSIM"

	commandRegister = 1
	commandFrame    = 2
	commandTXInfo   = 3

	attributeReceiver    = 1
	attributeTransmitter = 2
	attributeFrame       = 3
	attributeFlags       = 4
	attributeRXRate      = 5
	attributeSignal      = 6
	attributeTXInfo      = 7
	attributeCookie      = 8
	attributeFrequency   = 19

	flagNoAck        = 1 << 1
	flagAcknowledged = 1 << 2

	maxRates = 4 // IEEE80211_TX_MAX_RATES

	// rxRate is the least: a receiver takes the number for one of the old rates, and drops frames of those of 802.11n that are more than these.
	rxRate = 0
)

// frame as a radio gives it to the medium.
type frame struct {
	radio     string // the hardware address of the sender, as bytes
	bytes     []byte
	flags     uint32
	rates     [maxRates]rate
	frequency uint32
	cookie    uint64
}

// rate and how often to try it; an index of -1 is none.
type rate struct {
	index int8
	count uint8
}

// parseFrame of a message of hwsim's.
func parseFrame(message []byte) (f frame, _ error) {
	if len(message) < nl.SizeofGenlmsg || message[0] != commandFrame {
		return f, errors.New("no frame")
	}
	attributes, err := nl.ParseRouteAttr(message[nl.SizeofGenlmsg:])
	if err != nil {
		return f, err
	}
	for _, one := range attributes {
		switch value := one.Value; one.Attr.Type {
		case attributeTransmitter:
			f.radio = string(value)
		case attributeFrame:
			f.bytes = value
		case attributeFlags:
			f.flags = nl.NativeEndian().Uint32(value)
		case attributeFrequency:
			f.frequency = nl.NativeEndian().Uint32(value)
		case attributeCookie:
			f.cookie = nl.NativeEndian().Uint64(value)
		case attributeTXInfo:
			for i := range f.rates {
				f.rates[i] = rate{int8(value[2*i]), value[2*i+1]}
			}
		}
	}
	if len(f.bytes) < bodyAt {
		return f, errors.New("a frame without header")
	}
	return f, nil
}

// Of the header (IEEE 802.11-2020, 9.2.4 and 9.3.2), between stations without access point.
const (
	typeMask      = 0x8c
	typeQoSData   = 0x88
	subtypeNoData = 0x40
	groupBit      = 0x01
	receiverAt    = 4
	qosControlAt  = 24
	identifierOf  = 0x0f
	ackPolicyOf   = 0x60
	policyNoAck   = 0x20

	// actions follow a header of this length: the category, and what the category has
	actionFrame      = 0xd0
	bodyAt           = 24
	categoryBlockAck = 3
	addBlockAckReply = 1
)

func (f frame) isToGroup() bool { return f.bytes[receiverAt]&groupBit != 0 }

// isQoSData is a frame that has a traffic identifier and data, to one station.
func (f frame) isQoSData() bool {
	return f.bytes[0]&typeMask == typeQoSData && f.bytes[0]&subtypeNoData == 0 && !f.isToGroup() && len(f.bytes) > qosControlAt
}

func (f frame) identifier() int { return int(f.bytes[qosControlAt] & identifierOf) }

// isWithoutAck: by what the driver is told, and by what the receiver is told, which have to say the same.
func (f frame) isWithoutAck() (driver, receiver bool) {
	return f.flags&flagNoAck != 0, f.bytes[qosControlAt]&ackPolicyOf == policyNoAck
}

// agreement that the frame makes of block acknowledgement (ADDBA response, 9.6.4.3), by its traffic identifier.
func (f frame) agreement() (identifier int, isOne bool) {
	body := f.bytes[bodyAt:]
	if f.bytes[0] != actionFrame || len(body) < 7 || body[0] != categoryBlockAck || body[1] != addBlockAckReply {
		return 0, false
	}
	status, parameters := binary.LittleEndian.Uint16(body[3:]), binary.LittleEndian.Uint16(body[5:])
	return int(parameters >> 2 & 0xf), status == 0
}

// outcome of a frame.
type outcome struct {
	isReceived bool
	attempts   int
	rates      [maxRates]rate // that were used
}

// transmit tries a frame as a radio does: as often as its rates say until one attempt is not lost, but once if no acknowledgement is waited for.
func (f frame) transmit(isLost func() bool) (done outcome) {
	rates := f.rates
	if f.flags&flagNoAck != 0 || f.isToGroup() {
		rates = [maxRates]rate{{f.rates[0].index, 1}, {-1, 0}, {-1, 0}, {-1, 0}}
	}
	for i := range done.rates {
		done.rates[i].index = -1
	}
	for i, one := range rates {
		for tried := uint8(1); one.index >= 0 && tried <= one.count && !done.isReceived; tried++ {
			done.rates[i] = rate{one.index, tried}
			done.attempts++
			done.isReceived = !isLost()
		}
	}
	return done
}

// delivery is the message that has a radio receive the frame.
func (f frame) delivery(to string, signal int32) []*nl.RtAttr {
	return []*nl.RtAttr{
		nl.NewRtAttr(attributeReceiver, []byte(to)),
		nl.NewRtAttr(attributeFrame, f.bytes),
		nl.NewRtAttr(attributeRXRate, nl.Uint32Attr(rxRate)),
		nl.NewRtAttr(attributeSignal, nl.Uint32Attr(uint32(signal))),
		nl.NewRtAttr(attributeFrequency, nl.Uint32Attr(f.frequency)),
	}
}

// report is the message that tells the sender what became of the frame.
func (f frame) report(done outcome, signal int32) []*nl.RtAttr {
	flags := f.flags
	if done.isReceived && flags&flagNoAck == 0 && !f.isToGroup() {
		flags |= flagAcknowledged
	}
	var info []byte
	for _, one := range done.rates {
		info = slices.Concat(info, []byte{byte(one.index), one.count})
	}
	return []*nl.RtAttr{
		nl.NewRtAttr(attributeTransmitter, []byte(f.radio)),
		nl.NewRtAttr(attributeFlags, nl.Uint32Attr(flags)),
		nl.NewRtAttr(attributeSignal, nl.Uint32Attr(uint32(signal))),
		nl.NewRtAttr(attributeTXInfo, info),
		nl.NewRtAttr(attributeCookie, nl.Uint64Attr(f.cookie)),
	}
}
