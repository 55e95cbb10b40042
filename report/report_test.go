package report_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/report"
)

var (
	update = flag.Bool("update", false, "rewrite the golden files")
	pages  = flag.String("pages", "", "write every format of the samples to this `folder`")
)

func render(t testing.TB, f report.Format, r *report.Report, o report.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, r, o); err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	return b.String()
}

func renderComparison(t testing.TB, f report.Format, c *report.Comparison, o report.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.Compare(&b, c, o); err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s differs (-want +got; -update rewrites it):\n%s", path, d)
	}
}

// TestGolden compares what a person reviews by eye. The page is too long for
// that; its parts are tested one by one.
func TestGolden(t *testing.T) {
	t.Parallel()
	r := small(t)
	two := comparison(t, family(40, 0.2, "dense", "hybrid"))
	for _, f := range report.Formats {
		if f.Name == "html" {
			continue
		}
		golden(t, "small"+f.Ext, render(t, f, r, report.Options{Width: 90, Page: "results/eval_report.html"}))
		if f.Name != "json" { // its members are tested one by one
			golden(t, "gated"+f.Ext, render(t, f, gated(t), report.Options{Width: 100}))
		}
		if f.Compare != nil && f.Name != "json" {
			golden(t, "compare"+f.Ext, renderComparison(t, f, two, report.Options{Width: 90, Cases: 3}))
		}
	}
}

// TestPages writes the samples where -pages says, to be looked at.
func TestPages(t *testing.T) {
	dir := *pages
	if dir == "" {
		dir = t.TempDir()
	}
	for name, r := range map[string]*report.Report{"sample": sample(t), "gated": gated(t), "large": family(5000, 0, "large")[0]} {
		for _, f := range report.Formats {
			path := filepath.Join(dir, name+f.Ext)
			if err := r.WriteFile(path, f, report.Options{}); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			if info, err := os.Stat(path); err != nil || info.Size() == 0 {
				t.Errorf("%s is empty: %v", path, err)
			}
		}
	}
	c := comparison(t, family(300, 0.04, "sparse", "dense", "hybrid"))
	for _, f := range report.Formats {
		if f.Compare == nil {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, "compare"+f.Ext), []byte(renderComparison(t, f, c, report.Options{})), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSameBytesTwice(t *testing.T) {
	t.Parallel()
	for _, f := range report.Formats {
		if a, b := render(t, f, sample(t), report.Options{}), render(t, f, sample(t), report.Options{}); a != b {
			t.Errorf("%s: two renderings differ", f.Name)
		}
	}
}

func TestOrderOfRecordsDoesNotMatter(t *testing.T) {
	t.Parallel()
	r := sample(t)
	turned := append(held(r)[5:len(held(r)):len(held(r))], held(r)[:5]...)
	again := report.New(r.Header, turned)
	for _, f := range report.Formats {
		if d := cmp.Diff(render(t, f, r, report.Options{}), render(t, f, again, report.Options{})); d != "" {
			t.Errorf("%s: %s", f.Name, d)
		}
	}
	if turned[0].Seq != 5 {
		t.Error("New reordered the caller's records")
	}
}

func TestEmptyRun(t *testing.T) {
	t.Parallel()
	r := report.New(header("empty", ndcg), nil)
	for _, f := range report.Formats {
		got := unhashed(render(t, f, r, report.Options{}))
		if strings.Contains(got, "NaN") || strings.Contains(got, "0.000") {
			t.Errorf("%s: a number for a run without cases:\n%s", f.Name, got)
		}
	}
}

// unhashed takes the hashes of the page's policy out of it, which may hold any
// letters.
func unhashed(page string) string {
	return regexp.MustCompile(`sha256-[A-Za-z0-9+/=&#;]+`).ReplaceAllString(page, "sha256-")
}

func TestLookup(t *testing.T) {
	t.Parallel()
	if f, err := report.Lookup("csv"); err != nil || f.Ext != ".csv" {
		t.Errorf("got %+v, %v", f, err)
	}
	if _, err := report.Lookup("pdf"); err == nil || !strings.Contains(err.Error(), "terminal, markdown, json, html, csv") {
		t.Errorf("got %v, want the list of formats", err)
	}
}

func TestWriteErrorsAreReported(t *testing.T) {
	t.Parallel()
	c := comparison(t, family(5, 0, "a", "b"))
	for _, f := range report.Formats {
		if err := f.Write(broken{}, sample(t), report.Options{}); err == nil {
			t.Errorf("%s: no error from a writer that fails", f.Name)
		}
		if f.Compare != nil {
			if err := f.Compare(broken{}, c, report.Options{}); err == nil {
				t.Errorf("%s: no error from a writer that fails", f.Name)
			}
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
