package cli_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/cli"
)

// full is an output that has room for n bytes.
type full struct {
	n   int
	err error
}

func (f *full) Write(p []byte) (int, error) {
	if len(p) > f.n {
		return f.n, f.err
	}
	f.n -= len(p)
	return len(p), nil
}

// What a command prints and loses is no success, unless its reader went away.
func TestLostOutput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, "d.jsonl", `{"id": "a", "question": "Who?", "answers": ["Ada"]}`+"\n")
	for _, args := range [][]string{
		{"--help"}, {"run", "--help"}, {"version"}, {"--version"}, {"metrics"}, {"metrics", "mrr"}, {"doctor"}, {"dataset", "stats", "d.jsonl"},
		{"dataset", "validate", "d.jsonl"}, {"dataset", "formats"}, {"serve", "token", "create", "--scope", "read"}, {"serve", "token", "list"}, {"store", "check"}, {"doctor", "config"},
		{"store", "profile", "list"}, {"completion", "bash"},
	} {
		for _, test := range []struct {
			err  error
			code int
		}{{syscall.ENOSPC, cli.ExitFatal}, {syscall.EPIPE, cli.ExitOK}} {
			var stderr bytes.Buffer
			env := &cli.Env{Stdin: strings.NewReader(""), Stdout: io.Writer(&full{3, test.err}), Stderr: &stderr, Dir: dir,
				Getenv: func(string) string { return "" }, Now: time.Now, Version: "v"}
			code := cli.Main(context.Background(), env, append(args, storeOf(args)...))
			said := strings.Contains(stderr.String(), syscall.ENOSPC.Error())
			if code != test.code || said != errors.Is(test.err, syscall.ENOSPC) {
				t.Errorf("%q, %v: code %d: %s", args, test.err, code, stderr.String())
			}
		}
	}
}

// storeOf names a store of the test for a command that needs one.
func storeOf(args []string) []string {
	if name := args[0]; len(args) > 1 && args[1] == "--help" || name != "serve" && name != "store" && name != "runs" {
		return nil
	}
	return []string{"--store", "s.db"}
}
