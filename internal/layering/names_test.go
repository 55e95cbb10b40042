package layering_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/metric/catalog"
	"github.com/assay-eval/assay/target/adapter"
)

// mostNames is how many metrics a file may name in comparisons and lists. Names of metrics are common
// words, such as "recall", and have other meanings, too.
const mostNames = 2

// named lists the files that may name more, or compare names of adapters, with the reason.
var named = map[string]string{
	"former.go":                "names in stored files of earlier versions",
	"gate/tolerance.go":        "the defaults of the setting tolerances",
	"internal/accuracy/run.go": "the numbers of an accuracy test, whose names are a contract",
	"internal/cli/measure.go":  "the defaults of --metrics",
	"internal/wire/metrics.go": "the defaults of the setting metrics",
}

// TestBehaviorIsAFieldOfTheDefinition: what a report or a command does with a metric or a target is
// a field of its definition, which users' own metrics have too, and no list of names elsewhere.
func TestBehaviorIsAFieldOfTheDefinition(t *testing.T) {
	metrics := map[string]bool{}
	for _, d := range catalog.All().Defs() {
		metrics[d.Name] = true
	}
	found := map[string]bool{}
	root := requiretest.Root()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		file, err := filepath.Rel(root, path)
		file = filepath.ToSlash(file)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains([]string{"metric", "target/adapter", "tools"}, file) || slices.Contains(exempt, file+"/") ||
			strings.HasSuffix(file, "test") || d.Name() == "testdata" || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		names, adapters := map[string]bool{}, []string{}
		for _, s := range decisive(parsed) {
			base, _, _ := strings.Cut(s.value, "@")
			if base, _, _ = strings.Cut(base, "("); metrics[base] {
				names[base] = true
			}
			if s.adapter && slices.Contains(adapter.Names(), s.value) {
				adapters = append(adapters, s.value)
			}
		}
		if len(names) <= mostNames && len(adapters) == 0 {
			return nil
		}
		found[file] = true
		if named[file] == "" {
			t.Errorf("%s decides by names (%s): make the behavior a field of the definition", file,
				strings.Join(append(slices.Sorted(maps.Keys(names)), adapters...), ", "))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for file := range named {
		if !found[file] {
			t.Errorf("%s does not need its entry in the table: remove it", file)
		}
	}
}

// A literal is a text that a file compares with something or has in a list.
type literal struct {
	value string
	// adapter is set if it is compared with an adapter.
	adapter bool
}

// decisive returns the literals of comparisons, of switches, of lists and of searches for a text.
func decisive(f *ast.File) (out []literal) {
	add := func(e ast.Expr, of ast.Expr) {
		if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
			value, _ := strconv.Unquote(l.Value)
			out = append(out, literal{value, of != nil && strings.HasSuffix(strings.ToLower(last(of)), "adapter")})
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			add(n.X, n.Y)
			add(n.Y, n.X)
		case *ast.SwitchStmt:
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					add(e, n.Tag)
				}
			}
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					add(kv.Key, nil)
					e = kv.Value
				}
				add(e, nil)
			}
		case *ast.CallExpr:
			if strings.HasPrefix(last(n.Fun), "HasPrefix") || strings.HasPrefix(last(n.Fun), "CutPrefix") {
				add(n.Args[1], nil)
			}
		}
		return true
	})
	return out
}

// last is the last identifier of an expression, such as "Adapter" of "r.Target.Adapter".
func last(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}
