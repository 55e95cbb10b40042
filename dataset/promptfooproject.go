package dataset

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// A PromptfooProject is a configuration of promptfoo with the files that it refers to.
type PromptfooProject struct {
	// Dataset has a case for each test and each combination of its variables, with the ids
	// test-1, test-2 and so on. The
	// metadata of a case hold the variables as "vars", and what each prompt becomes with
	// them as "prompts": a text, or a list of messages.
	Dataset *Dataset
	// Prompts and Providers are those of the configuration, in its order.
	Prompts   []PromptfooPrompt
	Providers []PromptfooProvider
	// Asserted are the assertions that become no check but have a metric.
	Asserted []PromptfooAsserted
}

// A PromptfooPrompt is a prompt of a project.
type PromptfooPrompt struct {
	Label string
	// Chat is set if the prompt is a list of messages.
	Chat bool
	Line int
	// parts is the prompt, of which texts hold variables.
	parts *node
}

// A PromptfooProvider is what a project asks.
type PromptfooProvider struct {
	ID, Label string
	Config    map[string]any
	Line      int
}

// Name returns the label, or else the id.
func (p PromptfooProvider) Name() string {
	if p.Label != "" {
		return p.Label
	}
	return p.ID
}

// A PromptfooAsserted is a type of assertion with the metric that measures the same.
type PromptfooAsserted struct {
	Type, Metric string
	// Threshold is the largest one of the assertions; nil if none gives one.
	Threshold *float64
	// Line is that of the first, Count the number of assertions.
	Line, Count int
}

// promptfooProject reads a project.
type promptfooProject struct {
	l      *loader
	folder string
	root   *node
	out    *PromptfooProject
	// base is the default test without its variables, which tests get before they are
	// combined.
	base     *node
	baseVars *node
}

// LoadPromptfoo reads a project of promptfoo: the file promptfooconfig.yaml, or one of its
// form. Of the options it takes Name, Columns and Limits.
func LoadPromptfoo(ctx context.Context, path string, o Options) (*PromptfooProject, error) {
	name := o.Name
	if name == "" {
		name = path
	}
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".yaml", ".yml", ".json":
	default:
		return nil, Errors{{File: name, Index: -1, Problem: fmt.Sprintf("a configuration with the extension %q", ext),
			Want: "promptfooconfig.yaml or .json; for one in code, what promptfoo prints of it"}}
	}
	src, err := open(path, name, o)
	if err != nil {
		return nil, listOf(err)
	}
	defer src.close()
	l := newLoader(ctx, src, newExcerpt(src, o), &promptfoo)
	p := &promptfooProject{l: l, folder: filepath.Dir(path), out: &PromptfooProject{}}
	if err := p.read(); err != nil {
		return nil, l.failed(err)
	}
	if p.out.Dataset, err = l.finish(); err != nil {
		return nil, err
	}
	return p.out, nil
}

// failed reports a problem of a value of the project.
func (p *promptfooProject) failed(n *node, field, problem, want string) {
	_ = p.l.add(&Error{File: p.l.src.name, Line: n.line, Index: -1, Field: field, Problem: problem, Want: want})
}

func (p *promptfooProject) read() error {
	data, err := p.l.whole(maxYAML)
	if err != nil {
		return err
	}
	if p.root, err = parseTree(data, p.l.src.name); err != nil {
		return err
	}
	if p.root.kind != object {
		return &Error{File: p.l.src.name, Line: p.root.line, Index: -1, Problem: p.root.what(),
			Want: "an object with prompts, providers and tests"}
	}
	p.base = &node{kind: object}
	if base := p.fileOf(present(p.root, "defaultTest"), "defaultTest"); base != nil && base.kind == object {
		p.base.line, p.baseVars = base.line, p.variables(base, "defaultTest.vars")
		for _, f := range base.fields {
			if f.name != "vars" {
				p.base.fields = append(p.base.fields, f)
			}
		}
		p.base = p.referred(p.base)
	}
	p.around()
	p.prompts()
	p.providers(present2(p.root, "providers", "targets"), "providers")
	var tests []placed
	p.tests(present(p.root, "tests"), "tests", &tests)
	p.scenarios(&tests)
	reader := &promptfooReader{base: p.base, project: p.out}
	for _, test := range tests {
		p.one(reader, test)
		if len(p.l.errs) > maxErrors {
			return nil
		}
	}
	return nil
}

// present2 returns the member of the first name that is there.
func present2(n *node, names ...string) *node {
	for _, name := range names {
		if v := present(n, name); v != nil {
			return v
		}
	}
	return nil
}

// parseTree reads JSON or YAML.
func parseTree(data []byte, name string) (*node, error) {
	if json.Valid(data) {
		r := newJSONReader(data, name, 1)
		return r.node()
	}
	return parseYAML(data, name)
}

// around warns of what is beside prompts, providers and tests.
func (p *promptfooProject) around() {
	for _, f := range p.root.fields {
		switch f.name {
		case "prompts", "providers", "targets", "tests", "scenarios", "assertionTemplates", "defaultTest", "$schema":
		case "description":
			p.l.metadata = map[string]any{"description": f.value.value()}
		default:
			p.l.remark(Warning{File: p.l.src.name, Line: f.value.line, Field: clip(f.name), Text: notCarried})
		}
	}
	for _, f := range p.base.fields {
		if !slices.Contains([]string{"assert", "metadata", "description", "threshold"}, f.name) {
			p.l.remark(Warning{File: p.l.src.name, Line: f.value.line, Field: "defaultTest." + clip(f.name), Text: notCarried})
		}
	}
}

// providers reads what is asked: an id, an object with one, or a list of these.
func (p *promptfooProject) providers(n *node, field string) {
	if n == nil {
		return
	}
	switch n.kind {
	case str:
		if isDataFile(n.text) {
			p.providers(p.fileOf(n, field), field)
			return
		}
		p.out.Providers = append(p.out.Providers, PromptfooProvider{ID: n.text, Line: n.line})
	case list:
		for i, item := range n.items {
			p.providers(item, fmt.Sprintf("%s[%d]", field, i))
		}
	case object:
		one := PromptfooProvider{Line: n.line}
		from := n
		if id := present(n, "id"); id != nil {
			one.ID = id.text
		} else if len(n.fields) == 1 && n.fields[0].value.kind == object {
			one.ID, from = n.fields[0].name, n.fields[0].value
		}
		if one.ID == "" {
			p.failed(n, field, "no id", `an object with an "id", such as "https" or "exec:python3 rag.py"`)
			return
		}
		if label := present(from, "label"); label != nil {
			one.Label = label.text
		}
		if config := present(from, "config"); config != nil && config.kind == object {
			one.Config = config.values()
		}
		for _, f := range from.fields {
			if !slices.Contains([]string{"id", "label", "config"}, f.name) {
				p.l.remark(Warning{File: p.l.src.name, Line: f.value.line, Field: field + "." + clip(f.name), Text: notCarried})
			}
		}
		p.out.Providers = append(p.out.Providers, one)
	default:
		p.failed(n, field, n.what(), "the id of a provider, or an object with one")
	}
}

// one adds a case for each combination of the variables of a test.
func (p *promptfooProject) one(reader *promptfooReader, test placed) {
	was := p.l.src.name
	p.l.src.name = test.file
	defer func() { p.l.src.name = was }()
	n := test.n
	vars := &node{kind: object, line: n.line}
	for _, from := range []*node{p.baseVars, test.shared, p.variables(n, "vars")} {
		vars = merged(vars, from)
	}
	for _, f := range vars.fields {
		f.value = p.textOf(f.value, "vars."+f.name)
		set(vars, f.name, f.value)
	}
	combinations := []*node{vars}
	if !disablesExpansion(n) && !disablesExpansion(p.root.get("defaultTest")) {
		combinations = combined(vars)
	}
	for _, each := range combinations {
		one := &node{kind: object, line: n.line}
		for _, f := range n.fields {
			if f.name != "vars" {
				one.fields = append(one.fields, f)
			}
		}
		one.fields = append(one.fields, field{"vars", each})
		if err := p.l.full(p.l.cases.Len()); err != nil {
			_ = p.l.keep(err)
			return
		}
		reader.test(newRecord(p.l, p.referred(one), p.l.cases.Len()), nil)
	}
}

func disablesExpansion(test *node) bool {
	if test == nil {
		return false
	}
	options := test.get("options")
	return options != nil && options.get("disableVarExpansion") != nil && options.get("disableVarExpansion").yes
}

// merged returns an object with the members of both; those of the second win.
func merged(a, b *node) *node {
	if b == nil {
		return a
	}
	out := &node{kind: object, line: b.line, fields: slices.Clone(a.fields)}
	for _, f := range b.fields {
		set(out, f.name, f.value)
	}
	return out
}

func set(n *node, name string, value *node) {
	for i := range n.fields {
		if n.fields[i].name == name {
			n.fields[i].value = value
			return
		}
	}
	n.fields = append(n.fields, field{name, value})
}

// maxCombined bounds the combinations of the variables of a test.
const maxCombined = 10_000

// combined returns an object for each combination of the entries of the lists in it.
func combined(vars *node) []*node {
	out := []*node{vars}
	for _, f := range vars.fields {
		if f.value == nil || f.value.kind != list || len(f.value.items) == 0 || len(out)*len(f.value.items) > maxCombined {
			continue
		}
		var more []*node
		for _, each := range out {
			for _, item := range f.value.items {
				one := merged(each, nil)
				one = &node{kind: object, line: each.line, fields: slices.Clone(one.fields)}
				set(one, f.name, item)
				more = append(more, one)
			}
		}
		out = more
	}
	return out
}
