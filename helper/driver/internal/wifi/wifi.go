// Package wifi has frames of a wireless interface sent without acknowledgement (IEEE 802.11-2020, 9.2.4.5.4, No Ack), for as long as somebody holds
// that, and puts back what was before at any end.
package wifi

import (
	"errors"
	"io/fs"
	"net"

	"firstscreen/driver/internal/fault"
	"firstscreen/driver/internal/nl80211"
)

// radio is what is asked of the kernel.
type radio struct {
	interfaces  func() ([]nl80211.Interface, error)
	stations    func(index int) ([]nl80211.Station, error)
	setNoAckMap func(index int, identifiers uint16) error
	fill        func(index int, address string, identifiers Identifiers) error
}

// Switch turns acknowledgement off and on.
type Switch struct {
	radio radio
	store store
}

// New makes one that keeps its records in a directory of root.
func New(directory string) Switch {
	return Switch{radio{nl80211.Interfaces, nl80211.Stations, nl80211.SetNoAckMap, fill}, store{directory}}
}

// Hold is what was before, written down, until it is put back.
type Hold struct {
	with  Switch
	index int
	entry *entry
}

// Record writes down what is to be put back. What was left behind of the interface is put back first.
// The kernel does not tell the map: before is what the caller knows of it.
func (s Switch) Record(name string, set, before Identifiers) (*Hold, error) {
	if set&voice != 0 || set == 0 {
		return nil, fault.New(fault.Option, nil, "name some of 0 to 5; 6 and 7 have the handshakes of keys, too", "Traffic identifiers %s", set)
	}
	of, err := s.find(name)
	if err != nil {
		return nil, err
	}
	record := Record{name, of.Device, set, before}
	kept, err := s.store.create(record)
	if errors.Is(err, fs.ErrExist) {
		if _, err := s.Restore(); err != nil {
			return nil, err
		}
		kept, err = s.store.create(record)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil, fault.New(fault.Running, nil, "end it, or `firstscreen-driverd wifi off "+name+"`", "Another process holds %s without acknowledgement", name)
	}
	if err != nil {
		return nil, explain(err, "Writing down what was before")
	}
	return &Hold{s, of.Index, kept}, nil
}

// Set has frames sent without acknowledgement from now on.
func (h *Hold) Set() error {
	if err := h.with.radio.setNoAckMap(h.index, uint16(h.entry.Set)); err != nil {
		return errors.Join(explain(err, "Setting which frames of %s go without acknowledgement", h.entry.Interface), h.entry.remove())
	}
	return nil
}

// Release puts back what was before.
func (h *Hold) Release() error {
	_, err := h.with.putBack(h.entry)
	return err
}

// Off ends who holds an interface, or all without a name, and puts back what was before. It returns what is back.
func (s Switch) Off(name string) ([]Record, error) {
	return s.each(func(e *entry) (bool, error) {
		if name != "" && name != e.Interface {
			return false, nil
		}
		hasEnded, err := e.endHolder()
		if err != nil {
			return false, err
		}
		isBack, err := s.restore(e)
		return isBack || hasEnded && !e.isKept(), err
	})
}

// Restore puts back what was left behind: what nobody holds any more.
func (s Switch) Restore() ([]Record, error) {
	return s.each(s.restore)
}

// each record that something is done with; do returns false for those that it leaves alone.
func (s Switch) each(do func(*entry) (bool, error)) (done []Record, _ error) {
	entries, err := s.store.entries()
	if err != nil {
		err = explain(err, "Reading what was before")
	}
	for _, one := range entries {
		isDone, doErr := do(one)
		if isDone {
			done = append(done, one.Record)
		}
		err = errors.Join(err, doErr)
		one.file.Close()
	}
	return done, err
}

// restore returns false for what another process holds or has put back, and for what is not there.
func (s Switch) restore(e *entry) (bool, error) {
	isOurs, err := e.lock()
	if err != nil || !isOurs || !e.isKept() {
		return false, err
	}
	return s.putBack(e)
}

// putBack leaves the record of an interface that is not there: the kernel keeps the map of one that is in another network namespace.
func (s Switch) putBack(e *entry) (bool, error) {
	interfaces, err := s.radio.interfaces()
	if err != nil {
		return false, explain(err, "Asking for wireless interfaces")
	}
	for _, one := range interfaces {
		if one.Device != e.Device {
			continue
		}
		if err := s.radio.setNoAckMap(one.Index, uint16(e.Before)); err != nil {
			return false, explain(err, "Putting back which frames of %s go without acknowledgement", one.Name)
		}
		return true, errors.Join(s.catchUp(one, e.Set&^e.Before), e.remove())
	}
	return false, nil
}

// catchUp has all stations take frames with acknowledgement again.
func (s Switch) catchUp(of nl80211.Interface, identifiers Identifiers) error {
	stations, err := s.radio.stations(of.Index)
	for _, one := range stations {
		err = errors.Join(err, s.radio.fill(of.Index, one.Address, identifiers))
	}
	if err != nil {
		return explain(err, "Acknowledgement is as before; having the stations of %s take such frames again", of.Name)
	}
	return nil
}

func (s Switch) find(name string) (nl80211.Interface, error) {
	interfaces, err := s.radio.interfaces()
	if err != nil {
		return nl80211.Interface{}, explain(err, "Asking for wireless interfaces")
	}
	for _, one := range interfaces {
		if one.Name == name {
			return one, nil
		}
	}
	if _, err := net.InterfaceByName(name); err != nil {
		return nl80211.Interface{}, fault.New(fault.Gone, nil, "`ip link` lists the interfaces", "There is no interface %s", name)
	}
	return nl80211.Interface{}, fault.New(fault.Unsupported, nil, "name a wireless one; `iw dev` lists them", "%s is no wireless interface", name)
}
