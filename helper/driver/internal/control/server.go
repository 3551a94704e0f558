package control

import (
	"bufio"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/fwp"
	"firstscreen/driver/internal/kernel"
	"firstscreen/driver/internal/registry"
)

const (
	maxConnections        = 64
	maxConnectionsPerUser = 16
	maxRegistrations      = 64 // of a connection
	// writeTimeout: who does not read is not waited for.
	writeTimeout = 5 * time.Second
)

// Driver is what the socket controls.
type Driver interface {
	Register(targets []registry.Target, policy kernel.Policy) (remove func() error, err error)
	Status() any
	OpenSpool(user uint32, at kernel.SpoolAt) (closeSpool func() error, err error)
	Meant(user uint32, from netip.AddrPort) (netip.AddrPort, bool)
	Repair(connection fwp.Connection, end uint64) (Flow, error)
}

// Server answers on one unix socket.
type Server struct {
	driver   Driver
	log      *slog.Logger
	listener *net.UnixListener
	mutex    sync.Mutex
	sessions map[*session]struct{}
	targets  *quota
	flows    *quota
}

// NewServer answers on a listener.
func NewServer(listener *net.UnixListener, driver Driver, log *slog.Logger) *Server {
	return &Server{
		driver: driver, log: log, listener: listener, sessions: map[*session]struct{}{},
		targets: newQuota("targets", maxTargetsOfUser), flows: newQuota("flows", maxFlowsOfUser),
	}
}

// Run accepts until the listener is closed.
func (s *Server) Run() {
	for {
		connection, err := s.listener.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			s.log.Warn("a connection could not be taken", "error", err)
			time.Sleep(100 * time.Millisecond) // out of file descriptors: they come back
			continue
		}
		s.begin(connection)
	}
}

func (s *Server) begin(connection *net.UnixConn) {
	peer, err := peerOf(connection)
	if err != nil {
		connection.Close()
		return
	}
	new := &session{server: s, peer: peer, connection: connection, flows: map[fwp.Connection]Flow{}}
	if err := s.admit(new); err != nil {
		new.refuse(0, err)
		connection.Close()
		return
	}
	go func() {
		new.run()
		s.mutex.Lock()
		defer s.mutex.Unlock()
		delete(s.sessions, new)
	}()
}

func (s *Server) admit(new *session) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	ofUser := 0
	for other := range s.sessions {
		if other.peer.User == new.peer.User {
			ofUser++
		}
	}
	if len(s.sessions) >= maxConnections || ofUser >= maxConnectionsPerUser {
		return fault.New(fault.Limit, nil, "close connections that are not needed", "Connecting to the driver more than %d times", ofUser)
	}
	s.sessions[new] = struct{}{}
	return nil
}

// session is one connection.
type session struct {
	server     *Server
	peer       Peer
	connection *net.UnixConn
	registered []func() error // how to take back what each request has registered
	flows      map[fwp.Connection]Flow
}

func (s *session) run() {
	defer s.end()
	lines := bufio.NewScanner(s.connection)
	lines.Buffer(make([]byte, 4<<10), maxMessageBytes)
	for lines.Scan() {
		s.take(lines.Bytes())
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		s.refuse(0, malformed(nil, "Reading a message of more than 64 KiB"))
	}
}

func (s *session) end() {
	for _, remove := range s.registered {
		if err := remove(); err != nil {
			s.server.log.Warn("a registration was not taken back", "process", s.peer.Process, "error", err)
		}
	}
	for connection := range s.flows {
		if err := s.endFlow(connection); err != nil {
			s.server.log.Warn("a flow was not ended", "process", s.peer.Process, "error", err)
		}
	}
	s.connection.Close()
}

func (s *session) take(line []byte) {
	var request Request
	var answer any
	err := Strict(line, &request)
	switch {
	case err != nil:
		err = malformed(err, "Reading a message")
	case request.Version != Version:
		err = fault.New(fault.Message, nil, "use the helper and the driver of one release", "Reading a message of version %d; this driver speaks %d", request.Version, Version)
	default:
		answer, err = s.handle(request)
	}
	if err != nil {
		s.refuse(request.ID, err)
	} else {
		s.send(Response{Version: Version, ID: request.ID, Type: "ok", Payload: answer})
	}
}

func (s *session) refuse(id uint64, err error) {
	refusal := fault.Of(err)
	s.server.log.Info("refused", "code", refusal.Code, "process", s.peer.Process, "user", s.peer.User, "message", refusal.Message)
	s.send(Response{Version: Version, ID: id, Type: "error", Payload: refusal})
}

func (s *session) send(response Response) {
	text, err := json.Marshal(response)
	if err != nil {
		s.server.log.Error("an answer could not be written", "error", err)
		return
	}
	s.connection.SetWriteDeadline(time.Now().Add(writeTimeout))
	if _, err := s.connection.Write(append(text, '\n')); errors.Is(err, os.ErrDeadlineExceeded) {
		s.connection.Close() // half a line may have gone
	}
}
