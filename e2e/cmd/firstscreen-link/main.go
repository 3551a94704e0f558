// firstscreen-link runs two commands in two network namespaces with an emulated link between them; see docs/testbed.md and docs/link.md.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"

	"firstscreen/e2e/link/fault"
	"firstscreen/e2e/link/profile"
	"firstscreen/e2e/link/session"
	"firstscreen/e2e/link/side"
)

// The kernel ties parent-death signals to the thread that forked, so that one must be a thread that stays: the main thread.
func init() { runtime.LockOSThread() }

func main() {
	if side.IsSide() {
		os.Exit(side.Main())
	}
	status, err := run(os.Args[1:])
	if err != nil {
		const refused = 2
		fmt.Fprintln(os.Stderr, fault.Line(err))
		os.Exit(refused)
	}
	os.Exit(status)
}

func run(arguments []string) (status int, err error) {
	options, err := profile.Parse(arguments)
	if err != nil {
		return 0, err
	}
	if options.ListProfiles {
		return 0, json.NewEncoder(os.Stdout).Encode(profile.All())
	}
	return session.Run(options)
}
