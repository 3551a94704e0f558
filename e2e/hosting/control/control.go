// Package control is the interface of docs/testbed.md that the bench drives the hosting by: HTTP with JSON bodies over a unix socket.
package control

import (
	"encoding/json"
	"errors"
	"net/http"

	"firstscreen/e2e/hosting"
	"firstscreen/e2e/hosting/replay"
	"firstscreen/e2e/hosting/server"
	"firstscreen/e2e/hosting/warc"
)

// maxBodyBytes bounds a command; the longest holds one path.
const maxBodyBytes = 64 << 10

// Control answers commands for one server.
type Control struct{ server *server.Server }

// New makes the handler.
func New(s *server.Server) http.Handler {
	c := &Control{server: s}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /page", c.page)
	mux.HandleFunc("POST /reset", c.reset)
	mux.HandleFunc("GET /log", c.log)
	mux.HandleFunc("GET /inventory", c.inventory)
	mux.HandleFunc("/", unknown)
	return mux
}

type pageCommand struct {
	Path     string `json:"path"`
	Protocol string `json:"protocol"`
}

type pageAnswer struct {
	Name       string          `json:"name"`
	EntryURL   string          `json:"entryUrl"`
	Hosts      []hostAddress   `json:"hosts"`
	Records    int             `json:"records"`
	Bytes      int             `json:"bytes"`
	Protocol   replay.Protocol `json:"protocol"`
	Congestion string          `json:"congestion"`
}

type hostAddress struct {
	Host    string `json:"host"`
	Address string `json:"address"`
}

func (c *Control) page(w http.ResponseWriter, r *http.Request) {
	var command pageCommand
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBodyBytes))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&command); err != nil || command.Path == "" {
		refuse(w, http.StatusBadRequest, &hosting.Error{
			Code: "E_HOSTING_INPUT", Message: "cannot read the command to load a page", Cause: err,
			Next: `send {"path": "/file.warc.gz", "protocol": "recorded|http1|h1|h2"}; protocol may be left out`,
		})
		return
	}
	protocol := replay.ProtocolRecorded
	if command.Protocol != "" {
		var known bool
		if protocol, known = replay.ParseProtocol(command.Protocol); !known {
			refuse(w, http.StatusBadRequest, &hosting.Error{
				Code: "E_HOSTING_INPUT", Message: "cannot serve a page by the protocol " + command.Protocol,
				Next: "choose recorded, http1, h1 or h2",
			})
			return
		}
	}
	page, err := replay.Load(command.Path, protocol)
	if err != nil {
		refuseWARC(w, err)
		return
	}
	c.server.SetPage(page)
	answer(w, http.StatusOK, c.describe(page))
}

func (c *Control) describe(page *replay.Page) pageAnswer {
	description := pageAnswer{
		Name: page.Name, EntryURL: page.EntryURL, Records: len(page.Objects),
		Protocol: page.Protocol, Congestion: c.server.Congestion(),
	}
	for _, object := range page.Objects {
		description.Bytes += object.RecordedBytes
	}
	for _, host := range page.Hosts {
		address, _ := c.server.Resolve(host)
		description.Hosts = append(description.Hosts, hostAddress{host, address.String()})
	}
	return description
}

func (c *Control) reset(w http.ResponseWriter, _ *http.Request) {
	c.server.Reset()
	answer(w, http.StatusOK, struct{}{})
}

func (c *Control) log(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]any{"requests": c.server.Log(), "names": c.server.Names()})
}

type inventoryObject struct {
	URL           string `json:"url"`
	Status        int    `json:"status"`
	ContentType   string `json:"contentType"`
	RecordedBytes int    `json:"recordedBytes"`
	ServedBytes   int    `json:"servedBytes"`
}

func (c *Control) inventory(w http.ResponseWriter, _ *http.Request) {
	page := c.server.Page()
	if page == nil {
		refuse(w, http.StatusConflict, &hosting.Error{
			Code: "E_HOSTING_NO_PAGE", Message: "cannot list objects: no page is loaded", Next: "POST /page first",
		})
		return
	}
	objects := make([]inventoryObject, 0, len(page.Objects))
	for _, o := range page.Objects {
		objects = append(objects, inventoryObject{o.URL, o.Status, o.ContentType, o.RecordedBytes, o.ServedBytes()})
	}
	answer(w, http.StatusOK, map[string]any{"objects": objects})
}

func unknown(w http.ResponseWriter, r *http.Request) {
	refuse(w, http.StatusNotFound, &hosting.Error{
		Code: "E_HOSTING_COMMAND", Message: "there is no command " + r.Method + " " + r.URL.Path,
		Next: "use POST /page, POST /reset, GET /log or GET /inventory",
	})
}

// refuse answers a coded error with its cause in the message.
func refuse(w http.ResponseWriter, status int, err *hosting.Error) {
	answer(w, status, hosting.Error{Code: err.Code, Message: err.Error(), Next: err.Next})
}

func refuseWARC(w http.ResponseWriter, err error) {
	var bad *warc.Error
	if !errors.As(err, &bad) {
		refuse(w, http.StatusInternalServerError, &hosting.Error{Code: "E_HOSTING_INTERNAL", Message: err.Error(), Next: "report this"})
		return
	}
	answer(w, http.StatusUnprocessableEntity, map[string]any{
		"code": bad.Code, "message": bad.Error(), "file": bad.File, "record": bad.Record, "offset": bad.Offset, "next": bad.Next(),
	})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// A client that is gone needs no answer.
	_ = json.NewEncoder(w).Encode(body)
}
