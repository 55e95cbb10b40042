package llm_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/llm"
)

// TestReach asks servers whether a model is there. A word is asked only where the list of
// models does not settle it.
func TestReach(t *testing.T) {
	t.Parallel()
	reply := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	hang := func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // a server notices that its client has left only after the body
		<-r.Context().Done()
	}
	word := reply(200, `{"choices":[{"message":{"content":"yes"},"finish_reason":"stop"}]}`)
	lists := reply(200, `{"object":"list","data":[{"id":"other"},{"id":"m"}]}`)
	for _, c := range []struct {
		name       string
		list, word http.HandlerFunc
		asked      bool // for a word
		slow       bool
		kind       llm.Kind // "" is there
		says       string
	}{
		{name: "listed", list: lists, word: hang},
		{name: "not listed, and replies", list: reply(200, `{"data":[]}`), word: word, asked: true},
		{name: "no list, and replies", list: reply(404, ""), word: word, asked: true},
		{name: "the list needs a permission that the key lacks", list: reply(403, ""), word: word, asked: true},
		{name: "over a limit", list: reply(404, ""), word: reply(429, ""), asked: true},
		{name: "nothing but reasoning in 16 tokens", list: reply(404, ""), word: reply(200, `{"choices":[]}`), asked: true},
		{name: "wrong key", list: reply(401, ""), word: reply(401, `{"error":{"message":"bad key"}}`), asked: true,
			kind: llm.KindAuth, says: "bad key"},
		{name: "unknown model", list: reply(200, `{"data":[{"id":"other"}]}`), word: reply(404, `{"error":{"message":"no m"}}`), asked: true,
			kind: llm.KindModel, says: "no m"},
		{name: "loading", list: reply(404, ""), word: hang, asked: true, slow: true},
		{name: "behind a gateway that is alone", list: reply(502, ""), word: reply(502, ""), asked: true, kind: llm.KindServer, says: "502"},
		{name: "silent", list: hang, word: hang, kind: llm.KindTimeout, says: "no reply from 127.0.0.1:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			asked := make(chan string, 100)
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet && r.URL.Path == "/v1/models" {
					c.list(w, r)
					return
				}
				asked <- r.URL.Path
				c.word(w, r)
			}))
			defer srv.Close()
			p := open(t, "openai", llm.Options{BaseURL: srv.URL + "/v1"})
			// Long enough for a reply, short for what never replies.
			patience := 10 * time.Second
			if c.slow || c.kind == llm.KindTimeout || c.kind == llm.KindServer {
				patience = 200 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			slow, err := p.(llm.Reacher).Reach(ctx, "m", nil)
			if slow != c.slow {
				t.Errorf("slow is %v, want %v", slow, c.slow)
			}
			switch {
			case c.kind == "" && err != nil:
				t.Errorf("the model is away: %v", err)
			case c.kind != "" && (!llm.IsKind(err, c.kind) || !strings.Contains(err.Error(), c.says)):
				t.Errorf("got %v, want %s: %q", err, c.kind, c.says)
			}
			if got := len(asked) > 0; got != c.asked {
				t.Errorf("asked for a word: %v, want %v", got, c.asked)
			}
		})
	}
}

// TestReachNobody tries a port where nothing listens.
func TestReachNobody(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := open(t, "ollama", llm.Options{BaseURL: "http://127.0.0.1:1"}).(llm.Reacher).Reach(ctx, "m", nil)
	if !llm.IsKind(err, llm.KindNetwork) || !strings.Contains(err.Error(), "refused") {
		t.Errorf("got %v, want a refused connection", err)
	}
}

// TestReachLists reads the lists of each protocol, as its servers document them.
func TestReachLists(t *testing.T) {
	t.Parallel()
	for kind, c := range map[string]struct{ path, list string }{
		"openai":    {"/models", `{"object":"list","data":[{"id":"m","object":"model","owned_by":"me"}]}`},
		"anthropic": {"/v1/models", `{"data":[{"type":"model","id":"m","display_name":"M"}],"has_more":false}`},
		"gemini":    {"/v1beta/models", `{"models":[{"name":"models/m","version":"001"}]}`},
		"ollama":    {"/api/tags", `{"models":[{"name":"m:latest","model":"m:latest","size":1}]}`},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodGet || r.URL.Path != c.path {
					t.Errorf("got %s %s, want GET %s", r.Method, r.URL.Path, c.path)
				}
				fmt.Fprint(w, c.list)
			}))
			defer srv.Close()
			p := open(t, kind, llm.Options{BaseURL: srv.URL, KeyEnv: "KEY", Getenv: env("KEY", "k")})
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			if slow, err := p.(llm.Reacher).Reach(ctx, "m", nil); slow || err != nil {
				t.Errorf("slow %v, %v", slow, err)
			}
		})
	}
}
