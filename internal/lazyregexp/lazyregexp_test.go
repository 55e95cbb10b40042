package lazyregexp_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

func TestNew(t *testing.T) {
	t.Parallel()
	words := lazyregexp.New(`[a-z]+`)
	if first := words(); first != words() || first.FindString("12 ab") != "ab" {
		t.Errorf("%v: want the same expression at every call", first)
	}
	broken := lazyregexp.New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("an invalid expression does not panic at its first use")
		}
	}()
	broken()
}

// slow are the functions whose result no variable of a package may hold: every start of
// the program would pay for it.
var slow = regexp.MustCompile(`^(regexp\.(Must)?Compile(POSIX)?|template\.(Must|New)|jsonschema\..*)$`)

// TestNothingIsCompiledAtTheStart looks for variables of packages of the program that hold
// a compiled expression or template.
func TestNothingIsCompiledAtTheStart(t *testing.T) {
	t.Parallel()
	files, root := 0, filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		if d.IsDir() {
			if name != "." && (name == "bench" || name == "scripts" || name == "examples" || name == "tools" || d.Name() == "testdata" ||
				strings.HasSuffix(name, "test") || strings.HasPrefix(d.Name(), ".")) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, call := range callsAtTheStart(file) {
			if slow.MatchString(call.name) {
				t.Errorf("%s: %s at the start of the program: want it at the first use, by lazyregexp.New or sync.OnceValue",
					set.Position(call.at), call.name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 100 {
		t.Errorf("%d files: want those of the program", files)
	}
}

func TestCallsAtTheStart(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "a.go", `package a
		var a, b = regexp.MustCompile("1"), map[string]any{"x": one.New()}
		var c = sync.OnceValue(func() any { return not.Called() })
		var d = func() any { return is.Called() }()
		func e() { not.Called() }`, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, call := range callsAtTheStart(file) {
		names = append(names, call.name)
	}
	if got, want := strings.Join(names, " "), "regexp.MustCompile one.New sync.OnceValue is.Called"; got != want {
		t.Errorf("calls %s: want %s", got, want)
	}
}

type call struct {
	name string
	at   token.Pos
}

// callsAtTheStart returns the calls of functions of other packages by the values of
// variables of the package. A function that is written there runs then only if it is
// called there.
func callsAtTheStart(file *ast.File) []call {
	var out []call
	var visit func(ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			switch f := n.Fun.(type) {
			case *ast.SelectorExpr:
				if of, ok := f.X.(*ast.Ident); ok {
					out = append(out, call{of.Name + "." + f.Sel.Name, n.Pos()})
				}
			case *ast.FuncLit:
				ast.Inspect(f.Body, visit)
			}
		}
		return true
	}
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok {
			ast.Inspect(d, visit)
		}
	}
	return out
}
