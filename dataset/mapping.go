package dataset

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay/target/reply"
)

// dialects are records of other tools whose fields have other names: those that such a
// record has, and what they are mapped to.
var dialects = []struct {
	has     []string
	columns map[string]string
}{
	// RAGChecker: github.com/amazon-science/RAGChecker, "Input Format".
	{[]string{"query", "gt_answer"}, map[string]string{
		"id": "query_id", "question": "query", "ground_truth": "gt_answer", "contexts": "retrieved_context",
	}},
	// RGB: github.com/chen700564/RGB, data/en_refine.json. Every answer must occur.
	{[]string{"query", "answer", "positive", "negative"}, map[string]string{
		"question": "query", "expected_keywords": "answer", "reference_contexts": "positive",
	}},
}

// dialect returns the columns of a file whose records have the names: those that the user
// maps, else those of a dialect.
func (s *excerpt) dialect(names []string) map[string]string {
	chosen := s.opts.Columns
	if len(chosen) > 0 {
		return chosen
	}
	if columns := labelColumns(names); columns != nil && !s.responses && s.opts.Format == "" {
		return columns
	}
	for _, d := range dialects {
		if !slices.ContainsFunc(d.has, func(name string) bool { return !slices.Contains(names, name) }) {
			out := maps.Clone(d.columns)
			maps.DeleteFunc(out, func(_, column string) bool { return !slices.Contains(names, column) })
			return out
		}
	}
	return chosen
}

// labelColumns returns the columns of records with a question, an answer and a file, in which the answer is the
// reference and the file the expected document, as in csv; nil if the records may hold what a system returned.
func labelColumns(names []string) map[string]string {
	files := slices.DeleteFunc([]string{"file", "source", "document", "relevant_doc"}, func(name string) bool { return !slices.Contains(names, name) })
	if len(files) == 0 || !slices.Contains(names, "question") || !slices.Contains(names, "answer") || slices.ContainsFunc(names, func(name string) bool {
		return name != "answer" && meant[name] == "ground_truth" || strings.HasSuffix(name, "contexts") || strings.HasPrefix(name, "ground_truth") ||
			name == "response" || name == "references" || name == "expected_keywords"
	}) {
		return nil
	}
	out := map[string]string{"ground_truth": "answer"}
	if len(files) == 1 {
		out["expected_contexts"] = files[0]
	}
	return out
}

// renamed returns the names of fields after those that are mapped have the name of their
// field. Another field of that name makes room.
func renamed(names []string, columns map[string]string) []string {
	out := slices.Clone(names)
	for i, name := range names {
		if column := columns[name]; column != "" && column != name && slices.Contains(names, column) {
			out[i] = name + " (column)"
		}
		for field, column := range columns {
			if column == name {
				out[i] = field
			}
		}
	}
	return out
}

// paths returns the mapped columns that are paths into one of the names.
func paths(names []string, columns map[string]string) (out []string) {
	for _, column := range slices.Sorted(maps.Values(columns)) {
		root := strings.TrimPrefix(column, "$.")
		end := strings.IndexAny(root, ".[")
		if end > 0 && !slices.Contains(names, column) && slices.Contains(names, root[:end]) {
			out = append(out, column)
		}
	}
	return out
}

// at returns the value at a path in the node, nil if there is none or the node has a member of that name.
func (n *node) at(path string) *node {
	p, err := reply.ParsePath(path)
	if err != nil || n.get(path) != nil {
		return nil
	}
	v, _ := p.Value(n.value())
	raw, err := json.Marshal(v)
	if err != nil || v == nil {
		return nil
	}
	out, err := newJSONReader(raw, "", n.line).node()
	if err != nil {
		return nil
	}
	return out
}

// rename maps the fields of a JSON record.
func (l *loader) rename(n *node) {
	if len(l.opts.Columns) == 0 || l.excerpt.layout == layoutTable || l.excerpt.layout == layoutRows || n.kind != object {
		return
	}
	for _, column := range slices.Sorted(maps.Values(l.opts.Columns)) {
		if v := n.at(column); v != nil {
			n.fields = append(n.fields, field{column, v})
		}
	}
	names := make([]string, len(n.fields))
	for i, f := range n.fields {
		names[i] = f.name
	}
	for i, name := range renamed(names, l.opts.Columns) {
		if n.fields[i].name != name {
			l.mapped[name] = true
			n.fields[i].name = name
		}
	}
	if k := n.get("expected_contexts"); l.excerpt.spoken && k != nil && k.kind == str {
		list, err := parseCell(k.text, cellNames, k.line)
		if *k = (node{line: k.line}); err == nil && len(list.items) > 0 {
			*k = *list
		}
	}
	if k := n.get("expected_keywords"); k != nil && l.opts.Columns["expected_keywords"] == "answer" && k.kind == str {
		*k = node{kind: list, line: k.line, items: []*node{{kind: str, text: k.text, line: k.line}}}
	}
	// Of RGB, the only answer that must occur is the reference, too.
	if k := n.get("expected_keywords"); k != nil && l.opts.Columns["expected_keywords"] == "answer" && len(k.items) == 1 {
		n.fields = append(n.fields, field{"ground_truth", k.items[0]})
	}
}

// checkMapping reports mapped fields that no record has, or that the format lacks.
func (l *loader) checkMapping() {
	alone := l.format.Name == "ragas" && slices.Contains(l.excerpt.names, "answer") && l.format.Labels != nil
	if alone && !slices.ContainsFunc(l.excerpt.names, func(name string) bool {
		return strings.HasSuffix(name, "contexts") || strings.HasPrefix(name, "reference") || strings.HasPrefix(name, "ground_truth") || name == "response"
	}) {
		l.remark(Warning{File: l.src.name, Line: 1, Field: "answer", Text: "read as what the system answered; --map ground_truth=answer reads it as the reference"})
	}
	if l.excerpt.spoken {
		for f, column := range labelColumns(l.excerpt.names) {
			if l.opts.Columns[f] == column {
				l.remarkUsual(column, f)
			}
		}
		return
	}
	for _, field := range sortedKeys(l.opts.Columns) {
		column := l.opts.Columns[field]
		e := &Error{File: l.src.name, Index: -1, Field: "map " + field + "=" + column}
		switch {
		case l.excerpt.layout == layoutTable || l.excerpt.layout == layoutRows || len(l.asked) == 0:
		case !l.mapped[field] && column != field:
			e.Problem, e.Want = "no record has this field"+suggest(column, l.excerpt.names), "one of "+quoted(l.excerpt.names)
			_ = l.add(e)
		case !l.asked[field]:
			known := sortedKeys(l.asked)
			e.Problem, e.Want = "unknown field"+suggest(field, known), "one of "+strings.Join(known, ", ")
			_ = l.add(e)
		}
	}
}

// theirs returns a path of fields with the name that the file has for the first.
func (l *loader) theirs(path string) string {
	end := strings.IndexAny(path, ".[")
	if end < 0 {
		end = len(path)
	}
	if column := l.opts.Columns[path[:end]]; column != "" && !strings.Contains(path[:end], " ") {
		return column + path[end:]
	}
	return path
}
