package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

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
		encoder := json.NewEncoder(output)
		encoder.SetIndent("", "  ")
		return encoder.Encode(told)
	}
	printFeatures(output, told.Features)
	fmt.Fprintln(output, "Attached to:")
	for _, one := range told.Interfaces {
		how := string(one.Method)
		if how == "" {
			how = "not attached: " + one.Cause
		}
		if !one.Next.IsZero() {
			how += fmt.Sprintf("; tried %d times, again at %s", one.Attempts, one.Next.Format(time.TimeOnly))
		}
		fmt.Fprintf(output, "  %s (%s)\n", one.Name, how)
	}
	for _, path := range told.Cgroups {
		fmt.Fprintf(output, "  %s\n", path)
	}
	fmt.Fprintf(output, "Registered: %d\n", told.Registrations)
	printCounters(output, told.Counters)
	return nil
}

func printFeatures(output io.Writer, features []daemon.Feature) {
	fmt.Fprintln(output, "Supported:")
	for _, feature := range features {
		line := fmt.Sprintf("  %-22s %s", feature.Name, feature.Level)
		if feature.Reason != "" {
			line += ": " + feature.Reason
		}
		fmt.Fprintln(output, line)
	}
}

func printCounters(output io.Writer, c daemon.Counters) {
	var lines []string
	add := func(format string, values ...any) { lines = append(lines, "  "+fmt.Sprintf(format, values...)) }
	add("%d thin messages, %d protected by %d copies (%d bytes), %d rounds begun anew", c.RAR.Messages, c.RAR.Protected, c.RAR.Copies, c.RAR.CopyBytes, c.RAR.Rounds)
	add("%d copies that peers did not need", c.RAR.Duplicates)
	add("without all copies: %d as loss looked like congestion, %d as nothing is lost, %d by the limits, %d were too many", c.RAR.Congested, c.RAR.NotPaying, c.RAR.OverBudget, c.RAR.TooMany+c.Programs.ThinLost)
	add("%d copies that an interface did not take", c.Unsent)
	add("%d flows, %d segments that TCP sent again itself", c.Programs.FlowsSeen, c.Programs.Retransmitted)
	add("%d acknowledgements in segments of their own", c.Programs.AcknowledgementsSplit)
	add("%d connections led into the spool", c.Programs.Redirected)
	fmt.Fprintln(output, "Since it began:\n"+strings.Join(lines, "\n"))
}
