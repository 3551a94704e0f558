package control

import (
	"errors"
	"net/netip"

	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/kernel"
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
	var removes []func() error
	remove := func() (all error) {
		for _, remove := range removes {
			all = errors.Join(all, remove())
		}
		return all
	}
	for _, target := range targets {
		one, err := s.server.driver.Register(target, request.Policy)
		if err != nil {
			return nil, errors.Join(err, remove())
		}
		removes = append(removes, one)
	}
	s.registered = append(s.registered, remove)
	return empty{}, nil
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

func (s *session) meant(request Meant) (any, error) {
	from := netip.AddrPortFrom(request.Address, request.Port)
	to, is := s.server.driver.Meant(s.peer.User, from)
	if !is {
		return nil, fault.New(fault.Gone, nil, "close the connection: it was not redirected", "Asking where the connection from %s was meant to go", from)
	}
	return Meant{Address: to.Addr(), Port: to.Port()}, nil
}
