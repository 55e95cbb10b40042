package upload

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/template"
)

// A Server is an MCP server: a *[target.MCP].
type Server interface {
	Call(ctx context.Context, tool string, args map[string]any) (any, error)
	Close() error
}

// MCPConfig says which tool of an MCP server takes documents.
type MCPConfig struct {
	Server Server
	// Where names the server: its address, or the command that starts it.
	Where string
	// Tool is "nc_notes_create_note" when empty.
	Tool     string
	Category string
	// Send are the arguments as a decoded JSON object with the placeholders name
	// (the title), text, category, id, title, source and metadata; nil sends
	// {"title", "content", "category"}.
	Send any
	// ReadID is where the result has the id that the system gave the document;
	// "" takes what "id" is, else the title.
	ReadID  string
	Secrets secret.Set
	// Client makes the calls of triggers and probes that are addresses; nil is
	// the standard one.
	Client *http.Client
	Now    func() time.Time
}

// MCP is a tool of an MCP server. It cannot be listed: what is there is known
// from the journal only.
type MCP struct {
	c    MCPConfig
	send *template.Template
	id   idPath
	http *http.Client
}

const defaultTool = "nc_notes_create_note"

// NewMCP checks the configuration; nothing is called yet.
func NewMCP(c MCPConfig) (*MCP, error) {
	if c.Tool == "" {
		c.Tool = defaultTool
	}
	if c.Send == nil {
		c.Send = map[string]any{"title": "{{name}}", "content": "{{text}}", "category": "{{category}}"}
	}
	if _, ok := c.Send.(map[string]any); !ok {
		return nil, errors.New("send: want an object: the arguments of the tool")
	}
	send, err := template.Parse(c.Send)
	if err != nil {
		return nil, fmt.Errorf("send: %w", err)
	}
	m := &MCP{c: c, send: send, http: c.Client}
	if m.http == nil {
		m.http = &http.Client{}
	}
	m.id, err = parseIDPath(c.ReadID)
	return m, err
}

// Place is the server and the tool.
func (m *MCP) Place() Place {
	into := m.c.Tool
	if m.c.Category != "" {
		into += " in " + m.c.Category
	}
	return Place{KindMCP, m.c.Secrets.Scrub(m.c.Where), into}
}

// Naming is that of Nextcloud, whose notes the usual tool makes.
func (m *MCP) Naming() (template string, files bool) { return (*Nextcloud)(nil).Naming() }

// Body is the arguments.
func (m *MCP) Body(it Item) (any, error) {
	return m.send.Fill(values(it, map[string]any{"category": m.c.Category}))
}

// Show is the call for a document.
func (m *MCP) Show(it Item) (string, error) {
	args, err := m.Body(it)
	if err != nil {
		return "", err
	}
	out, err := pretty(args)
	return m.c.Secrets.Scrub(fmt.Sprintf("tools/call %s\n\n%s", m.c.Tool, out)), err
}

// Put calls the tool.
func (m *MCP) Put(ctx context.Context, it Item) (Remote, error) {
	args, err := m.Body(it)
	if err != nil {
		return Remote{}, err
	}
	v, err := m.call(ctx, m.c.Tool, args)
	if err != nil {
		return Remote{}, err
	}
	id, err := m.id.read(v, it.Name)
	return Remote{ID: id, Name: it.Name}, err
}

func (m *MCP) call(ctx context.Context, tool string, args any) (any, error) {
	object, ok := args.(map[string]any)
	if !ok {
		return nil, errors.New("send: want an object: the arguments of the tool")
	}
	v, err := m.c.Server.Call(ctx, tool, object)
	var known *target.Error
	if errors.As(err, &known) && known.Kind == target.Status && !known.Again {
		// The server refuses the connection, not a document.
		return nil, &FatalError{Err: err}
	}
	return v, err
}

// Do calls a tool without arguments, or an address.
func (m *MCP) Do(ctx context.Context, c Call) (any, error) {
	if c.Tool != "" {
		return m.call(ctx, c.Tool, map[string]any{})
	}
	base := c.Address
	if strings.HasPrefix(base, "/") {
		base = m.c.Where
	}
	// What the server is shown is none of another address's business.
	cl, err := newClient(base, nil, m.http, m.c.Secrets, m.c.Now)
	if err != nil {
		return nil, err
	}
	v, err := cl.do(ctx, c)
	return v, judge(err)
}

// Close ends the server's sessions.
func (m *MCP) Close() error {
	m.http.CloseIdleConnections()
	return m.c.Server.Close()
}
