package target

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-eval/assay/internal/text"
)

// An mcpSession is a connection to the server. One call uses it at a time.
type mcpSession struct {
	m       *MCP
	session *mcp.ClientSession
	process *mcpProcess // set if the server is a command
	web     *mcpWeb     // set if the server is an endpoint
	// gone is closed when the connection has ended.
	gone chan struct{}
	// broken is set when the connection is not to be used again.
	broken bool
	// givenUp is set if a call was abandoned, so that close does not wait for it.
	givenUp bool
	tools   []*mcp.Tool

	mu      sync.Mutex
	current *mcpCall // the call that sampling requests belong to
}

// connect opens a session within ctx; the session outlives ctx.
func (m *MCP) connect(ctx context.Context) (*mcpSession, error) {
	s := &mcpSession{m: m, gone: make(chan struct{})}
	// The connection must not hold on to the context of its first case.
	connecting, cancel := context.WithCancel(m.life)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()

	var transport mcp.Transport
	if m.http == nil {
		p, err := m.start()
		if err != nil {
			return nil, err
		}
		s.process = p
		transport = &mcp.IOTransport{Reader: p.out, Writer: p.Stdin, MaxLineLength: mcpMaxMessage}
	} else {
		s.web = &mcpWeb{m: m, connecting: connecting, told: make(chan struct{})}
		transport = &mcp.StreamableClientTransport{Endpoint: m.cfg.Endpoint, HTTPClient: s.web.client(), MaxEventSize: mcpMaxMessage}
	}
	// Operations that ignore their context, such as a write to a program that does not
	// read, end with the connection.
	defer context.AfterFunc(connecting, s.abort)()
	client := mcp.NewClient(&mcp.Implementation{Name: "assay", Version: m.cfg.Version}, s.options())
	session, err := client.Connect(connecting, transport, &mcp.ClientSessionOptions{ProtocolVersion: m.cfg.Protocol})
	if err != nil {
		err = s.explain(ctx, err, true)
		close(s.gone)
		m.drop(s)
		return nil, err
	}
	s.session = session
	m.ending.Go(func() {
		_ = session.Wait() // the next call reports what ended it
		close(s.gone)
	})
	show(ctx, func(x *Exchange) { x.Notes = append(x.Notes, s.greeting()) })
	return s, nil
}

// greeting describes the connection.
func (s *mcpSession) greeting() string {
	how, name := "streamable HTTP", "a server without a name"
	if s.process != nil {
		how = "standard input and output"
	}
	init := s.session.InitializeResult()
	if info := init.ServerInfo; info != nil {
		name = text.Collapse(info.Name + " " + info.Version)
	}
	return s.m.cfg.Secrets.Scrub(fmt.Sprintf("connected to %s over %s, protocol %s", text.Shorten(name, 100), how, init.ProtocolVersion))
}

// ended reports whether the connection is closed.
func (s *mcpSession) ended() bool {
	select {
	case <-s.gone:
		return true
	default:
		return false
	}
}

// abort stops all waiting for the server. The session is unusable afterwards.
func (s *mcpSession) abort() {
	if s.process != nil {
		s.process.Ask()
	}
}

// close ends the session and its process.
func (s *mcpSession) close(patience time.Duration) {
	if s.process != nil {
		// The process goes first: the connection ends only when its output does.
		s.process.Close(patience)
		s.process.Stdout.Close()
	}
	if s.givenUp && s.web != nil {
		s.web.farewell(patience)
	}
	if s.session != nil {
		_ = s.session.Close() // an end that fails is an end
	}
	<-s.gone
}

// list returns the server's tools, sorted by name.
func (s *mcpSession) list(ctx context.Context) ([]*mcp.Tool, error) {
	if s.tools != nil {
		return s.tools, nil
	}
	defer context.AfterFunc(ctx, s.abort)()
	tools := []*mcp.Tool{}
	for t, err := range s.session.Tools(ctx, nil) {
		if err != nil {
			return nil, s.explain(ctx, err, false)
		}
		if tools = append(tools, t); len(tools) > mcpMaxTools {
			return nil, &Error{Kind: Reply, Err: fmt.Errorf("the server lists more than %d tools", mcpMaxTools)}
		}
	}
	slices.SortStableFunc(tools, func(a, b *mcp.Tool) int { return cmp.Compare(a.Name, b.Name) })
	s.tools = tools
	return tools, nil
}

// mcpMaxTools bounds the tool list, which a server could extend without end.
const mcpMaxTools = 10000

// call calls a tool. An error that the tool itself reports is returned as an error.
// Sampling requests during the call belong to draw.
func (s *mcpSession) call(ctx context.Context, tool string, args map[string]any, draw int) (*mcpCall, *mcp.CallToolResult, error) {
	if args == nil {
		args = map[string]any{}
	}
	show(ctx, func(x *Exchange) { x.Sent = s.m.cfg.Secrets.Scrub("tools/call " + tool + "\n" + mcpIndent(args)) })
	call, done := s.begin(ctx, draw)
	defer done()
	defer context.AfterFunc(ctx, s.abort)()
	// A call that is abandoned when the target closes must end too.
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.m.life, cancel)()
	defer context.AfterFunc(s.m.life, s.abort)()

	elapsed := stopwatch(s.m.cfg.Now)
	result, err := s.session.CallTool(within, &mcp.CallToolParams{Name: tool, Arguments: args})
	call.latency = elapsed()
	if s.process != nil {
		if said := s.process.out.first(); said != "" {
			show(ctx, func(x *Exchange) {
				x.Notes = append(x.Notes, fmt.Sprintf("ignored on the server's output, which is for messages only: %q", said))
			})
		}
	}
	if err == nil {
		show(ctx, func(x *Exchange) {
			x.Received = text.Shorten(s.m.cfg.Secrets.Scrub(mcpIndent(result)), mcpShown)
		})
		if result.IsError {
			err = Errorf(Failed, "tool %q: %s", tool, s.m.complaint(result))
		}
	} else {
		err = s.explain(ctx, err, false)
	}
	return call, result, call.judge(tool, err)
}

// mcpShown bounds how much of a result is shown, in characters.
const mcpShown = 8000

// mcpIndent formats a value for display.
func mcpIndent(v any) string {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Sprintf("%v", v)
	}
	return string(b)
}
