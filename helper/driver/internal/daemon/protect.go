package daemon

import (
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/cilium/ebpf/ringbuf"
	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/clock"
	"firstscreen/driver/internal/kernel"
	"firstscreen/driver/internal/rar"
)

// rest after the last message that was there. A message that finds all before it read has to wake this process up, which takes whoever sends it longer than all
// else that the programs do: so it does at most each half millisecond. Copies come that much late at the most.
const rest = 500 * time.Microsecond

// protector sends the copies of thin messages: the one goroutine that uses the engine.
type protector struct {
	kernel   *kernel.Kernel
	messages *ringbuf.Reader
	socket   int // of packets
	log      *slog.Logger
	mutex    sync.Mutex // of what follows, as others read what was counted
	engine   *rar.Engine
	unsent   uint64
}

func newProtector(k *kernel.Kernel, log *slog.Logger) (*protector, error) {
	messages, err := k.Messages()
	if err != nil {
		return nil, err
	}
	socket, err := packetSocket(kernel.Mark)
	if err != nil {
		return nil, err
	}
	return &protector{kernel: k, messages: messages, socket: socket, log: log, engine: rar.New(k)}, nil
}

// packetSocket sends packets as they are, past the network stack, and receives nothing. It needs CAP_NET_RAW, and CAP_NET_ADMIN for the mark, by which the
// driver's programs know its packets.
func packetSocket(mark int) (int, error) {
	socket, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return 0, fmt.Errorf("a packet socket: %w", err)
	}
	if err := unix.SetsockoptInt(socket, unix.SOL_SOCKET, unix.SO_MARK, mark); err != nil {
		return 0, fmt.Errorf("the mark of a packet socket: %w", err)
	}
	return socket, nil
}

// run never returns.
func (p *protector) run() {
	for {
		p.messages.SetDeadline(p.nextDeadline())
		record, err := p.messages.Read()
		p.mutex.Lock()
		if err == nil {
			p.shown(record.RawSample)
		}
		for _, copy := range p.engine.Due(clock.Monotonic()) {
			p.send(copy)
		}
		p.mutex.Unlock()
		if err == nil && p.messages.AvailableBytes() == 0 { // by a timer of the kernel: Go's take a millisecond at least
			wait := unix.NsecToTimespec(rest.Nanoseconds())
			unix.Nanosleep(&wait, nil)
		}
	}
}

func (p *protector) nextDeadline() time.Time {
	at, is := p.engine.Next()
	if !is {
		return time.Time{}
	}
	return time.Now().Add(at - clock.Monotonic())
}

func (p *protector) shown(sample []byte) {
	message, err := kernel.Decode(sample)
	if err != nil {
		p.log.Debug("a message is left to TCP", "error", err)
		return
	}
	p.engine.Shown(message, p.kernel.Counters().Retransmitted)
	if message.State.RTT > 0 {
		p.kernel.SetSynTimeout(message.Flow, p.engine.Timeout(message), clock.Monotonic())
	}
}

// send copies. What can not be sent is lost, as on the air: TCP has its own copy.
func (p *protector) send(copy rar.Message) {
	to := &unix.SockaddrLinklayer{Ifindex: copy.Interface, Protocol: copy.Protocol}
	for _, frame := range copy.Frames {
		if err := unix.Sendto(p.socket, frame, unix.MSG_DONTWAIT, to); err != nil {
			p.unsent++
			p.log.Debug("a copy was not sent", "interface", copy.Interface, "error", err)
		}
	}
}

func (p *protector) counted() (rar.Counts, uint64) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.engine.Counts, p.unsent
}
