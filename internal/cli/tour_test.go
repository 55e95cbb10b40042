package cli_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/cli"
)

// TestTourFitsOneScreen: what assay run prints of the sample of assay init fits on a
// terminal of 24 lines and 80 columns, with the command above and the prompt below.
func TestTourFitsOneScreen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(args ...string) string {
		var out, errs bytes.Buffer
		code := cli.Main(context.Background(), &cli.Env{
			Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: dir, Now: time.Now, Width: 80, Version: "test",
			Getenv: func(string) string { return "" },
		}, args)
		if code != 0 {
			t.Fatalf("%q: exit code %d: %s", args, code, errs.String())
		}
		return out.String()
	}
	run("init")
	short := run("run", "--set", "cache=off")
	lines := strings.Split(strings.TrimRight(short, "\n"), "\n")
	if len(lines) > 22 {
		t.Errorf("%d lines, want at most 22:\n%s", len(lines), short)
	}
	for _, l := range lines {
		if n := utf8.RuneCountInString(l); n > 80 {
			t.Errorf("%d columns: %s", n, l)
		}
	}
	for _, want := range []string{"critical: 1 of 1 passed", "lowest cases", "more metrics: -v", "report: results/eval_report.html"} {
		if !strings.Contains(short, want) {
			t.Errorf("it lacks %q:\n%s", want, short)
		}
	}
	if again := run("report", "latest"); !strings.Contains(again, "more metrics: -v") {
		t.Errorf("assay report is not as short as assay run:\n%s", again)
	}
	if whole := run("report", "latest", "-v"); !strings.Contains(whole, "where answers are lost") || strings.Contains(whole, ": -v") {
		t.Errorf("assay report -v is not whole:\n%s", whole)
	}
}
