package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/web"
)

// A refusal is why a request is not allowed.
type refusal struct {
	status            int
	challenge, detail string
}

// Error implements error.
func (e *refusal) Error() string { return e.detail }

// GetStatus returns the HTTP status.
func (e *refusal) GetStatus() int { return e.status }

// refuse writes the problem of a token that does not suffice, or could not be looked up.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	var refused *refusal
	if !errors.As(err, &refused) {
		s.log.ErrorContext(r.Context(), "token could not be looked up", "error", err)
		s.meters.failures.Inc()
		refused = &refusal{status: http.StatusServiceUnavailable, detail: "the token could not be looked up"}
	}
	if refused.challenge != "" {
		w.Header().Set("WWW-Authenticate", "Bearer "+refused.challenge)
	}
	writeProblem(w, refused.status, refused.detail)
}

// signed checks the token of a request, or the session of a browser, against the scope
// that the request needs. The token is used nowhere else. The error is a [refusal] unless
// the token could not be looked up.
func (s *Server) signed(r *http.Request, need Scope) (*http.Request, error) {
	if need == ScopeNone {
		return r, nil
	}
	if s.cfg.View && !ScopeLabel.Covers(need) {
		return r, &refusal{status: http.StatusForbidden, detail: "this server shows runs and takes labels: assay serve starts and changes runs"}
	}
	t, err := s.caller(r)
	switch {
	case err != nil:
		return r, err
	case t == nil:
		return r, nil
	case !t.Scope.Covers(need):
		return r, &refusal{http.StatusForbidden, fmt.Sprintf(`realm="assay", error="insufficient_scope", scope=%q`, need),
			fmt.Sprintf("the token has scope %s; this request needs %s", t.Scope, need)}
	}
	again := func() error { _, err := s.caller(r); return err }
	ctx := context.WithValue(r.Context(), againKey{}, again)
	return r.WithContext(context.WithValue(ctx, whoKey{}, t)), nil
}

type againKey struct{}

// whileSigned returns a context of a long request that ends soon after its token is revoked or
// expires, or its session ends.
func (s *Server) whileSigned(ctx context.Context) (context.Context, context.CancelFunc) {
	again, _ := ctx.Value(againKey{}).(func() error)
	ctx, cancel := context.WithCancel(ctx)
	if again != nil {
		go func() {
			look := time.NewTicker(s.cfg.Look)
			defer look.Stop()
			for refused := (*refusal)(nil); !errors.As(again(), &refused); {
				select {
				case <-look.C:
				case <-ctx.Done():
					return
				}
			}
			cancel()
		}()
	}
	return ctx, cancel
}

// caller returns the token of a request, nil if it has none and needs none.
func (s *Server) caller(r *http.Request) (*Token, error) {
	given := r.Header.Get("Authorization")
	var t Token
	var err error
	switch scheme, text, _ := strings.Cut(given, " "); {
	case strings.EqualFold(scheme, "bearer"):
		t, err = verify(r.Context(), s.store, strings.TrimSpace(text), s.now())
	case given == "" && !s.cfg.Tokens:
		return nil, nil
	case given == "" && web.Session(r) != "":
		t, err = resume(r.Context(), s.store, web.Session(r), s.now())
	default:
		return nil, &refusal{http.StatusUnauthorized, `realm="assay"`,
			"give a token: \"Authorization: Bearer assay_…\"  (assay serve token create makes one)"}
	}
	if errors.Is(err, errToken) {
		return nil, &refusal{http.StatusUnauthorized, `realm="assay", error="invalid_token"`, "the token is unknown, revoked or expired"}
	}
	return &t, err
}

type whoKey struct{}

// tokenOf returns the token of a request, nil without one.
func tokenOf(ctx context.Context) *Token {
	t, _ := ctx.Value(whoKey{}).(*Token)
	return t
}

// who returns the id of a request's token, "" without one.
func who(ctx context.Context) string {
	if t := tokenOf(ctx); t != nil {
		return t.ID
	}
	return ""
}

// may reports whether a request that was let in may do what needs a scope.
func (s *Server) may(ctx context.Context, need Scope) bool {
	if s.cfg.View && !ScopeLabel.Covers(need) {
		return false
	}
	t := tokenOf(ctx)
	return t == nil || t.Scope.Covers(need)
}

// namesUs reports whether the Host of a request is loopback or a configured name.
// It guards servers without tokens against DNS rebinding, where a foreign page
// reaches loopback under a name of its own.
func (s *Server) namesUs(host string) bool {
	if s.cfg.Tokens {
		return true
	}
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	if name == "localhost" || slices.ContainsFunc(s.cfg.Hosts, func(h string) bool {
		return strings.EqualFold(h, name) ||
			strings.EqualFold(h, host)
	}) {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && ip.IsLoopback()
}
