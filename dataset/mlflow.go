package dataset

import "fmt"

// loadMLflow reads rows, or a table that is written as the names of its columns and its rows.
func loadMLflow(l *loader) error {
	if l.excerpt.layout == layoutTable || l.excerpt.layout == layoutRows || !l.excerpt.has("columns") {
		return l.byMapping()
	}
	root, err := l.document()
	if err != nil {
		return err
	}
	rows, err := l.unsplit(root)
	if err != nil {
		return err
	}
	return l.items(rows, l.format.read)
}

// unsplit makes objects of a table that is written as the names of its columns and its
// rows.
func (l *loader) unsplit(root *node) (*node, error) {
	bad := func(n *node, field, problem, want string) error {
		line := root.line
		if n != nil {
			line = n.line
		}
		return &Error{File: l.src.name, Line: line, Index: -1, Field: field, Problem: problem, Want: want}
	}
	columns, data := root.get("columns"), root.get("data")
	if columns.absent() || columns.kind != list {
		return nil, bad(columns, "columns", "no list", "a list of names")
	}
	if data.absent() || data.kind != list {
		return nil, bad(data, "data", "no list", "a list of rows")
	}
	seen := map[string]bool{}
	for i, c := range columns.items {
		if c.kind != str || seen[c.text] {
			return nil, bad(c, fmt.Sprintf("columns[%d]", i), c.what(), "names, each once")
		}
		seen[c.text] = true
	}
	out := &node{kind: list, line: data.line}
	for i, row := range data.items {
		one := rowOf(columns, row)
		if one == nil {
			return nil, bad(row, fmt.Sprintf("data[%d]", i), fmt.Sprintf("%d values", len(row.items)),
				fmt.Sprintf("a list of %d, as there are columns", len(columns.items)))
		}
		out.items = append(out.items, one)
	}
	return out, nil
}

// rowOf makes an object of the names of columns and a list of their values; nil if it is none.
func rowOf(columns, values *node) *node {
	if values.kind != list || len(values.items) != len(columns.items) {
		return nil
	}
	out := &node{kind: object, line: values.line}
	for i, c := range columns.items {
		out.fields = append(out.fields, field{c.text, values.items[i]})
	}
	return out
}
