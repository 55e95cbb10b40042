package dataset

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
)

// loadTable reads csv and tsv.
func loadTable(l *loader) error {
	if l.format.Name == "tsv" {
		l.excerpt.comma = '\t'
		return l.rows(l.format.Cells, l.format.read)
	}
	return l.table(l.format.Cells, l.format.read)
}

func tableHint(s *excerpt) error {
	if s.layout != layoutTable {
		return nil
	}
	// A wrong choice of columns may cause this error.
	_, err := mapColumns(s.name, s.opts.Columns, s.header, formatOf("csv").Cells)
	return err
}

// tableClaim claims a table with a column of questions for csv or tsv.
func tableClaim(s *excerpt, name string) claim {
	mapped := s.opts.Columns["question"]
	if s.layout != layoutTable || (s.comma == '\t') != (name == "tsv") {
		return noClaim
	}
	if !slices.Contains(s.header, "question") && (mapped == "" || !slices.Contains(s.header, columnName(mapped))) {
		isQuestion := func(field string) bool { return field == "question" }
		if mapped != "" || !slices.ContainsFunc(s.header, func(h string) bool { return fieldOf(h, isQuestion) != "" }) {
			return noClaim
		}
		// Any other format that claims the table is likelier.
		return claim{conceivable / 2, "a table with a column that may be of questions"}
	}
	if slices.Contains(s.header, "expected_contexts") {
		return claim{certain, `column "expected_contexts"`}
	}
	return claim{possible, "a table with a column of questions"}
}

// A cell says how to convert the text of a cell to a value.
type cell string

const (
	cellText  cell = "text"
	cellList  cell = "list"  // a list, or a single entry
	cellNames cell = "names" // a list of short names
	cellTruth cell = "truth"
	// cellTextOrList is text unless it is written as a list.
	cellTextOrList cell = "text_or_list"
	cellBars       cell = "bars" // a list, or entries separated by "|"
	// cellValue is text unless it is written as an object, a list or a number of JSON.
	cellValue cell = "value"
)

// questionColumns are the columns that hold the question, of which a table must have
// one that its format knows.
var questionColumns = []string{"question", "user_input", "input", "inputs"}

// rows reads a table of text. Each row becomes a record.
func (l *loader) rows(columns map[string]cell, fn func(*record)) error {
	data, err := l.whole(maxWhole)
	if err != nil {
		return err
	}
	if l.excerpt.comma == '\t' {
		var plain bool
		if data, plain = text.QuoteTabs(data); plain {
			l.remark(Warning{File: l.src.name, Text: "tabs without quoting: quotes are part of the texts"})
		}
	}
	in := csv.NewReader(bytes.NewReader(data))
	in.Comma, in.FieldsPerRecord = l.excerpt.comma, -1
	header, err := in.Read()
	if err != nil {
		return l.csvError(err)
	}
	fields, err := l.header(header, columns)
	if err != nil {
		return err
	}
	gaps := l.gaps(data, fields, columns)
	each := l.each(func(r *record) { r.cells(columns); fn(r) })
	for index := 0; ; index++ {
		row, err := in.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return l.csvError(err)
		}
		line, _ := in.FieldPos(0)
		if len(row) != len(fields) {
			if err := l.bad(&Error{File: l.src.name, Line: line, Index: index, Problem: fmt.Sprintf("%d columns", len(row)),
				Want: fmt.Sprintf("%d, as in the header", len(fields))}); err != nil {
				return nil
			}
			continue
		}
		n := &node{kind: object, line: line}
		for i, text := range row {
			if strings.TrimSpace(text) == "" {
				continue
			}
			if gaps[i] {
				text = strings.TrimSuffix(text, ".0")
			}
			at, _ := in.FieldPos(i)
			n.fields = append(n.fields, field{fields[i], &node{kind: str, text: text, line: at}})
		}
		if err := each(n, index); err != nil {
			if errors.Is(err, errTooMany) {
				return nil
			}
			return err
		}
	}
}

// gaps returns the known columns of whole numbers that all end in ".0", if a cell is empty
// too: a data frame writes integers so where one is missing. Without a gap they stay.
func (l *loader) gaps(data []byte, fields []string, columns map[string]cell) map[int]bool {
	out := map[int]bool{}
	if !bytes.Contains(data, []byte(".0")) {
		return out
	}
	in := csv.NewReader(bytes.NewReader(data))
	in.Comma, in.FieldsPerRecord, in.ReuseRecord = l.excerpt.comma, -1, true
	const whole, other, empty = 1, 2, 4
	kinds := make([]int, len(fields))
	_, _ = in.Read()
	for row, err := in.Read(); err == nil; row, err = in.Read() {
		for i, text := range row[:min(len(row), len(fields))] {
			switch digits, ends := strings.CutSuffix(text, ".0"); {
			case text == "":
				kinds[i] |= empty
			case ends && isWhole(digits):
				kinds[i] |= whole
			default:
				kinds[i] |= other
			}
		}
	}
	for i, f := range fields {
		says := `read without the ".0" that data frames write where a number is missing`
		if out[i] = kinds[i] == whole|empty && columns[f] != ""; !out[i] {
			says = `every number ends in ".0", as data frames write whole ones: "7.0" does not match "7"`
		}
		if out[i] || kinds[i] == whole && columns[f] != "" && columns[f] != cellValue {
			l.remark(Warning{File: l.src.name, Line: 1, Field: l.theirs(f), Text: says})
		}
	}
	return out
}

func (l *loader) csvError(err error) error {
	var p *csv.ParseError
	if errors.As(err, &p) {
		e := &Error{File: l.src.name, Line: p.Line, Index: -1, Problem: fmt.Sprintf("column %d: %v", p.Column, p.Err),
			Want: "fields that hold quotes in quotes, and quotes doubled"}
		if p.StartLine != p.Line {
			e.Problem += fmt.Sprintf(" (the record begins in line %d)", p.StartLine)
		}
		return e
	}
	return err
}

// mapColumns returns the fields that the user mapped to columns, by the column's
// name. Both field and column must exist.
func mapColumns(file string, chosen map[string]string, header []string, columns map[string]cell) (map[string]string, error) {
	known := slices.Sorted(maps.Keys(columns))
	mapped := map[string]string{}
	for _, f := range slices.Sorted(maps.Keys(chosen)) {
		column := chosen[f]
		if _, ok := columns[f]; !ok {
			return nil, fmt.Errorf("map %s=%s: unknown field %q%s  (all: %s)", f, column, f, suggest(f, known), strings.Join(known, ", "))
		}
		if !slices.ContainsFunc(header, func(h string) bool { return columnName(h) == columnName(column) }) {
			return nil, &Error{
				File: file, Line: 1, Index: -1, Field: f,
				Problem: fmt.Sprintf("no column %q%s", column, suggest(column, header)), Want: "one of " + quoted(header),
			}
		}
		mapped[columnName(column)] = f
	}
	return mapped, nil
}

// header returns the field of every column.
func (l *loader) header(header []string, columns map[string]cell) ([]string, error) {
	known := slices.Sorted(maps.Keys(columns))
	mapped, err := mapColumns(l.src.name, l.opts.Columns, header, columns)
	if err != nil {
		return nil, err
	}
	taken := l.usualColumns(header, mapped, columns)
	fields := make([]string, len(header))
	first := map[string]int{}
	for i, h := range header {
		name := columnName(h)
		if f, ok := mapped[name]; ok {
			name = f
		} else if l.opts.Columns[name] != "" {
			// Another column is mapped to this field.
			name = strings.TrimSpace(h) + " (column)"
		} else if f, ok := taken[i]; ok {
			name = f
		} else if _, ok := columns[name]; !ok {
			if near := nearest(name, known); near != "" && name != "" {
				l.remark(Warning{File: l.src.name, Line: 1, Field: clip(h),
					Text: fmt.Sprintf("unknown column, kept as metadata: did you mean %q?", near)})
			}
			name = strings.TrimSpace(h)
		}
		if name == "" {
			name = fmt.Sprintf("column %d", i+1)
		}
		if was, twice := first[name]; twice {
			return nil, &Error{File: l.src.name, Line: 1, Index: -1, Field: name,
				Problem: fmt.Sprintf("columns %d and %d have the same name", was+1, i+1), Want: "one of them"}
		}
		first[name] = i
		fields[i] = name
	}
	l.noteUnlabelled(fields, columns)
	asked := slices.DeleteFunc(slices.Clone(questionColumns), func(f string) bool { _, ok := columns[f]; return !ok })
	if len(asked) > 0 && !slices.ContainsFunc(fields, func(f string) bool { return slices.Contains(asked, f) }) {
		return nil, &Error{
			File: l.src.name, Line: 1, Index: -1, Field: asked[0], Problem: "no such column; there are " + quoted(header),
			Want: fmt.Sprintf("a column %q, or --map %s=COLUMN", asked[0], asked[0]),
		}
	}
	return fields, nil
}

// noteUnlabelled reports the columns of which one may hold labels, if no column is one of
// labels.
func (l *loader) noteUnlabelled(fields []string, columns map[string]cell) {
	labels := slices.DeleteFunc([]string{"expected_contexts", "ground_truth"}, func(f string) bool { _, ok := columns[f]; return !ok })
	var other []string
	for _, f := range fields {
		if _, known := columns[f]; !known {
			other = append(other, f)
		} else if f != "id" && f != "tags" && !slices.Contains(questionColumns, f) {
			return
		}
	}
	if len(labels) == 2 && len(other) > 0 {
		l.remark(Warning{File: l.src.name, Line: 1, Text: fmt.Sprintf("no column of labels is read, and %s kept as metadata; use "+
			"--map expected_contexts=COLUMN if one names documents, --map ground_truth=COLUMN if one is the answer",
			map[bool]string{true: quoted(other) + " is", false: quoted(other) + " are"}[len(other) == 1])})
	}
}

// usualColumns returns the field of each column that has a usual name of a field of
// columns, by the column's place, where no column has the name itself and none is mapped
// to the field. It reports each; of two columns for one field it takes neither.
func (l *loader) usualColumns(header []string, mapped map[string]string, columns map[string]cell) map[int]string {
	have := map[string]bool{}
	for _, h := range header {
		have[columnName(h)] = true
	}
	for _, f := range mapped {
		have[f] = true
	}
	places := map[string][]int{}
	for i, h := range header {
		_, exact := columns[columnName(h)]
		_, chosen := mapped[columnName(h)]
		f := fieldOf(h, func(field string) bool { _, ok := columns[field]; return ok && !have[field] })
		if f != "" && !exact && !chosen {
			places[f] = append(places[f], i)
		}
	}
	taken := map[int]string{}
	for _, f := range slices.Sorted(maps.Keys(places)) {
		at := places[f]
		if len(at) == 1 {
			taken[at[0]] = f
			l.remarkUsual(header[at[0]], f)
			continue
		}
		var names []string
		for _, i := range at {
			names = append(names, header[i])
		}
		l.remark(Warning{File: l.src.name, Line: 1, Field: f,
			Text: fmt.Sprintf("any of the columns %s may hold it, so none is read; use --map %s=COLUMN", quoted(names), f)})
	}
	return taken
}

// remarkUsual reports a column that is read as a field of another name.
func (l *loader) remarkUsual(column, f string) {
	l.remark(Warning{File: l.src.name, Line: 1, Field: clip(column), Text: fmt.Sprintf("read as %s; --map %s=COLUMN takes another column", f, f)})
}

// warnJoined warns of a text that may be several reference answers: one with semicolons in a column whose name is a plural.
func (l *loader) warnJoined(at assay.Origin, name string, n *node) {
	if name == "ground_truth" && n.kind == str && strings.HasSuffix(strings.ToLower(l.theirs(name)), "s") && strings.Contains(n.text, "; ") {
		l.warn(at, l.theirs(name), "a text with semicolons is one reference answer: write several as a JSON list")
	}
}

// byCommas matches what may be several names.
var byCommas = lazyregexp.New(`^\s*[^\s,;]+(\s*,\s*[^\s,;]+)+\s*$|\.\w{1,5}(?:\s+and\s+|\s*[、，]\s*)\S`)

// parseCell converts a cell that is not blank.
func parseCell(s string, as cell, line int) (*node, error) {
	one := &node{kind: str, text: s, line: line}
	trimmed := strings.TrimSpace(s)
	switch as {
	case cellTruth:
		switch strings.ToLower(trimmed) {
		case "true", "yes", "1":
			return &node{kind: boolean, yes: true, line: line}, nil
		case "false", "no", "0":
			return &node{kind: boolean, line: line}, nil
		}
		return nil, fmt.Errorf("%q: expected true or false", clip(s))
	case cellText, "":
		return one, nil
	case cellValue:
		if strings.IndexByte("{[-0123456789", trimmed[0]) >= 0 && json.Valid([]byte(trimmed)) {
			return newJSONReader([]byte(trimmed), "", line).node()
		}
		return one, nil
	}
	if strings.HasPrefix(trimmed, "[") || strings.HasPrefix(trimmed, "array([") {
		n, err := parseList(trimmed, line)
		if err == nil || as != cellTextOrList {
			return n, err
		}
	}
	n := &node{kind: list, line: line}
	switch as {
	case cellTextOrList:
		return one, nil
	case cellList:
		n.items = []*node{one}
	case cellBars:
		for part := range strings.SplitSeq(s, "|") {
			n.items = append(n.items, &node{kind: str, text: part, line: line})
		}
	case cellNames:
		for part := range strings.FieldsFuncSeq(s, func(c rune) bool { return c == ';' || c == '\n' || c == '\r' }) {
			if part = strings.TrimSpace(part); part != "" {
				n.items = append(n.items, &node{kind: str, text: part, line: line})
			}
		}
	}
	return n, nil
}

// parseList reads a list in JSON or in Python syntax.
func parseList(s string, line int) (*node, error) {
	if json.Valid([]byte(s)) {
		return newJSONReader([]byte(s), "", line).node()
	}
	items, err := parsePython(s)
	if err != nil {
		return nil, err
	}
	n := &node{kind: list, line: line}
	for _, item := range items {
		n.items = append(n.items, &node{kind: str, text: item, line: line})
	}
	return n, nil
}
