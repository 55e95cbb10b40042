package target

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// explain converts the library's error for a failed request, and marks the session if
// it must not be reused. connecting is true if there was no session yet.
func (s *mcpSession) explain(ctx context.Context, err error, connecting bool) error {
	if ctx.Err() != nil {
		return s.late(ctx, connecting)
	}
	e, keep := s.classify(err, connecting)
	s.broken = !keep
	return s.m.scrub(e)
}

// late returns the error of a call whose context ended.
func (s *mcpSession) late(ctx context.Context, connecting bool) error {
	what, says := "the server gave no reply", ""
	if connecting {
		what = "the server did not answer initialize as an MCP server does"
	}
	if s.process != nil {
		says = s.process.Tail.Says()
	}
	return s.m.scrub(&Error{Kind: Timeout, Err: fmt.Errorf("%s: %w%s", what, ctx.Err(), says)})
}

func (s *mcpSession) classify(err error, connecting bool) (e *Error, keep bool) {
	var noted *Error
	if s.web != nil {
		noted = s.web.take()
	}
	var rpc *jsonrpc.Error
	said := errors.As(err, &rpc) && !mcpLocal(rpc.Code)
	switch {
	case noted != nil && !(said && noted.Kind == Status && !noted.Again):
		// A retryable status, or one from before the protocol started, says more than
		// the message that may come with it.
		return noted, noted.Kind == Status && !connecting
	case said:
		return mcpProtocolError(rpc), !connecting
	case noted != nil:
		return noted, !connecting
	case s.process != nil:
		return s.died(err, connecting), false
	}
	kind := Crash
	if strings.Contains(err.Error(), "decode") {
		// Not a valid message; the library has no type for this.
		kind = Reply
	}
	return &Error{Kind: kind, Again: kind == Crash, Err: mcpPlain(err)}, false
}

// died returns the error for a command whose connection broke.
func (s *mcpSession) died(err error, connecting bool) *Error {
	fate := s.process.fate()
	if strings.Contains(err.Error(), "longer than") {
		return &Error{Kind: Reply, Err: mcpPlain(err)}
	}
	if connecting {
		return &Error{Kind: Refused, Again: true, Err: fmt.Errorf("mcp: command %q: no session: %s", s.m.cfg.Command[0], fate)}
	}
	return Errorf(Crash, "%s", fate)
}

// mcpLocal reports whether a code is one of the library's own, for errors that were
// never messages: either side closed the connection, or a request was not sent.
func mcpLocal(code int64) bool { return code <= -32003 && code >= -32005 }

// mcpProtocolError returns the error for a request that the server refused. An invalid
// request is not retried.
func mcpProtocolError(e *jsonrpc.Error) *Error {
	switch e.Code {
	case jsonrpc.CodeMethodNotFound, jsonrpc.CodeInvalidParams, jsonrpc.CodeInvalidRequest, jsonrpc.CodeParseError:
		return &Error{Kind: Failed, Err: fmt.Errorf("the server refuses the request: %s (code %d)", mcpQuote([]byte(e.Message)), e.Code)}
	}
	return Errorf(Failed, "the server reports: %s (code %d)", mcpQuote([]byte(e.Message)), e.Code)
}

// mcpLibrary matches the prefixes that the library puts before an error.
var mcpLibrary = lazyregexp.New(`^(connection closed: |calling "[^"]*": |sending "[^"]*": |client is closing: |server is closing: ` +
	`|rejected by transport: )+`)

// mcpPlain removes the library's prefixes from an error.
func mcpPlain(err error) error {
	return errors.New(mcpLibrary().ReplaceAllString(err.Error(), ""))
}

// mcpSamplerHint is the hint for a server that needs a model.
const mcpSamplerHint = "the server asks its client for a model (MCP sampling); use --set sampler=PROVIDER:MODEL"

// mcpNoSampling reports whether a text says that the client has no sampling.
func mcpNoSampling(s string) bool { return mcpWithout().MatchString(s) }

// The wording differs between servers: "[Sampling not supported by client]", "client
// does not support sampling", "does not support CreateMessage".
var mcpWithout = lazyregexp.New(`(?i)(sampling|create_?message)[^.\n]{0,40}(not|un)[ -]?(support|avail)|(not|n't|un)[ ` +
	`-]?(support|avail)[^.\n]{0,40}(sampling|create_?message)`)

// scrub removes the secrets from an error's message.
func (m *MCP) scrub(e *Error) *Error {
	hide(e, m.cfg.Secrets)
	return e
}
