package registry

import (
	"fmt"

	"firstscreen/driver/internal/kernel"
)

func (t Target) String() string {
	switch {
	case t.Process != 0:
		return fmt.Sprintf("process %d", t.Process)
	case t.Cgroup != "":
		return "cgroup " + t.Cgroup
	case t.Socket != 0:
		return "a connection"
	}
	side := "remote"
	if t.Port.Side == kernel.LocalPort {
		side = "local"
	}
	user := fmt.Sprintf("user %d", t.Port.User)
	if t.Port.User == kernel.AnyUser {
		user = "all users"
	}
	return fmt.Sprintf("%s port %d of %s", side, t.Port.Port, user)
}
