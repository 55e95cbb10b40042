package dataset

import (
	"slices"
	"strings"
)

var parquetTable = format{
	name:  "parquet",
	title: "a Parquet file with the columns of a table",
	doc: `A row is a case, and its columns are the fields of assay's own format: question (required), id, ground_truth, expected_contexts,
and so on. --map question=query takes a column of another name, in every format that such a file holds. Lists and structs
are read as such; a text in the place of a list is read as a cell of csv. null, NaN and an empty text are an absent field. Other
columns go to the case's metadata.

Every format of JSON records may be in a Parquet file: the columns tell which. Data may be packed with snappy, gzip or zstd.
In messages the number of a row, from 1, stands for that of a line. Bytes that are not text are left out, with a warning.`,
	extensions: []string{".parquet"},
	claim: func(s *excerpt) claim {
		if s.layout != layoutRows || !s.has("question") {
			return noClaim
		}
		return claim{possible, "a table with a column of questions"}.or(s.fields(certain, "expected_contexts", "expected_keywords"))
	},
	hint: func(s *excerpt) error {
		if s.layout != layoutRows {
			return nil
		}
		// A wrong choice of columns may cause this error.
		return s.rows.checkMap(s.opts.Columns)
	},
	load: func(l *loader) error {
		if l.excerpt.layout != layoutRows {
			return &Error{File: l.src.name, Index: -1, Problem: "is not a Parquet file", Want: "one for format " + l.format.name}
		}
		return l.table(nativeColumns, rowCase)
	},
	optional: native.optional,
}

// rowCase reads a row. As in csv, an empty text is an absent field.
func rowCase(r *record) {
	r.n.fields = slices.DeleteFunc(r.n.fields, func(f field) bool { return f.value.kind == str && f.value.isEmpty() })
	c := r.native()
	c.Want.Ideal = r.ideal(r.get("ideal"))
	c.Language = r.text(r.get("language"), "language", `a language tag such as "zh-Hant", or no field`)
	if n := r.n.get("metadata"); n != nil && n.kind == object {
		c.Metadata = r.get("metadata").values()
	}
	r.keepRest(&c)
	r.done(c)
}

// table reads the records of a table of text or of rows with types. Columns says how
// to read the text of a cell.
func (l *loader) table(columns map[string]cell, fn func(*record)) error {
	if l.excerpt.layout == layoutRows {
		return l.records(func(r *record) { r.cells(columns); fn(r) }, nil)
	}
	return l.rows(l.excerpt.comma, columns, fn)
}

// cells reads the texts in columns of other types, and numbers in columns of text.
func (r *record) cells(columns map[string]cell) {
	kept := r.n.fields[:0]
	for _, f := range r.n.fields {
		as, known := columns[f.name]
		switch v := f.value; {
		case v.absent():
			continue
		case !known:
		case v.kind == number && (as == cellText || as == cellTextOrList) && f.name != "id":
			f.value = &node{kind: str, text: v.text, line: v.line}
		case v.kind == str && as != cellText:
			if strings.TrimSpace(v.text) == "" {
				continue
			}
			n, err := parseCell(v.text, as, v.line)
			if err != nil {
				r.fail(v, f.name, err.Error(), "")
				continue
			}
			f.value = n
		}
		kept = append(kept, f)
	}
	r.n.fields = kept
}
