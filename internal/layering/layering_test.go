package layering_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
)

// exempt are folders of programs that measure and generate. They are no part
// of the product and may import what they measure.
var exempt = []string{"bench/", "scripts/", "examples/"}

func TestImports(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range packages(t) {
		from := relative(p.ImportPath)
		if slices.ContainsFunc(exempt, func(e string) bool { return strings.HasPrefix(from, e) }) {
			continue
		}
		seen[from] = true
		allowed, listed := allowedImports[from]
		if !listed {
			t.Errorf("package %q is not in the table: say what it may import", from)
			continue
		}
		for _, imp := range p.Imports {
			if !strings.HasPrefix(imp, module) {
				continue
			}
			if to := relative(imp); !slices.ContainsFunc(allowed, func(rule string) bool { return covers(rule, to) }) {
				t.Errorf("package %q imports %q: want one of %q", from, to, allowed)
			}
		}
		for _, rule := range allowed {
			if !slices.ContainsFunc(p.Imports, func(imp string) bool {
				return strings.HasPrefix(imp, module) && covers(rule, relative(imp))
			}) {
				t.Errorf("package %q imports nothing of %q: want no such entry", from, rule)
			}
		}
	}
	for from := range allowedImports {
		if !seen[from] {
			t.Errorf("the table lists %q, which does not exist", from)
		}
	}
}

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		rule, to string
		want     bool
	}{
		{"...", "store", true},
		{"rag/...", "rag/chunk", true},
		{"rag/...", "rag", true},
		{"rag/...", "ragged", false},
		{"rag", "rag/chunk", false},
	} {
		if got := covers(c.rule, c.to); got != c.want {
			t.Errorf("covers(%q, %q) = %v", c.rule, c.to, got)
		}
	}
}

func covers(rule, to string) bool {
	if base, ok := strings.CutSuffix(rule, "..."); ok {
		base = strings.TrimSuffix(base, "/")
		return base == "" || to == base || strings.HasPrefix(to, base+"/")
	}
	return rule == to
}

func relative(path string) string {
	if path == module {
		return "."
	}
	return strings.TrimPrefix(path, module+"/")
}

type pkg struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Dir = requiretest.Root()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// TestDependenciesAreDocumented: every direct dependency has its line, which
// says what it saves and how it would be removed.
func TestDependenciesAreDocumented(t *testing.T) {
	mod, err := os.ReadFile(filepath.Join(requiretest.Root(), "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(requiretest.Root(), "docs", "dependencies.md"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(mod)) {
		path, version, ok := strings.Cut(strings.TrimSpace(line), " v")
		if !ok || strings.Contains(version, "// indirect") || strings.HasPrefix(path, "//") {
			continue
		}
		n++
		if !strings.Contains(string(page), path) {
			t.Errorf("docs/dependencies.md has no line for %s", path)
		}
	}
	if n < 10 {
		t.Errorf("found %d direct dependencies in go.mod: the reading is wrong", n)
	}
}
