// Package control answers the bench over the link's unix socket (docs/testbed.md).
package control

import (
	"encoding/json"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"firstscreen/e2e/link/emulator"
	"firstscreen/e2e/link/fault"
	"firstscreen/e2e/link/flow"
	"firstscreen/e2e/link/probe"
	"firstscreen/e2e/link/profile"
)

// Version of the answers' form.
const Version = 1

// Server is the control endpoint of one running link.
type Server struct {
	Profile  profile.Profile
	Seed     uint64
	Rootless bool
	Emulator *emulator.Emulator
	// SecondHop is nil where there is none. Counters, flows and lateness are the link's.
	SecondHop *emulator.Emulator
	Checker   *probe.Checker

	lastCheck atomic.Pointer[probe.Result]
}

type report struct {
	Version  int               `json:"version"`
	Profile  profile.Profile   `json:"profile"`
	Seed     uint64            `json:"seed"`
	Realtime bool              `json:"realtime"`
	Rootless bool              `json:"rootless"`
	Lateness emulator.Lateness `json:"lateness"`
	Down     emulator.Counters `json:"down"`
	Up       emulator.Counters `json:"up"`
	Check    *probe.Result     `json:"check"` // null: none was run
}

// Check runs the self-check and remembers its result for the reports.
func (s *Server) Check() (probe.Result, error) {
	result, err := s.Checker.Check()
	if err == nil {
		s.lastCheck.Store(&result)
	}
	return result, err
}

// Serve answers requests until the listener is closed.
func (s *Server) Serve(listener net.Listener) error {
	routes := http.NewServeMux()
	routes.HandleFunc("GET /report", func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, s.report()) })
	routes.HandleFunc("GET /flows", func(w http.ResponseWriter, r *http.Request) {
		reply(w, http.StatusOK, struct {
			Flows []flow.Record `json:"flows"`
		}{s.Emulator.Flows(r.FormValue("steps") != "none")})
	})
	routes.HandleFunc("GET /idle", func(w http.ResponseWriter, _ *http.Request) {
		idle := s.Emulator.Idle()
		if s.SecondHop != nil {
			hop := s.SecondHop.Idle()
			idle.Since, idle.SinceData, idle.QueuedBytes = min(idle.Since, hop.Since), min(idle.SinceData, hop.SinceData), idle.QueuedBytes+hop.QueuedBytes
		}
		reply(w, http.StatusOK, struct {
			IdleMs      float64 `json:"idleMs"`
			DataIdleMs  float64 `json:"dataIdleMs"`
			QueuedBytes int64   `json:"queuedBytes"`
		}{ms(idle.Since), ms(idle.SinceData), idle.QueuedBytes})
	})
	routes.HandleFunc("POST /reset", func(w http.ResponseWriter, _ *http.Request) {
		if s.SecondHop != nil {
			s.SecondHop.Reset()
		}
		reply(w, http.StatusOK, struct {
			Ns int64 `json:"ns"`
		}{s.Emulator.Reset()})
	})
	routes.HandleFunc("POST /check", func(w http.ResponseWriter, _ *http.Request) {
		result, err := s.Check()
		if err != nil {
			reply(w, http.StatusInternalServerError, fault.New(fault.Check, "see docs/link.md", "probing: %v", err))
			return
		}
		reply(w, http.StatusOK, result)
	})
	routes.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		reply(w, http.StatusNotFound, fault.New(fault.Control,
			"use GET /report, /flows, /idle or POST /reset, /check", "there is no %s %s", r.Method, r.URL.Path))
	})
	return http.Serve(listener, routes)
}

func (s *Server) report() report {
	status := s.Emulator.Status()
	return report{
		Version: Version, Profile: s.Profile, Seed: s.Seed, Realtime: status.Realtime, Rootless: s.Rootless,
		Lateness: status.Lateness, Down: status.Down, Up: status.Up, Check: s.lastCheck.Load(),
	}
}

func ms(duration time.Duration) float64 { return float64(duration) / float64(time.Millisecond) }

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // fails only when the caller has gone
}
