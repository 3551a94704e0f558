package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"firstscreen/driver/internal/attach"
	"firstscreen/driver/internal/control"
	"firstscreen/driver/internal/daemon"
)

func status(arguments []string, output io.Writer) error {
	options := flag.NewFlagSet("status", flag.ContinueOnError)
	socket := options.String("socket", control.DefaultSocket, "where the driver answers")
	asJSON := options.Bool("json", false, "for programs")
	if err := parse(options, arguments, output); err != nil {
		return err
	}
	var told daemon.Status
	if err := control.Ask(*socket, "status", &told); err != nil {
		return err
	}
	if *asJSON {
		return json.NewEncoder(output).Encode(told)
	}
	printStatus(output, told)
	return nil
}

const (
	nameWidth = 24
	percent   = 100
)

// printStatus tells people what is supported, attached, registered and counted.
func printStatus(output io.Writer, told daemon.Status) {
	printFeatures(output, told.Features)
	printAttached(output, told)
	printRegistered(output, told.Registered)
	printCounters(output, told.Counters)
}

func printFeatures(output io.Writer, features []daemon.Feature) {
	fmt.Fprintln(output, "Supported:")
	for _, feature := range features {
		line := feature.Level
		if feature.Reason != "" {
			line += ": " + feature.Reason
		}
		printNamed(output, feature.Name, line)
	}
}

func printAttached(output io.Writer, told daemon.Status) {
	fmt.Fprintln(output, "Attached to:")
	printInterfaces(output, told.Interfaces, "outgoing")
	printInterfaces(output, told.Incoming, "incoming")
	if len(told.Interfaces)+len(told.Incoming) == 0 {
		fmt.Fprintln(output, "  no interface: nothing is registered, or none that is wanted is up")
	}
	for _, one := range told.Expected {
		printNamed(output, one.Interface, fmt.Sprintf("is expected to lose %.1f %% of frames (%s)", one.Rate*percent, one.Source))
	}
	for _, path := range told.Cgroups {
		printNamed(output, path, "where sockets connect")
	}
}

func printInterfaces(output io.Writer, interfaces []attach.State, packets string) {
	for _, one := range interfaces {
		if one.Method == "" {
			printNamed(output, one.Name, "not attached: "+one.Cause)
		} else {
			printNamed(output, one.Name, fmt.Sprintf("%s packets (%s)", packets, one.Method))
		}
	}
}

func printNamed(output io.Writer, name, line string) {
	fmt.Fprintf(output, "  %-*s  %s\n", nameWidth, name, line)
}

func printRegistered(output io.Writer, kinds map[string]int) {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		parts = append(parts, fmt.Sprintf("%s (%d)", kind, kinds[kind]))
	}
	if len(parts) == 0 {
		parts = []string{"nothing, so nothing is acted on"}
	}
	fmt.Fprintf(output, "Registered: %s\n", strings.Join(parts, ", "))
}

func printCounters(output io.Writer, c daemon.Counters) {
	fmt.Fprintln(output, "Counted since it began:")
	for _, line := range []struct {
		count uint64
		what  string
	}{
		{c.RAR.Messages, "thin messages"},
		{c.RAR.Protected, "of them protected by copies"},
		{c.RAR.Copies, fmt.Sprintf("copies (%d bytes)", c.RAR.CopyBytes)},
		{c.RAR.Duplicates, "copies that peers did not need"},
		{c.Unsent, "copies that an interface did not take"},
		{c.RAR.Rounds, "rounds begun anew, without an acknowledgement"},
		{c.RAR.LinkBusy, "messages with fewer copies, as the link was busy"},
		{c.RAR.NotPaying, "messages without copies, as the interface loses nothing"},
		{c.RAR.TooMany + c.Programs.ThinLost, "messages without copies, as they were too many at once"},
		{c.Programs.Retransmitted, "segments that TCP itself sent again"},
		{c.Programs.Redirected, "connections led into the spool"},
		{c.Programs.Uploads, "uploads that have changed over to BBR"},
		{uint64(c.FWP.Flows), "flows that holes are filled of, now"},
		{c.FWP.Holes, fmt.Sprintf("holes filled (%d bytes)", c.FWP.HoleBytes)},
		{c.FWP.Late, "segments that came late and may be originals of them"},
		{c.FWP.Congested, "times that filling was inhibited, as there was congestion"},
		{c.FWP.NoRoom, "holes left to TCP, as too many were not asked for"},
	} {
		fmt.Fprintf(output, "  %10d  %s\n", line.count, line.what)
	}
}
