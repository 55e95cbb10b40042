package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target/reply"
)

// A fieldMap maps a field of a record.
type fieldMap struct {
	// From are the names of the field. They must agree, unless the First that is not empty
	// counts, or Each.
	From        []string
	First, Each bool
	// Of is the field with the object that holds this one. Gather takes the columns that begin
	// with the name and a dot as an object.
	Of     string
	Gather bool
	// To is one of [targets].
	To string
	// Want is what messages ask for in the value, Missing in a record that lacks the field,
	// Some in an empty list, and List in a list or in the place of one.
	Want, Missing, Some, List string
	// Single says that the value is no list, Text that it may be one, Flat that a list may
	// hold lists, Blank that an empty value is none, Quoted that a text may be JSON of one,
	// Hops that texts begin with marks, and Answered that the field is of a response.
	Single, Text, Flat, Blank, Quoted, Hops, Answered bool
	// Member is the member that holds the value, if it is an object, But are those not kept.
	Member string
	But    []string
}

// A skip says which records are left out: those without a field that have one of others, of
// the value, if there is one.
type skip struct {
	Without, Is, Field, Says string
	Any                      []string
}

// An inside says where the records are in an object that is the whole file: in a list of
// it, or of another object in it. Beside is another list there, of what is not read.
type inside struct{ Object, List, Want, Beside, Says string }

// byMapping reads the file by the mapping of its format.
func (l *loader) byMapping() error {
	f, s := l.format, l.excerpt
	switch {
	case f.Cells != nil && (s.layout == layoutTable || s.layout == layoutRows):
		return l.table(f.cells(s.header), f.read)
	case f.Inside.List != "" && s.has(f.Inside.Object, f.Inside.List):
		_, err := l.inside(f.Inside, f.read)
		return err
	case f.Texts:
		return l.records(func(r *record) { r.cells(f.Cells); f.read(r) }, nil)
	}
	return l.records(f.read, nil)
}

// inside reads the records of a list in an object that is the whole file, and returns it.
func (l *loader) inside(in inside, fn func(*record)) (root *node, err error) {
	if root, err = l.document(); err != nil {
		return nil, err
	}
	holder := root
	if inner := root.get(in.Object); inner != nil && inner.kind == object {
		holder = inner
	}
	records := holder.get(in.List)
	if records.absent() || records.kind != list {
		return nil, &Error{File: l.src.name, Line: holder.line, Index: -1, Field: in.List, Problem: "no list", Want: in.Want}
	}
	if other := holder.get(in.Beside); !other.absent() {
		for _, n := range other.items {
			l.warn(assay.Origin{File: l.src.name, Line: n.line}, in.Beside, in.Says)
		}
	}
	answer, _ := holder.value().(map[string]any)
	if more := reply.More(answer); more != "" {
		field, says, _ := strings.Cut(more, ": ")
		l.remark(Warning{File: l.src.name, Line: holder.line, Field: field, Text: says + ": the cases of the others are not in this file"})
	}
	return root, l.items(records, fn)
}

// cells returns the columns of a table with a header.
func (f *format) cells(header []string) map[string]cell {
	out := map[string]cell{}
	for name, as := range f.Cells {
		base, isGroup := strings.CutSuffix(name, ".*")
		if !isGroup {
			out[name] = as
			continue
		}
		for _, h := range header {
			if h == base || strings.HasPrefix(h, base+".") {
				out[h] = as
			}
		}
	}
	return out
}

// A mapped record is read by a mapping.
type mapped struct {
	*record
	c    assay.Case
	resp assay.Response
	// answered is set if the record holds a response, foreign if its cost is not in dollars.
	answered, foreign bool
	// failure is why the system has no response, though it may have written a part of one.
	failure string
}

// read makes a case of a record.
func (f *format) read(r *record) {
	if f.Skip.Field != "" && f.Skip.applies(r) {
		r.l.warn(r.origin(), f.Skip.Field, f.Skip.Says)
		return
	}
	out := &mapped{record: r}
	for _, m := range f.Fields { // a target that answers has the field, if null
		in := func(name string) bool { return r.n.get(name) != nil }
		out.resp.NoAnswer = out.resp.NoAnswer || m.To == "response" && !slices.ContainsFunc(m.From, in)
	}
	if f.Sparse {
		r.n.fields = slices.DeleteFunc(r.n.fields, func(of field) bool { return of.value.kind == str && of.value.isEmpty() })
	}
	for i := range f.Fields {
		out.field(&f.Fields[i])
	}
	for _, pattern := range f.Drop {
		names := []string{pattern}
		if strings.Contains(pattern, "*") {
			names = find(pattern, r.unread())
		}
		r.drop(names...)
	}
	for _, name := range f.Ignore {
		r.get(name)
	}
	switch f.Rest {
	case "unknown":
		r.ignoreRest(f.known())
	case "all":
		r.keepRest(&out.c)
	default:
		keep(&out.c, f.Rest, r.rest())
	}
	if out.failure != "" {
		r.l.failures[r.l.cases.Len()] = out.failure
	} else if out.answered {
		r.respond(out.resp)
	}
	r.done(out.c)
}

// known lists the names of all fields.
func (f *format) known() (out []string) {
	for _, of := range f.Fields {
		out = append(out, of.From...)
	}
	return out
}

func (s *skip) applies(r *record) bool {
	return (s.Without == "" || r.get(s.Without) == nil) && slices.ContainsFunc(s.Any, func(name string) bool {
		n := r.get(name)
		return n != nil && (s.Is == "" || n.text == s.Is)
	})
}

// field reads a field of the record.
func (m *mapped) field(f *fieldMap) {
	if f.Answered && !m.answered || f.To == "cost" && m.foreign {
		return
	}
	var name string
	var n *node
	switch {
	case f.Each:
		for _, name := range f.From {
			m.value(f, name, m.get(name))
		}
		return
	case f.First:
		name, n = m.first(f.From)
	case f.Gather:
		name, n = f.From[0], m.gathered(f.From[0])
	case f.Of != "":
		name = f.Of + "." + f.From[0]
		if of := m.get(f.Of); of != nil {
			n = present(of, f.From[0])
		}
	default:
		name, n = m.alias(f.From...)
	}
	m.value(f, name, n)
}

// wordsOfNone are what programs write for a missing value.
var wordsOfNone = []string{"nan", "NaN", "None", "NULL", "null", "<NA>", "#N/A"}

// value hands the value of a field, nil if there is none, to its target.
func (m *mapped) value(f *fieldMap, name string, n *node) {
	if n != nil && f.To != "failure" {
		for _, v := range append(slices.Clip(n.items), n) {
			if v.kind == str && slices.Contains(wordsOfNone, strings.TrimSpace(v.text)) {
				m.l.warn(m.origin(), m.l.theirs(name), fmt.Sprintf("the word %q is read as a text: leave it empty if it stands for nothing", strings.TrimSpace(v.text)))
				break
			}
		}
	}
	switch {
	case n == nil && f.Missing != "":
		m.fail(nil, name, "missing", f.Missing)
	case n == nil && f.To != "question" && f.To != "asked", f.Blank && (n.kind == str || f.To == "passages") && n.isEmpty():
	case n != nil && f.Some != "" && n.kind == list && len(n.items) == 0:
		m.fail(n, name, "empty list", f.Some)
	default:
		targets[f.To](m, n, name, f)
	}
}
