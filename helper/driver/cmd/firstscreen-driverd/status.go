package main

import (
	"encoding/json"
	"flag"
	"io"

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
	printStatus(output, told)
	return nil
}
