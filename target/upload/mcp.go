package upload

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/template"
)

// A Server is an MCP server: a *[target.MCP].
type Server interface {
	Call(ctx context.Context, tool string, args map[string]any) (any, error)
	Close() error
}

// MCPConfig describes the tool of an MCP server that accepts documents.
type MCPConfig struct {
	Server Server
	// Where is the server's address, or the command that starts it.
	Where string
	// Tool is "nc_notes_create_note" when empty.
	Tool     string
	Category string
	// Send is the arguments object as a decoded JSON value with the placeholders name
	// (the title), text, category, id, title, source and metadata; nil sends {"title",
	// "content", "category"}.
	Send any
	// ReadID is the path of the id that the system assigned, in the tool's result; ""
	// uses "id" if present, else the title.
	ReadID  string
	Secrets secret.Set
	// Client calls triggers and probes that are addresses; nil is http.DefaultClient.
	Client *http.Client
	Now    func() time.Time
}

// MCP is a tool of an MCP server. It cannot list documents: only the journal says what
// is there.
type MCP struct {
	c    MCPConfig
	send *template.Template
	id   idPath
	http *http.Client
}

const defaultTool = "nc_notes_create_note"

// NewMCP checks the configuration and calls nothing.
func NewMCP(c MCPConfig) (*MCP, error) {
	if c.Tool == "" {
		c.Tool = defaultTool
	}
	if c.Send == nil {
		c.Send = map[string]any{"title": "{{name}}", "content": "{{text}}", "category": "{{category}}"}
	}
	if _, ok := c.Send.(map[string]any); !ok {
		return nil, errors.New("send: expected an object: the arguments of the tool")
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

// Destination returns the server and the tool.
func (m *MCP) Destination() Destination {
	into := m.c.Tool
	if m.c.Category != "" {
		into += " in " + m.c.Category
	}
	return Destination{KindMCP, m.c.Secrets.Scrub(m.c.Where), into}
}

// Naming is the same as for Nextcloud, whose notes the default tool creates.
func (m *MCP) Naming() (template string, files bool) { return (*Nextcloud)(nil).Naming() }

// Body returns the arguments.
func (m *MCP) Body(it Item) (any, error) {
	return m.send.Fill(values(it, map[string]any{"category": m.c.Category}))
}

// Show returns the call for a document.
func (m *MCP) Show(it Item) (string, error) {
	args, err := m.Body(it)
	if err != nil {
		return "", err
	}
	data, err := template.Marshal(args)
	var out bytes.Buffer
	if err == nil {
		err = json.Indent(&out, data, "", "  ")
	}
	return m.c.Secrets.Scrub(fmt.Sprintf("tools/call %s\n\n%s\n", m.c.Tool, text.Shorten(out.String(), maxShown))), err
}

// maxShown bounds the shown arguments, in characters.
const maxShown = 1200

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
		return nil, errors.New("send: expected an object: the arguments of the tool")
	}
	v, err := m.c.Server.Call(ctx, tool, object)
	var known *target.Error
	if errors.As(err, &known) && known.Kind == target.Status && !known.Again {
		// the server refuses the connection, not the document
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
	// The server's headers must not be sent to another address.
	cl, err := newClient(base, nil, m.http, m.c.Secrets, m.c.Now)
	if err != nil {
		return nil, err
	}
	return cl.Do(ctx, c)
}

// Close ends the server's sessions.
func (m *MCP) Close() error {
	m.http.CloseIdleConnections()
	return m.c.Server.Close()
}
