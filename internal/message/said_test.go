package message

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"text/template"
	"text/template/parse"
)

// needed adds the values that a template asks for, its conditions included.
func needed(n parse.Node, all map[string]*template.Template, out map[string]bool) {
	inside := func(pipe *parse.PipeNode, lists ...*parse.ListNode) {
		needed(pipe, all, out)
		for _, list := range lists {
			if list != nil {
				needed(list, all, out)
			}
		}
	}
	switch n := n.(type) {
	case *parse.ListNode:
		for _, one := range n.Nodes {
			needed(one, all, out)
		}
	case *parse.ActionNode:
		inside(n.Pipe)
	case *parse.IfNode:
		inside(n.Pipe, n.List, n.ElseList)
	case *parse.RangeNode: // what it repeats sees other values
		inside(n.Pipe, n.ElseList)
	case *parse.WithNode:
		inside(n.Pipe, n.ElseList)
	case *parse.PipeNode:
		for _, c := range n.Cmds {
			if len(c.Args) == 3 && c.Args[0].String() == "say" && c.Args[2].Type() == parse.NodeDot {
				needed(all[c.Args[1].(*parse.StringNode).Text].Root, all, out)
			}
			for _, a := range c.Args {
				needed(a, all, out)
			}
		}
	case *parse.FieldNode:
		out[n.Ident[0]] = true
	case *parse.ChainNode:
		needed(n.Node, all, out)
	}
}

// TestCallsGiveTheValues: where a message is said by its name, it is there, and has all the values that it asks for.
func TestCallsGiveTheValues(t *testing.T) {
	t.Parallel()
	languages := []map[string]*template.Template{messages(t, English), messages(t, TraditionalChinese)}
	said := 0
	for _, dir := range []string{"../../report", "../web", "../server", "../cli", "../../gate", "../../summary"} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				name, given, ok := saying(n)
				if !ok {
					return true
				}
				said++
				for _, all := range languages {
					m := all[name]
					if m == nil {
						t.Errorf("%s: no such message: %s", fset.Position(n.Pos()), name)
						continue
					}
					asked := map[string]bool{}
					needed(m.Root, all, asked)
					for value := range asked {
						if given != nil && !given[value] {
							t.Errorf("%s: %s asks for %q", fset.Position(n.Pos()), name, value)
						}
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if said < 200 {
		t.Errorf("%d messages are said by their names", said)
	}
}

// saying returns the message that a call of Say says by its name, and the names of the values; nil if they are no V.
func saying(n ast.Node) (name string, given map[string]bool, ok bool) {
	call, isCall := n.(*ast.CallExpr)
	if !isCall || len(call.Args) != 2 {
		return "", nil, false
	}
	f, isMethod := call.Fun.(*ast.SelectorExpr)
	lit, isLit := call.Args[0].(*ast.BasicLit)
	if !isMethod || !isLit || f.Sel.Name != "Say" {
		return "", nil, false
	}
	name, _ = strconv.Unquote(lit.Value)
	switch data := call.Args[1].(type) {
	case *ast.Ident:
		if data.Name == "nil" {
			given = map[string]bool{}
		}
	case *ast.CompositeLit:
		given = map[string]bool{}
		for _, e := range data.Elts {
			pair, _ := e.(*ast.KeyValueExpr)
			key, isText := pair.Key.(*ast.BasicLit)
			if !isText {
				return name, nil, true
			}
			value, _ := strconv.Unquote(key.Value)
			given[value] = true
		}
	}
	return name, given, true
}
