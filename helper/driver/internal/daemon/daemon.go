// Package daemon puts the driver's parts together.
package daemon

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"sync"

	"firstscreen/driver/internal/attach"
	"firstscreen/driver/internal/config"
	"firstscreen/driver/internal/control"
	"firstscreen/driver/internal/kernel"
	"firstscreen/driver/internal/registry"
)

// Daemon is a running driver.
type Daemon struct {
	kernel     *kernel.Kernel
	interfaces *attach.Interfaces
	cgroups    *attach.Cgroups
	registry   *registry.Registry
	protector  *protector
	log        *slog.Logger
}

// New loads the programs; nothing is attached yet.
func New(interfaces []string, log *slog.Logger) (*Daemon, error) {
	k, err := kernel.Load()
	if err != nil {
		return nil, err
	}
	protector, err := newProtector(k, log)
	if err != nil {
		k.Close()
		return nil, err
	}
	cgroups, onInterfaces := attach.NewCgroups(k.SocketPrograms), attach.NewInterfaces(k, interfaces, log)
	return &Daemon{
		kernel: k, interfaces: onInterfaces, cgroups: cgroups,
		registry: registry.New(k, cgroupTree{cgroups}, onInterfaces.SetNeeded), protector: protector, log: log,
	}, nil
}

// cgroupTree adds the system's cgroups to those that the programs are on.
type cgroupTree struct{ *attach.Cgroups }

func (cgroupTree) OfProcess(process int) (string, error) { return attach.OfProcess(process) }
func (cgroupTree) ID(path string) (uint64, error)        { return attach.ID(path) }

// Run attaches and answers until the context ends; then all is as before.
func (d *Daemon) Run(ctx context.Context, listener *net.UnixListener, wanted []config.Wanted) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for _, one := range wanted {
		for _, target := range one.Targets {
			if _, err := d.registry.Add(target, one.Policy); err != nil {
				d.log.Warn("not registered", "target", target.String(), "error", err) // a cgroup may not be there yet: the others count
			}
		}
	}
	server := control.NewServer(listener, d, d.log)
	var parts sync.WaitGroup
	failures := make(chan error, 2)
	parts.Go(d.protector.run)
	parts.Go(func() { failures <- d.interfaces.Run(ctx) })
	parts.Go(func() { failures <- server.Run() })
	var err error
	select {
	case <-ctx.Done():
	case err = <-failures:
	}
	cancel()
	server.Close()
	d.interfaces.Close()
	d.protector.close()
	parts.Wait()
	d.kernel.Close()
	return err
}

// Register implements control.Registrar.
func (d *Daemon) Register(target registry.Target, policy kernel.Policy) (control.Registration, error) {
	registration, err := d.registry.Add(target, policy)
	if err != nil {
		return nil, err
	}
	d.log.Info("registered", "target", target.String())
	return registration, nil
}

// SetSpool implements control.Driver.
func (d *Daemon) SetSpool(user, process uint32, ports kernel.SpoolPorts) error {
	return d.kernel.SetSpool(user, process, ports)
}

// Meant implements control.Driver.
func (d *Daemon) Meant(user uint32, from netip.AddrPort) (netip.AddrPort, bool) {
	return d.kernel.Meant(user, from)
}

// Close unloads a daemon that was not run.
func (d *Daemon) Close() error {
	d.protector.close()
	d.kernel.Close()
	return d.protector.sender.Close()
}
