// Command firstscreen-hosting serves recorded pages in the far namespace of the test bed; docs/hosting.md describes it.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/signal"

	"golang.org/x/sys/unix"

	"firstscreen/e2e/hosting"
	"firstscreen/e2e/hosting/authority"
	"firstscreen/e2e/hosting/control"
	"firstscreen/e2e/hosting/dnsserver"
	"firstscreen/e2e/hosting/network"
	"firstscreen/e2e/hosting/server"
)

// exitRefused is the status after an error, as firstscreen-link's.
const exitRefused = 2

type options struct {
	caDirectory string
	control     string
	congestion  string
}

func main() {
	parsed, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err == nil {
		err = run(parsed)
	}
	if err != nil {
		report(err)
		os.Exit(exitRefused)
	}
}

func parse(arguments []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("firstscreen-hosting", flag.ContinueOnError)
	flags.StringVar(&o.caDirectory, "ca-dir", "", "directory of the test CA; made when absent")
	flags.StringVar(&o.control, "control", "", "path of the control socket")
	flags.StringVar(&o.congestion, "congestion", "", "TCP congestion control (default cubic, else reno)")
	// Errors are one JSON line, so the flag package must not print its own.
	flags.SetOutput(io.Discard)
	err := flags.Parse(arguments)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(os.Stdout)
		flags.PrintDefaults()
	}
	if err != nil {
		return o, usage(err)
	}
	switch {
	case flags.NArg() > 0:
		return o, usage(errors.New("unexpected argument " + flags.Arg(0)))
	case o.caDirectory == "" || o.control == "":
		return o, usage(errors.New("--ca-dir and --control are needed"))
	}
	return o, nil
}

func usage(cause error) error {
	return &hosting.Error{
		Code: "E_HOSTING_USAGE", Message: "cannot read the command line", Cause: cause, Next: "see firstscreen-hosting --help",
	}
}

// run serves until SIGINT or SIGTERM.
func run(o options) error {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, unix.SIGINT, unix.SIGTERM)
	logger := slog.New(slog.NewJSONHandler(os.Stderr, nil))

	ca, err := authority.Open(o.caDirectory)
	if err != nil {
		return err
	}
	congestion, err := network.ChooseCongestion(o.congestion)
	if err != nil {
		return err
	}
	if err := network.AddPrefix(); err != nil {
		return err
	}
	web, err := server.Start(server.Config{
		HTTPAddress: ":80", HTTPSAddress: ":443", Congestion: congestion, Authority: ca, Logger: logger,
	})
	if err != nil {
		return err
	}
	defer web.Close()
	names, err := dnsserver.Start(network.DNS.String()+":53", web.Resolve, web.Asked)
	if err != nil {
		return err
	}
	defer names.Close()
	// Last, because the bench takes the socket as the sign that everything else is ready.
	socket, err := control.Listen(o.control)
	if err != nil {
		return err
	}
	defer socket.Close()
	commands := &http.Server{Handler: control.New(web)}
	ended := make(chan error, 1)
	go func() { ended <- commands.Serve(socket) }()
	select {
	case <-stop:
		return nil
	case err := <-ended:
		return err
	}
}

// report writes one JSON line, as every program of the test bed does.
func report(err error) {
	var coded *hosting.Error
	if !errors.As(err, &coded) {
		coded = &hosting.Error{Code: "E_HOSTING_INTERNAL", Message: err.Error(), Next: "report this"}
	}
	line, encodeErr := json.Marshal(hosting.Error{Code: coded.Code, Message: coded.Error(), Next: coded.Next})
	if encodeErr != nil {
		line = []byte(coded.Code)
	}
	fmt.Fprintln(os.Stderr, string(line))
}
