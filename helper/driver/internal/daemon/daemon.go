// Package daemon puts the driver's parts together.
package daemon

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"time"

	"firstscreen/driver/internal/attach"
	"firstscreen/driver/internal/config"
	"firstscreen/driver/internal/control"
	"firstscreen/driver/internal/kernel"
	"firstscreen/driver/internal/registry"
)

var errBBROff = errors.New("the administrator's file says so (bbr)")

// Daemon is a running driver.
type Daemon struct {
	*kernel.Kernel
	*registry.Registry
	interfaces *attach.Interfaces
	protector  *protector
	repairer   *repairer
	log        *slog.Logger
}

// New loads the programs; nothing is attached yet.
func New(file config.File, log *slog.Logger) (*Daemon, error) {
	k, err := kernel.Load()
	if err != nil {
		return nil, err
	}
	if file.BBR != nil && !*file.BBR {
		k.BBRCause = errBBROff
	}
	protector, err := newProtector(k, log)
	if err != nil {
		k.Close()
		return nil, err
	}
	toCgroup := func(path string) (func() error, error) { return attach.ToCgroup(path, k.OnCgroups()) }
	onInterfaces := attach.NewInterfaces(attach.Outgoing, k.Outgoing, file.Interfaces, log)
	return &Daemon{
		Kernel: k, Registry: registry.New(k.Set, toCgroup, onInterfaces.SetNeeded, log),
		interfaces: onInterfaces, protector: protector, repairer: newRepairer(file, log), log: log,
	}, nil
}

// Run attaches and answers until the context ends, or the system does not tell of interfaces. An end is as if it was killed, but for what the kernel does not
// take off by itself.
func (d *Daemon) Run(ctx context.Context, listener *net.UnixListener, wanted []config.Registration) error {
	administered := newAdministered(wanted, d.Registry, d.log)
	administered.look()
	defer func() {
		d.interfaces.End()
		if err := d.TakeBackAll(); err != nil {
			d.log.Warn("a registration was not taken back", "error", err)
		}
	}()
	failed := make(chan error)
	go d.protector.run()
	defer d.repairer.stop()
	go func() { failed <- d.repairer.run() }()
	go control.NewServer(listener, d, d.log).Run()
	go func() { failed <- d.interfaces.Run() }()
	again := time.NewTicker(administerEvery)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			return err
		case <-again.C:
			administered.look()
		}
	}
}
