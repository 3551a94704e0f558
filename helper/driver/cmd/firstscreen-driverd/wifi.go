package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"

	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/nl80211"
	"firstscreen/driver/internal/privileges"
	"firstscreen/driver/internal/wifi"
)

const wifiUsage = `Usage: firstscreen-driverd wifi COMMAND [options]

Commands
  on INTERFACE        have frames sent without acknowledgement, until SIGTERM, SIGINT, SIGHUP or wifi off
  off [INTERFACE]     end that, and put back what was before; without a name for all
  restore             put back what a killed command has left behind
  status              what is set, who holds it, and what the device has counted

Only frames that this machine sends: for what it receives, the access point decides.
`

// restoreTimer puts back what a killed command leaves behind, where systemd is.
const restoreTimer = "firstscreen-driver-wifi-restore.timer"

func wifiCommand(arguments []string, output io.Writer) error {
	switch name := append(arguments, "")[0]; name {
	case "on":
		return wifiOn(arguments[1:], output)
	case "off":
		return wifiOff(arguments[1:], output)
	case "restore":
		return wifiRestore(arguments[1:], output)
	case "status":
		return wifiStatus(arguments[1:], output)
	case "help", "--help", "-h":
		fmt.Fprint(output, wifiUsage)
		return nil
	default:
		return fault.New(fault.Option, nil, "name one: on, off, restore or status", "No command of wifi is named %q", name)
	}
}

// switchAsRoot keeps of root what it needs; who is not root is told so by the first that it can not.
func switchAsRoot() (wifi.Switch, error) {
	return wifi.New(wifi.DefaultDirectory), privileges.ForWireless()
}

func wifiOn(arguments []string, output io.Writer) error {
	var name string
	var before wifi.Identifiers
	set := wifi.Unmarked
	options := flag.NewFlagSet("wifi on INTERFACE", flag.ContinueOnError)
	options.TextVar(&set, "tids", wifi.Unmarked, "traffic identifiers of the frames, 0 to 5")
	options.TextVar(&before, "before", before, "what goes without acknowledgement now, by another program: the kernel does not tell")
	if err := parse(options, arguments, output, &name); err != nil {
		return err
	}
	if name == "" {
		return fault.New(fault.Option, nil, "name one; `firstscreen-driverd wifi on wlan0`", "No interface is named")
	}
	of, err := switchAsRoot()
	if err != nil {
		return err
	}
	ctx, stop := untilEnded()
	defer stop()
	// whatever ends this command from here on, there is somebody who knows what was before
	hold, err := of.Record(name, set, before)
	if err != nil {
		return err
	}
	startRestoreTimer(output)
	if err := hold.Set(); err != nil {
		return err
	}
	fmt.Fprintf(output, "%s sends frames of traffic identifiers %s without acknowledgement, until this command ends.\n", name, set)
	<-ctx.Done()
	return hold.Release()
}

// startRestoreTimer does not fail: without it the next start of the driver puts back what is left behind.
func startRestoreTimer(output io.Writer) {
	if said, err := exec.Command("systemctl", "start", restoreTimer).CombinedOutput(); err != nil {
		fmt.Fprintf(output, "If this command is killed, `firstscreen-driverd wifi restore` or the driver's next start puts back what was before: no timer does (%v) %s\n", err, said)
	}
}

func wifiOff(arguments []string, output io.Writer) error {
	var name string
	if err := parse(flag.NewFlagSet("wifi off [INTERFACE]", flag.ContinueOnError), arguments, output, &name); err != nil {
		return err
	}
	of, err := switchAsRoot()
	if err != nil {
		return err
	}
	done, err := of.Off(name)
	printPutBack(output, done)
	if len(done) == 0 && err == nil {
		fmt.Fprintln(output, "There was nothing to put back.")
	}
	return err
}

func wifiRestore(arguments []string, output io.Writer) error {
	if err := parse(flag.NewFlagSet("wifi restore", flag.ContinueOnError), arguments, output); err != nil {
		return err
	}
	of, err := switchAsRoot()
	if err != nil {
		return err
	}
	done, err := of.Restore()
	printPutBack(output, done)
	return err
}

func printPutBack(output io.Writer, done []wifi.Record) {
	for _, one := range done {
		fmt.Fprintf(output, "%s: without acknowledgement as before: %s\n", one.Interface, one.Before)
	}
}

// restoreWifi is a part of the driver's start as root; a failure is no reason not to start.
func restoreWifi(log *slog.Logger) {
	if os.Geteuid() != 0 {
		return // its unit starts the one that does it
	}
	done, err := wifi.New(wifi.DefaultDirectory).Restore()
	for _, one := range done {
		log.Info("put back which frames go without acknowledgement", "interface", one.Interface, "tids", one.Before.String())
	}
	if err != nil {
		log.Warn("could not put back which frames go without acknowledgement", "cause", fault.Of(err).Message)
	}
}

func wifiStatus(arguments []string, output io.Writer) error {
	options := flag.NewFlagSet("wifi status", flag.ContinueOnError)
	asJSON := options.Bool("json", false, "for programs")
	if err := parse(options, arguments, output); err != nil {
		return err
	}
	of, err := switchAsRoot()
	if err != nil {
		return err
	}
	states, err := of.States()
	if err != nil {
		return err
	}
	if *asJSON {
		return json.NewEncoder(output).Encode(states)
	}
	printWifi(output, states)
	return nil
}

func printWifi(output io.Writer, states []wifi.State) {
	if len(states) == 0 {
		fmt.Fprintln(output, "Nothing is set by this command. (The kernel does not tell what others have set.)")
	}
	for _, one := range states {
		line := fmt.Sprintf("without acknowledgement: %s; before: %s; ", one.Set, one.Before)
		switch {
		case !one.IsThere:
			line += "the interface is gone, or in another network namespace"
		case one.Holder == 0:
			line += "left behind, to be put back by wifi restore"
		default:
			line += fmt.Sprintf("held by process %d", one.Holder)
		}
		printNamed(output, one.Interface, line)
		for _, station := range one.Stations {
			printStation(output, station)
		}
	}
}

func printStation(output io.Writer, of nl80211.Station) {
	fmt.Fprintf(output, "    to %s: %d frames, sent again %d times, %d never acknowledged\n", of.Address, of.Sent, of.Retries, of.Failed)
	if of.Received > 0 {
		fmt.Fprintf(output, "    from %s: %d frames, %d damaged\n", of.Address, of.Received, of.Damaged)
	}
}
