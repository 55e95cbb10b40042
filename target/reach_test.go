package target_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assay-eval/assay/target"
)

// TestOpenReaches opens HTTP and MCP targets before the first case: a server that accepts
// connections is there and is sent nothing, and a port where nothing listens is known in
// three seconds.
func TestOpenReaches(t *testing.T) {
	t.Parallel()
	there := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the target was sent something") }))
	defer there.Close()
	open := func(endpoint string) *target.HTTP {
		h, err := target.NewHTTP(target.HTTPConfig{Endpoint: endpoint})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { h.Close() })
		return h
	}
	if err := open(there.URL + "/query").Open(t.Context()); err != nil {
		t.Errorf("a server that is there: %v", err)
	}
	m, err := target.NewMCP(target.MCPConfig{Endpoint: nobody + "/mcp"})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for name, err := range map[string]error{"http": open(nobody).Open(t.Context()), "mcp": m.Open(t.Context())} {
		var e *target.Error
		if !errors.As(err, &e) || e.Kind != target.Refused ||
			!strings.Contains(err.Error(), "target unreachable: nothing listens at 127.0.0.1:1") {
			t.Errorf("%s: %v", name, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := open(nobody).Open(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("after the user stopped: %v", err)
	}
}
