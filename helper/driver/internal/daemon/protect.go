package daemon

import (
	"errors"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/cilium/ebpf/ringbuf"
	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/inject"
	"firstscreen/driver/internal/kernel"
	"firstscreen/driver/internal/rar"
)

// rest after the last message that was there. A message that finds all before it read has to wake this process up, which takes whoever sends it longer than all
// else that the programs do: so it does at most each half millisecond. Copies come that much late at the most.
const rest = 500 * time.Microsecond

// protector sends the copies of thin messages: the one goroutine that uses the engine.
type protector struct {
	kernel   *kernel.Kernel
	messages *kernel.Messages
	sender   *inject.Sender
	log      *slog.Logger
	engine   *rar.Engine
	mutex    sync.Mutex
	counts   rar.Counts // a copy for others
	unsent   uint64
}

func newProtector(k *kernel.Kernel, log *slog.Logger) (*protector, error) {
	messages, err := k.Messages()
	if err != nil {
		return nil, err
	}
	sender, err := inject.Open(kernel.Mark)
	if err != nil {
		messages.Close()
		return nil, err
	}
	return &protector{kernel: k, messages: messages, sender: sender, log: log, engine: rar.New(k)}, nil
}

// run returns when close was called.
func (p *protector) run() {
	defer p.sender.Close()
	for {
		p.messages.Until(p.nextDeadline())
		message, err := p.messages.Read()
		isLast := false
		switch {
		case errors.Is(err, ringbuf.ErrClosed):
			return
		case errors.Is(err, os.ErrDeadlineExceeded):
		case err != nil:
			p.log.Debug("a message is left to TCP", "error", err)
		default:
			p.shown(message)
			isLast = !p.messages.More()
		}
		for _, copy := range p.engine.Due(monotonic()) {
			p.send(copy)
		}
		p.mutex.Lock()
		p.counts = p.engine.Counts
		p.mutex.Unlock()
		if isLast { // by a timer of the kernel: Go's take a millisecond at least
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
	return time.Now().Add(at - monotonic())
}

func (p *protector) shown(message rar.Message) {
	losses, err := p.kernel.Retransmitted()
	if err != nil {
		p.log.Debug("counters can not be read", "error", err)
	}
	p.engine.Shown(message, losses)
	if message.State.RTT > 0 {
		if err := p.kernel.SetSynTimeout(message.Key.LocalAddr(), message.Key.RemoteAddr(), p.engine.Timeout(message)); err != nil {
			p.log.Debug("a time-out was not set", "error", err)
		}
	}
}

func (p *protector) send(copy rar.Copy) {
	for _, frame := range copy.Frames {
		if err := p.sender.Send(copy.Interface, frame.Bytes, copy.HasLinkLayer); err != nil {
			p.mutex.Lock()
			p.unsent++
			p.mutex.Unlock()
			p.log.Debug("a copy was not sent", "interface", copy.Interface, "error", err)
		}
	}
}

func (p *protector) close() { p.messages.Close() }

func (p *protector) counted() (rar.Counts, uint64) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.counts, p.unsent
}

// monotonic is the clock of bpf_ktime_get_ns: nobody sets it.
func monotonic() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		panic(err) // it is always there
	}
	return time.Duration(now.Nano())
}
