package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/internal/require"
)

// TestReadmeSession runs the session that the README shows and compares it to
// the letter.
func TestReadmeSession(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(require.Root(), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(readme), "\n$ assay quickstart\n")
	if !ok {
		t.Fatal("the README shows no quickstart")
	}
	want, _, _ := strings.Cut(rest, "```\n")
	dir := t.TempDir()
	var out, errs bytes.Buffer
	if code := cli.Main(context.Background(), &cli.Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: dir, Now: time.Now, Version: "test",
		Getenv: func(name string) string {
			if name == "HOME" {
				return dir
			}
			return ""
		},
	}, []string{"quickstart"}); code != 0 {
		t.Fatalf("exit code %d\n%s", code, &errs)
	}
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Errorf("the README's session is not what the command prints (-README +command):\n%s", d)
	}
}
