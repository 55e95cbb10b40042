package upload_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/upload"
)

// playMCP makes the test binary an MCP server on its standard input and output.
const playMCP = "ASSAY_TEST_PLAY_MCP"

func TestMain(m *testing.M) {
	if os.Getenv(playMCP) != "" {
		if err := notesServer().Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

type newNote struct {
	Title    string `json:"title"`
	Content  string `json:"content"`
	Category string `json:"category"`
}

type madeNote struct {
	ID    int    `json:"id"`
	Title string `json:"title"`
}

type syncStatus struct {
	Status  string `json:"status"`
	Indexed int    `json:"indexed_count"`
}

// notesServer has the tools of a server for Nextcloud that makes notes and
// indexes them.
func notesServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
	var mu sync.Mutex
	var titles []string
	started, asked := false, 0
	mcp.AddTool(s, &mcp.Tool{Name: "nc_notes_create_note"},
		func(_ context.Context, _ *mcp.CallToolRequest, in newNote) (*mcp.CallToolResult, madeNote, error) {
			mu.Lock()
			defer mu.Unlock()
			if strings.Contains(in.Content, "bad") {
				return nil, madeNote{}, errors.New("this content is not allowed")
			}
			titles = append(titles, in.Category+"/"+in.Title)
			return nil, madeNote{1000 + len(titles), in.Title}, nil
		})
	mcp.AddTool(s, &mcp.Tool{Name: "start"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		mu.Lock()
		defer mu.Unlock()
		started = true
		return nil, nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "nc_get_vector_sync_status"},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, syncStatus, error) {
			mu.Lock()
			defer mu.Unlock()
			if asked++; !started || asked < 3 {
				return nil, syncStatus{"syncing", 0}, nil
			}
			return nil, syncStatus{"idle", len(titles)}, nil
		})
	return s
}

func TestMCP(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server, err := target.NewMCP(target.MCPConfig{Command: []string{exe}, Env: []string{playMCP + "=1"}, Tool: "nc_notes_create_note",
		Sessions: 1, Now: time.Now, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := upload.NewMCP(upload.MCPConfig{Server: server, Where: "notes-server", Category: "BEIR", Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}()
	docs := documents(12)
	docs[4].Text = "a bad one"
	c := config(t, m, docs)
	res := send(t, c)
	if res.Added != 11 || len(res.Refused) != 1 || !strings.Contains(res.Refused[0].Reason, "this content is not allowed") {
		t.Errorf("%+v", res)
	}
	if m := readJournal(t, c.Journal).DocumentMap(); len(m) != 22 || m["MED-1 Title of 1"] != "MED-1" || m["1011"] == "" {
		t.Errorf("the map is %v", m)
	}
	call, err := upload.ParseTrigger("start", upload.KindMCP)
	if err != nil {
		t.Fatal(err)
	}
	if err := upload.Trigger(context.Background(), c, call); err != nil {
		t.Fatal(err)
	}
	p, err := upload.ParseProbe("tool:nc_get_vector_sync_status status=idle indexed_count>=11", upload.KindMCP, 12)
	if err != nil {
		t.Fatal(err)
	}
	state, err := p.Wait(context.Background(), m, upload.Waiting{Now: time.Now, Sleep: func(context.Context, time.Duration) error {
		return nil
	}})
	if err != nil || state != "status idle, indexed_count 11" {
		t.Errorf("%q, %v", state, err)
	}
}
