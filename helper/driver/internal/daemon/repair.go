package daemon

import (
	"log/slog"

	"firstscreen/driver/internal/attach"
	"firstscreen/driver/internal/config"
	"firstscreen/driver/internal/control"
	"firstscreen/driver/internal/fwp"
	"firstscreen/driver/internal/nl80211"
)

// repairer fills holes of flows, where this kernel can.
type repairer struct {
	cause      error // why not; then there is nothing else
	flows      *fwp.Flows
	interfaces *attach.Interfaces
}

// flowInterfaces are those that are attached to for flows.
type flowInterfaces struct {
	*attach.Interfaces
	wanted []string
}

// ByWhich implements fwp.Interfaces.
func (i flowInterfaces) ByWhich(c fwp.Connection) (int, error) {
	return attach.ByWhich(c.Local.Addr(), c.Remote.Addr(), i.wanted)
}

func newRepairer(file config.File, log *slog.Logger) *repairer {
	programs, err := fwp.Load()
	if err != nil {
		log.Warn("FWP is off", "error", err)
		return &repairer{cause: err}
	}
	interfaces := attach.NewInterfaces(attach.Incoming, programs.Incoming, file.Interfaces, log)
	rates := fwp.Rates{Configured: float64(file.FrameErrorRate), Damaged: nl80211.NewFrameErrors().Share}
	return &repairer{flows: fwp.NewFlows(programs, flowInterfaces{interfaces, file.Interfaces}, rates, log), interfaces: interfaces}
}

// run returns only when the system does not tell of interfaces.
func (r *repairer) run() error {
	if r.cause != nil {
		select {}
	}
	return r.interfaces.Run()
}

func (r *repairer) stop() {
	if r.cause == nil {
		r.interfaces.End()
	}
}

// told is what status tells of it.
func (r *repairer) told() (counted fwp.Counts, expected []fwp.Expected, on []attach.State) {
	if r.cause != nil {
		return fwp.Counts{}, []fwp.Expected{}, []attach.State{}
	}
	return r.flows.Counts(), r.flows.Expected(), r.interfaces.States()
}

// Repair implements control.Driver.
func (d *Daemon) Repair(c fwp.Connection, end uint64) (control.Flow, error) {
	if d.repairer.cause != nil {
		return nil, d.repairer.cause
	}
	flow, err := d.repairer.flows.Repair(c, end)
	if err != nil {
		return nil, err
	}
	return flow, nil
}
