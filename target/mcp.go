package target

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/target/reply"
)

// Sampling is the operation under which a server's sampling requests stand in
// the ledger.
const Sampling = "sampling"

// MCPConfig says how a tool of an MCP server is called. Endpoint reaches it over
// streamable HTTP, Command starts it and speaks over its standard input and
// output; one of them is set.
type MCPConfig struct {
	Endpoint string
	Header   http.Header
	TLS      TLS
	Proxy    string
	Command  []string
	// Dir and Env are those of the command; Env is added to the environment of
	// this process.
	Dir string
	Env []string
	// Stderr gets what the command writes there; nil keeps the last lines for
	// messages only.
	Stderr io.Writer
	// Tool is the name of the tool; "" is right when there is only one.
	Tool string
	// Send are the arguments as a decoded JSON value with placeholders; nil
	// fits the tool's input schema when it has one text argument that is required.
	Send any
	// Read says where the parts of the result are: in its structured content, else
	// in its text when that is JSON. Empty looks for a known shape.
	Read   reply.Mapping
	Values map[string]any
	TopK   int
	// Protocol is the version that is asked for; "" is 2025-11-25, the newest
	// in which servers may send sampling requests during a call.
	Protocol string
	// Sampler answers the server's sampling requests, each beginning with Base;
	// nil tells the server that sampling is not supported.
	Sampler llm.Provider
	Base    llm.Request
	// Sessions is how many sessions are open at once; below 1 it is 1. A session
	// serves one call at a time, so that a sampling request is known to belong
	// to its case; further calls wait.
	Sessions int
	Secrets  secret.Set
	Version  string
	Now      func() time.Time
}

// MCP is a target behind a tool of an MCP server.
type MCP struct{}

// NewMCP checks the configuration; the server is reached with the first case.
func NewMCP(c MCPConfig) (*MCP, error) { panic("not written yet") }

// Ask calls the tool once.
func (m *MCP) Ask(ctx context.Context, c *assay.Case) (assay.Response, error) {
	panic("not written yet")
}

// Close ends the sessions and the command.
func (m *MCP) Close() error { panic("not written yet") }

// A Tool is a tool of an MCP server, as it describes itself.
type Tool struct {
	Name, Description string
	// Arguments are the names of all arguments, Required those that must be
	// given; both sorted.
	Arguments, Required []string
}

// Tools lists the tools of the server, by name.
func (m *MCP) Tools(ctx context.Context) ([]Tool, error) { panic("not written yet") }

// Call calls any tool of the server with arguments as they are, and returns its
// decoded result: the structured content, else the text, decoded when it is JSON.
func (m *MCP) Call(ctx context.Context, tool string, args map[string]any) (any, error) {
	panic("not written yet")
}
