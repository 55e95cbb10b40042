package dataset

import (
	"bytes"
	"slices"
)

// frame returns the records of a [frame] that has questions; nil for anything else.
func (l *loader) frame(n *node) []*node {
	rows := frame(n)
	if len(rows) == 0 || !slices.ContainsFunc(rows[0].fields, func(f field) bool {
		return slices.Contains(questionColumns, f.name) || meant[f.name] == "question" || f.name == l.opts.Columns["question"]
	}) {
		return nil
	}
	return rows
}

// frame returns the records of a table that is one JSON object: a data frame of pandas by
// column, by row or split into columns and data, or the results of RAGChecker. It is nil
// for anything else.
func frame(n *node) []*node {
	if n.kind != object || len(n.fields) == 0 {
		return nil
	}
	first := n.fields[0].value
	if of, rows := n.get("columns"), n.get("data"); n.get("index") != nil && of != nil && rows != nil && of.kind == list && rows.kind == list {
		var out []*node
		for _, values := range rows.items {
			row := rowOf(of, values)
			if row == nil {
				return nil
			}
			out = append(out, row)
		}
		return out
	}
	if n.fields[0].name == "results" && first.kind == list && (len(n.fields) == 1 || len(n.fields) == 2 && n.get("metrics") != nil) {
		return first.items
	}
	if numbered(n) && !slices.ContainsFunc(n.fields, func(f field) bool { return f.value.kind != object }) {
		var out []*node
		for _, f := range n.fields {
			out = append(out, f.value)
		}
		return out
	}
	out := make([]*node, max(len(first.fields), len(first.items)))
	for i := range out {
		out[i] = &node{kind: object, line: n.line}
	}
	for _, f := range n.fields {
		values := f.value.items
		for _, of := range f.value.fields {
			values = append(values, of.value)
		}
		if f.value.kind != first.kind || len(values) != len(out) || f.value.kind != list && !numbered(f.value) || len(n.fields) < 2 {
			return nil
		}
		for i, v := range values {
			out[i].fields = append(out[i].fields, field{f.name, v})
		}
	}
	return out
}

// numbered reports whether the names of an object are whole numbers, as of the rows of a
// data frame.
func numbered(n *node) bool {
	return n.kind == object && len(n.fields) > 0 && !slices.ContainsFunc(n.fields, func(f field) bool { return !isWhole(f.name) })
}

// frameKeys returns the names in the first record of a [frame], which is cut off, by the
// names of its object.
func frameKeys(names []string, head []byte) []string {
	switch {
	case len(names) == 0:
	case names[0] == "columns" && slices.Contains(names, "index"):
		if n, err := newJSONReader(head[bytes.IndexByte(head, '['):], "", 1).node(); err == nil {
			names = nil
			for _, c := range n.items {
				names = append(names, c.text)
			}
		}
	case slices.Equal(names, []string{"results"}), slices.Equal(names, []string{"results", "metrics"}), isWhole(names[0]):
		if at := bytes.IndexByte(head[1:], '{'); at >= 0 {
			names, _ = keysOf(head[1+at:])
		}
	}
	return names
}
