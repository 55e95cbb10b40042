//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/cli"
)

// TestWorkersFetchFiles: a worker of a machine without the files of a run, its dataset, its corpus,
// the script of its judge, fetches them from the database, and the report is that of one process.
func TestWorkersFetchFiles(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 40, 0)
	if err := os.Mkdir(filepath.Join(f.dir, "docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"green.md": "Door 1 is green.", "red.txt": "Door 2 is red.", ".hidden.md": "Door 3 is blue."} {
		f.write(filepath.Join("docs", name), text)
	}
	here := f.dir
	f.dir = t.TempDir() // the other machine
	w := f.worker("--cache=kept")
	there := f.dir
	f.dir = here
	for name, args := range map[string][]string{
		"asked":    nil,
		"pipeline": {"--adapter=builtin", "--endpoint=", "--corpus=docs", "--retriever=sparse", "--generator=fake:"},
	} {
		if code, said := f.run("whole", make(chan struct{}), nil, append(args, "--store=whole.db")...); code != cli.ExitOK {
			t.Fatalf("%s: one process: exit code %d\n%s", name, code, said)
		}
		if code, said := f.run("shared", make(chan struct{}), nil, append(args, "--workers=queue")...); code != cli.ExitOK {
			t.Fatalf("%s: exit code %d\n%s\n%s", name, code, said, w.said)
		}
		if d := cmp.Diff(f.report("whole"), f.report("shared")); d != "" {
			t.Errorf("%s: the report differs from that of one process (-want +got):\n%s", name, d)
		}
	}
	var got []string
	err := filepath.WalkDir(filepath.Join(there, "kept", "files"), func(at string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			got = append(got, d.Name())
		}
		return err
	})
	slices.Sort(got)
	if d := cmp.Diff("gold.jsonl gold.jsonl green.md judge.yaml judge.yaml red.txt", strings.Join(got, " ")); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
}
