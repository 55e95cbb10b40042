// Package mcptest is a small MCP server for tests. Its tool Answer imitates the
// Nextcloud MCP server's search with a generated answer: it finds notes, asks the
// client's model for the answer (MCP sampling), and returns the answer with its
// sources. Search is the same without an answer. Other tools misbehave.
package mcptest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Answer is the name of the answering tool, Search of the retrieving one.
const (
	Answer = "nc_semantic_search_answer"
	Search = "nc_semantic_search"
)

// A Style is a way in which the server requests sampling.
type Style string

// The styles.
const (
	// During sends sampling/createMessage on the stream of the call while it is served,
	// the only way up to protocol 2025-11-25.
	During Style = "during"
	// Apart sends the request over HTTP on the stream that the client opened for server
	// messages, as Python servers do.
	Apart Style = "apart"
	// Returned returns the request as the tool's result, and is called again with the
	// reply, as in protocol 2026-07-28.
	Returned Style = "returned"
	// None requests no sampling: the answer is built from the first source.
	None Style = "none"
)

// Options configure a server.
type Options struct {
	Style Style
	// Tools names the tools offered in addition to Answer; see the constants.
	Tools []string
	// Stateless serves HTTP without sessions, the only way to speak protocol 2026-07-28
	// over HTTP; sampling then works only with Returned.
	Stateless bool
	// Find retrieves at most limit notes for a query, best first; nil searches [Notes].
	// It must be safe for concurrent use.
	Find func(query string, limit int) []Source `json:"-"`
	// Lenient turns a failed sampling request into text that looks like an answer, as
	// the real server does.
	Lenient bool
}

// Tools that misbehave, or answer in other shapes.
const (
	Fails     = "fails"     // reports an error
	Hangs     = "hangs"     // answers when the call is cancelled
	Crashes   = "crashes"   // ends the process
	Text      = "text"      // answers with a text
	JSON      = "json"      // answers with JSON text
	Resources = "resources" // answers with resources, a link, and an image
	Finds     = "finds"     // answers with a resource and no text
	Silent    = "silent"    // answers with an answer and no sources
	Wrapped   = "wrapped"   // answers with a text in {"result": …}
	Nothing   = "nothing"   // answers with an empty result
	Uploads   = "upload"    // stores a document
)

// A Note is a document of the server.
type Note struct {
	ID          int
	Title, Text string
}

// Notes returns the documents of the server.
func Notes() []Note {
	return []Note{
		{11, "Lisbon", "Lisbon is the capital of Portugal. It lies on the river Tagus."},
		{12, "Porto", "Porto lies on the river Douro. It is known for its wine."},
		{13, "Madrid", "Madrid is the capital of Spain and lies on the river Manzanares."},
	}
}

// Source is a source of an answer.
type Source struct {
	ID          int     `json:"id"`
	DocType     string  `json:"doc_type"`
	Title       string  `json:"title"`
	Category    string  `json:"category"`
	Excerpt     string  `json:"excerpt"`
	Score       float64 `json:"score"`
	ChunkIndex  int     `json:"chunk_index"`
	TotalChunks int     `json:"total_chunks"`
}

type search struct {
	Query string `json:"query" jsonschema:"what is asked"`
	Limit int    `json:"limit,omitempty" jsonschema:"how many documents are retrieved"`
}

// Found is the result of Answer.
type Found struct {
	Query           string   `json:"query"`
	GeneratedAnswer string   `json:"generated_answer"`
	Sources         []Source `json:"sources"`
	TotalFound      int      `json:"total_found"`
	SearchMethod    string   `json:"search_method"`
	ModelUsed       string   `json:"model_used,omitempty"`
	StopReason      string   `json:"stop_reason,omitempty"`
	Success         bool     `json:"success"`
}

// Results is the result of Search.
type Results struct {
	Results      []Source `json:"results"`
	Query        string   `json:"query"`
	TotalFound   int      `json:"total_found"`
	SearchMethod string   `json:"search_method"`
	Success      bool     `json:"success"`
}

func (o Options) find(in search) []Source {
	if o.Find == nil {
		return find(in.Query, in.Limit)
	}
	if found := o.Find(in.Query, in.Limit); found != nil {
		return found
	}
	return []Source{}
}

func (o Options) search(_ context.Context, _ *mcp.CallToolRequest, in search) (*mcp.CallToolResult, *Results, error) {
	found := o.find(in)
	return nil, &Results{Results: found, Query: in.Query, TotalFound: len(found), SearchMethod: "semantic", Success: true}, nil
}

// find ranks the notes by the words that they share with the query.
func find(query string, limit int) []Source {
	found := []Source{}
	for _, n := range Notes() {
		shared := 0
		for word := range strings.FieldsSeq(strings.ToLower(strings.Trim(query, "?"))) {
			if len(word) > 3 && strings.Contains(strings.ToLower(n.Text), word) {
				shared++
			}
		}
		if shared > 0 {
			found = append(found, Source{ID: n.ID, DocType: "note", Title: n.Title, Excerpt: n.Text, Score: float64(shared), TotalChunks: 1})
		}
	}
	slices.SortStableFunc(found, func(a, b Source) int { return cmp.Compare(b.Score, a.Score) })
	if limit <= 0 {
		limit = 5
	}
	return found[:min(limit, len(found))]
}

// New makes a server.
func New(o Options) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1.0"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: Answer, Description: "Search with an answer by the client's model"}, o.answer)
	for _, name := range o.Tools {
		if name == Search {
			mcp.AddTool(s, &mcp.Tool{Name: Search, Description: "Search"}, o.search)
			continue
		}
		handler, ok := odd[name]
		if !ok {
			panic("mcptest: unknown tool " + name)
		}
		mcp.AddTool(s, &mcp.Tool{Name: name, Description: "For tests"}, handler)
	}
	return s
}

// An Endpoint serves over streamable HTTP.
type Endpoint struct {
	http.Handler
	server *mcp.Server
}

// Handler makes an endpoint of a server. The caller closes it.
func Handler(o Options) *Endpoint {
	server := New(o)
	return &Endpoint{mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server {
		return server
	}, &mcp.StreamableHTTPOptions{Stateless: o.Stateless}), server}
}

// Close ends the sessions that clients left open or did not learn of.
func (e *Endpoint) Close() error {
	for s := range e.server.Sessions() {
		_ = s.Close() // the session may have ended already
	}
	return nil
}

// Run serves a server over standard input and output, until its input ends.
func Run(ctx context.Context, o Options) error { return New(o).Run(ctx, &mcp.StdioTransport{}) }

//nolint:staticcheck // deprecated since 2026-07-28, and what servers ask for
func (o Options) answer(ctx context.Context, r *mcp.CallToolRequest, in search) (*mcp.CallToolResult, *Found, error) {
	out := &Found{Query: in.Query, Sources: o.find(in), SearchMethod: "semantic_sampling", Success: true}
	out.TotalFound = len(out.Sources)
	if out.TotalFound == 0 {
		out.GeneratedAnswer = "No relevant documents found."
		return nil, out, nil
	}
	prompt := in.Query + "\n"
	for i, s := range out.Sources {
		prompt += fmt.Sprintf("\n[Document %d]\nTitle: %s\nContent: %s\n", i+1, s.Title, s.Excerpt)
	}
	ask := &mcp.CreateMessageParams{
		Messages:     []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: prompt}}},
		SystemPrompt: "Cite the documents.", MaxTokens: 500, Temperature: 0.7, IncludeContext: "thisServer",
		ModelPreferences: &mcp.ModelPreferences{Hints: []*mcp.ModelHint{{Name: "some-model"}}},
		StopSequences:    []string{"<end>"},
	}
	var reply *mcp.CreateMessageResult
	var err error
	switch o.Style {
	case None:
		out.GeneratedAnswer = out.Sources[0].Excerpt
		return nil, out, nil
	case Returned:
		given, ok := r.Params.InputResponses["answer"]
		if !ok {
			return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"answer": ask}, RequestState: "asked"}, nil, nil
		}
		switch given := given.(type) {
		case *mcp.CreateMessageResult:
			reply = given
		case *mcp.CreateMessageWithToolsResult:
			if len(given.Content) != 1 {
				return nil, nil, fmt.Errorf("%d parts of an answer: expected 1", len(given.Content))
			}
			reply = &mcp.CreateMessageResult{Content: given.Content[0], Model: given.Model, StopReason: given.StopReason}
		default:
			return nil, nil, fmt.Errorf("%T for an answer", given)
		}
	case Apart:
		// A message outside of the request's context is sent on the stream for server
		// messages.
		apart, cancel := context.WithCancel(context.Background())
		defer cancel()
		defer context.AfterFunc(ctx, cancel)()
		reply, err = r.Session.CreateMessage(apart, ask)
	default:
		reply, err = r.Session.CreateMessage(ctx, ask)
	}
	if err != nil {
		if !o.Lenient {
			return nil, nil, fmt.Errorf("answering: %w", err)
		}
		out.GeneratedAnswer = fmt.Sprintf("[Sampling unavailable: %v]\n\nFound %d relevant documents.", err, out.TotalFound)
		if strings.Contains(err.Error(), "not support") {
			out.GeneratedAnswer = fmt.Sprintf("[Sampling not supported by client]\n\nFound %d relevant documents.", out.TotalFound)
		}
		return nil, out, nil
	}
	text, ok := reply.Content.(*mcp.TextContent)
	if !ok {
		return nil, nil, fmt.Errorf("%T for an answer", reply.Content)
	}
	out.GeneratedAnswer, out.ModelUsed, out.StopReason = text.Text, reply.Model, reply.StopReason
	return nil, out, nil
}

type handler = mcp.ToolHandlerFor[search, any]

func text(s ...string) *mcp.CallToolResult {
	r := &mcp.CallToolResult{}
	for _, one := range s {
		r.Content = append(r.Content, &mcp.TextContent{Text: one})
	}
	return r
}

var odd = map[string]handler{
	Fails: func(context.Context, *mcp.CallToolRequest, search) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New("the index is being rebuilt")
	},
	Hangs: func(ctx context.Context, _ *mcp.CallToolRequest, _ search) (*mcp.CallToolResult, any, error) {
		<-ctx.Done()
		return nil, nil, ctx.Err()
	},
	Crashes: func(context.Context, *mcp.CallToolRequest, search) (*mcp.CallToolResult, any, error) {
		fmt.Fprintln(os.Stderr, "out of memory, token planted-secret-1")
		os.Exit(7) // simulates a crash
		return nil, nil, nil
	},
	Text: func(_ context.Context, _ *mcp.CallToolRequest, in search) (*mcp.CallToolResult, any, error) {
		return text("You asked:", in.Query), nil, nil
	},
	JSON: func(_ context.Context, _ *mcp.CallToolRequest, in search) (*mcp.CallToolResult, any, error) {
		return text(`{"answer": "JSON planted-secret-1", "contexts": ["one", "two"]}`), nil, nil
	},
	Resources: func(context.Context, *mcp.CallToolRequest, search) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{
			&mcp.TextContent{Text: "See these."},
			&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "note://11", Text: "Lisbon is the capital."}},
			&mcp.ResourceLink{URI: "note://12", Name: "porto", Title: "Porto"},
			&mcp.ImageContent{Data: []byte("x"), MIMEType: "image/png"},
			&mcp.ImageContent{Data: []byte("y"), MIMEType: "image/png"},
		}}, nil, nil
	},
	Finds: func(context.Context, *mcp.CallToolRequest, search) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.ResourceLink{URI: "note://12", Name: "porto"}}}, nil, nil
	},
	Silent: func(context.Context, *mcp.CallToolRequest, search) (*mcp.CallToolResult, any, error) {
		return nil, map[string]any{"answer": "I say no sources."}, nil
	},
	Wrapped: func(context.Context, *mcp.CallToolRequest, search) (*mcp.CallToolResult, any, error) {
		return nil, map[string]any{"result": "wrapped words"}, nil
	},
	Nothing: func(context.Context, *mcp.CallToolRequest, search) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{}}, nil, nil
	},
	Uploads: func(_ context.Context, _ *mcp.CallToolRequest, in search) (*mcp.CallToolResult, any, error) {
		return nil, map[string]any{"id": 21, "title": in.Query}, nil
	},
}
