package main

import (
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/vishvananda/netlink"

	"firstscreen/driver/internal/attach"
	"firstscreen/driver/internal/config"
	"firstscreen/driver/internal/control"
	"firstscreen/driver/internal/daemon"
	"firstscreen/driver/internal/privileges"
)

const account = "firstscreen" // the user and the group that the package makes

type runOptions struct {
	socket, group, user string
	dryRun              bool
}

func run(arguments []string, output io.Writer) error {
	var o runOptions
	options := flag.NewFlagSet("run", flag.ContinueOnError)
	options.StringVar(&o.socket, "socket", control.DefaultSocket, "where helpers connect")
	options.StringVar(&o.group, "group", account, "who may connect")
	options.StringVar(&o.user, "user", account, "whom to become when started as root")
	path := options.String("config", "", "configuration (default "+config.DefaultPath+", if it is there)")
	var level slog.Level
	options.TextVar(&level, "log-level", slog.LevelInfo, "debug, info, warn or error")
	options.BoolVar(&o.dryRun, "dry-run", false, "say what would be done, and do nothing")
	if err := parse(options, arguments, output); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
	file, err := config.Read(*path)
	if err != nil {
		return err
	}
	if o.dryRun {
		return dryRun(o, file, log, output)
	}
	return serve(o, file, log)
}

// serve opens the socket as root, becomes the driver's user, and only then loads programs.
func serve(o runOptions, file config.File, log *slog.Logger) error {
	listener, err := control.Listen(o.socket, o.group)
	if err != nil {
		return err
	}
	defer listener.Close()
	restoreWifi(log)
	if err := privileges.Drop(o.user); err != nil {
		return err
	}
	driver, err := daemon.New(file, log)
	if err != nil {
		return err
	}
	if err := privileges.Loaded(); err != nil {
		return err
	}
	ctx, stop := untilEnded()
	defer stop()
	log.Info("running", "socket", o.socket)
	return driver.Run(ctx, listener, file.Registrations)
}

// dryRun has the programs verified with the capabilities that they are loaded with.
func dryRun(o runOptions, file config.File, log *slog.Logger, output io.Writer) error {
	if err := privileges.Drop(o.user); err != nil {
		return err
	}
	driver, err := daemon.New(file, log)
	if err != nil {
		return err
	}
	fmt.Fprintln(output, "The programs were verified by the kernel. These would be attached to:")
	present, err := netlink.LinkList()
	if err != nil {
		return err
	}
	for _, of := range present {
		if !attach.IsWanted(of, file.Interfaces) {
			continue
		}
		hint := ""
		if _, err := attach.HasLinkLayer(of); err != nil {
			hint = ", no: " + err.Error()
		}
		fmt.Fprintf(output, "  %s (%s)%s\n", of.Attrs().Name, of.Attrs().EncapType, hint)
	}
	fmt.Fprintln(output, "Registered would be:")
	for _, one := range file.Registrations {
		targets, err := one.Targets()
		if err != nil {
			fmt.Fprintf(output, "  not: %v\n", err)
			continue
		}
		for _, target := range targets {
			fmt.Fprintf(output, "  %s\n", target)
		}
	}
	printFeatures(output, driver.Features())
	return nil
}
