package server

import (
	"context"
	"net/http"
	"time"
)

// health is the reply to a probe.
type health struct {
	Status  string `json:"status" enum:"ok" doc:"always ok: a server that is not answers with a problem"`
	Version string `json:"version" doc:"version of the program" example:"1.4.0"`
}

// readyWait bounds the check of the store.
const readyWait = 2 * time.Second

func (s *Server) ops() {
	ok := health{"ok", s.cfg.World.Version}
	registerOne(s, "health", func(context.Context, *struct{}) (health, error) {
		return ok, nil
	})
	registerOne(s, "ready", func(ctx context.Context, _ *struct{}) (health, error) {
		if s.stopped() {
			return ok, unavailable("the server is stopping")
		}
		ctx, cancel := context.WithTimeout(ctx, readyWait)
		defer cancel()
		if _, err := s.store.Runs(ctx, 1); err != nil {
			s.meters.failures.Inc()
			s.log.ErrorContext(ctx, "store cannot be reached", "error", err)
			return ok, unavailable("the store cannot be reached")
		}
		return ok, nil
	})
	s.page("GET /metrics", ScopeRead, s.meters.page())
	s.page("GET /openapi.json", ScopeNone, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.serveRendered(w, r, "application/openapi+json", s.contract)
	}))
	s.page("GET /docs", ScopeNone, http.HandlerFunc(s.serveReference))
}

// page adds a handler that is not an operation of the API.
func (s *Server) page(pattern string, scope Scope, h http.Handler) {
	s.scopes[pattern] = scope
	s.mux.Handle(pattern, h)
}
