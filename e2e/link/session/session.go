// Package session is the life of one link: make it, check it, run the two commands, take it down.
package session

import (
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"firstscreen/e2e/link/control"
	"firstscreen/e2e/link/emulator"
	"firstscreen/e2e/link/fault"
	"firstscreen/e2e/link/probe"
	"firstscreen/e2e/link/profile"
	"firstscreen/e2e/link/side"
)

// farGrace is what the far command has to finish after the near command has ended.
const farGrace = time.Second

// Run is the whole session; it returns the near command's exit status. It must run on the main thread, locked (side.Launch).
func Run(options profile.Options) (status int, err error) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, side.Forwarded...)

	path := options.ControlSocket
	if path == "" {
		path = control.DefaultPath()
	}
	listener, err := control.Listen(path)
	if err != nil {
		return 0, err
	}
	defer listener.Close() // removes the socket too

	hasRelay := options.Profile.SecondHop != nil
	environment := append(os.Environ(), "FIRSTSCREEN_LINK_SOCKET="+path)
	farRole, farAddress := side.Far, side.FarAddress
	if hasRelay {
		farRole, farAddress = side.Beyond, side.BeyondAddress
		environment = append(environment, "FIRSTSCREEN_RELAY_ADDR="+side.FarAddress)
	}
	environment = append(environment, "FIRSTSCREEN_FAR_ADDR="+farAddress)
	near, err := side.Launch(side.Near, options.Near, environment)
	if err != nil {
		return 0, err
	}
	defer near.Stop(0)
	var probed []string
	for _, server := range options.Profile.Servers {
		probed = append(probed, server.ProbeAddress().String())
	}
	far, err := side.Launch(farRole, shell(options.Far), environment, probed...)
	if err != nil {
		return 0, err
	}
	defer far.Stop(0)
	linkEnd, others := far, []*side.Side{far}
	if hasRelay {
		if linkEnd, err = side.Launch(side.Relay, shell(options.Relay), environment); err != nil {
			return 0, err
		}
		defer linkEnd.Stop(0)
		others = append(others, linkEnd)
	}

	link := emulator.Start(options.Profile, options.Seed, near.Tun, linkEnd.Tun)
	var hop *emulator.Emulator
	if hasRelay {
		hop = emulator.Start(options.Profile.HopProfile(), options.Seed, linkEnd.HopTun, far.Tun)
	}
	checker, err := probe.NewChecker(options.Profile, probe.End{Socket: near.Probe, Address: side.NearAddress},
		probe.End{Socket: linkEnd.Probe, Address: side.FarAddress}, probe.End{Socket: far.Probe, Address: farAddress})
	if err != nil {
		return 0, err
	}
	server := &control.Server{
		Profile: options.Profile, Seed: options.Seed, Rootless: side.Rootless(), Emulator: link, SecondHop: hop, Checker: checker,
	}
	if options.Check {
		if interrupted, err := check(server, signals); interrupted != 0 || err != nil {
			return interrupted, err
		}
		link.Restart()
	}
	go server.Serve(listener)

	for _, other := range others {
		if err := other.Start(); err != nil {
			return 0, err
		}
	}
	if err := near.Start(); err != nil {
		return 0, err
	}
	return attend(near, others, signals)
}

// shell is the command of a command line; an empty one runs nothing.
func shell(line string) []string {
	if strings.TrimSpace(line) == "" {
		return nil
	}
	return []string{"/bin/sh", "-c", line}
}

// check refuses a link that is off in every attempt: a machine that stalled for a moment is not a wrong link. A signal ends it with the
// status that shells give to that.
func check(server *control.Server, signals <-chan os.Signal) (interrupted int, err error) {
	const attempts = 3
	done := make(chan error, 1)
	go func() {
		var failures []string
		for range attempts {
			result, err := server.Check()
			if err != nil || result.OK {
				done <- err
				return
			}
			failures = result.Failures
		}
		done <- fault.New(fault.Check, "run on a quieter machine, allow real-time priority (root or an rtprio limit), or give --no-check",
			"the link is not as its profile says: %s", strings.Join(failures, "; "))
	}()
	select {
	case s := <-signals:
		return side.SignalStatus(s.(syscall.Signal)), nil
	case err := <-done:
		return 0, err
	}
}

// attend waits for the near command, passing signals on. The other commands may end before it, but not fail.
func attend(near *side.Side, others []*side.Side, signals <-chan os.Signal) (status int, err error) {
	failed := make(chan *side.Side, len(others))
	for _, other := range others {
		go func() {
			if <-other.Ended; other.Status() != 0 {
				failed <- other
			}
		}()
	}
	for {
		select {
		case s := <-signals:
			near.Signal(s)
		case <-near.Ended:
			for _, other := range others {
				other.Stop(farGrace)
			}
			return near.Status(), nil
		case other := <-failed:
			near.Stop(farGrace)
			return 0, fault.New(fault.Command, "see its own message above", "the %s command ended with status %d before the near command", other.Role, other.Status())
		}
	}
}
