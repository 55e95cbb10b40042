package dataset

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// prompts reads the prompts: texts, names of files, or objects with these. Without any,
// promptfoo sends the variable "prompt".
func (p *promptfooProject) prompts() {
	n := present(p.root, "prompts")
	if n == nil {
		p.prompt(&node{kind: str, text: "{{prompt}}", line: p.root.line}, "", "prompts")
		return
	}
	items := []*node{n}
	if n.kind == list {
		items = n.items
	}
	for i, item := range items {
		field := fmt.Sprintf("prompts[%d]", i)
		label := ""
		if item.kind == object {
			if named := present(item, "label"); named != nil {
				label = named.text
			}
			if item = present2(item, "raw", "id"); item == nil {
				p.failed(n, field, "neither raw nor id", "the text of the prompt, or the name of its file")
				continue
			}
		}
		p.prompt(item, label, field)
	}
}

// prompt adds a prompt, or those of a file.
func (p *promptfooProject) prompt(n *node, label, field string) {
	if n.kind != str {
		p.failed(n, field, n.what(), "the text of a prompt, or the name of a file with one")
		return
	}
	text, ext := n.text, ""
	name := strings.TrimPrefix(text, fileScheme)
	_, err := os.Stat(filepath.Join(p.folder, filepath.FromSlash(name)))
	exists := err == nil && !strings.ContainsAny(name, "\n{") && filepath.Ext(name) != ""
	if strings.HasPrefix(text, fileScheme) || exists {
		ext = strings.ToLower(filepath.Ext(name))
		if !slices.Contains([]string{".txt", ".md", ".json", ".yaml", ".yml", ".j2"}, ext) {
			p.l.remark(Warning{File: p.l.src.name, Line: n.line, Field: field,
				Text: notCarried + fmt.Sprintf(": %q is code or a table; write what it makes into a file of text", clip(name))})
			return
		}
		data, ok := p.load(n, field, name)
		if !ok {
			return
		}
		text = strings.TrimSpace(string(data))
		if label == "" {
			label = name
		}
	}
	texts := []string{text}
	if ext == ".txt" {
		texts = strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n---\n")
	}
	for i, one := range texts {
		prompt := PromptfooPrompt{Label: label, Line: n.line, parts: &node{kind: str, text: strings.TrimSpace(one), line: n.line}}
		if len(texts) > 1 && label != "" {
			prompt.Label = fmt.Sprintf("%s:%d", label, i+1)
		}
		if prompt.Label == "" {
			prompt.Label = clip(strings.Join(strings.Fields(one), " "))
		}
		prompt.parts, prompt.Chat = messagesOf(prompt.parts, ext)
		p.out.Prompts = append(p.out.Prompts, prompt)
	}
}

// messagesOf returns the messages of a prompt that is a list of them in JSON, or in YAML if
// the file is of YAML.
func messagesOf(n *node, ext string) (*node, bool) {
	if !json.Valid([]byte(n.text)) && ext != ".yaml" && ext != ".yml" {
		return n, false
	}
	parsed, err := parseTree([]byte(n.text), "")
	noMessage := func(m *node) bool { return m.kind != object || m.get("role") == nil }
	if err != nil || parsed.kind != list || slices.ContainsFunc(parsed.items, noMessage) {
		return n, false
	}
	return parsed, true
}

// render returns a prompt with the variables of a test: a text, or a list of messages. It
// returns false if the prompt uses more of the template language than variables.
func (t *promptfooTest) render(n *node) (any, bool) {
	switch n.kind {
	case str:
		text := t.fill(promptfooVariable().ReplaceAllStringFunc(n.text, func(m string) string {
			name := promptfooVariable().FindStringSubmatch(m)[1]
			switch v := t.vars[name]; {
			case v == nil:
				return "" // as an unknown variable in a template
			case v.kind == boolean:
				return v.what()
			case v.kind == list || v.kind == object:
				raw, err := json.Marshal(v.value())
				if err == nil {
					return string(raw)
				}
			}
			return m
		}))
		return text, !strings.Contains(text, "{%") && !strings.Contains(text, "{#") && !hasPlaceholder(n.text)
	case list:
		out := []any{}
		for _, item := range n.items {
			v, ok := t.render(item)
			if !ok {
				return nil, false
			}
			out = append(out, v)
		}
		return out, true
	case object:
		out := map[string]any{}
		for _, f := range n.fields {
			v, ok := t.render(f.value)
			if !ok {
				return nil, false
			}
			out[f.name] = v
		}
		return out, true
	}
	return n.value(), true
}

// hasPlaceholder reports whether a template has a placeholder that is not a plain variable.
func hasPlaceholder(s string) bool {
	return strings.Contains(promptfooVariable().ReplaceAllString(s, ""), "{{")
}

// rendered returns what each prompt of the project becomes.
func (t *promptfooTest) rendered(p *PromptfooProject) []any {
	out := []any{}
	for i, prompt := range p.Prompts {
		v, ok := t.render(prompt.parts)
		if !ok {
			t.fail(nil, fmt.Sprintf("prompts[%d]", i), fmt.Sprintf("%q uses more of the template language than variables", clip(prompt.Label)),
				"placeholders such as {{question}}")
		}
		out = append(out, v)
	}
	return out
}

// questionOf returns the question in a prompt: the text, or what the last message says.
func questionOf(prompt any) string {
	if messages, ok := prompt.([]any); ok && len(messages) > 0 {
		last, _ := messages[len(messages)-1].(map[string]any)
		prompt = last["content"]
	}
	text, _ := prompt.(string)
	return text
}

// inProject completes a test of a project: a case without a variable for the question asks
// what its first prompt says.
func (t *promptfooTest) inProject(p *PromptfooProject) (prompts []any) {
	prompts = t.rendered(p)
	names := promptfooQuestions
	if column := t.l.opts.Columns["question"]; column != "" {
		names = []string{column}
	}
	if !slices.ContainsFunc(names, func(name string) bool { return t.vars[name] != nil }) && len(prompts) > 0 && t.l.opts.Columns == nil {
		if q := questionOf(prompts[0]); strings.TrimSpace(q) != "" {
			t.asked = q
		}
	}
	return prompts
}

// collect counts the assertions of a test that have a metric and are no check.
func (p *PromptfooProject) collect(n *node) {
	if n.absent() || n.kind != list {
		return
	}
	for _, a := range n.items {
		kind := present(a, "type")
		if kind == nil {
			continue
		}
		if kind.text == "assert-set" {
			p.collect(a.get("assert"))
			continue
		}
		m := PromptfooMetric(kind.text)
		if m == "" || strings.HasPrefix(kind.text, "not-") {
			continue
		}
		i := slices.IndexFunc(p.Asserted, func(x PromptfooAsserted) bool { return x.Type == kind.text })
		if i < 0 {
			i = len(p.Asserted)
			p.Asserted = append(p.Asserted, PromptfooAsserted{Type: kind.text, Metric: m, Line: a.line})
		}
		one := &p.Asserted[i]
		one.Count++
		if limit := present(a, "threshold"); limit != nil {
			if x, ok := limit.float(); ok && (one.Threshold == nil || x > *one.Threshold) {
				one.Threshold = &x
			}
		}
	}
}

// projectMetadata keeps the variables and the prompts of a test apart from its metadata.
func (t *promptfooTest) projectMetadata(c *assay.Case, prompts []any) {
	if c.Metadata == nil {
		c.Metadata = map[string]any{}
	}
	vars := map[string]any{}
	for name, n := range t.vars {
		v := n.value()
		if n.kind == str {
			v = t.fill(n.text)
		}
		vars[name] = v
	}
	c.Metadata["vars"], c.Metadata["prompts"] = vars, prompts
}
