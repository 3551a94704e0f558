// Command firstscreen-aggregation says what stations get that contend for the air and always have something to send: the FWP paper's emulators in virtual time (docs/benchmarks.md).
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"firstscreen/e2e/link/aggregation"
)

const usage = "usage: firstscreen-aggregation --stations ampdu|fwp,... [--fer SHARE] [--rate BITS/S] [--ampdu WINDOW/AGGREGATE] [--seconds S] [--seed N]"

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "E_AGGREGATION:", err)
		os.Exit(2)
	}
}

// run prints a line of JSON for each station.
func run(arguments []string, out io.Writer) error {
	options := flag.NewFlagSet("firstscreen-aggregation", flag.ContinueOnError)
	options.SetOutput(io.Discard) // the error is printed once
	p := aggregation.Parameters{AMPDU: aggregation.StandardSize}
	names := options.String("stations", "", "how each station sends")
	frameErrorRate := options.Float64("fer", 0, "frame error rate of each stream")
	options.Int64Var(&p.RateBitsPerSecond, "rate", aggregation.DefaultRateBitsPerSecond, "bit/s of all streams together")
	options.Func("ampdu", "frames of the window and of an A-MPDU", func(text string) (err error) {
		p.AMPDU, err = aggregation.ParseSize(text)
		return err
	})
	seconds := options.Float64("seconds", 120, "of the air's time")
	seed := options.Uint64("seed", 1, "of contention and losses")
	if err := options.Parse(arguments); err != nil {
		return fmt.Errorf("%w; %s", err, usage)
	}
	p.FrameErrorRates = aggregation.SameOnAllStreams(*frameErrorRate)
	if err := p.Check(); err != nil {
		return err
	}
	const maxSeconds = 86_400
	if p.RateBitsPerSecond < 1 || !(*seconds > 0 && *seconds <= maxSeconds) {
		return errors.New("--rate is above 0, --seconds too and at most a day")
	}
	var stations []aggregation.Scheme
	for _, name := range strings.Split(*names, ",") {
		scheme, err := aggregation.ParseScheme(name)
		if err != nil {
			return fmt.Errorf("%w; %s", err, usage)
		}
		stations = append(stations, scheme)
	}
	lines := json.NewEncoder(out)
	for _, station := range aggregation.Saturate(p, stations, time.Duration(*seconds*float64(time.Second)), *seed) {
		if err := lines.Encode(station); err != nil {
			return err
		}
	}
	return nil
}
