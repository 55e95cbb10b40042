package words_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// phrase matches two words of small letters with a space between them.
var phrase = regexp.MustCompile(`\b[a-z]{2,},? [a-z]{2,}\b`)

// markup matches what of a literal is HTML, SVG or a directive of a browser.
var markup = regexp.MustCompile(`(?s)<[^>]*>|<[a-z][^>]*$|"use strict"|[a-z-]+-(src|uri|action) [^;]*`)

// plain are literals that hold a phrase and are no text of a report: the types of
// JUnit failures, the syntax of rules, CSS classes, nouns of error messages, and the
// reason that a score gets when it is read from a file without one.
var plain = map[string]bool{
	"the report has no value for this score": true,
	"no response":                            true, "not scored": true, " vs baseline": true, "gate report": true,
	"heat changes": true, "stages falls": true, "stages ladder": true, "point noworse": true,
}

// TestNoSentenceOutsideTheCatalogue finds English in the packages that build and
// render reports: what a reader reads is a message.
func TestNoSentenceOutsideTheCatalogue(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, dir := range []string{"..", "../document", "../draw", "../html", "../markdown", "../terminal"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", dir, len(files), err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, lit := range literals(file) {
				text, err := strconv.Unquote(lit.Value)
				if err != nil || !phrase.MatchString(markup.ReplaceAllString(text, "")) {
					continue
				}
				if plain[text] {
					used[text] = true
					continue
				}
				t.Errorf("%s: %q: want a message", fset.Position(lit.Pos()), text)
			}
		}
	}
	for text := range plain {
		if !used[text] {
			t.Errorf("%q is allowed and does not occur", text)
		}
	}
}

// literals gives the strings of a file without those of imports, tags of fields,
// errors and the help of formats.
func literals(file *ast.File) (out []*ast.BasicLit) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			return n.Tag == nil
		case *ast.CallExpr:
			return !isError(n.Fun)
		case *ast.KeyValueExpr:
			key, ok := n.Key.(*ast.Ident)
			return !ok || key.Name != "Doc"
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				out = append(out, n)
			}
		}
		return true
	})
	return out
}

// isError reports whether a function makes an error.
func isError(fun ast.Expr) bool {
	s, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && (x.Name == "fmt" && s.Sel.Name == "Errorf" || x.Name == "errors" && s.Sel.Name == "New")
}
