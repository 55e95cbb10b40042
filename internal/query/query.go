// Package query is the language in which cases of a run are chosen, as in
//
//	support<0.5 stage:generate -status:error "refund policy"
//
// Terms that stand side by side must all hold. OR between terms, or a comma between the
// values of one, asks for any of them; OR binds weaker than standing side by side, and
// parentheses group. A minus or NOT before a term or a group reverses it. A word, or a
// phrase in quotes, is searched in the id, the question and the answer, ignoring case. In
// quotes, \" and \\ stand for a quote and a backslash.
//
// A query is parsed once ([Parse]), compiled against what a run has ([Query.Compile]), so
// that a misspelt metric is an error and not an empty list, and then asked of each case
// ([Filter.Match]).
package query

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/scan"
)

// A Query is a parsed query. The zero value selects every case.
type Query struct {
	text string
	root node
}

// Empty reports whether a query has no terms, so that it selects every case.
func (q Query) Empty() bool { return q.root == nil }

// String returns the canonical form of a query: one space between terms, quotes only
// where they are needed. It parses to the same query.
func (q Query) String() string {
	if q.root == nil {
		return ""
	}
	return q.root.String()
}

// A node is a part of a query: and, or, not, word or term.
type node interface {
	String() string
	compile(c *compiler) (test, error)
}

type (
	// joined are at least two parts, of which any or all must hold. None of them is joined the
	// same way.
	joined struct {
		any   bool
		parts []node
	}
	not struct{ part node }
	// A word is searched in the texts of a case.
	word struct{ text literal }
	// A term compares a field, or a metric, with values.
	term struct {
		name literal
		op   string
		// A term has at least one value.
		values []literal
	}
	// A literal is a piece of a query with its place, in bytes of the query's text.
	literal struct {
		text   string
		quoted bool
		from   int
		end    int
	}
)

// join joins parts; nil without any.
func join(any bool, parts ...node) node {
	var flat []node
	for _, part := range parts {
		if j, ok := part.(joined); ok && j.any == any {
			flat = append(flat, j.parts...)
		} else if part != nil {
			flat = append(flat, part)
		}
	}
	switch len(flat) {
	case 0:
		return nil
	case 1:
		return flat[0]
	}
	return joined{any, flat}
}

func (n joined) String() string {
	parts := make([]string, len(n.parts))
	for i, part := range n.parts {
		parts[i] = part.String()
		if _, ok := part.(joined); ok && !n.any {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	if n.any {
		return strings.Join(parts, " OR ")
	}
	return strings.Join(parts, " ")
}

func (n not) String() string {
	if _, ok := n.part.(joined); ok {
		return "-(" + n.part.String() + ")"
	}
	return "-" + n.part.String()
}

func (n word) String() string {
	t := n.text.text
	if slices.Contains(keywords, strings.ToUpper(t)) || !bareWord(t) {
		return quote(t)
	}
	return t
}

func (n term) String() string {
	var b strings.Builder
	name := n.name.text
	if !bareWord(name) {
		name = quote(name)
	}
	b.WriteString(name)
	b.WriteString(n.op)
	for i, v := range n.values {
		if i > 0 {
			b.WriteByte(',')
		}
		// A value in quotes is never the word none.
		if v.quoted && v.text == none || !bareValue(v.text) {
			b.WriteString(quote(v.text))
		} else {
			b.WriteString(v.text)
		}
	}
	return b.String()
}

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func quote(text string) string { return `"` + escapes.Replace(text) + `"` }

// bareWord reports whether a text is one word without quotes.
func bareWord(text string) bool { return !strings.HasPrefix(text, "-") && bare(text, false) }

// bareValue reports whether a text is one value without quotes.
func bareValue(text string) bool {
	p := parser{scan.Scanner{Text: text}}
	return p.operator() == "" && bare(text, true)
}

func bare(text string, value bool) bool {
	p := parser{scan.Scanner{Text: text}}
	_, err := p.run(value)
	return err == nil && p.Rest() == ""
}

// Term returns the query of one term, for a choice that was not typed. Its values need not
// exist.
func Term(name, op, value string) Query {
	return Query{root: term{name: literal{text: name}, op: op, values: []literal{{text: value, quoted: true}}}}
}

// With returns a query that selects what both queries select. Errors point into q.
func (q Query) With(other Query) Query { return Query{q.text, join(false, q.root, other.root)} }

// Names returns the names of fields and metrics that the terms of a query begin with.
func (q Query) Names() []string { return namesIn(q.root) }

func namesIn(n node) (out []string) {
	switch n := n.(type) {
	case joined:
		for _, part := range n.parts {
			out = append(out, namesIn(part)...)
		}
	case not:
		return namesIn(n.part)
	case term:
		return []string{n.name.text}
	}
	return out
}

// terms are the parts of a query that must all hold.
func (q Query) terms() []node {
	switch n, ok := q.root.(joined); {
	case q.root == nil:
		return nil
	case ok && !n.any:
		return n.parts
	}
	return []node{q.root}
}

// Terms returns the parts of a query that must all hold; With joins them again.
func (q Query) Terms() (out []Query) {
	for _, part := range q.terms() {
		out = append(out, Query{q.text, part})
	}
	return out
}

// Without returns a query without one of its terms.
func (q Query) Without(term int) Query {
	parts := q.terms()
	return Query{q.text, join(false, slices.Concat(parts[:term], parts[term+1:])...)}
}
