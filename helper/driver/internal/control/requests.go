package control

import (
	"net/netip"

	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/kernel"
	"firstscreen/driver/internal/registry"
)

// empty is the payload of answers that say no more than "ok".
type empty struct{}

func (s *session) handle(request Request) (any, error) {
	switch request.Type {
	case "register":
		return withPayload(request, s.register)
	case "spool":
		return withPayload(request, s.spool)
	case "meant":
		return withPayload(request, s.meant)
	case "repair":
		return withPayload(request, s.repair)
	case "holes":
		return withPayload(request, s.holes)
	case "repaired":
		return withPayload(request, s.repaired)
	case "status":
		return withPayload(request, func(empty) (any, error) { return s.server.driver.Status(), nil })
	}
	return nil, malformed(nil, "Reading a request of an unknown type")
}

func withPayload[T any](request Request, handle func(T) (any, error)) (any, error) {
	var payload T
	if err := Strict(request.Payload, &payload); err != nil {
		return nil, malformed(err, "Reading a request %q", request.Type)
	}
	return handle(payload)
}

// maxPorts in one request.
const maxPorts = 64

// Register asks for one target, or for some ports of the caller's user; the end of the connection takes all back.
type Register struct {
	Process        uint32        `json:"process,omitempty"` // of the caller's user
	Cgroup         string        `json:"cgroup,omitempty"`  // a directory that belongs to the caller's user
	registry.Ports               // of the caller's user
	Connection     *Ends         `json:"connection,omitempty"` // of TCP, that is there already
	Policy         kernel.Policy `json:"policy"`
}

// Ends of a connection.
type Ends struct {
	Local  netip.AddrPort `json:"local"`
	Remote netip.AddrPort `json:"remote"`
}

func (s *session) register(request Register) (any, error) {
	if request.Policy == 0 {
		return nil, malformed(nil, "Registering without a policy")
	}
	if len(s.registered) >= maxRegistrations {
		return nil, fault.New(fault.Limit, nil, "end what is not needed", "Registering more than %d times on one connection", maxRegistrations)
	}
	targets, err := s.peer.targets(request)
	if err != nil {
		return nil, err
	}
	user, count := s.peer.User, len(targets)
	if err := s.server.targets.take(user, count); err != nil {
		return nil, err
	}
	remove, err := s.server.driver.Register(targets, request.Policy)
	if err != nil {
		s.server.targets.give(user, count)
		return nil, err
	}
	s.registered = append(s.registered, func() error {
		s.server.targets.give(user, count)
		return remove()
	})
	return empty{}, nil
}

// OpenSpool says that the calling process takes redirected connections on ports of 127.0.0.1 and, unless it is 0, of ::1;
// until the connection ends.
type OpenSpool struct {
	Port  uint16 `json:"port"`
	Port6 uint16 `json:"port6,omitempty"`
}

func (s *session) spool(request OpenSpool) (any, error) {
	if request.Port == 0 {
		return nil, malformed(nil, "Opening a spool without a port for IPv4")
	}
	at := kernel.SpoolAt{Process: s.peer.Process, Port: request.Port, Port6: request.Port6}
	closeSpool, err := s.server.driver.OpenSpool(s.peer.User, at)
	if err == nil {
		s.registered = append(s.registered, closeSpool)
	}
	return empty{}, err
}

// Address of one end of a connection.
type Address struct {
	Address netip.Addr `json:"address"`
	Port    uint16     `json:"port"`
}

func (a Address) addrPort() netip.AddrPort { return netip.AddrPortFrom(a.Address.Unmap(), a.Port) }

// meant tells where a redirected connection was meant to go that comes from there.
func (s *session) meant(request Address) (any, error) {
	from := netip.AddrPortFrom(request.Address, request.Port)
	to, is := s.server.driver.Meant(s.peer.User, from)
	if !is {
		return nil, fault.New(fault.Gone, nil, "close the connection: it was not redirected", "Asking where the connection from %s was meant to go", from)
	}
	return Address{Address: to.Addr(), Port: to.Port()}, nil
}
