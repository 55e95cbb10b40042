package dataset

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// about reads the metadata of a file.
func (l *loader) about(n *node) {
	for _, f := range n.fields {
		if f.name != "metadata" && f.name != "test_cases" {
			l.remark(Warning{
				File: l.src.name, Line: f.value.line, Field: clip(f.name),
				Text: "unknown field, ignored" + suggest(f.name, []string{"metadata", "test_cases"}),
			})
		}
	}
	m := n.get("metadata")
	if m.absent() {
		return
	}
	bad := func(n *node, field, want string) {
		_ = l.add(&Error{File: l.src.name, Line: n.line, Index: -1, Field: field, Problem: n.what(), Want: want})
	}
	if m.kind != object {
		bad(m, "metadata", "an object")
		return
	}
	l.metadata = m.values()
	if name := m.get("name"); !name.absent() && name.kind != str {
		bad(name, "metadata.name", "text")
	}
	created := m.get("created")
	switch {
	case created.absent():
	case created.kind != str:
		bad(created, "metadata.created", "a date such as \"2026-01-15\"")
	default:
		when, err := parseDate(created.text)
		if err != nil {
			bad(created, "metadata.created", "a date such as \"2026-01-15\"")
		}
		l.created = when
	}
}

// parseDate reads a day, or a time in RFC 3339.
func parseDate(s string) (time.Time, error) {
	s = strings.TrimSpace(s)
	for _, layout := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04:05", time.DateTime} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a date", s)
}

// flat returns a list of lists as one list.
func flat(n *node) *node {
	if n == nil || len(n.items) == 0 || slices.ContainsFunc(n.items, func(item *node) bool { return item.kind != list }) {
		return n
	}
	out := &node{kind: list, line: n.line}
	for _, item := range n.items {
		out.items = append(out.items, item.items...)
	}
	return out
}

// keywords reads words with alternatives, none of which may be blank.
func (r *record) keywords(n *node, name string) []string {
	const want = `a word, or several as in "color|colour"`
	if n != nil { // RGB lists the alternatives
		for i, item := range n.items {
			if item.kind == list {
				n.items[i] = &node{kind: str, line: item.line, text: strings.Join(r.texts(item, name, want), "|")}
			}
		}
	}
	words := r.texts(n, name, want)
	for i, w := range words {
		for alt := range strings.SplitSeq(w, "|") {
			if w != "" && strings.TrimSpace(alt) == "" {
				r.fail(n.items[i], fmt.Sprintf("%s[%d]", name, i), fmt.Sprintf("%q has an empty alternative", clip(w)), want)
				break
			}
		}
	}
	return words
}
