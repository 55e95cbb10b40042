package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay/store"
)

// problemType is the type of all errors (RFC 9457).
var problemType = reflect.TypeFor[huma.ErrorModel]()

// plainProblem is the type of a problem without semantics beyond its status.
const plainProblem = "about:blank"

// maxEcho bounds the invalid value that a problem repeats, in bytes.
const maxEcho = 256

// wrong is a 400 about one value; at is its location, such as "body.profile".
func wrong(at, message string, value any) error {
	return huma.Error400BadRequest("invalid request", &huma.ErrorDetail{Location: at, Message: message, Value: value})
}

// wrongs is a 400 about several.
func wrongs(details ...*huma.ErrorDetail) error {
	errs := make([]error, len(details))
	for i, d := range details {
		errs[i] = d
	}
	return huma.Error400BadRequest("invalid request", errs...)
}

// unprocessable is a 422: the request is well formed, but what it names is not there.
func unprocessable(at, message string) error {
	return huma.Error422UnprocessableEntity("the request does not fit what is stored", &huma.ErrorDetail{Location: at, Message: message})
}

// absent is a 404 for an id.
func absent(kind, id string) error {
	if len(id) > maxEcho {
		id = "…"
	}
	return huma.Error404NotFound("no such " + kind + ": " + strconv.Quote(id))
}

// conflict is a 409.
func conflict(message string) error { return huma.Error409Conflict(message) }

// unavailable is a 503 that says what is missing.
func unavailable(message string) error { return huma.Error503ServiceUnavailable(message) }

// fail turns an error of the store or of a cancelled request into a problem. Any
// other error is logged, and the client gets a plain 500.
func (s *Server) fail(ctx context.Context, err error) error {
	var said huma.StatusError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &said):
		return err
	case errors.Is(err, store.ErrNotFound):
		return huma.Error404NotFound(err.Error())
	case errors.Is(err, store.ErrExists):
		return huma.Error409Conflict(err.Error())
	case errors.Is(err, store.ErrText):
		return huma.Error400BadRequest("the request holds text that cannot be stored: expected UTF-8 without NUL bytes")
	case errors.Is(err, store.ErrLocked):
		return huma.Error409Conflict("another process is working on the run")
	case errors.Is(err, store.ErrAway):
		s.log.WarnContext(ctx, "store is away", "error", err)
		problem := huma.ErrorWithHeaders(unavailable("the store cannot be reached"), map[string][]string{"Retry-After": {"5"}})
		// Work in the background waits for the store.
		return fmt.Errorf("%w: %w", problem, err)
	case errors.Is(err, store.ErrFull):
		s.log.ErrorContext(ctx, "the store is full", "error", err)
		return unavailable("the store cannot be written: the disk is full")
	case errors.Is(err, syscall.ENOSPC):
		s.log.ErrorContext(ctx, "a disk is full", "error", err)
		return unavailable(full(err.Error()))
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		return unavailable("the request was cancelled")
	}
	s.meters.failures.Inc()
	says := s.cfg.Settings.Secrets().Scrub(err.Error())
	s.log.ErrorContext(ctx, "request failed", "error", says)
	if errors.Is(err, store.ErrNotStore) {
		return huma.Error500InternalServerError("the store is damaged (assay store check lists what is): " + says)
	}
	return huma.Error500InternalServerError("internal error; see the server's log")
}

// inWords returns the message of an error, with the details of a problem.
func inWords(err error) string {
	var problem *huma.ErrorModel
	if !errors.As(err, &problem) {
		return err.Error()
	}
	message := problem.Detail
	for _, e := range problem.Errors {
		message += fmt.Sprintf("; %s: %s", e.Location, e.Message)
	}
	return message
}

// full says which folder the error of a file that could not be written means.
func full(err string) string {
	if temp := os.TempDir(); strings.Contains(err, strings.TrimSuffix(temp, string(os.PathSeparator))+string(os.PathSeparator)) {
		return "the folder for temporary files (TMPDIR), " + temp + ", cannot be written: the disk is full"
	}
	return "a file cannot be written: the disk is full"
}

// writeProblem writes a problem outside of an operation: before routing, or after
// a panic.
func writeProblem(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Del("Content-Length")
	w.WriteHeader(status)
	// Ignore clients that are gone.
	_ = json.NewEncoder(w).Encode(&huma.ErrorModel{Type: plainProblem, Title: http.StatusText(status), Status: status, Detail: detail})
}

// A statusContext lets a problem change its status: the library replies 422 to
// requests that do not validate, and 500 when it cannot read a body.
type statusContext struct {
	within
	status int
}

// within has another name than its method Context.
type within huma.Context

// Unwrap gives the context beneath.
func (c *statusContext) Unwrap() huma.Context { return c.within }

// SetStatus writes the status, or its replacement.
func (c *statusContext) SetStatus(status int) {
	if c.status != 0 {
		status = c.status
	}
	c.within.SetStatus(status)
}

func statusMiddleware(ctx huma.Context, next func(huma.Context)) { next(&statusContext{within: ctx}) }

// problemTransformer gives problems their final form.
func problemTransformer(ctx huma.Context, _ string, v any) (any, error) {
	p, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	switch b := bodyOf(ctx.Context()); {
	case b != nil && b.tooLarge:
		p = &huma.ErrorModel{
			Status: http.StatusRequestEntityTooLarge,
			Detail: "the body is too large: expected at most " + strconv.FormatInt(b.limit>>20, 10) + " MiB",
		}
	case b != nil && b.refused:
		p = &huma.ErrorModel{Status: http.StatusServiceUnavailable, Detail: "too many large requests at once"}
		ctx.SetHeader("Retry-After", "5")
	case b != nil && b.tooSlow:
		p = &huma.ErrorModel{Status: http.StatusRequestTimeout, Detail: "the body came too slowly"}
	case b != nil && b.broken && p.Status == http.StatusInternalServerError:
		p = &huma.ErrorModel{Status: http.StatusBadRequest, Detail: "the body ended early"}
	case slices.ContainsFunc(p.Errors, func(e *huma.ErrorDetail) bool {
		return e.Location == "body" && strings.Contains(e.Message, syscall.ENOSPC.Error())
	}): // the parts of a large upload are files
		p = &huma.ErrorModel{Status: http.StatusServiceUnavailable, Detail: full(p.Errors[0].Message)}
	case p.Status == http.StatusUnprocessableEntity && p.Detail == "validation failed":
		p.Status, p.Detail = http.StatusBadRequest, "invalid request"
	}
	p.Type, p.Title = plainProblem, http.StatusText(p.Status)
	for _, e := range p.Errors {
		if text, err := json.Marshal(e.Value); err != nil || len(text) > maxEcho {
			e.Value = nil
		}
		if len(e.Message) > 4*maxEcho {
			e.Message = e.Message[:4*maxEcho] + "…"
		}
		if len(e.Location) > maxEcho {
			e.Location = e.Location[:maxEcho] + "…"
		}
	}
	if c, ok := ctx.(*statusContext); ok {
		c.status = p.Status
	}
	return p, nil
}
