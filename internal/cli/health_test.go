package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/cli"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, path, reply string
		args              []string
		status, code      int
		says              string
	}{
		{name: "ready", path: "/readyz", reply: `{"status":"ok","version":"1.4.0"}`, status: 200, says: "ok, version 1.4.0\n"},
		{name: "alive", path: "/healthz", reply: `{"status":"ok","version":"1.4.0"}`, args: []string{"--alive"}, status: 200, says: "ok, version 1.4.0\n"},
		{name: "no store", path: "/readyz", reply: `{"title":"Service Unavailable","status":503,"detail":"the store cannot be reached"}`, status: 503,
			code: cli.ExitThreshold, says: "assay: the store cannot be reached\n"},
		{name: "another server", path: "/readyz", reply: "<html>", status: 200, code: cli.ExitThreshold,
			says: "answers with status 200, and not as assay serve does\n"},
		{name: "another server that speaks JSON", path: "/readyz", reply: `{"ok":true}`, status: 200, code: cli.ExitThreshold,
			says: "answers with status 200, and not as assay serve does\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != test.path {
					t.Errorf("asked %s, want %s", r.URL.Path, test.path)
				}
				w.WriteHeader(test.status)
				fmt.Fprint(w, test.reply)
			}))
			defer server.Close()
			var out bytes.Buffer
			code := cli.Main(context.Background(), &cli.Env{Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }, Now: time.Now},
				append([]string{"serve", "health", server.URL + "/"}, test.args...))
			if code != test.code || !strings.HasSuffix(out.String(), test.says) {
				t.Errorf("exit code %d, %q: want %d and %q", code, out.String(), test.code, test.says)
			}
		})
	}
}
