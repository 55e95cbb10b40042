package dataset

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
)

// promptfooReader reads tests and merges the default test into each.
type promptfooReader struct {
	base *node
	// graded are the verdicts of promptfoo on the assertions of a result, about its output.
	graded []*node
}

func loadPromptfoo(l *loader) error {
	for _, f := range sortedKeys(l.opts.Columns) {
		if f != "question" {
			return fmt.Errorf("map %s=%s: unknown field %q: expected question, for the variable that holds it", f, l.opts.Columns[f], f)
		}
	}
	p := &promptfooReader{}
	// The default test may follow the tests.
	var tests []*record
	err := l.records(func(r *record) { tests = append(tests, r) }, func(n *node) { p.around(l, n) })
	if err != nil {
		return err
	}
	for _, r := range tests {
		if err := l.full(l.cases.Len()); err != nil {
			return err
		}
		if p.test(r, nil); len(l.errs) > maxErrors {
			return nil
		}
	}
	return nil
}

// around reads the configuration around the tests.
func (p *promptfooReader) around(l *loader, n *node) {
	for _, f := range n.fields {
		switch f.name {
		case "tests":
		case "defaultTest":
			if f.value.kind != object {
				l.remark(Warning{File: l.src.name, Line: f.value.line, Field: f.name, Text: notCarried})
				continue
			}
			p.base = f.value
			for _, f := range p.base.fields {
				if !slices.Contains([]string{"vars", "assert", "metadata", "description", "threshold"}, f.name) {
					l.remark(Warning{File: l.src.name, Line: f.value.line, Field: "defaultTest." + clip(f.name), Text: notCarried})
				}
			}
		case "description":
			l.metadata = map[string]any{"description": f.value.value()}
		default:
			l.remark(Warning{File: l.src.name, Line: f.value.line, Field: clip(f.name), Text: notCarried})
		}
	}
}

// Names of variables with the same meaning.
var (
	promptfooQuestions  = []string{"question", "query", "input"}
	promptfooContexts   = []string{"context", "contexts"}
	promptfooReferences = []string{"reference", "reference_answer", "expected_answer", "ground_truth"}
)

// test reads a test, which becomes one case per question. The response to it is that
// of a result; nil takes the recorded output of the test, if it has one.
func (p *promptfooReader) test(r *record, resp *assay.Response) {
	t := promptfooTest{record: r, vars: map[string]*node{}, graded: p.graded, output: resp}
	t.merge(p.base)
	t.merge(r.n)
	questions := t.questions()
	c := assay.Case{}
	t.context(&c)
	for _, name := range promptfooReferences {
		for _, text := range t.values("vars."+name, t.take(name)) {
			t.answer(&c, text)
		}
	}
	t.checks(&c, p.base)
	if output := r.text(r.get("providerOutput"), "providerOutput", "text, or no field"); output != "" && resp == nil {
		resp = &assay.Response{Answer: output}
	}
	t.metadata(&c, p.base)
	for _, q := range questions {
		one := c
		one.Question = q
		one.Metadata = maps.Clone(c.Metadata)
		for _, n := range t.notes {
			r.l.warn(r.origin(), n[0], n[1])
		}
		if resp != nil {
			said := *resp
			for _, text := range c.Want.Passages {
				said.Passages = append(said.Passages, assay.Passage{Text: text})
			}
			r.respond(said)
		}
		r.done(one)
	}
}

// A promptfooTest is a test with its variables.
type promptfooTest struct {
	*record
	vars map[string]*node
	// unreadable is set when the variables are not an object.
	unreadable bool
	// order holds the names of the variables that are not used for a label.
	order []string
	// graded are the verdicts of promptfoo on the output; nil without.
	graded []*node
	output *assay.Response
	// notes are the fields and texts of warnings, each once per test.
	notes [][2]string
}

func (t *promptfooTest) note(field, text string) {
	if n := [2]string{field, text}; !slices.Contains(t.notes, n) {
		t.notes = append(t.notes, n)
	}
}

// merge adds the variables of a test, replacing existing ones.
func (t *promptfooTest) merge(n *node) {
	if n == nil {
		return
	}
	t.read["vars"] = true
	vars := n.get("vars")
	switch {
	case vars.absent():
	case vars.kind != object:
		t.fail(vars, "vars", vars.what(), "an object with variables")
		t.unreadable = true
	default:
		for _, f := range vars.fields {
			if f.value.absent() {
				continue
			}
			if t.vars[f.name] == nil {
				t.order = append(t.order, f.name)
			}
			t.vars[f.name] = f.value
		}
	}
}

// take returns a variable, or nil, and marks it as used.
func (t *promptfooTest) take(name string) *node {
	t.order = slices.DeleteFunc(t.order, func(s string) bool { return s == name })
	return t.vars[name]
}

// questions reads one or more questions.
func (t *promptfooTest) questions() []string {
	names := promptfooQuestions
	if column := t.l.opts.Columns["question"]; column != "" {
		names = []string{column}
	}
	for _, name := range names {
		if t.vars[name] == nil {
			continue
		}
		n, field := t.take(name), "vars."+name
		bad := func(reason string) { t.fail(n, field, reason, "a question") }
		if n.kind == list && len(n.items) == 0 {
			bad("empty list")
		}
		questions := t.texts(field, n, bad)
		for _, q := range questions {
			if strings.HasPrefix(q, fileScheme) {
				bad(fmt.Sprintf("%q refers to a file", clip(q)))
			}
		}
		return questions
	}
	if t.unreadable {
		return nil
	}
	t.fail(nil, "vars", "no question among "+cmp.Or(quoted(t.order), "no variables"),
		`a variable "question", "query" or "input", or --map question=NAME`)
	return nil
}

// texts reads one text or a list of texts and expands their variables. Numbers
// and booleans count as text. For other values it calls bad with the reason.
func (t *promptfooTest) texts(field string, n *node, bad func(reason string)) []string {
	if n == nil {
		return nil
	}
	items := []*node{n}
	if n.kind == list {
		items = n.items
	}
	var out []string
	for _, item := range items {
		text := item.text
		switch item.kind {
		case boolean:
			text = item.what()
		case number, str:
		default:
			bad("it is " + item.what())
			continue
		}
		text = t.fill(text)
		switch {
		case strings.Contains(text, "{{") || strings.Contains(text, "{%"):
			bad("it contains a template without a matching variable")
		case strings.TrimSpace(text) == "":
			t.fail(item, field, item.what(), "text")
		default:
			out = append(out, text)
		}
	}
	return out
}

// skipped returns a function that warns that a value of the field is omitted.
func (t *promptfooTest) skipped(field string) func(string) {
	return func(reason string) { t.note(field, notCarried+": "+reason) }
}

// values reads texts that are not file names.
func (t *promptfooTest) values(field string, n *node) []string {
	skip := t.skipped(field)
	return slices.DeleteFunc(t.texts(field, n, skip), func(s string) bool {
		isFile := strings.HasPrefix(s, fileScheme)
		if isFile {
			skip("it refers to a file")
		}
		return isFile
	})
}

var promptfooVariable = lazyregexp.New(`\{\{\s*([\pL_][\pL\pN_]*)\s*\}\}`)

const (
	// maxFilled bounds the length of an expanded text, maxFills the nesting of
	// variables.
	maxFilled = 1 << 20
	maxFills  = 3
)

// fill expands the variables in a text and in their values. A variable that is
// not text, or would make the result too long, is left as it is.
func (t *promptfooTest) fill(text string) string {
	for range maxFills {
		var b strings.Builder
		done := 0
		for _, m := range promptfooVariable().FindAllStringSubmatchIndex(text, -1) {
			n := t.vars[text[m[2]:m[3]]]
			if n == nil || n.kind != str && n.kind != number || b.Len()+len(n.text) > maxFilled {
				continue
			}
			b.WriteString(text[done:m[0]] + n.text)
			done = m[1]
		}
		if done == 0 {
			break
		}
		text = b.String() + text[done:]
	}
	return text
}

// fileScheme is the prefix of a file name in place of a text.
const fileScheme = "file://"

// context reads the expected passages and documents.
func (t *promptfooTest) context(c *assay.Case) {
	for _, name := range promptfooContexts {
		for _, text := range t.texts("vars."+name, t.take(name), t.skipped("vars."+name)) {
			if file, ok := strings.CutPrefix(text, fileScheme); ok {
				if c.Want.Documents == nil {
					c.Want.Documents = map[string]int{}
				}
				c.Want.Documents[file] = 1
				continue
			}
			c.Want.Passages = append(c.Want.Passages, text)
		}
	}
	if short := tooShort(c.Want.Passages); short != "" {
		t.note("vars.context", short)
	}
}

// metadata keeps the description, the metadata and the unused variables, and
// warns of other fields.
func (t *promptfooTest) metadata(c *assay.Case, base *node) {
	meta := map[string]any{}
	for _, name := range t.order {
		meta[name] = t.vars[name].value()
	}
	for _, n := range []*node{base, t.n} {
		if n == nil {
			continue
		}
		if m := n.get("metadata"); m != nil && m.kind == object {
			maps.Copy(meta, m.values())
		}
	}
	if d := t.get("description"); d != nil {
		meta["description"] = d.value()
	}
	if len(meta) > 0 {
		c.Metadata = meta
	}
	t.read["metadata"] = true
	for _, name := range t.unread() {
		t.note(clip(name), notCarried)
	}
}
