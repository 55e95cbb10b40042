package dataset

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// A placed is a test with the file that it is in.
type placed struct {
	file string
	n    *node
	// shared are variables that the test gets from its scenario.
	shared *node
}

// isDataFile reports whether a text names a file of data.
func isDataFile(s string) bool {
	return strings.HasPrefix(s, fileScheme) && slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(s)))
}

// load reads a file of the project.
func (p *promptfooProject) load(n *node, field, name string) ([]byte, bool) {
	path := strings.TrimPrefix(name, fileScheme)
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.folder, filepath.FromSlash(path))
	}
	st, err := os.Stat(path)
	if err == nil && (st.IsDir() || st.Size() > maxYAML) {
		err = fmt.Errorf("want a file of at most %d bytes", maxYAML)
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(path)
	}
	if err != nil {
		var at *fs.PathError
		if errors.As(err, &at) {
			err = at.Err
		}
		p.failed(n, field, fmt.Sprintf("%q: %v", clip(name), err), "a file that exists, relative to the configuration")
		return nil, false
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), true
}

// fileOf returns the value itself or, if it names a file of data, its content; nil if it
// cannot be read.
func (p *promptfooProject) fileOf(n *node, field string) *node {
	if n == nil || n.kind != str || !isDataFile(n.text) {
		return n
	}
	data, ok := p.load(n, field, n.text)
	if !ok {
		return nil
	}
	out, err := parseTree(data, strings.TrimPrefix(n.text, fileScheme))
	if err != nil {
		_ = p.l.keep(err)
		return nil
	}
	return out
}

// textOf returns the value of a variable; for a file of text its content.
func (p *promptfooProject) textOf(n *node, field string) *node {
	if n == nil || n.kind != str || !strings.HasPrefix(n.text, fileScheme) {
		return n
	}
	switch strings.ToLower(filepath.Ext(n.text)) {
	case ".txt", ".md", ".json", ".yaml", ".yml", ".csv", ".html", ".xml":
	default:
		p.failed(n, field, fmt.Sprintf("%q is no text", clip(n.text)), "a file of text, or the value itself")
		return n
	}
	if isDataFile(n.text) {
		// A variable that is data is used as JSON.
		data := p.fileOf(n, field)
		if data == nil {
			return n
		}
		var b bytes.Buffer
		if err := encode(&b, data.value(), ""); err != nil {
			p.failed(n, field, err.Error(), "data that JSON can hold")
		}
		return &node{kind: str, line: n.line, text: strings.TrimSpace(b.String())}
	}
	data, ok := p.load(n, field, n.text)
	if !ok {
		return n
	}
	return &node{kind: str, line: n.line, text: strings.TrimSpace(string(data))}
}

// variables returns the variables of a test; nil without.
func (p *promptfooProject) variables(test *node, field string) *node {
	vars := p.fileOf(present(test, "vars"), field)
	if vars == nil {
		return nil
	}
	if vars.kind != object {
		p.failed(vars, field, vars.what(), "an object with variables, or the name of a file with one")
		return nil
	}
	out := &node{kind: object, line: vars.line}
	for _, f := range vars.fields {
		if !f.value.absent() {
			out.fields = append(out.fields, f)
		}
	}
	return out
}

// referred returns a value with every {$ref: "#/assertionTemplates/NAME"} replaced, and the
// values of assertions that are files of text read.
func (p *promptfooProject) referred(n *node) *node {
	out := *n
	switch n.kind {
	case list:
		out.items = nil
		for _, item := range n.items {
			out.items = append(out.items, p.referred(item))
		}
	case object:
		if ref := present(n, "$ref"); ref != nil && ref.kind == str {
			name, ok := strings.CutPrefix(ref.text, "#/assertionTemplates/")
			all := present(p.root, "assertionTemplates")
			if !ok || all == nil || present(all, name) == nil {
				p.failed(ref, "$ref", fmt.Sprintf("%q names nothing", clip(ref.text)), "#/assertionTemplates/ and a name that is there")
				return &out
			}
			return merged(present(all, name), without(n, "$ref"))
		}
		out.fields = nil
		for _, f := range n.fields {
			value := f.value
			switch {
			case f.name == "assert" || f.name == "items":
				value = p.referred(value)
			case f.name == "value" && present(n, "type") != nil && readable(value):
				value = p.assertionFile(value)
			}
			out.fields = append(out.fields, field{f.name, value})
		}
	}
	return &out
}

func without(n *node, name string) *node {
	out := *n
	out.fields = slices.DeleteFunc(slices.Clone(n.fields), func(f field) bool { return f.name == name })
	return &out
}

// readable reports whether the value of an assertion is a file of data or text.
func readable(n *node) bool {
	return n != nil && n.kind == str && (isDataFile(n.text) || strings.HasPrefix(n.text, fileScheme) && strings.HasSuffix(n.text, ".txt"))
}

// assertionFile reads the file that an assertion compares with.
func (p *promptfooProject) assertionFile(n *node) *node {
	if isDataFile(n.text) {
		if data := p.fileOf(n, "assert.value"); data != nil {
			return data
		}
		return n
	}
	return p.textOf(n, "assert.value")
}

// tests collects the tests: a list, the name of a file, or a list of both.
func (p *promptfooProject) tests(n *node, field string, out *[]placed) {
	switch {
	case n == nil:
	case n.kind == str:
		p.testFiles(n, field, out)
	case n.kind == list:
		for i, item := range n.items {
			p.tests(item, fmt.Sprintf("%s[%d]", field, i), out)
		}
	case n.kind == object && present(n, "path") != nil && present(n, "vars") == nil:
		p.failed(n, field, "tests that code generates", "the tests, or a file of YAML, JSON, JSON Lines or CSV")
	case n.kind == object:
		*out = append(*out, placed{file: p.l.src.name, n: n})
	default:
		p.failed(n, field, n.what(), "a test, or the name of a file with tests")
	}
}

// testFiles collects the tests of the files that a text names.
func (p *promptfooProject) testFiles(n *node, field string, out *[]placed) {
	const want = "a file of YAML, JSON, JSON Lines or CSV"
	name := strings.TrimPrefix(n.text, fileScheme)
	names := []string{name}
	if strings.ContainsAny(name, "*?[") {
		found, err := filepath.Glob(filepath.Join(p.folder, filepath.FromSlash(name)))
		if err != nil || len(found) == 0 {
			p.failed(n, field, fmt.Sprintf("%q matches no file", clip(name)), want)
			return
		}
		names = nil
		for _, path := range found {
			if rel, err := filepath.Rel(p.folder, path); err == nil {
				names = append(names, filepath.ToSlash(rel))
			}
		}
	}
	for _, name := range names {
		ext := strings.ToLower(filepath.Ext(name))
		if !slices.Contains([]string{".yaml", ".yml", ".json", ".jsonl", ".csv"}, ext) || strings.Contains(name, "://") {
			p.failed(n, field, fmt.Sprintf("%q", clip(n.text)), want)
			continue
		}
		data, ok := p.load(n, field, name)
		if !ok {
			continue
		}
		tests, err := testsIn(data, name, ext)
		if err != nil {
			_ = p.l.keep(err)
			continue
		}
		for _, test := range tests {
			*out = append(*out, placed{file: name, n: test})
		}
	}
}

// testsIn reads the tests of a file.
func testsIn(data []byte, name, ext string) ([]*node, error) {
	switch ext {
	case ".csv":
		return csvTests(data, name)
	case ".jsonl":
		var out []*node
		for i, line := range bytes.Split(data, []byte("\n")) {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			r := newJSONReader(line, name, i+1)
			n, err := r.node()
			if err == nil {
				err = r.end()
			}
			if err != nil {
				return nil, err
			}
			out = append(out, n)
		}
		return out, nil
	}
	root, err := parseTree(data, name)
	if err != nil {
		return nil, err
	}
	switch root.kind {
	case list:
		return root.items, nil
	case object:
		return []*node{root}, nil
	}
	return nil, &Error{File: name, Line: root.line, Index: -1, Problem: root.what(), Want: "a list of tests"}
}

// csvTests reads a table: columns that begin with "__" say what is expected, the others
// are variables.
func csvTests(data []byte, name string) ([]*node, error) {
	in := csv.NewReader(bytes.NewReader(data))
	in.FieldsPerRecord, in.LazyQuotes = -1, true
	rows, err := in.ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, &Error{File: name, Index: -1, Problem: "no table", Want: "CSV with a header"}
	}
	var out []*node
	for i, row := range rows[1:] {
		line := i + 2
		cell := func(s string) *node { return &node{kind: str, text: s, line: line} }
		vars, asserts := &node{kind: object, line: line}, &node{kind: list, line: line}
		test := &node{kind: object, line: line}
		for j, value := range row {
			if j >= len(rows[0]) {
				return nil, &Error{File: name, Line: line, Index: -1, Problem: fmt.Sprintf("%d columns", len(row)),
					Want: fmt.Sprintf("at most %d, as in the header", len(rows[0]))}
			}
			switch column := strings.TrimSpace(rows[0][j]); {
			case strings.HasPrefix(column, "__expected"):
				if a := csvAssertion(value, line); a != nil {
					asserts.items = append(asserts.items, a)
				}
			case column == "__threshold" && json.Valid([]byte(value)):
				set(test, "threshold", &node{kind: number, text: strings.TrimSpace(value), line: line})
			case column == "__description" || column == "__providerOutput":
				set(test, strings.TrimPrefix(column, "__"), cell(value))
			case strings.HasPrefix(column, "__") && strings.TrimSpace(value) != "":
				set(test, column, cell(value))
			case !strings.HasPrefix(column, "__"):
				set(vars, column, cell(value))
			}
		}
		test.fields = append(test.fields, field{"vars", vars})
		if asserts.items != nil {
			test.fields = append(test.fields, field{"assert", asserts})
		}
		out = append(out, test)
	}
	return out, nil
}

// csvExpected is an assertion in a cell: its type, a threshold in parentheses, and its
// value after a colon.
var csvExpected = lazyregexp.New(`(?s)^((?:not-)?[a-z]+(?:-[a-z]+)*)(?:\((\d+(?:\.\d+)?)\))?(?::(.*))?$`)

// csvAssertion reads an assertion in a cell; nil if the cell is empty. A text that is none
// is what the output must equal.
func csvAssertion(s string, line int) *node {
	s = strings.TrimSpace(s)
	if s == "" {
		return nil
	}
	kind, threshold, value := "equals", "", s
	m := csvExpected().FindStringSubmatch(s)
	switch {
	case m == nil:
	case PromptfooCheck(m[1]) != "" || PromptfooMetric(m[1]) != "" || slices.Contains([]string{"is-refusal", "not-is-refusal"}, m[1]):
		kind, threshold, value = m[1], m[2], strings.TrimSpace(m[3])
	case m[1] == "grade":
		kind, value = "llm-rubric", strings.TrimSpace(m[3])
	case slices.Contains([]string{"fn", "eval", "javascript", "python", "file"}, m[1]) && strings.Contains(s, ":"):
		kind = "javascript"
	}
	out := &node{kind: object, line: line, fields: []field{{"type", &node{kind: str, text: kind, line: line}}}}
	if value != "" {
		out.fields = append(out.fields, field{"value", &node{kind: str, text: value, line: line}})
	}
	if threshold != "" {
		out.fields = append(out.fields, field{"threshold", &node{kind: number, text: threshold, line: line}})
	}
	return out
}

// scenarios collects each test of a scenario with each of its sets of variables.
func (p *promptfooProject) scenarios(out *[]placed) {
	all := p.fileOf(present(p.root, "scenarios"), "scenarios")
	if all == nil {
		return
	}
	for i, item := range all.items {
		at := fmt.Sprintf("scenarios[%d]", i)
		one := p.fileOf(item, at)
		if one == nil || one.kind != object {
			p.failed(item, at, item.what(), "an object with config and tests")
			continue
		}
		var tests []placed
		p.tests(present(one, "tests"), at+".tests", &tests)
		config := p.fileOf(present(one, "config"), at+".config")
		if config == nil || config.kind != list {
			p.failed(one, at+".config", "no list", "a list of objects with vars")
			continue
		}
		for _, c := range config.items {
			for _, test := range tests {
				test.shared = p.variables(c, at+".config.vars")
				*out = append(*out, test)
			}
		}
	}
}
