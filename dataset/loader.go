package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/assay-eval/assay"
)

// loader is the state of one call of Load.
type loader struct {
	ctx  context.Context
	src  *source
	opts Options
	// excerpt is the beginning of the source, format its chosen format.
	excerpt *excerpt
	format  *format

	cases    *assay.Cases
	metadata map[string]any
	created  time.Time
	// recorded holds responses by case index until every case has an id, failures why there is none.
	recorded  map[int]assay.Response
	failures  map[int]string
	documents func(context.Context) ([]assay.Document, error)

	// mapped are the fields that a record has by the mapping, asked those that the format reads.
	mapped, asked map[string]bool

	errs Errors
	// ofRows are the errors without whose rows the rest can be read.
	ofRows map[*Error]bool
	notes
}

func newLoader(ctx context.Context, src *source, s *excerpt, f *format) *loader {
	return &loader{ctx: ctx, src: src, opts: s.opts, excerpt: s, format: f, cases: &assay.Cases{}, recorded: map[int]assay.Response{}, failures: map[int]string{},
		mapped: map[string]bool{}, asked: map[string]bool{}, ofRows: map[*Error]bool{}}
}

// errTooMany stops the reading of a file that is mostly invalid.
var errTooMany = errors.New("too many problems")

// add records a problem. It returns errTooMany if there are so many that the file
// is probably something else.
func (l *loader) add(e *Error) error {
	if len(l.errs) > maxErrors {
		return errTooMany
	}
	if len(l.errs) == maxErrors {
		e = &Error{File: e.File, Line: e.Line, Index: -1, Problem: fmt.Sprintf("reading stopped after %d problems", maxErrors)}
	}
	l.errs = append(l.errs, e)
	return nil
}

// bad records that a row cannot be read.
func (l *loader) bad(e *Error) error {
	l.ofRows[e] = true
	return l.add(e)
}

// skipInvalid turns the problems of rows into warnings if the others can do without them.
func (l *loader) skipInvalid() {
	if !l.opts.SkipInvalid || l.cases.Len() == 0 || slices.ContainsFunc(l.errs, func(e *Error) bool { return !l.ofRows[e] }) {
		return
	}
	const listed = 10
	var last *Error
	rows := 0
	for _, e := range l.errs {
		if last == nil || last.Line != e.Line || last.Index != e.Index {
			if rows++; rows <= listed {
				l.remark(Warning{File: e.File, Line: e.Line, Field: e.Field, Text: "invalid, skipped: " + e.Problem})
			}
		}
		last = e
	}
	if rows > 0 {
		l.remark(Warning{File: l.src.name, Text: fmt.Sprintf("%d of %d rows are invalid and were skipped", rows, rows+l.cases.Len())})
	}
	l.errs = nil
}

// records calls fn with every record of a JSON file, in any layout, of rows with types,
// and of a YAML file in formats with a list of records. Formats that allow an object around the
// records receive it, without the records, in around; the others pass nil.
func (l *loader) records(fn func(*record), around func(*node)) error {
	err := l.walk(l.each(fn), around)
	if errors.Is(err, errTooMany) {
		return nil
	}
	return err
}

// each turns nodes into records.
func (l *loader) each(fn func(*record)) func(*node, int) error {
	return func(n *node, index int) error {
		if err := l.ctx.Err(); err != nil {
			return err
		}
		if err := l.full(index); err != nil {
			return err
		}
		if n.kind != object {
			return l.bad(&Error{File: l.src.name, Line: n.line, Index: index, Problem: n.what(), Want: "an object with the fields of a case"})
		}
		l.rename(n)
		r := newRecord(l, n, index)
		fn(r)
		if len(l.opts.Columns) > 0 {
			maps.Copy(l.asked, r.read)
		}
		if len(l.errs) > maxErrors {
			return errTooMany
		}
		return nil
	}
}

func (l *loader) walk(each func(*node, int) error, around func(*node)) error {
	switch {
	case l.excerpt.layout == layoutRows:
		return l.src.rows.each(l, each)
	case l.excerpt.layout == layoutLines:
		return l.walkLines(each, around)
	case l.excerpt.isRecords():
		return l.walkWhole(each, around)
	case l.format.List != "":
		return l.walkYAML(each, around)
	}
	return &Error{File: l.src.name, Index: -1, Problem: "is not JSON", Want: "a list of objects, or one object a line"}
}

// whole reads the whole text, at most limit bytes.
func (l *loader) whole(limit int) ([]byte, error) {
	if l.src.text == nil {
		return nil, &Error{File: l.src.name, Index: -1, Problem: "is a Parquet file",
			Want: "a file of text for format " + l.format.Name}
	}
	return l.src.text.whole(limit)
}

// document reads a JSON file that is one value.
func (l *loader) document() (*node, error) {
	data, err := l.whole(maxWhole)
	if err != nil {
		return nil, err
	}
	r := newJSONReader(data, l.src.name, 1)
	n, err := r.node()
	if err != nil {
		return nil, err
	}
	return n, r.end()
}

// items calls fn with every record of a list that was read.
func (l *loader) items(list *node, fn func(*record)) error {
	err := eachOf(list.items, l.each(fn))
	if errors.Is(err, errTooMany) {
		return nil
	}
	return err
}

// walkLines reads one object per line. An invalid line does not hide the problems
// of later lines.
func (l *loader) walkLines(each func(*node, int) error, around func(*node)) error {
	index := 0
	return l.src.text.lines(l.ctx, func(line int, b []byte) error {
		r := newJSONReader(b, l.src.name, line)
		n, err := r.node()
		if err == nil {
			err = r.end()
		}
		if err == nil && around != nil && index == 0 && n.kind == object && len(n.fields) == 1 && n.get("metadata") != nil {
			around(n)
			return nil
		}
		index++
		var e *Error
		if errors.As(err, &e) {
			return l.bad(e)
		}
		if err != nil {
			return err
		}
		if rows := l.frame(n); rows != nil {
			return eachOf(rows, each)
		}
		return each(n, index-1)
	})
}

// walkWhole reads a list of records, an object with such a list, or a single
// record.
func (l *loader) walkWhole(each func(*node, int) error, around func(*node)) error {
	data, err := l.whole(maxWhole)
	if err != nil {
		return err
	}
	r := newJSONReader(data, l.src.name, 1)
	t, line, err := r.token()
	if err != nil {
		return err
	}
	if t == openList {
		if err := r.list(each); err != nil {
			return err
		}
		return r.end()
	}
	outer := &node{kind: object, line: line}
	walked := false
	err = r.members(func(name string, t json.Token, line int) error {
		if around != nil && name == l.format.List && t == openList {
			walked = true
			return r.list(each)
		}
		value, err := r.rest(t, line, 1)
		outer.fields = append(outer.fields, field{name, value})
		return err
	})
	if err != nil {
		return err
	}
	if err := r.end(); err != nil {
		return err
	}
	if walked {
		around(outer)
		return nil
	}
	return l.outer(outer, each, around)
}

// outer handles an object that is the whole file: records with an object around
// them, or a single record.
func (l *loader) outer(n *node, each func(*node, int) error, around func(*node)) error {
	if rows := l.frame(n); rows != nil {
		return eachOf(rows, each)
	}
	cases := n.get(l.format.List)
	if around == nil || cases == nil && n.get(l.format.Single) != nil {
		return each(n, 0)
	}
	if cases == nil || cases.kind != list {
		e := &Error{File: l.src.name, Line: n.line, Index: -1, Field: l.format.List, Problem: "missing", Want: "a list of cases"}
		if cases != nil {
			e.Line, e.Problem = cases.line, cases.what()
		}
		return l.add(e)
	}
	around(n)
	return eachOf(cases.items, each)
}

// eachOf calls each with every record.
func eachOf(records []*node, each func(*node, int) error) error {
	for i, n := range records {
		if err := each(n, i); err != nil {
			return err
		}
	}
	return nil
}

// walkYAML is walkWhole for YAML.
func (l *loader) walkYAML(each func(*node, int) error, around func(*node)) error {
	data, err := l.whole(maxYAML)
	if err != nil {
		return err
	}
	root, err := parseYAML(data, l.src.name)
	if err != nil {
		return err
	}
	switch root.kind {
	case object:
		return l.outer(root, each, around)
	case list:
		return eachOf(root.items, each)
	}
	return &Error{File: l.src.name, Line: root.line, Index: -1, Problem: root.what(), Want: l.format.List + ", or a list of cases"}
}
