// Command firstscreen-transfers measures flows that share a link: bulk one way or both, and small requests one after the other; one to a reader that stops, and files over HTTP (docs/benchmarks.md).
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"
)

const usage = "usage: firstscreen-transfers serve --port N... [--congestion NAME]\n" +
	"       firstscreen-transfers measure --host ADDRESS --flow COUNTx(up|down|both|requests):PORT... [--seconds S] [--warm-up S] [--congestion NAME] [--seed N]\n" +
	"       firstscreen-transfers serve-files --port N [--congestion NAME]\n" +
	"       firstscreen-transfers digest --bytes N\n" +
	"       firstscreen-transfers read --host ADDRESS --port N [--bytes N] [--receive-buffer BYTES] [--on S --off S --stops N]"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "E_TRANSFERS:", err)
		os.Exit(2)
	}
}

func run(arguments []string) error {
	commands := map[string]func(arguments []string) error{
		"serve": serveCommand, "measure": measureCommand, "read": readCommand, "serve-files": serveFilesCommand, "digest": digestCommand,
	}
	if len(arguments) > 0 {
		if command, known := commands[arguments[0]]; known {
			return command(arguments[1:])
		}
	}
	return errors.New(usage)
}

// serveCommand serves until it is ended.
func serveCommand(arguments []string) error {
	options := flag.NewFlagSet("serve", flag.ContinueOnError)
	var ports []int
	options.Func("port", "TCP port (repeatable)", func(text string) error {
		port, err := parsePort(text)
		ports = append(ports, port)
		return err
	})
	congestion := options.String("congestion", "", "congestion control; empty: the machine's")
	if err := options.Parse(arguments); err != nil {
		return err
	}
	if len(ports) == 0 {
		return errors.New("no port")
	}
	failed := make(chan error, len(ports))
	for _, port := range ports {
		listener, err := listen(net.JoinHostPort("", strconv.Itoa(port)), *congestion)
		if err != nil {
			return err
		}
		go func() { failed <- serve(listener) }()
	}
	return <-failed
}

func measureCommand(arguments []string) error {
	options := flag.NewFlagSet("measure", flag.ContinueOnError)
	m := measurement{}
	options.StringVar(&m.host, "host", "", "address of the server")
	options.Func("flow", "COUNTxKIND:PORT (repeatable)", func(text string) error {
		specs, err := parseFlows(text)
		m.specs = append(m.specs, specs...)
		return err
	})
	options.StringVar(&m.congestion, "congestion", "", "congestion control; empty: the machine's")
	options.Uint64Var(&m.seed, "seed", 1, "of the sizes of answers")
	seconds := options.Float64("seconds", 10, "measured")
	warmUp := options.Float64("warm-up", 0, "seconds before")
	if err := options.Parse(arguments); err != nil {
		return err
	}
	if net.ParseIP(m.host) == nil || len(m.specs) == 0 || *seconds <= 0 || *warmUp < 0 {
		return errors.New(usage)
	}
	m.lasts, m.warmUp = inSeconds(*seconds), inSeconds(*warmUp)
	results, err := m.run()
	if err != nil {
		return err
	}
	lines := json.NewEncoder(os.Stdout)
	for _, result := range results {
		if err := lines.Encode(result); err != nil {
			return err
		}
	}
	return nil
}

func inSeconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
