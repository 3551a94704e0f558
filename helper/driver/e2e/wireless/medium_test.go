//go:build systemd

package wireless

import (
	"sync"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

const (
	signalDBm = -50
	// losesEvery attempt of this number at first, of large frames.
	losesEvery = 3
	// largeBytes is more than ARP and what else is not the test's.
	largeBytes = 500
	// bufferBytes for what radios send while the medium is not run.
	bufferBytes = 4 << 20
)

// counts of large data frames.
type counts struct {
	Frames, Attempts, Received int
	// WithoutAck by what the driver was told, PolicyNoAck by what the receiver is.
	WithoutAck, PolicyNoAck int
}

func (c counts) lost() int { return c.Frames - c.Received }

// medium between two radios.
type medium struct {
	socket *nl.NetlinkSocket
	family int
	other  map[string]string // the radio that hears another

	mutex      sync.Mutex
	losesEvery int
	attempts   int
	counted    map[int]counts // by traffic identifier
	agreed     map[int]bool   // to block acknowledgement, by traffic identifier
}

// newMedium takes the place of the perfect one that hwsim has by itself, until its socket is closed.
func newMedium(radios [2]string) (*medium, error) {
	family, err := netlink.GenlFamilyGet(familyName)
	if err != nil {
		return nil, err
	}
	// Any netlink socket that closes with the number of the medium's is taken for it, and the first of each protocol has that of the process.
	if _, err := nl.Subscribe(unix.NETLINK_GENERIC); err != nil {
		return nil, err
	}
	socket, err := nl.Subscribe(unix.NETLINK_GENERIC)
	if err != nil {
		return nil, err
	}
	m := &medium{
		socket: socket, family: int(family.ID), other: map[string]string{radios[0]: radios[1], radios[1]: radios[0]},
		losesEvery: losesEvery, counted: map[int]counts{}, agreed: map[int]bool{},
	}
	if err := socket.SetReceiveBufferSize(bufferBytes, true); err != nil {
		return nil, err
	}
	if err := m.send(commandRegister, nil); err != nil {
		return nil, err
	}
	go m.run()
	return m, nil
}

func (m *medium) send(command uint8, attributes []*nl.RtAttr) error {
	request := nl.NewNetlinkRequest(m.family, 0)
	request.AddData(&nl.Genlmsg{Command: command})
	for _, one := range attributes {
		request.AddData(one)
	}
	return m.socket.Send(request)
}

func (m *medium) run() {
	for {
		messages, _, err := m.socket.Receive()
		if err != nil {
			return // closed
		}
		for _, one := range messages {
			if int(one.Header.Type) != m.family {
				continue // an error, that a radio was not listening: it is on another channel
			}
			if f, err := parseFrame(one.Data); err == nil {
				m.pass(f)
			}
		}
	}
}

func (m *medium) pass(f frame) {
	done := f.transmit(func() bool { return m.loses(f) })
	m.count(f, done)
	if done.isReceived {
		m.send(commandFrame, f.delivery(m.other[f.radio], signalDBm))
	}
	m.send(commandTXInfo, f.report(done, signalDBm))
}

func isLargeData(f frame) bool { return f.isQoSData() && len(f.bytes) > largeBytes }

func (m *medium) loses(f frame) bool {
	if !isLargeData(f) {
		return false
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.attempts++
	return m.attempts%m.losesEvery == 0
}

// lose attempts of large frames, one of so many.
func (m *medium) lose(every int) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.losesEvery = every
}

func (m *medium) count(f frame, done outcome) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if identifier, isAgreement := f.agreement(); isAgreement {
		m.agreed[identifier] = true
	}
	if !isLargeData(f) {
		return
	}
	c := m.counted[f.identifier()]
	c.Frames++
	c.Attempts += done.attempts
	if done.isReceived {
		c.Received++
	}
	driver, receiver := f.isWithoutAck()
	if driver {
		c.WithoutAck++
	}
	if receiver {
		c.PolicyNoAck++
	}
	m.counted[f.identifier()] = c
}

// forget agreements, which end with an association.
func (m *medium) forget() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	clear(m.agreed)
}

// hasAgreed says whether frames of a traffic identifier were agreed to be acknowledged as a block, so that their receiver puts them in order.
func (m *medium) hasAgreed(identifier int) bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.agreed[identifier]
}

// seen frames of a traffic identifier, so far.
func (m *medium) seen(identifier int) counts {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.counted[identifier]
}

// take what was counted of a traffic identifier, and begin anew.
func (m *medium) take(identifier int) counts {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	c := m.counted[identifier]
	delete(m.counted, identifier)
	return c
}
