package dataset

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target/reply"
)

// Names under which tools keep the question and the answer in the inputs and outputs
// of a function, the most telling first.
var (
	saidQuestions = []string{"question", "query", "input", "user_input", "prompt", "text"}
	saidAnswers   = []string{
		"answer", "reference_answer", "expected_answer", "expected_response", "expected_output", "ground_truth", "reference", "output",
		"response", "generation", "text",
	}
)

// Roles of messages that ask and that answer.
var (
	asking    = []string{"user", "human"}
	answering = []string{"assistant", "ai", "model"}
)

// saying says which text of a value is wanted.
type saying struct {
	names, roles []string
	want         string
}

// said finds a text in a value as a tool recorded it: a text; an object with one of the
// names, or with messages, or with one text only; or a list of messages, of which the
// last of the roles counts. rest are the other members of the object. The error, which
// is told with its position, is that there is none.
func (r *record) said(n *node, at string, s saying) (text string, rest []field) {
	found, rest := r.find(n, at, s, 0)
	if found == nil {
		r.fail(n, at, "no "+s.want+" in "+n.members(), fmt.Sprintf("a text, or an object with %s", quoted(s.names)))
		return "", rest
	}
	return found.text, rest
}

// maxWrapped bounds how deep in objects a text is looked for.
const maxWrapped = 4

// find returns the text, or nil.
func (r *record) find(n *node, at string, s saying, depth int) (*node, []field) {
	switch {
	case n == nil || depth > maxWrapped:
		return nil, nil
	case n.kind == str || n.kind == number || n.kind == boolean:
		if n.kind != str {
			n = &node{kind: str, text: n.literal(), line: n.line}
		}
		if strings.TrimSpace(n.text) == "" {
			return nil, nil
		}
		if inner := n.parsed(s); inner != nil {
			if found, rest := r.find(inner, at, s, depth+1); found != nil {
				return found, rest
			}
		}
		return n, nil
	case n.kind == list:
		return r.message(n, at, s, depth)
	case n.kind != object:
		return nil, nil
	}
	name := n.holder(s)
	if name == "content" {
		return r.message(&node{kind: list, line: n.line, items: []*node{n}}, at, s, depth)
	}
	if name == "" {
		return nil, n.fields
	}
	found, inner := r.find(n.get(name), at+"."+name, s, depth+1)
	rest := slices.DeleteFunc(slices.Clone(n.fields), func(f field) bool { return f.name == name })
	return found, append(rest, inner...)
}

// holder returns the name of the member that holds the text, "content" if the object is a
// message; "" if there is none, or if there are several and no name tells.
func (n *node) holder(s saying) string {
	for _, name := range append(slices.Clone(s.names), "messages", "kwargs", "args", "generations") {
		if !n.get(name).isEmpty() {
			return name
		}
	}
	if n.get("content") != nil && (n.get("role") != nil || n.get("type") != nil) {
		return "content"
	}
	only := ""
	for _, f := range n.fields {
		if f.value.kind != str || strings.TrimSpace(f.value.text) == "" {
			continue
		}
		if only != "" {
			return ""
		}
		only = f.name
	}
	return only
}

// message returns the text of the last message of a role, or what a list of one holds.
func (r *record) message(list *node, at string, s saying, depth int) (*node, []field) {
	values, _ := list.value().([]any)
	found, turns := "", 0
	for _, m := range reply.Messages(values) {
		if slices.Contains(s.roles, m.Role) && strings.TrimSpace(m.Text) != "" {
			found = m.Text
			turns++
		}
	}
	if turns == 0 && len(list.items) == 1 {
		return r.find(list.items[0], at+"[0]", s, depth+1)
	}
	if turns > 1 {
		r.l.warn(r.origin(), at, "messages before the last of its role are "+notCarried)
	}
	if turns == 0 {
		return nil, nil
	}
	return &node{kind: str, text: found, line: list.line}, nil
}

// parsed returns the JSON of a text that is an object with one of the names, or messages.
func (n *node) parsed(s saying) *node {
	if in := strings.TrimSpace(n.text); in != "" && (in[0] == '{' || in[0] == '[') && json.Valid([]byte(in)) {
		v, err := newJSONReader([]byte(in), "", n.line).node()
		if err == nil && (v.kind == list && len(v.items) > 0 && v.items[0].get("role") != nil ||
			slices.ContainsFunc(append([]string{"messages"}, s.names...), func(name string) bool { return !v.get(name).isEmpty() })) {
			return v
		}
	}
	return nil
}

// literal returns a number or a truth as text.
func (n *node) literal() string {
	if n.kind == boolean {
		return n.what()
	}
	return n.text
}

// members describes a value by the names of its members.
func (n *node) members() string {
	if n == nil {
		return "nothing"
	}
	if n.kind != object || len(n.fields) == 0 {
		return n.what()
	}
	var names []string
	for _, f := range n.fields {
		names = append(names, f.name)
	}
	return quoted(names)
}

// keep adds the members of an object to the metadata of a case, those whose names are
// taken under the name of the object.
func keep(c *assay.Case, of string, fields []field) {
	for _, f := range fields {
		if f.value.isEmpty() {
			continue
		}
		name := f.name
		if _, taken := c.Metadata[name]; taken {
			name = of + "." + name
		}
		note(c, name, f.value.value())
	}
}

// questionIn reads the question in the inputs of a function.
func (r *record) questionIn(c *assay.Case, n *node, at string) {
	s := saying{names: saidQuestions, roles: asking, want: "question"}
	if chosen := r.l.opts.Columns["question"]; chosen != "" {
		r.l.mapped["question"], r.l.asked["question"] = true, true
		s.names = []string{chosen}
	}
	if n == nil {
		r.fail(nil, at, "missing", "the question")
		return
	}
	var rest []field
	c.Question, rest = r.said(n, at, s)
	keep(c, at, rest)
}

// answerIn reads the answer in the outputs of a function; "" if there are none.
func (r *record) answerIn(c *assay.Case, n *node, at string) string {
	if n == nil || n.isEmpty() {
		return ""
	}
	answer, rest := r.said(n, at, saying{names: saidAnswers, roles: answering, want: "answer"})
	keep(c, at, rest)
	return answer
}

// gathered returns a field, or an object of the columns whose names begin with that of
// the field and a dot; nil if there is neither.
func (r *record) gathered(name string) *node {
	if n := r.get(name); n != nil {
		return n
	}
	out := &node{kind: object, line: r.n.line}
	for _, f := range r.n.fields {
		if inner, ok := strings.CutPrefix(f.name, name+"."); ok && r.get(f.name) != nil {
			out.fields = append(out.fields, field{inner, f.value})
		}
	}
	if out.fields == nil {
		return nil
	}
	return out
}

// rest returns the fields that were not read.
func (r *record) rest() []field {
	var out []field
	for _, name := range r.unread() {
		out = append(out, field{name, r.n.get(name)})
	}
	return out
}

// first returns the first of several fields that is there and not empty, and its name.
func (r *record) first(names []string) (string, *node) {
	for _, name := range names {
		if n := r.get(name); n != nil && !n.isEmpty() {
			return name, n
		}
	}
	return names[0], nil
}
