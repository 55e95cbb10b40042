package dataset

import (
	"encoding/json"
	"strings"

	"github.com/assay-eval/assay"
)

func rowsHint(s *excerpt) error {
	if s.layout != layoutRows {
		return nil
	}
	// A wrong choice of columns may cause this error.
	return s.rows.checkMap(s.opts.Columns)
}

func loadRows(l *loader) error {
	if l.excerpt.layout != layoutRows {
		return &Error{File: l.src.name, Index: -1, Problem: "is not a Parquet file", Want: "one for format " + l.format.Name}
	}
	return l.table(l.format.Cells, l.format.read)
}

// table reads the records of a table of text or of rows with types. Columns says how
// to read the text of a cell.
func (l *loader) table(columns map[string]cell, fn func(*record)) error {
	if l.excerpt.layout == layoutRows {
		return l.records(func(r *record) { r.cells(columns); fn(r) }, nil)
	}
	return l.rows(columns, fn)
}

// cells reads the texts in columns of other types, and numbers in columns of text.
func (r *record) cells(columns map[string]cell) {
	kept := r.n.fields[:0]
	for _, f := range r.n.fields {
		as, known := columns[f.name]
		switch v := f.value; {
		case v.absent():
			continue
		case !known: // it goes to the metadata
			if r.l.excerpt.layout == layoutTable && v.text[0] == '[' && json.Valid([]byte(v.text)) {
				if list, err := newJSONReader([]byte(v.text), "", v.line).node(); err == nil {
					f.value = list
				}
			}
		case v.kind == number && (as == cellText || as == cellTextOrList) && f.name != "id":
			f.value = &node{kind: str, text: v.text, line: v.line}
		case v.kind == number && (as == cellNames || as == cellList):
			r.l.warn(r.origin(), r.l.theirs(f.name), "a number is read as the only entry of the list")
			f.value = &node{kind: list, line: v.line, items: []*node{{kind: str, text: v.text, line: v.line}}}
		case v.kind == str && as != cellText:
			if strings.TrimSpace(v.text) == "" {
				continue
			}
			n, err := parseCell(v.text, as, v.line)
			if err != nil {
				r.fail(v, f.name, err.Error(), "")
				continue
			}
			at := assay.Origin{File: r.l.src.name, Line: v.line}
			if r.l.excerpt.layout == layoutTable && as == cellNames && len(n.items) == 1 && byCommas().MatchString(n.items[0].text) {
				r.l.warn(at, r.l.theirs(f.name), `a cell with commas or "and" is one name: separate several by semicolons`)
			}
			r.l.warnJoined(at, f.name, n)
			f.value = n
		}
		kept = append(kept, f)
	}
	r.n.fields = kept
}
