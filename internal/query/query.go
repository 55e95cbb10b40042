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
	// and and or have at least two parts; an and has no and as a part, and an or no or.
	and []node
	or  []node
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

func (n and) String() string {
	parts := make([]string, len(n))
	for i, part := range n {
		parts[i] = part.String()
		if _, ok := part.(or); ok {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, " ")
}

func (n or) String() string {
	parts := make([]string, len(n))
	for i, part := range n {
		parts[i] = part.String()
	}
	return strings.Join(parts, " OR ")
}

func (n not) String() string {
	switch n.part.(type) {
	case and, or:
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
	p := parser{text: text}
	return p.operator() == "" && bare(text, true)
}

func bare(text string, value bool) bool {
	p := parser{text: text}
	_, err := p.run(value)
	return err == nil && p.at == len(text)
}

// Term returns the query of one term, for a choice that was not typed. Its tags need not
// exist.
func Term(name, op, value string) Query {
	return Query{root: term{name: literal{text: name}, op: op, values: []literal{{text: value, quoted: true}}}}
}

// With returns a query that selects what both queries select. Errors point into q.
func (q Query) With(other Query) Query {
	var parts and
	for _, n := range []node{q.root, other.root} {
		switch n := n.(type) {
		case nil:
		case and:
			parts = append(parts, n...)
		default:
			parts = append(parts, n)
		}
	}
	switch len(parts) {
	case 0:
		return Query{text: q.text}
	case 1:
		return Query{q.text, parts[0]}
	}
	return Query{q.text, parts}
}

// Names returns the names of fields and metrics that the terms of a query begin with.
func (q Query) Names() []string { return namesIn(q.root) }

func namesIn(n node) (out []string) {
	switch n := n.(type) {
	case and:
		for _, part := range n {
			out = append(out, namesIn(part)...)
		}
	case or:
		for _, part := range n {
			out = append(out, namesIn(part)...)
		}
	case not:
		return namesIn(n.part)
	case term:
		return []string{n.name.text}
	}
	return out
}

// Terms returns the parts of a query that must all hold; With joins them again.
func (q Query) Terms() []Query {
	switch n := q.root.(type) {
	case nil:
		return nil
	case and:
		out := make([]Query, len(n))
		for i, part := range n {
			out[i] = Query{q.text, part}
		}
		return out
	}
	return []Query{q}
}

// All returns the query that selects what all of some queries select.
func All(parts ...Query) Query {
	var out Query
	for _, part := range parts {
		out = out.With(part)
	}
	return out
}
