// Command firstscreen-driverd protects thin messages of registered TCP connections, and can switch acknowledgement off on wireless links (docs/driver.md).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"firstscreen/driver/internal/fault"
)

const usage = `Usage: firstscreen-driverd COMMAND [options]

Commands
  run       attach to the network interfaces and answer on the socket, until SIGTERM, SIGINT or SIGHUP
  status    what is supported, attached and counted
  wifi      frames of a wireless interface without acknowledgement: on, off, restore, status

firstscreen-driverd COMMAND --help lists a command's options.
`

// Exit statuses.
const (
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	err := command(os.Args[1:], os.Stdout)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	known := fault.Of(err)
	fmt.Fprintln(os.Stderr, known)
	if known.Code == fault.Option {
		os.Exit(exitUsage)
	}
	os.Exit(exitFailed)
}

func command(arguments []string, output io.Writer) error {
	switch name := append(arguments, "")[0]; name {
	case "run":
		return run(arguments[1:], output)
	case "status":
		return status(arguments[1:], output)
	case "wifi":
		return wifiCommand(arguments[1:], output)
	case "help", "--help", "-h":
		fmt.Fprint(output, usage)
		return nil
	default:
		return fault.New(fault.Option, nil, "name one: run, status or wifi", "No command is named %q", name)
	}
}

// untilEnded is done when somebody ends this process, so that it puts back what was before. A hangup does not where it is ignored (nohup).
func untilEnded() (context.Context, context.CancelFunc) {
	signals := []os.Signal{syscall.SIGTERM, syscall.SIGINT}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signal.NotifyContext(context.Background(), signals...)
}

// parse reads options, and operands before, between or after them; there may be fewer operands than places for them, not more.
func parse(options *flag.FlagSet, arguments []string, output io.Writer, operands ...*string) error {
	options.SetOutput(io.Discard)
	err := options.Parse(arguments)
	for _, operand := range operands {
		if err != nil || options.NArg() == 0 {
			break
		}
		*operand = options.Arg(0)
		err = options.Parse(options.Args()[1:])
	}
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(output, "Usage: firstscreen-driverd %s [options]\n\n", options.Name())
		options.SetOutput(output)
		options.PrintDefaults()
		return err
	}
	if err == nil && options.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", options.Arg(0))
	}
	if err != nil {
		return fault.New(fault.Option, err, "see firstscreen-driverd "+options.Name()+" --help", "Reading the options")
	}
	return nil
}
