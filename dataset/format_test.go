package dataset

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFormatFiles: a file in formats names only what the reader knows.
func TestFormatFiles(t *testing.T) {
	t.Parallel()
	cells := []cell{cellText, cellList, cellNames, cellTruth, cellTextOrList, cellBars, cellValue}
	for _, f := range formats() {
		if f.Title == "" || f.Doc == "" {
			t.Errorf("%s: no title or doc", f.Name)
		}
		for _, r := range f.Claim {
			if scores[r.Score] == 0 || len(r.In) == 0 || r.Any == nil && r.Reason == "" {
				t.Errorf("%s: claim %+v: no score, no layout or no reason", f.Name, r)
			}
			for _, in := range r.In {
				if _, ok := layouts[in]; !ok && !slices.Contains([]string{"any", "json", "records", "folder"}, in) {
					t.Errorf("%s: unknown layout %q", f.Name, in)
				}
			}
		}
		for _, of := range f.Fields {
			if targets[of.To] == nil || len(of.From) == 0 {
				t.Errorf("%s: field %q to %q", f.Name, of.From, of.To)
			}
		}
		for name, as := range f.Cells {
			if !slices.Contains(cells, as) {
				t.Errorf("%s: cell %q is %q", f.Name, name, as)
			}
		}
		for _, o := range f.Labels {
			if known := []string{"response", "retrieved", "contexts"}; !slices.Contains(known, o.Label) &&
				!slices.ContainsFunc(lossy, func(p part) bool { return p.name == o.Label }) {
				t.Errorf("%s: unknown label %q", f.Name, o.Label)
			}
		}
		if f.Like != "" && !slices.Contains(FormatNames(), f.Like) {
			t.Errorf("%s: like %q", f.Name, f.Like)
		}
	}
}

// TestSamples reads every sample in testdata as it did before, and wants one of each format.
func TestSamples(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{"beir": true, "trec": true} // several files, with tests of their own
	got := map[string]any{}
	err := filepath.WalkDir("testdata", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !slices.Contains(Extensions(), filepath.Ext(path)) || strings.HasPrefix(path, goldenSamples) {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, "testdata"+string(filepath.Separator)))
		d, err := Load(t.Context(), path, Options{Name: filepath.Base(path)})
		if err != nil {
			got[name] = err.Error()
			return nil
		}
		seen[d.Info.Format] = true
		warnings := []string{}
		for _, w := range d.Warnings {
			warnings = append(warnings, w.String())
		}
		got[name] = map[string]any{
			"format": d.Info.Format, "hash": d.Info.Hash, "cases": d.Cases.List(), "responses": d.Responses, "warnings": warnings,
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range FormatNames() {
		if !seen[name] {
			t.Errorf("testdata has no sample of %s", name)
		}
	}
	text, err := json.MarshalIndent(got, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("ASSAY_UPDATE") != "" {
		if err := os.WriteFile(goldenSamples, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(goldenSamples)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(text)+"\n"); d != "" {
		t.Errorf("%s (-want +got; ASSAY_UPDATE=1 writes it):\n%s", goldenSamples, d)
	}
}

const goldenSamples = "testdata/samples.golden"
