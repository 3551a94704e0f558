// Package repair asks the driver about a connection whose holes are filled, as who repairs it does (docs/driver.md).
package repair

import (
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"time"

	"firstscreen/driver/internal/fwp"
)

const patience = 20 * time.Second

// Flow of a connection. Offsets count from the first byte that the peer has sent on it.
type Flow struct {
	// From it on holes are filled.
	From uint64

	driver  net.Conn
	ends    string // as messages name the connection
	through uint64 // told so far
}

// Begin has the holes of a connection filled, up to an offset of its stream. The connection to the driver is the flow's from then on.
func Begin(driver, connection net.Conn, end uint64) (*Flow, error) {
	f := &Flow{driver: driver, ends: Ends(connection)}
	var answer struct{ From uint64 }
	if err := f.ask("repair", fmt.Sprintf(`{%s,"end":%d}`, f.ends, end), &answer); err != nil {
		return nil, err
	}
	f.From = answer.From
	return f, nil
}

// Holes asks once what was filled of what was read, which ends at an offset.
func (f *Flow) Holes(upTo uint64) (told fwp.Told, err error) {
	err = f.ask("holes", fmt.Sprintf(`{%s,"upTo":%d}`, f.ends, upTo), &told)
	return told, err
}

// Until all is told of what was read, which ends at an offset. Each answer is given to note.
func (f *Flow) Until(read uint64, note func(fwp.Told)) error {
	for f.through < read {
		told, err := f.Holes(read)
		if err != nil {
			return err
		}
		if told.Through < f.through || told.Through == f.through && len(told.Holes) == 0 {
			return fmt.Errorf("read %d, but told through %d and %d", read, f.through, told.Through)
		}
		f.through = told.Through
		note(told)
	}
	return nil
}

// End of what is to be filled.
func (f *Flow) End() error {
	return f.ask("repaired", "{"+f.ends+"}", &struct{}{})
}

func (f *Flow) ask(kind, payload string, into any) error {
	answered, answer, err := Ask(f.driver, kind, payload)
	if err != nil {
		return err
	}
	if answered != "ok" {
		return fmt.Errorf("%s %s was answered %s", kind, payload, answer)
	}
	return json.Unmarshal(answer, into)
}

// Ask says one request on a connection to the driver, which answers each before it reads another, and returns the type of the answer and its payload.
func Ask(driver net.Conn, kind, payload string) (answered string, answer []byte, err error) {
	if err := driver.SetDeadline(time.Now().Add(patience)); err != nil {
		return "", nil, err
	}
	if _, err := fmt.Fprintf(driver, `{"v":1,"id":1,"type":"%s","payload":%s}`+"\n", kind, payload); err != nil {
		return "", nil, err
	}
	var response struct {
		Type    string
		Payload json.RawMessage
	}
	err = json.NewDecoder(driver).Decode(&response)
	return response.Type, response.Payload, err
}

// Ends of a connection, as members of a message.
func Ends(connection net.Conn) string {
	return fmt.Sprintf(`"local":%s,"remote":%s`, end(connection.LocalAddr()), end(connection.RemoteAddr()))
}

func end(address net.Addr) string {
	at := netip.MustParseAddrPort(address.String())
	return fmt.Sprintf(`{"address":"%s","port":%d}`, at.Addr().Unmap(), at.Port())
}
