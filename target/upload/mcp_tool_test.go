package upload_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/upload"
)

// a tool that is called in this process.
type tool struct {
	mu    sync.Mutex
	calls []string
	reply func(n int) (any, error)
}

func (s *tool) Call(_ context.Context, name string, args map[string]any) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, fmt.Sprintf("%s %v", name, args))
	return s.reply(len(s.calls))
}

func (s *tool) Close() error { return nil }

func TestMCPTool(t *testing.T) {
	t.Parallel()
	s := &tool{reply: func(int) (any, error) { return map[string]any{"note": map[string]any{"nr": 5.0}}, nil }}
	m, err := upload.NewMCP(upload.MCPConfig{Server: s, Where: "cmd", Tool: "add", ReadID: "note.nr", Send: map[string]any{"t": "{{text}}",
		"n": "{{name}}"}})
	if err != nil {
		t.Fatal(err)
	}
	c := config(t, m, documents(1))
	send(t, c)
	if d := cmp.Diff([]string{"add map[n:MED-1 Title of 1 t:text 1\n]"}, s.calls); d != "" {
		t.Errorf("calls (-want +got):\n%s", d)
	}
	if e := readJournal(t, c.Journal).Entries[0]; e.Remote != "5" {
		t.Errorf("%+v", e)
	}
	// A result without an id: the title stands for it.
	s.reply = func(int) (any, error) { return "created", nil }
	if m, err = upload.NewMCP(upload.MCPConfig{Server: s, Where: "cmd"}); err != nil {
		t.Fatal(err)
	}
	c = config(t, m, documents(1))
	send(t, c)
	if e := readJournal(t, c.Journal).Entries[0]; e.Remote != "MED-1 Title of 1" {
		t.Errorf("%+v", e)
	}
	// A server that refuses the connection refuses every document.
	s.reply = func(int) (any, error) { return nil, target.StatusError(401, nil, "", time.Time{}) }
	s.calls = nil
	c = config(t, m, documents(20))
	c.Concurrency = 1
	var fatal *upload.FatalError
	if _, err := upload.Upload(context.Background(), c); !errors.As(err, &fatal) || len(s.calls) != 1 {
		t.Errorf("%v after %d calls", err, len(s.calls))
	}
	if _, err := upload.NewMCP(upload.MCPConfig{Server: s, Send: []any{"x"}}); err == nil || !strings.Contains(err.Error(), "expected an object") {
		t.Errorf("error %v", err)
	}
}
