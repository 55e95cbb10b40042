package message

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"text/template"
	"text/template/parse"
)

// fields adds the values that a template names.
func fields(n parse.Node, all map[string]*template.Template, out map[string]bool) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n != nil {
			for _, one := range n.Nodes {
				fields(one, all, out)
			}
		}
	case *parse.ActionNode:
		fields(n.Pipe, all, out)
	case *parse.IfNode:
		branch(&n.BranchNode, all, out)
	case *parse.RangeNode:
		fields(n.Pipe, all, out)
		branch(&n.BranchNode, all, out)
	case *parse.WithNode:
		branch(&n.BranchNode, all, out)
	case *parse.TemplateNode:
		fields(n.Pipe, all, out)
	case *parse.PipeNode:
		if n != nil {
			for _, c := range n.Cmds {
				fields(c, all, out)
			}
		}
	case *parse.CommandNode:
		if len(n.Args) == 3 && n.Args[0].String() == "say" && n.Args[2].Type() == parse.NodeDot {
			fields(all[n.Args[1].(*parse.StringNode).Text].Root, all, out)
		}
		for _, a := range n.Args {
			fields(a, all, out)
		}
	case *parse.FieldNode:
		out[n.Ident[0]] = true
	case *parse.ChainNode:
		fields(n.Node, all, out)
	}
}

// branch leaves out the condition: one language may ask for what the other does not need.
func branch(n *parse.BranchNode, all map[string]*template.Template, out map[string]bool) {
	fields(n.List, all, out)
	fields(n.ElseList, all, out)
}

func messages(t *testing.T, l *Language) map[string]*template.Template {
	t.Helper()
	out := map[string]*template.Template{}
	for name := range l.texts() {
		one, err := l.template(name)
		if err != nil {
			t.Fatalf("%s: %v", l.Code, err)
		}
		out[name] = one
	}
	return out
}

// TestLanguagesHaveTheSameMessages: each language has every message of the other, and shows values that the other shows.
func TestLanguagesHaveTheSameMessages(t *testing.T) {
	t.Parallel()
	english, chinese := messages(t, English), messages(t, TraditionalChinese)
	for name := range english {
		if chinese[name] == nil {
			t.Errorf("zh-Hant lacks %s", name)
		}
	}
	for name, zh := range chinese {
		en := english[name]
		if en == nil {
			if !strings.HasPrefix(name, "Limit.") { // English is that of package stats
				t.Errorf("en lacks %s", name)
			}
			continue
		}
		a, b := map[string]bool{}, map[string]bool{}
		fields(en.Root, english, a)
		fields(zh.Root, chinese, b)
		if name != "some" && name != "LostAt.other" && !maps.Equal(a, b) { // where the languages need other values
			t.Errorf("%s: English names %q, Chinese %q", name, slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b)))
		}
	}
}

// TestMistakes: a message that is missing, and a value that is missing, are told in the text.
func TestMistakes(t *testing.T) {
	t.Parallel()
	if got := English.Say("NoSuchMessage", nil); got != "en: NoSuchMessage: no such message" {
		t.Error(got)
	}
	if got := English.Say("Text", V{}); !strings.Contains(got, `no entry for key "text"`) {
		t.Error(got)
	}
	if got := New("Filter.At", "column", 3, "message", Text("x")).In(English); got != "column 3: x" {
		t.Error(got)
	}
	if got := (*Message)(nil).In(English); got != "" {
		t.Errorf("nothing is said as %q", got)
	}
}
