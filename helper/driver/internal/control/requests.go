package control

import (
	"errors"
	"net/netip"
	"time"

	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/kernel"
	"firstscreen/driver/internal/registry"
)

// Registrar registers targets.
type Registrar interface {
	Register(target registry.Target, policy kernel.Policy) (Registration, error)
}

// Registration of one target.
type Registration interface{ Remove() error }

type registrations []Registration

func (r registrations) remove() (all error) {
	for _, one := range r {
		all = errors.Join(all, one.Remove())
	}
	return all
}

// empty is the payload of answers that say no more than "ok".
type empty struct{}

func (s *session) handle(request Request) (any, error) {
	switch request.Type {
	case "register":
		return withPayload(request, s.register)
	case "unregister":
		return withPayload(request, s.unregister)
	case "spool":
		return withPayload(request, s.spool)
	case "meant":
		return withPayload(request, s.meant)
	case "status":
		return withPayload(request, func(empty) (any, error) { return s.server.driver.Status(), nil })
	case "watch":
		return withPayload(request, func(empty) (any, error) { return s.watch(request.ID), nil })
	}
	return nil, malformed(nil, "Reading a request of an unknown type")
}

func withPayload[T any](request Request, handle func(T) (any, error)) (any, error) {
	payload, err := parsePayload[T](request)
	if err != nil {
		return nil, err
	}
	return handle(payload)
}

func (s *session) register(request Register) (any, error) {
	policy, err := ParsePolicy(request.Policy)
	if err != nil {
		return nil, malformed(err, "Registering")
	}
	if len(s.registrations) >= maxRegistrations {
		return nil, fault.New(fault.Limit, nil, "take back those that are not needed", "Registering more than %d times on one connection", maxRegistrations)
	}
	targets, err := s.peer.targets(request)
	if err != nil {
		return nil, err
	}
	var done registrations
	for _, target := range targets {
		one, err := s.server.driver.Register(target, policy)
		if err != nil {
			return nil, errors.Join(err, done.remove())
		}
		done = append(done, one)
	}
	s.last++
	s.registrations[s.last] = done
	return Registered{s.last}, nil
}

func (s *session) unregister(request Unregister) (any, error) {
	done, is := s.registrations[request.Registration]
	if !is {
		return nil, fault.New(fault.Gone, nil, "use the number that registering has answered, once", "Taking back registration %d", request.Registration)
	}
	delete(s.registrations, request.Registration)
	return empty{}, done.remove()
}

func (s *session) spool(request OpenSpool) (any, error) {
	if request.Port == 0 && request.Port6 != 0 {
		return nil, malformed(nil, "Opening a spool for IPv6 only")
	}
	return empty{}, s.server.takeSpool(s, kernel.SpoolPorts{IPv4: request.Port, IPv6: request.Port6})
}

func (s *session) meant(request Meant) (any, error) {
	from := netip.AddrPortFrom(request.Address, request.Port)
	to, is := s.server.driver.Meant(s.peer.User, from)
	if !is {
		return nil, fault.New(fault.Gone, nil, "close the connection: it was not redirected", "Asking where the connection from %s was meant to go", from)
	}
	return MeantFor{Address: to.Addr(), Port: to.Port()}, nil
}

// watch sends the counters each second, until the connection ends.
func (s *session) watch(id uint64) any {
	if s.watching == nil {
		s.watching = make(chan struct{})
		s.server.waiting.Go(func() { s.sendCounters(id, s.watching) })
	}
	return empty{}
}

func (s *session) sendCounters(id uint64, end <-chan struct{}) {
	every := time.NewTicker(watchEvery)
	defer every.Stop()
	for {
		select {
		case <-end:
			return
		case <-every.C:
			s.send(Response{Version: Version, ID: id, Type: "counters", Payload: s.server.driver.Counters()})
		}
	}
}
