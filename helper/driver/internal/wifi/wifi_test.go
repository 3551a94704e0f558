package wifi

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/nl80211"
)

const device = 1<<32 | 1

// air is a kernel with wireless interfaces, and what is set of each.
type air struct {
	interfaces []nl80211.Interface
	maps       map[int]uint16
	refusal    error
	filled     []string
}

func newAir() *air {
	return &air{interfaces: []nl80211.Interface{{Index: 3, Name: "wlan0", Device: device}}, maps: map[int]uint16{}}
}

func (a *air) switchIn(directory string) Switch {
	return Switch{radio{
		interfaces: func() ([]nl80211.Interface, error) { return a.interfaces, nil },
		stations: func(index int) ([]nl80211.Station, error) {
			return []nl80211.Station{{Address: fmt.Sprintf("02:00:00:00:00:%02x", index)}}, nil
		},
		setNoAckMap: func(index int, identifiers uint16) error {
			if a.refusal == nil {
				a.maps[index] = identifiers
			}
			return a.refusal
		},
		fill: func(index int, address string, identifiers Identifiers) error {
			a.filled = append(a.filled, fmt.Sprintf("%d %s %s: %b", index, address, identifiers, a.maps[index]))
			return nil
		},
	}, store{directory}}
}

func on(t *testing.T, s Switch, before Identifiers) *Hold {
	t.Helper()
	hold, err := s.Record("wlan0", Unmarked, before)
	if err != nil {
		t.Fatal(err)
	}
	if err := hold.Set(); err != nil {
		t.Fatal(err)
	}
	return hold
}

// abandon is what a killed process does: the lock goes, the record stays.
func (h *Hold) abandon() { h.entry.file.Close() }

func records(t *testing.T, directory string) []string {
	t.Helper()
	names, err := os.ReadDir(directory)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var found []string
	for _, one := range names {
		found = append(found, one.Name())
	}
	return found
}

func expectCode(t *testing.T, err error, code string) {
	t.Helper()
	if err == nil || fault.Of(err).Code != code || fault.Of(err).Next == "" {
		t.Errorf("not %s: %v", code, err)
	}
}

func TestWhatIsReleasedIsAsBefore(t *testing.T) {
	a, directory := newAir(), filepath.Join(t.TempDir(), "state")
	hold := on(t, a.switchIn(directory), 1<<5)
	if a.maps[3] != uint16(Unmarked) {
		t.Errorf("set: %b", a.maps[3])
	}
	if err := hold.Release(); err != nil || a.maps[3] != 1<<5 || len(records(t, directory)) > 0 {
		t.Errorf("%v; set: %b, kept: %v", err, a.maps[3], records(t, directory))
	}
}

func TestStationsCatchUpWithWhatIsAcknowledgedAgain(t *testing.T) {
	a := newAir()
	hold, err := a.switchIn(t.TempDir()).Record("wlan0", 1<<0|1<<5, 1<<5)
	if err == nil {
		err = errors.Join(hold.Set(), hold.Release())
	}
	if want := []string{"3 02:00:00:00:00:03 0: 100000"}; err != nil || !slices.Equal(a.filled, want) {
		t.Errorf("%q, not %q; %v", a.filled, want, err)
	}
}

func TestTheRecordIsThereBeforeTheMapAndForItsOwnerAlone(t *testing.T) {
	a, directory := newAir(), filepath.Join(t.TempDir(), "state")
	if _, err := a.switchIn(directory).Record("wlan0", Unmarked, 0); err != nil || len(a.maps) > 0 {
		t.Fatalf("%v; set: %v", err, a.maps)
	}
	for path, mode := range map[string]fs.FileMode{directory: fs.ModeDir | 0o700, filepath.Join(directory, "100000001.json"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
}

func TestWhatWasLeftBehindIsPutBack(t *testing.T) {
	a, directory := newAir(), t.TempDir()
	s := a.switchIn(directory)
	on(t, s, 1<<1).abandon()
	states, err := s.States()
	if err != nil || len(states) != 1 || states[0].Holder != 0 || !states[0].IsThere || len(states[0].Stations) != 1 {
		t.Errorf("%+v, %v", states, err)
	}
	done, err := s.Restore()
	if err != nil || len(done) != 1 || a.maps[3] != 1<<1 || len(records(t, directory)) > 0 {
		t.Errorf("%v, %v; set: %b, kept: %v", done, err, a.maps[3], records(t, directory))
	}
	if done, err := s.Restore(); err != nil || len(done) > 0 {
		t.Errorf("a second time: %v, %v", done, err)
	}
}

func TestANewHoldPutsBackWhatWasLeftBehindFirst(t *testing.T) {
	a, directory := newAir(), t.TempDir()
	s := a.switchIn(directory)
	on(t, s, 0).abandon()
	hold := on(t, s, 0)
	if len(records(t, directory)) != 1 || a.maps[3] != uint16(Unmarked) {
		t.Errorf("set: %b, kept: %v", a.maps[3], records(t, directory))
	}
	if err := hold.Release(); err != nil || a.maps[3] != 0 {
		t.Errorf("%v, set: %b", err, a.maps[3])
	}
}

func TestARefusalOfTheDriverLeavesNoRecord(t *testing.T) {
	for refusal, code := range map[error]string{
		unix.EOPNOTSUPP: fault.Unsupported, errNotSupported: fault.Unsupported, unix.EPERM: fault.Denied, unix.ENODEV: fault.Gone, unix.EIO: fault.System,
	} {
		a, directory := newAir(), t.TempDir()
		a.refusal = refusal
		hold, err := a.switchIn(directory).Record("wlan0", Unmarked, 0)
		if err != nil {
			t.Fatal(err)
		}
		expectCode(t, hold.Set(), code)
		if kept := records(t, directory); len(kept) > 0 {
			t.Errorf("%v: kept: %v", refusal, kept)
		}
	}
}

func TestARecordStaysUntilItCouldBePutBack(t *testing.T) {
	a, directory := newAir(), t.TempDir()
	s := a.switchIn(directory)
	on(t, s, 0).abandon()
	a.refusal = unix.EIO
	if done, err := s.Restore(); err == nil || len(done) > 0 || len(records(t, directory)) != 1 {
		t.Errorf("%v, %v, kept: %v", done, err, records(t, directory))
	}
	a.refusal = nil
	if done, err := s.Restore(); err != nil || len(done) != 1 || a.maps[3] != 0 {
		t.Errorf("%v, %v, set: %b", done, err, a.maps[3])
	}
}

func TestTheRecordOfAnInterfaceThatIsAwayIsKept(t *testing.T) {
	a, directory := newAir(), t.TempDir()
	s := a.switchIn(directory)
	on(t, s, 0).abandon()
	a.interfaces[0].Device++ // of the same name and index, plugged in anew
	if done, err := s.Restore(); err != nil || len(done) > 0 || a.maps[3] != uint16(Unmarked) {
		t.Errorf("%v, %v, set: %b", done, err, a.maps[3])
	}
	if states, err := s.States(); err != nil || len(states) != 1 || states[0].IsThere {
		t.Errorf("%+v, %v", states, err)
	}
}

func TestWhatCanNotBeSet(t *testing.T) {
	s := newAir().switchIn(t.TempDir())
	for _, one := range []struct {
		name string
		set  Identifiers
		code string
	}{
		{"wlan9", Unmarked, fault.Gone},
		{"lo", Unmarked, fault.Unsupported},
		{"wlan0", 0, fault.Option},
		{"wlan0", Unmarked | 1<<6, fault.Option},
		{"wlan0", 1 << 7, fault.Option},
	} {
		_, err := s.Record(one.name, one.set, 0)
		expectCode(t, err, one.code)
	}
}

func TestABrokenRecordIsToldAndTheOthersArePutBack(t *testing.T) {
	a, directory := newAir(), t.TempDir()
	s := a.switchIn(directory)
	on(t, s, 0).abandon()
	if err := os.WriteFile(filepath.Join(directory, "0.json"), []byte(`{"interface":"wlan1","more":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if done, err := s.Restore(); err == nil || len(done) != 1 || a.maps[3] != 0 {
		t.Errorf("%v, %v, set: %b", done, err, a.maps[3])
	}
}

// holdVariable has this program hold an interface in the directory that it names, as another process.
const holdVariable = "FIRSTSCREEN_TEST_HOLD_IN"

func TestMain(m *testing.M) {
	if directory := os.Getenv(holdVariable); directory != "" {
		holdElsewhere(directory)
		return
	}
	os.Exit(m.Run())
}

func holdElsewhere(directory string) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	hold, err := newAir().switchIn(directory).Record("wlan0", Unmarked, 0)
	fmt.Println(err)
	<-asked
	if err := hold.Release(); err != nil {
		os.Exit(1)
	}
}

// startHolder is another process that holds wlan0.
func startHolder(t *testing.T, directory string) *exec.Cmd {
	t.Helper()
	holder := exec.Command(os.Args[0])
	holder.Env = append(os.Environ(), holdVariable+"="+directory)
	output, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { holder.Process.Kill(); holder.Wait() })
	if line, err := bufio.NewReader(output).ReadString('\n'); line != "<nil>\n" {
		t.Fatalf("%q, %v", line, err)
	}
	return holder
}

func TestWhatAnotherProcessHoldsIsLeftToIt(t *testing.T) {
	a, directory := newAir(), t.TempDir()
	s := a.switchIn(directory)
	holder := startHolder(t, directory)
	if done, err := s.Restore(); err != nil || len(done) > 0 || len(a.maps) > 0 {
		t.Errorf("%v, %v, set: %v", done, err, a.maps)
	}
	_, err := s.Record("wlan0", Unmarked, 0)
	expectCode(t, err, fault.Running)
	if states, err := s.States(); err != nil || len(states) != 1 || states[0].Holder != holder.Process.Pid {
		t.Errorf("%+v, %v", states, err)
	}
}

func TestOffHasTheHolderPutBack(t *testing.T) {
	a, directory := newAir(), t.TempDir()
	holder := startHolder(t, directory)
	go holder.Wait() // who is not waited for has ended, too, for a handle; this is for the list of processes
	if done, err := a.switchIn(directory).Off("wlan0"); err != nil || len(done) != 1 || len(records(t, directory)) > 0 {
		t.Errorf("%v, %v, kept: %v", done, err, records(t, directory))
	}
	if len(a.maps) > 0 {
		t.Errorf("set by who asked: %v", a.maps)
	}
}

func TestOffPutsBackWhatAKilledHolderLeft(t *testing.T) {
	a, directory := newAir(), t.TempDir()
	holder := startHolder(t, directory)
	holder.Process.Kill()
	holder.Wait()
	if done, err := a.switchIn(directory).Off(""); err != nil || len(done) != 1 || len(records(t, directory)) > 0 {
		t.Errorf("%v, %v, kept: %v", done, err, records(t, directory))
	}
	if got, isSet := a.maps[3]; !isSet || got != 0 {
		t.Errorf("set: %v", a.maps)
	}
}

func TestOffLeavesOtherInterfaces(t *testing.T) {
	a, directory := newAir(), t.TempDir()
	s := a.switchIn(directory)
	on(t, s, 0).abandon()
	if done, err := s.Off("wlan1"); err != nil || len(done) > 0 || a.maps[3] != uint16(Unmarked) {
		t.Errorf("%v, %v, set: %b", done, err, a.maps[3])
	}
}
