package control

import (
	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/fwp"
)

// Flow is a connection whose holes are filled.
type Flow interface {
	From() uint64
	Holes() (fwp.Told, error)
	End() error
}

// maxFlows of a connection to the driver.
const maxFlows = 64

// Flowing names a connection of the caller's.
type Flowing struct {
	Local  Address `json:"local"`
	Remote Address `json:"remote"`
}

func (f Flowing) connection() fwp.Connection {
	return fwp.Connection{Local: f.Local.addrPort(), Remote: f.Remote.addrPort()}
}

// Repair asks to fill the holes of a connection, up to an offset of its stream.
type Repair struct {
	Flowing
	End uint64 `json:"end"`
}

// Repairing answers it: below From nothing is filled.
type Repairing struct {
	From uint64 `json:"from"`
}

func (s *session) repair(request Repair) (any, error) {
	connection := request.connection()
	if len(s.flows) >= maxFlows {
		return nil, fault.New(fault.Limit, nil, "end flows that are done (repaired)", "Repairing more than %d flows on one connection", maxFlows)
	}
	if _, err := s.peer.socket(Ends(connection)); err != nil {
		return nil, err
	}
	if err := s.server.flows.take(s.peer.User, 1); err != nil {
		return nil, err
	}
	flow, err := s.server.driver.Repair(connection, request.End)
	if err != nil {
		s.server.flows.give(s.peer.User, 1)
		return nil, err
	}
	if s.flows[connection] != nil { // of an earlier connection of the same ends
		err = s.endFlow(connection)
	}
	s.flows[connection] = flow
	return Repairing{flow.From()}, err
}

// Holes asks what was filled of a stream that its owner has read up to UpTo, exclusive. The answer covers what the owner can have read by now, which is no less.
type Holes struct {
	Flowing
	UpTo uint64 `json:"upTo"`
}

func (s *session) holes(request Holes) (any, error) {
	flow, err := s.flow(request.Flowing)
	if err != nil {
		return nil, err
	}
	return flow.Holes()
}

func (s *session) repaired(request Flowing) (any, error) {
	if _, err := s.flow(request); err != nil {
		return nil, err
	}
	return empty{}, s.endFlow(request.connection())
}

func (s *session) endFlow(connection fwp.Connection) error {
	flow := s.flows[connection]
	delete(s.flows, connection)
	s.server.flows.give(s.peer.User, 1)
	return flow.End()
}

// flow that was asked for on this connection: nobody else may know of it.
func (s *session) flow(of Flowing) (Flow, error) {
	flow := s.flows[of.connection()]
	if flow == nil {
		return nil, fault.New(fault.Gone, nil, "fetch the rest anew", "Asking for the flow from %v, which is not repaired", of.connection().Local)
	}
	return flow, nil
}
