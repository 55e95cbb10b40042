package target

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/target/reply"
	"github.com/assay-eval/assay/target/template"
)

// Sampling is the operation under which the ledger stores a server's sampling requests.
const Sampling = "sampling"

// MCPConfig describes how a tool of an MCP server is called. Exactly one of Endpoint
// (streamable HTTP) and Command (standard input and output) is set.
type MCPConfig struct {
	Endpoint string
	Header   http.Header
	TLS      TLS
	Proxy    string
	Command  []string
	// Dir and Env are the working directory and additional environment of the command.
	Dir string
	Env []string
	// Stderr receives the command's standard error; nil keeps only the last lines, for
	// error messages.
	Stderr io.Writer
	// Tool is the name of the tool; it may be "" if the server has only one.
	Tool string
	// Send is the arguments object as a decoded JSON value with placeholders. nil works
	// if the tool's input schema has one required text argument.
	Send any
	// Read maps the parts of the result to paths: in its structured content, or else in
	// its text if that is JSON. Empty detects a known shape.
	Read   reply.Mapping
	Values map[string]any
	TopK   int
	// Protocol is the requested protocol version; "" is 2025-11-25, the newest in which
	// servers may send sampling requests during a call.
	Protocol string
	// Sampler answers the server's sampling requests, each built on Base; nil declares
	// that sampling is not supported.
	Sampler llm.Provider
	Base    llm.Request
	// Sessions is the number of concurrent sessions; below 1 means 1. A session serves
	// one call at a time, so that a sampling request belongs to a known case; further
	// calls wait.
	Sessions int
	Secrets  secret.Set
	Version  string
	// Now is the clock that measures latency, excluding the time to connect; nil leaves
	// latency to the caller.
	Now func() time.Time
}

// mcpProtocol is the default protocol version.
const mcpProtocol = "2025-11-25"

// MCP is a target behind a tool of an MCP server.
type MCP struct {
	cfg  MCPConfig
	send *template.Template // nil builds the arguments from the tool's schema
	http *http.Transport    // nil for a command

	stderr sync.Mutex // processes share one writer

	// life ends when the target is closed.
	life context.Context
	end  context.CancelFunc
	// slots holds one element per session in use.
	slots chan struct{}

	mu     sync.Mutex
	idle   []*mcpSession
	closed bool
	once   sync.Once
	// ending counts the sessions that are closing in the background.
	ending sync.WaitGroup
}

// NewMCP checks the configuration. The server is contacted with the first case.
func NewMCP(c MCPConfig) (*MCP, error) {
	if c.Protocol == "" {
		c.Protocol = mcpProtocol
	}
	if known := mcp.SupportedProtocolVersions(); !slices.Contains(known, c.Protocol) {
		return nil, fmt.Errorf("mcp: protocol %q: expected one of %s", c.Protocol, strings.Join(known, ", "))
	}
	m := &MCP{cfg: c, slots: make(chan struct{}, max(c.Sessions, 1))}
	switch {
	case (c.Endpoint == "") == (len(c.Command) == 0):
		return nil, errors.New("mcp: give an endpoint or a command, not both")
	case c.Endpoint == "" && c.Command[0] == "":
		return nil, errors.New("mcp: the command has no name")
	case c.Endpoint != "":
		if err := m.dialer(); err != nil {
			return nil, err
		}
	}
	if c.Send != nil {
		t, err := template.Parse(c.Send)
		if err != nil {
			return nil, fmt.Errorf("mcp: send: %w", err)
		}
		if _, ok := c.Send.(map[string]any); !ok {
			return nil, fmt.Errorf("mcp: send: %T: expected an object, the arguments of the tool", c.Send)
		}
		if err := checkValues(c.Values, t.Names()); err != nil {
			return nil, fmt.Errorf("mcp: send: %w", err)
		}
		m.send = t
	}
	m.life, m.end = context.WithCancel(context.Background())
	return m, nil
}

// dialer checks the endpoint and makes the HTTP transport for it.
func (m *MCP) dialer() error {
	u, err := url.Parse(m.cfg.Endpoint)
	switch {
	case err != nil:
		// The library's error quotes the address, which may hold a password.
		return errors.New("mcp: endpoint: not an address: expected one such as http://127.0.0.1:8000/mcp")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("mcp: endpoint %q: expected an address that begins with http:// or https://", u.Redacted())
	}
	secrets := slices.Clone(m.cfg.Secrets)
	if password, ok := u.User.Password(); ok {
		secrets = append(secrets, secret.New(password))
	}
	for name, values := range m.cfg.Header {
		for _, v := range values {
			if secret.Header(name) {
				secrets = append(secrets, secret.New(v))
			}
		}
	}
	if m.http, err = NewTransport(m.cfg.TLS, m.cfg.Proxy, &secrets); err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	m.cfg.Secrets = secrets
	return nil
}

// Ask calls the tool once.
func (m *MCP) Ask(ctx context.Context, c *assay.Case) (assay.Response, error) {
	return mcpUse(ctx, m, func(s *mcpSession) (assay.Response, error) {
		tool, err := s.choose(ctx, m.cfg.Tool)
		if err != nil {
			return assay.Response{}, err
		}
		args, err := m.arguments(tool, c)
		if err != nil {
			return assay.Response{}, err
		}
		var resp assay.Response
		call, result, err := s.call(ctx, tool.Name, args, c.Draw)
		if err == nil {
			resp, err = m.read(ctx, result)
		}
		if err != nil {
			return assay.Response{Usage: resp.Usage.Plus(call.usage)}, err
		}
		resp.Latency = call.latency
		call.enrich(&resp)
		if m.cfg.Sampler == nil && mcpNoSampling(resp.Answer) {
			resp.Warnings = append(resp.Warnings, "the tool seems to need a model: "+mcpSamplerHint)
			show(ctx, func(x *Exchange) { x.Hints = append(x.Hints, mcpSamplerHint) })
		}
		return resp, nil
	})
}

// mcpOpening bounds Open; calls have timeouts of their own.
const mcpOpening = 30 * time.Second

// Open connects to the server and checks that it has the tool and that the tool takes
// the arguments, since an error there would fail every case. Errors that a retry may
// fix are left to the calls.
func (m *MCP) Open(ctx context.Context) error {
	if m.http != nil {
		u, err := url.Parse(m.cfg.Endpoint)
		if err == nil {
			err = reach(ctx, m.http, u)
		}
		if err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, mcpOpening)
	defer cancel()
	_, err := mcpUse(ctx, m, func(s *mcpSession) (struct{}, error) {
		tool, err := s.choose(ctx, m.cfg.Tool)
		if err == nil {
			_, err = m.arguments(tool, &assay.Case{ID: "opening", Question: "?"})
		}
		return struct{}{}, err
	})
	if e := (*Error)(nil); errors.As(err, &e) && e.Kind == Refused && !e.Again {
		return e
	}
	return nil
}

// A Tool is a tool of an MCP server, as it describes itself.
type Tool struct {
	Name, Description string
	// Arguments names all arguments, Required those that must be given; both are
	// sorted.
	Arguments, Required []string
}

// Tools lists the tools of the server by name.
func (m *MCP) Tools(ctx context.Context) ([]Tool, error) {
	return mcpUse(ctx, m, func(s *mcpSession) ([]Tool, error) {
		list, err := s.list(ctx)
		if err != nil {
			return nil, err
		}
		tools := make([]Tool, len(list))
		for i, t := range list {
			in := mcpInputOf(t)
			tools[i] = Tool{Name: t.Name, Description: m.cfg.Secrets.Scrub(t.Description), Arguments: in.names(), Required: in.required}
		}
		return tools, nil
	})
}

// Call calls any tool of the server with the given arguments and returns its decoded
// result: the structured content, or else the text, decoded if it is JSON. Several
// texts become a list if each of them is JSON, else one text.
func (m *MCP) Call(ctx context.Context, tool string, args map[string]any) (any, error) {
	return mcpUse(ctx, m, func(s *mcpSession) (any, error) {
		_, result, err := s.call(ctx, tool, args, 0)
		if err != nil {
			return nil, err
		}
		return m.content(result).value, nil
	})
}

// Close ends the sessions and the command, and abandons calls in progress.
func (m *MCP) Close() error {
	m.once.Do(func() {
		m.mu.Lock()
		m.closed = true
		m.mu.Unlock()
		m.end()
		// A slot is released when its call ends; taking all of them blocks new calls.
		for range cap(m.slots) {
			m.slots <- struct{}{}
		}
		for _, s := range m.idle {
			m.ending.Go(func() { s.close(mcpPatience) })
		}
		m.idle = nil
		m.ending.Wait()
		if m.http != nil {
			m.http.CloseIdleConnections()
		}
	})
	return nil
}
