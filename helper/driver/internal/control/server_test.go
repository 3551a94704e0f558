package control

import (
	"bufio"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/fwp"
	"firstscreen/driver/internal/kernel"
	"firstscreen/driver/internal/registry"
)

// fake is a Driver that remembers what is registered.
type fake struct {
	mutex   sync.Mutex
	targets map[registry.Target]kernel.Policy
	spool   kernel.SpoolAt

	repaired *repaired
}

func (f *fake) Register(targets []registry.Target, policy kernel.Policy) (remove func() error, err error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if slices.ContainsFunc(targets, func(target registry.Target) bool { return target.Id == 666 }) {
		return nil, errors.New("the map is full")
	}
	for _, target := range targets {
		f.targets[target] = policy
	}
	return func() error {
		f.mutex.Lock()
		defer f.mutex.Unlock()
		for _, target := range targets {
			delete(f.targets, target)
		}
		return nil
	}, nil
}

func (f *fake) Status() any { return map[string]int{"registrations": f.count()} }
func (f *fake) OpenSpool(_ uint32, at kernel.SpoolAt) (closeSpool func() error, err error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.spool.Port != 0 {
		return nil, fault.New(fault.Limit, nil, "close the other one", "Opening a second spool")
	}
	f.spool = at
	return func() error {
		f.mutex.Lock()
		defer f.mutex.Unlock()
		f.spool = kernel.SpoolAt{}
		return nil
	}, nil
}
func (f *fake) Meant(_ uint32, from netip.AddrPort) (netip.AddrPort, bool) {
	return netip.MustParseAddrPort("[2001:db8::1]:443"), from == netip.MustParseAddrPort("[::1]:5000")
}

// Repair of one connection at a time.
func (f *fake) Repair(c fwp.Connection, end uint64) (Flow, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.repaired != nil {
		return nil, fault.New(fault.Limit, nil, "end the other one", "Repairing a second one")
	}
	f.repaired = &repaired{by: f, connection: c, end: end}
	return f.repaired, nil
}

// repaired is what a fake was asked to repair.
type repaired struct {
	by         *fake
	connection fwp.Connection
	end        uint64
	hasEnded   bool
}

func (r *repaired) From() uint64 { return 5 }
func (r *repaired) Holes() (fwp.Told, error) {
	return fwp.Told{Through: r.end, Holes: [][2]uint64{{6, 2}}, Late: []fwp.Late{}}, nil
}
func (r *repaired) End() error {
	r.by.mutex.Lock()
	defer r.by.mutex.Unlock()
	r.hasEnded = true
	if r.by.repaired == r {
		r.by.repaired = nil
	}
	return nil
}

// connectionEnds lets the programs forget what is repaired now, as the connection has gone.
func (f *fake) connectionEnds() *repaired {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	gone := f.repaired
	f.repaired = nil
	return gone
}

func (f *fake) isRepairing() bool {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.repaired != nil
}
func (f *fake) count() int {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return len(f.targets)
}
func (f *fake) spoolAt() kernel.SpoolAt {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.spool
}

func start(t *testing.T) (*fake, string) {
	t.Helper()
	group, err := user.LookupGroupId(currentGroup(t))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "run", "driver.sock")
	listener, err := Listen(path, group.Name)
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{targets: map[registry.Target]kernel.Policy{}}
	server := NewServer(listener, f, slog.New(slog.DiscardHandler))
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.Run()
	}()
	t.Cleanup(func() { // the test's connections are closed
		listener.Close()
		<-done
		eventually(t, "all registrations are taken back", func() bool { return f.count() == 0 })
	})
	return f, path
}

func currentGroup(t *testing.T) string {
	t.Helper()
	current, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	return current.Gid
}

// helper is a connection that speaks the protocol.
type helper struct {
	t *testing.T
	net.Conn
	lines *bufio.Reader
}

func connect(t *testing.T, path string) *helper {
	t.Helper()
	connection, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	connection.SetDeadline(time.Now().Add(20 * time.Second))
	return &helper{t, connection, bufio.NewReader(connection)}
}

func (h *helper) say(line string) (answer struct {
	ID      uint64
	Type    string
	Payload json.RawMessage
}) {
	h.t.Helper()
	if _, err := h.Write([]byte(line + "\n")); err != nil {
		h.t.Fatal(err)
	}
	text, err := h.lines.ReadBytes('\n')
	if err != nil {
		h.t.Fatalf("no answer to %s: %v", line, err)
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		h.t.Fatalf("%s: %v", text, err)
	}
	return answer
}

func (h *helper) ask(kind, payload string) (string, string) {
	h.t.Helper()
	answer := h.say(`{"v":1,"id":7,"type":"` + kind + `","payload":` + payload + `}`)
	if answer.ID != 7 {
		h.t.Errorf("answered to %d", answer.ID)
	}
	return answer.Type, string(answer.Payload)
}

func expectCode(t *testing.T, payload, code string) {
	t.Helper()
	var refusal fault.Error
	if err := json.Unmarshal([]byte(payload), &refusal); err != nil || refusal.Code != code || refusal.Message == "" || refusal.Next == "" {
		t.Errorf("answered %s, expected %s with message and next step", payload, code)
	}
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

func TestARegistrationStaysAsLongAsItsConnection(t *testing.T) {
	f, path := start(t)
	h := connect(t, path)
	if kind, payload := h.ask("register", `{"remotePorts":[443,80],"policy":["rar"]}`); kind != "ok" || payload != `{}` || f.count() != 2 {
		t.Fatalf("answered %s %s, %d targets", kind, payload, f.count())
	}
	if kind, payload := h.ask("register", `{"localPorts":[8080],"policy":["rar","spool"]}`); kind != "ok" || f.count() != 3 {
		t.Fatalf("answered %s %s", kind, payload)
	}
	h.Close()
	eventually(t, "all is taken back", func() bool { return f.count() == 0 })
}

func TestAProcessOfTheCaller(t *testing.T) {
	f, path := start(t)
	if kind, payload := connect(t, path).ask("register", `{"process":`+jsonNumber(os.Getpid())+`,"policy":["rar"]}`); kind != "ok" {
		t.Fatal(payload)
	}
	for target, policy := range f.targets {
		if target.Kind != kernel.Process || target.Id != uint64(os.Getpid()) || target.Cgroup.Path == "" || policy != kernel.RAR {
			t.Errorf("registered %v", f.targets)
		}
	}
}

func jsonNumber(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

func TestWhatIsAnotherUsersIsRefused(t *testing.T) {
	peer := Peer{Process: 1, User: 12345}
	for _, request := range []Register{{Process: 1}, {Process: uint32(os.Getpid())}} {
		if os.Getuid() == int(peer.User) {
			t.Fatal("the tests run as the user that they take for another one")
		}
		if _, err := peer.targets(request); err == nil || fault.Of(err).Code != fault.Denied {
			t.Errorf("%+v: %v", request, err)
		}
	}
	if targets, err := peer.targets(Register{Ports: registry.Ports{Remote: []registry.Port{443}}}); err != nil || targets[0].User != peer.User {
		t.Errorf("ports are registered for %+v, %v", targets, err)
	}
}

func TestAnUnusableRequestIsRefusedAndTheConnectionGoesOn(t *testing.T) {
	f, path := start(t)
	h := connect(t, path)
	for _, c := range []struct{ kind, payload, code string }{
		{"register", `{"remotePorts":[443],"policy":[]}`, fault.Message},
		{"register", `{"remotePorts":[443],"policy":["magic"]}`, fault.Message},
		{"register", `{"remotePorts":[0],"policy":["rar"]}`, fault.Message},
		{"register", `{"remotePorts":[70000],"policy":["rar"]}`, fault.Message},
		{"register", `{"policy":["rar"]}`, fault.Message},
		{"register", `{"process":1,"remotePorts":[443],"policy":["rar"]}`, fault.Message},
		{"register", `{"process":-5,"policy":["rar"]}`, fault.Message},
		{"register", `{"process":2147483646,"policy":["rar"]}`, fault.Gone},
		{"register", `{"cgroup":"/etc","policy":["rar"]}`, fault.Message},
		{"register", `{"connection":{"local":"x","remote":"y"},"policy":["rar"]}`, fault.Message},
		{"register", `{"connection":{"local":"127.0.0.1:1","remote":"127.0.0.1:2"},"policy":["rar"]}`, fault.Gone},
		{"register", `{"remotePorts":[443],"policy":["rar"],"extra":1}`, fault.Message},
		{"register", `{"remotePorts":[` + strings.Repeat("1,", maxPorts) + `1],"policy":["rar"]}`, fault.Limit},
		{"register", `{"remotePorts":[1,2,666],"policy":["rar"]}`, fault.System},
		{"register", `[]`, fault.Message},
		{"meant", `{"address":"127.0.0.1","port":1}`, fault.Gone},
		{"meant", `{"address":"","port":1}`, fault.Gone},
		{"meant", `{"address":"localhost","port":1}`, fault.Message},
		{"spool", `{"port6":1}`, fault.Message},
		{"spool", `{"port":1,"port6":-1}`, fault.Message},
		{"repair", `{"local":{"address":"127.0.0.1","port":1},"remote":{"address":"127.0.0.1","port":2},"end":9}`, fault.Gone},
		{"repair", `{"local":{"address":"127.0.0.1","port":1},"end":9}`, fault.Gone},
		{"repair", `{"local":"127.0.0.1:1","remote":"127.0.0.1:2","end":9}`, fault.Message},
		{"repair", `{"local":{"address":"127.0.0.1","port":1},"remote":{"address":"127.0.0.1","port":2},"end":-9}`, fault.Message},
		{"holes", `{"local":{"address":"127.0.0.1","port":1},"remote":{"address":"127.0.0.1","port":2},"upTo":9}`, fault.Gone},
		{"repaired", `{"local":{"address":"127.0.0.1","port":1},"remote":{"address":"127.0.0.1","port":2}}`, fault.Gone},
		{"dance", `{}`, fault.Message},
	} {
		kind, payload := h.ask(c.kind, c.payload)
		if kind != "error" {
			t.Errorf("%s %s was answered %s", c.kind, c.payload, kind)
			continue
		}
		expectCode(t, payload, c.code)
	}
	for _, line := range []string{``, `{`, `null`, `"x"`, `{"v":1}{}`, `{"v":2,"id":1,"type":"status","payload":{}}`, "\x00\xff"} {
		expectCode(t, string(h.say(line).Payload), fault.Message)
	}
	if kind, payload := h.ask("status", `{}`); kind != "ok" || payload != `{"registrations":0}` {
		t.Errorf("afterwards: %s %s, %v", kind, payload, f.targets)
	}
}

func TestATooLongMessageEndsTheConnection(t *testing.T) {
	_, path := start(t)
	h := connect(t, path)
	answer := h.say(`{"v":1,"id":1,"type":"` + strings.Repeat("x", maxMessageBytes) + `","payload":{}}`)
	expectCode(t, string(answer.Payload), fault.Message)
	if _, err := h.lines.ReadByte(); err == nil {
		t.Error("the connection goes on")
	}
}

func TestOnlySoManyRegistrationsAndConnections(t *testing.T) {
	_, path := start(t)
	h := connect(t, path)
	for range maxRegistrations {
		if kind, payload := h.ask("register", `{"remotePorts":[443],"policy":["rar"]}`); kind != "ok" {
			t.Fatal(payload)
		}
	}
	_, payload := h.ask("register", `{"remotePorts":[443],"policy":["rar"]}`)
	expectCode(t, payload, fault.Limit)
	for range maxConnectionsPerUser - 1 {
		if kind, _ := connect(t, path).ask("status", `{}`); kind != "ok" {
			t.Fatal("refused too soon")
		}
	}
	last := connect(t, path)
	text, err := last.lines.ReadBytes('\n')
	if err != nil || !strings.Contains(string(text), fault.Limit) {
		t.Errorf("answered %s, %v", text, err)
	}
}

func TestNoUserTakesAllTargets(t *testing.T) {
	f := &fake{targets: map[registry.Target]kernel.Policy{}}
	server := NewServer(nil, f, slog.New(slog.DiscardHandler))
	of := func(user uint32) *session { return &session{server: server, peer: Peer{Process: 1, User: user}} }
	request := Register{Policy: kernel.RAR}
	for port := range uint16(maxPorts) {
		request.Remote = append(request.Remote, registry.Port(port+1))
	}
	first, second := of(1000), of(1000)
	for range maxTargetsOfUser / maxPorts {
		if _, err := first.register(request); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := second.register(request); err == nil || fault.Of(err).Code != fault.Limit {
		t.Errorf("one more on another connection: %v", err)
	}
	for _, other := range []uint32{1001, 0} {
		if _, err := of(other).register(request); err != nil {
			t.Errorf("user %d: %v", other, err)
		}
	}
	for _, remove := range first.registered {
		remove()
	}
	if _, err := second.register(request); err != nil {
		t.Errorf("when the first has ended: %v", err)
	}
	refused := Register{Policy: kernel.RAR, Ports: registry.Ports{Remote: []registry.Port{666}}}
	for range 2 * maxTargetsOfUser {
		second.register(refused)
	}
	if _, err := second.register(request); err != nil {
		t.Errorf("after others that were refused: %v", err)
	}
}

func TestNoUserTakesAllFlows(t *testing.T) {
	flows := newQuota("flows", maxFlowsOfUser)
	if err := flows.take(1000, maxFlowsOfUser); err != nil {
		t.Fatal(err)
	}
	if err := flows.take(1000, 1); err == nil || fault.Of(err).Code != fault.Limit {
		t.Errorf("one more: %v", err)
	}
	flows.give(1000, 1)
	for _, user := range []uint32{1000, 1001, 0} {
		if err := flows.take(user, 1); err != nil {
			t.Errorf("user %d: %v", user, err)
		}
	}
}

func TestASpoolIsOneConnectionsAndGoesWithIt(t *testing.T) {
	f, path := start(t)
	h, other := connect(t, path), connect(t, path)
	if kind, _ := h.ask("spool", `{"port":4000,"port6":4001}`); kind != "ok" || f.spoolAt() != (kernel.SpoolAt{Process: uint32(os.Getpid()), Port: 4000, Port6: 4001}) {
		t.Fatalf("%s, %+v", kind, f.spoolAt())
	}
	_, payload := other.ask("spool", `{"port":4002}`)
	expectCode(t, payload, fault.Limit)
	if _, payload := h.ask("meant", `{"address":"::1","port":5000}`); payload != `{"address":"2001:db8::1","port":443}` {
		t.Error(payload)
	}
	h.Close()
	eventually(t, "the spool is closed", func() bool { return f.spoolAt().Port == 0 })
	if kind, _ := other.ask("spool", `{"port":4002}`); kind != "ok" || f.spoolAt().Port != 4002 {
		t.Errorf("%s, %+v", kind, f.spoolAt())
	}
}

// connectionOfOurs is one that is there, as messages name it.
func connectionOfOurs(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	connection, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	port := func(address net.Addr) string { return jsonNumber(address.(*net.TCPAddr).Port) }
	// as Node names an address of IPv4 on a socket of IPv6
	return `"local":{"address":"::ffff:127.0.0.1","port":` + port(connection.LocalAddr()) + `},"remote":{"address":"127.0.0.1","port":` + port(connection.RemoteAddr()) + `}`
}

func TestAFlowIsOneConnectionsAndGoesWithIt(t *testing.T) {
	f, path := start(t)
	h, other := connect(t, path), connect(t, path)
	flow := connectionOfOurs(t)
	if kind, payload := h.ask("repair", `{`+flow+`,"end":900}`); kind != "ok" || payload != `{"from":5}` {
		t.Fatalf("%s %s", kind, payload)
	}
	_, payload := other.ask("holes", `{`+flow+`,"upTo":7}`)
	expectCode(t, payload, fault.Gone)
	if _, payload := h.ask("holes", `{`+flow+`,"upTo":7}`); payload != `{"through":900,"holes":[[6,2]],"late":[],"reason":null}` {
		t.Error(payload)
	}
	if kind, payload := h.ask("repaired", `{`+flow+`}`); kind != "ok" || payload != `{}` || f.isRepairing() {
		t.Errorf("%s %s", kind, payload)
	}
	if kind, payload := h.ask("repair", `{`+flow+`,"end":1900}`); kind != "ok" {
		t.Errorf("%s %s", kind, payload)
	}
	h.Close()
	eventually(t, "the flow ends", func() bool { return !f.isRepairing() })
}

func TestAFlowEndsWithTheNextOfTheSameEnds(t *testing.T) {
	f, path := start(t)
	h := connect(t, path)
	flow := connectionOfOurs(t)
	h.ask("repair", `{`+flow+`,"end":900}`)
	first := f.connectionEnds()
	if kind, payload := h.ask("repair", `{`+flow+`,"end":1900}`); kind != "ok" {
		t.Fatal(payload)
	}
	if !first.hasEnded || !f.isRepairing() {
		t.Errorf("the first has ended: %v, the second is there: %v", first.hasEnded, f.isRepairing())
	}
	if _, payload := h.ask("holes", `{`+flow+`,"upTo":7}`); payload != `{"through":1900,"holes":[[6,2]],"late":[],"reason":null}` {
		t.Error(payload)
	}
}

func TestAConnectionOfAnotherUserIsNotRepaired(t *testing.T) {
	if os.Getuid() == 12345 {
		t.Fatal("the tests run as the user that they take for another one")
	}
	var flow Flowing
	if err := json.Unmarshal([]byte("{"+connectionOfOurs(t)+"}"), &flow); err != nil {
		t.Fatal(err)
	}
	if _, err := (Peer{Process: 1, User: 12345}).socket(Ends(flow.connection())); err == nil || fault.Of(err).Code != fault.Denied {
		t.Error(err)
	}
}

func TestTheSocketIsForItsGroupOnly(t *testing.T) {
	_, path := start(t)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != socketMode {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestASecondDriverIsRefusedAndADeadOneReplaced(t *testing.T) {
	_, path := start(t)
	group, _ := user.LookupGroupId(currentGroup(t))
	if _, err := Listen(path, group.Name); err == nil || fault.Of(err).Code != fault.Running {
		t.Errorf("answered %v", err)
	}
	dead := filepath.Join(t.TempDir(), "dead.sock")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: dead, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	listener.SetUnlinkOnClose(false)
	listener.Close()
	again, err := Listen(dead, group.Name)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

func TestAskingWhereNoDriverIs(t *testing.T) {
	var nothing any
	if err := Ask(filepath.Join(t.TempDir(), "none.sock"), "status", &nothing); err == nil || fault.Of(err).Code != fault.NotRunning {
		t.Errorf("answered %v", err)
	}
}

func TestWhoMayNotAskIsToldSo(t *testing.T) {
	for cause, code := range map[error]string{unix.EACCES: fault.Denied, unix.ENOENT: fault.NotRunning, unix.ECONNREFUSED: fault.NotRunning} {
		err := unreachable("/run/driver.sock", &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", cause)})
		if known := fault.Of(err); known.Code != code || known.Next == "" {
			t.Errorf("%v: %v", cause, known)
		}
	}
}
