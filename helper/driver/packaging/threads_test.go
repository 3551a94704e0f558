package packaging

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"
)

var (
	environment = regexp.MustCompile(`(?m)^Environment=(.*)$`)
	tasksMax    = regexp.MustCompile(`(?m)^TasksMax=(.*)$`)
)

// Go has threads for each processor, and ends a process that gets no more of them.
func TestTheUnitHasThreadsEnoughOnAMachineOfManyProcessors(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, for programs in the kernel")
	}
	program := buildProgram(t)
	socket := filepath.Join(filepath.Dir(program), "driver.sock")
	unit, err := os.ReadFile("firstscreen-driver.service")
	if err != nil {
		t.Fatal(err)
	}
	most, err := strconv.Atoi(string(tasksMax.FindSubmatch(unit)[1]))
	if err != nil {
		t.Fatal(err)
	}
	driver := exec.Command(program, "run", "--socket", socket, "--group", "root", "--user", "nobody")
	driver.Env = append(os.Environ(), "GOMAXPROCS=256") // as on such a machine; the unit's counts
	for _, line := range environment.FindAllSubmatch(unit, -1) {
		driver.Env = append(driver.Env, string(line[1]))
	}
	driver.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Cloneflags: syscall.CLONE_NEWNET}
	if err := driver.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		driver.Process.Kill()
		driver.Wait()
	}()
	for deadline := time.Now().Add(20 * time.Second); exec.Command(program, "status", "--socket", socket).Run() != nil; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not answer")
		}
	}
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", driver.Process.Pid))
	if err != nil || len(threads) > most/2 {
		t.Errorf("%d threads of %d, %v", len(threads), most, err)
	}
}
