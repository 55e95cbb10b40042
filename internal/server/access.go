package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
)

// allow checks the caller's token against the scope that the request needs, and
// writes the problem when it does not suffice. The token is used nowhere else.
func (s *Server) allow(w http.ResponseWriter, r *http.Request, need Scope) (*http.Request, bool) {
	if need == ScopeNone {
		return r, true
	}
	given := r.Header.Get("Authorization")
	if given == "" && !s.cfg.Tokens {
		return r, true
	}
	scheme, text, _ := strings.Cut(given, " ")
	refuse := func(status int, challenge, detail string) (*http.Request, bool) {
		w.Header().Set("WWW-Authenticate", "Bearer "+challenge)
		writeProblem(w, status, detail)
		return r, false
	}
	if !strings.EqualFold(scheme, "bearer") {
		return refuse(
			http.StatusUnauthorized, `realm="assay"`, "want a token: \"Authorization: Bearer assay_…\"  (assay token create makes one)",
		)
	}
	t, err := verify(r.Context(), s.store, strings.TrimSpace(text), s.now())
	switch {
	case errors.Is(err, errToken):
		return refuse(http.StatusUnauthorized, `realm="assay", error="invalid_token"`, "the token is unknown, revoked or expired")
	case err != nil:
		s.log.ErrorContext(r.Context(), "token could not be looked up", "error", err)
		s.meters.failures.Inc()
		writeProblem(w, http.StatusServiceUnavailable, "the token could not be looked up")
		return r, false
	case !t.Scope.Covers(need):
		return refuse(
			http.StatusForbidden, fmt.Sprintf(`realm="assay", error="insufficient_scope", scope=%q`, need),
			fmt.Sprintf("the token has scope %s; this request needs %s", t.Scope, need),
		)
	}
	return r.WithContext(context.WithValue(r.Context(), whoKey{}, t.ID)), true
}

type whoKey struct{}

// who returns the id of a request's token, "" without one.
func who(ctx context.Context) string {
	id, _ := ctx.Value(whoKey{}).(string)
	return id
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
