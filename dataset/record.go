package dataset

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/target/reply"
)

// A record reads the fields of one case and reports problems.
type record struct {
	l     *loader
	n     *node
	index int
	// id is the id of the case, once it is known.
	id string
	// read holds the names of the requested fields, present or not.
	read map[string]bool
	// invalid is set if a field cannot be read.
	invalid bool
}

func newRecord(l *loader, n *node, index int) *record {
	return &record{l: l, n: n, index: index, read: map[string]bool{}}
}

func (r *record) origin() assay.Origin { return assay.Origin{File: r.l.src.name, Line: r.n.line} }

// fail reports a problem of the value n, or of the whole record if n is nil.
func (r *record) fail(n *node, field, problem, want string) {
	line := r.n.line
	if n != nil {
		line = n.line
	}
	r.invalid = true
	// The loader checks for too many problems after each record.
	_ = r.l.bad(&Error{File: r.l.src.name, Line: line, Index: r.index, Case: r.id, Field: r.l.theirs(field), Problem: problem, Want: want})
}

// get returns the value of a field, or nil if it is absent or null.
func (r *record) get(name string) *node {
	r.read[name] = true
	return present(r.n, name)
}

// alias returns the first of several names of one field that is present, and its
// value. If more than one is present, they must agree.
func (r *record) alias(names ...string) (string, *node) {
	var name string
	var value *node
	for _, other := range names {
		n := r.get(other)
		switch {
		case n == nil || n.kind == str && strings.TrimSpace(n.text) == "":
			if value == nil && n != nil {
				name, value = other, n
			}
		case value == nil || value.kind == str && strings.TrimSpace(value.text) == "":
			name, value = other, n
		case !reflect.DeepEqual(value.value(), n.value()):
			r.fail(n, other, fmt.Sprintf("differs from %q, which has the same meaning", name), "only one of them")
		}
	}
	if name == "" {
		name = names[0]
	}
	return name, value
}

// identity reads the case's id, a string or a whole number; "" if there is none.
// It is read first because messages use it.
func (r *record) identity(n *node, name string) string {
	if n == nil {
		return ""
	}
	id, ok := idOf(n)
	if !ok {
		r.fail(n, name, n.what(), "a name that is not empty, or no field")
		return ""
	}
	r.id = id
	return id
}

// idOf reads an id: a string that is not blank, or a whole number.
func idOf(n *node) (string, bool) {
	if _, ok := n.whole(); ok {
		return n.digits(), true
	}
	return n.text, n.kind == str && strings.TrimSpace(n.text) != ""
}

// required reads a required text.
func (r *record) required(n *node, name, want string) string {
	if n == nil {
		problem := "missing"
		if field, name := name, nearest(name, r.unread()); name != "" {
			problem += fmt.Sprintf(" (there is %q)", r.l.theirs(name))
			want += fmt.Sprintf(", or --map %s=%s", field, name)
		}
		r.fail(nil, name, problem, want)
		return ""
	}
	return r.text(n, name, want)
}

// text reads a text that is not blank.
func (r *record) text(n *node, name, want string) string {
	if n == nil {
		return ""
	}
	if n.kind != str || strings.TrimSpace(n.text) == "" {
		r.fail(n, name, n.what(), want)
		return ""
	}
	return n.text
}

// texts reads a list of texts, none of them blank. It returns nil if there is no
// list, and an empty slice if the list is empty.
func (r *record) texts(n *node, name, want string) []string {
	if n == nil {
		return nil
	}
	if n.kind != list {
		r.fail(n, name, n.what(), "a list, each entry "+want)
		return nil
	}
	out := make([]string, 0, len(n.items))
	for i, item := range n.items {
		out = append(out, r.text(item, fmt.Sprintf("%s[%d]", name, i), want))
	}
	return out
}

// textOrTexts reads one text or a list of texts.
func (r *record) textOrTexts(n *node, name, want string) []string {
	if n != nil && n.kind == number {
		return []string{n.text}
	}
	if n != nil && n.kind != list {
		if s := r.text(n, name, want); s != "" {
			return []string{s}
		}
		return nil
	}
	return r.texts(n, name, want)
}

// truth reads a boolean.
func (r *record) truth(n *node, name string) *bool {
	if n == nil {
		return nil
	}
	if n.kind != boolean {
		r.fail(n, name, n.what(), "true or false")
		return nil
	}
	return &n.yes
}

// barred matches several file names with bars between them.
var barred = lazyregexp.New(`^([^|]+\.[A-Za-z]\w{0,4}\s*\|)+[^|]+\.[A-Za-z]\w{0,4}\s*$`)

// longestName is the most words that the id or the title of a document has.
const longestName = 25

// graded reads expected documents into a case: names, or objects with an id, a
// grade and subtopics. Two different grades for a document are an error.
func (r *record) graded(w *assay.Want, n *node, name string) {
	const want = "a document id"
	if n == nil {
		return
	}
	if n.kind != list {
		r.fail(n, name, n.what(), "a list of document ids")
		return
	}
	out := make(map[string]int, len(n.items))
	w.Documents = out
	var items []*node
	for _, item := range n.items {
		switch {
		case item.kind != str || !strings.Contains(item.text, "|"):
			items = append(items, item)
		case barred().MatchString(item.text):
			for part := range strings.SplitSeq(item.text, "|") {
				items = append(items, &node{kind: str, text: strings.TrimSpace(part), line: item.line})
			}
		default:
			r.l.warn(r.origin(), name, `an id with "|" is one document: several are a list`)
			items = append(items, item)
		}
	}
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", name, i)
		idNode, grade := item, 1
		var topics []string
		if item.kind == object {
			var ok bool
			if idNode, grade, topics, ok = r.grade(item, at); !ok {
				continue
			}
			at += ".id"
		}
		id, ok := idOf(idNode)
		if !ok {
			r.fail(idNode, at, idNode.what(), want)
			continue
		}
		if n := len(strings.Fields(id)); n > longestName {
			r.fail(idNode, at, fmt.Sprintf("a text of %d words", n), want+"; texts belong in reference_contexts")
			continue
		}
		if before, twice := out[id]; twice {
			if before != grade {
				r.fail(idNode, at, fmt.Sprintf("document %q has grade %d, and %d before", clip(id), grade, before), "one grade")
			} else {
				r.l.warn(r.origin(), name, "a document is listed twice")
			}
			continue
		}
		out[id] = grade
		if len(topics) > 0 {
			if w.Subtopics == nil {
				w.Subtopics = map[string][]string{}
			}
			w.Subtopics[id] = topics
		}
	}
}

// grade reads an object with an id, a grade and subtopics.
func (r *record) grade(item *node, at string) (id *node, grade int, topics []string, ok bool) {
	grade = 1
	for _, f := range item.fields {
		switch f.name {
		case "id":
			id = f.value
		case "grade":
			if grade, ok = f.value.whole(); !ok || grade < -maxGrade || grade > maxGrade {
				r.fail(f.value, at+".grade", f.value.what(), fmt.Sprintf("a whole number from %d to %d", -maxGrade, maxGrade))
				return nil, 0, nil, false
			}
		case "subtopics":
			if !f.value.absent() {
				topics = r.texts(f.value, at+".subtopics", "an aspect of the question that the document covers")
			}
		default:
			r.l.warn(r.origin(), at[:strings.IndexByte(at, '[')]+"[]."+f.name, "unknown field, ignored")
		}
	}
	if id.absent() {
		r.fail(item, at+".id", "missing", "a document id")
		return nil, 0, nil, false
	}
	if len(topics) > 0 && grade < 1 {
		r.fail(item, at+".subtopics", fmt.Sprintf("a document of grade %d covers no subtopic", grade), "a grade from 1, or no subtopics")
		return nil, 0, nil, false
	}
	return id, grade, topics, true
}

// maxGrade bounds the absolute value of grades, so that gains stay finite.
const maxGrade = 1000

// tooShort is the warning about passages of which one is too short to match; "" if none
// is. Metrics over passages count it as not found, and say so.
func tooShort(passages []string) string {
	for _, p := range passages {
		n := utf8.RuneCountInString(text.MatchForm(p))
		if n < text.MatchLengthFor(p) && strings.TrimSpace(p) != "" {
			return "a text is too short to match any passage"
		}
	}
	return ""
}

// warnShort warns of labelled passages that are too short to match.
func (r *record) warnShort(field string, passages []string) {
	if short := tooShort(passages); short != "" {
		r.l.warn(r.origin(), field, short)
	}
}

// notCarried says of a part of a record that assay has no place for it.
const notCarried = "not carried over"

// drop warns of fields that are there and that assay has no place for.
func (r *record) drop(names ...string) {
	for _, name := range names {
		if n := r.get(name); n != nil && !n.isEmpty() {
			r.l.warn(r.origin(), name, notCarried)
		}
	}
}

// retrieved reads the texts that a system retrieved; nil if there is no list.
func (r *record) retrieved(n *node, name string) []assay.Passage {
	if n == nil {
		return nil
	}
	items := []*node{n}
	if n.kind == list {
		items = n.items
	}
	out := make([]assay.Passage, 0, len(items))
	for i, item := range items {
		p := assay.Passage{Text: item.text}
		if item.kind != str && !(item.kind == object && readPassage(&p, item)) {
			r.fail(item, fmt.Sprintf("%s[%d]", name, i), item.what(), "text")
			continue
		}
		out = append(out, p)
	}
	reply.Named(out)
	return out
}

// amount reads a number that is not negative; 0 if there is none.
func (r *record) amount(name, of string) float64 {
	n := r.get(name)
	if n == nil {
		return 0
	}
	v, ok := n.float()
	if !ok || v < 0 || v > 1e9 {
		r.fail(n, name, n.what(), "a number of "+of)
		return 0
	}
	return v
}

// count reads a number of things; 0 if there is none.
func (r *record) count(name string) int {
	n := r.get(name)
	if n == nil {
		return 0
	}
	v, ok := n.whole()
	if !ok || v < 0 {
		r.fail(n, name, n.what(), "a whole number from 0")
		return 0
	}
	return v
}

// dollars reads an amount of money in micro-dollars; 0 if there is none.
func (r *record) dollars(name string) int64 {
	return int64(math.Round(r.amount(name, "dollars") * 1e6))
}

// note adds a value to the metadata of a case.
func note(c *assay.Case, name string, value any) {
	if c.Metadata == nil {
		c.Metadata = map[string]any{}
	}
	c.Metadata[name] = value
}

// respond adds the recorded response of the next case.
func (r *record) respond(resp assay.Response) {
	_ = reply.Clean(&resp) // a call stays, for the target that returns it to report
	r.l.recorded[r.l.cases.Len()] = resp
}

// unread lists the fields that were not requested, in file order.
func (r *record) unread() []string {
	var out []string
	for _, f := range r.n.fields {
		if !r.read[f.name] {
			out = append(out, f.name)
		}
	}
	return out
}

// ignoreRest warns of unknown fields.
func (r *record) ignoreRest(known []string) {
	for _, name := range r.unread() {
		if paths([]string{name}, r.l.opts.Columns) != nil {
			continue
		}
		r.l.warn(assay.Origin{File: r.l.src.name, Line: r.n.get(name).line}, clip(name), "unknown field, ignored"+suggest(name, known))
	}
}

// gradeName matches fields that may grade the expected documents of the record.
var gradeName = lazyregexp.New(`(?i)^(?:grade|rel|relevance|relevance[_ ]grade|relevant)$`)

// keepRest stores unread fields in the case's metadata.
func (r *record) keepRest(c *assay.Case) {
	for _, name := range r.unread() {
		if n := r.n.get(name); n.text == "0" && len(c.Want.Documents) > 0 && gradeName().MatchString(name) {
			r.l.warn(r.origin(), name, `does not count, so that documents of grade 0 are expected: remove these rows, or write [{"id": "a.md", "grade": 0}]`)
		}
		note(c, name, r.n.get(name).value())
	}
}

// done adds the case.
func (r *record) done(c assay.Case) {
	if r.l.opts.SkipInvalid && r.invalid {
		delete(r.l.recorded, r.l.cases.Len())
		delete(r.l.failures, r.l.cases.Len())
		return
	}
	c.Origin = r.origin()
	if len(c.Tags) == 0 {
		c.Tags = nil
	}
	c.Tags = slices.Clip(c.Tags)
	r.l.keep(c)
}

// keep adds a case. Its group and whether it is critical may be in its metadata, where other tools keep what
// they do not know, and in the objects and the tags there.
func (l *loader) keep(c assay.Case) {
	switch g := c.Metadata["group"].(type) {
	case string, float64, json.Number:
		if name := fmt.Sprint(g); c.Group == "" && strings.TrimSpace(name) != "" {
			c.Group = name
			delete(c.Metadata, "group")
		}
	}
	l.marked(&c, c.Metadata, "critical")
	for _, name := range []string{"metadata", "meta", "tags"} {
		l.marked(&c, c.Metadata, name+".critical")
		if s, ok := c.Metadata[name].(string); ok && strings.HasPrefix(strings.TrimSpace(s), "{") { // JSON, or printed by Python
			if n, err := parseYAML([]byte(s), l.src.name); err == nil && n.kind == object {
				c.Metadata[name] = n.value()
			} else if strings.Contains(s, "critical") {
				l.warn(c.Origin, name, "a text that is no object: it makes no case critical")
			}
		}
		if of, ok := c.Metadata[name].(map[string]any); ok {
			l.marked(&c, of, "critical")
		}
	}
	if slices.Contains(c.Tags, "critical") && !c.Critical {
		l.warn(c.Origin, "tags", `the tag "critical" makes no case critical: set critical to true`)
	}
	l.cases.Add(&c)
}

// marked makes a case critical if a value says so.
func (l *loader) marked(c *assay.Case, of map[string]any, name string) {
	v, given := of[name]
	if !given {
		return
	}
	switch strings.ToLower(fmt.Sprint(v)) {
	case "true", "yes", "1":
		c.Critical = true
		delete(of, name)
	case "false", "no", "0", "", "<nil>", "none":
	default:
		l.warn(c.Origin, "metadata.critical", "neither true nor false: it makes no case critical")
	}
}
