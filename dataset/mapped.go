package dataset

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
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
}

// read makes a case of a record.
func (f *format) read(r *record) {
	if f.Skip.Field != "" && f.Skip.applies(r) {
		r.l.warn(r.origin(), f.Skip.Field, f.Skip.Says)
		return
	}
	if f.Sparse {
		r.n.fields = slices.DeleteFunc(r.n.fields, func(of field) bool { return of.value.kind == str && of.value.isEmpty() })
	}
	out := &mapped{record: r}
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
	if out.answered {
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

// value hands the value of a field, nil if there is none, to its target.
func (m *mapped) value(f *fieldMap, name string, n *node) {
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

// targets are what a field may be mapped to.
var targets = map[string]func(m *mapped, n *node, at string, f *fieldMap){
	"id":            func(m *mapped, n *node, at string, _ *fieldMap) { m.c.ID = m.identity(n, at) },
	"question":      (*mapped).question,
	"asked":         func(m *mapped, n *node, at string, _ *fieldMap) { m.questionIn(&m.c, n, at) },
	"answers":       (*mapped).answers,
	"passages":      (*mapped).passages,
	"documents":     func(m *mapped, n *node, at string, _ *fieldMap) { m.graded(&m.c.Want, n, at) },
	"files":         (*mapped).files,
	"keywords":      func(m *mapped, n *node, at string, _ *fieldMap) { m.c.Want.Keywords = m.keywords(n, at) },
	"sub_questions": func(m *mapped, n *node, at string, f *fieldMap) { m.c.Want.SubQuestions = m.texts(n, at, f.Want) },
	"answerable":    func(m *mapped, n *node, at string, _ *fieldMap) { m.c.Want.Answerable = m.truth(n, at) },
	"transcript":    (*mapped).transcript,
	"ideal":         func(m *mapped, n *node, _ string, _ *fieldMap) { m.c.Want.Ideal = m.ideal(n) },
	"checks":        func(m *mapped, n *node, at string, _ *fieldMap) { m.c.Want.Checks = m.checks(n, at, 0) },
	"tags":          func(m *mapped, n *node, at string, _ *fieldMap) { m.c.Tags = m.texts(n, at, "a name") },
	"tag_list":      (*mapped).tagList,
	"group":         func(m *mapped, n *node, at string, f *fieldMap) { m.c.Group = m.text(n, at, f.Want) },
	"audio":         func(m *mapped, n *node, at string, f *fieldMap) { m.c.Audio = m.text(n, at, f.Want) },
	"language":      func(m *mapped, n *node, at string, f *fieldMap) { m.c.Language = m.text(n, at, f.Want) },
	"metadata":      (*mapped).metadata,
	"members":       (*mapped).members,
	"scores":        (*mapped).scores,
	"retrieved_ids": (*mapped).retrievedIDs,
	"retrieved":     (*mapped).retrieval,
	"response":      (*mapped).response,
	"currency":      (*mapped).currency,

	"documents_with_texts": (*mapped).documentsWithTexts,
	"critical": func(m *mapped, n *node, at string, _ *fieldMap) {
		yes := m.truth(n, at)
		m.c.Critical = yes != nil && *yes
	},
	"answered": (*mapped).expected,
	"said":     (*mapped).recorded,
	"outputs":  (*mapped).outputs,
	"latency": func(m *mapped, _ *node, at string, _ *fieldMap) {
		m.resp.Latency += time.Duration(m.amount(at, "seconds") * float64(time.Second))
	},
	"cost": func(m *mapped, _ *node, at string, _ *fieldMap) { m.resp.Usage.Cost += m.dollars(at) },
	"input_tokens": func(m *mapped, _ *node, at string, _ *fieldMap) {
		m.resp.Usage.InputTokens = max(m.resp.Usage.InputTokens, m.count(at))
	},
	"output_tokens": func(m *mapped, _ *node, at string, _ *fieldMap) {
		m.resp.Usage.OutputTokens = max(m.resp.Usage.OutputTokens, m.count(at))
	},
}

func (m *mapped) expected(n *node, at string, _ *fieldMap) {
	if a := m.answerIn(&m.c, n, at); a != "" {
		m.c.Want.Answers = []string{a}
	}
}

func (m *mapped) recorded(n *node, at string, _ *fieldMap) {
	m.resp.Answer, m.answered = m.answerIn(&m.c, n, at), true
}

// outputs reads the reference answer of an example, and what a system answered in an experiment, which has references beside it.
func (m *mapped) outputs(n *node, at string, f *fieldMap) {
	if slices.ContainsFunc(slices.Concat(m.l.excerpt.names, m.l.excerpt.header), func(name string) bool { return strings.HasPrefix(name, "reference") }) {
		m.recorded(n, at, f)
		return
	}
	m.expected(n, at, f)
}

func (m *mapped) question(n *node, at string, f *fieldMap) {
	if n != nil && n.kind == list && f.List != "" {
		m.fail(n, at, "a list", f.List)
		return
	}
	m.c.Question = m.required(n, at, f.Want)
	if f.Quoted {
		m.c.Question = unquoted(m.c.Question)
	}
}

// answers reads the reference answers under one of their names.
func (m *mapped) answers(n *node, at string, f *fieldMap) {
	to := &m.c.Want.Answers
	switch {
	case f.Single:
		if a := m.text(n, at, f.Want); a != "" {
			*to = append(*to, a)
		}
		return
	case f.Member == "" && !f.Blank:
		*to = m.textOrTexts(n, at, f.Want)
		return
	case f.Member != "" && n.kind == object:
		at += "." + f.Member
		texts := n.get(f.Member)
		if texts.absent() {
			m.fail(n, at, "missing", f.List)
			return
		}
		n = texts
	}
	entries := n.items
	if n.kind != list {
		if f.List != "" {
			m.fail(n, at, n.what(), f.List)
			return
		}
		entries = []*node{n}
	}
	for i, entry := range entries {
		place := at
		if n.kind == list {
			place = fmt.Sprintf("%s[%d]", at, i)
		}
		if f.Member != "" && entry.kind == object {
			place += "." + f.Member
			if entry = entry.get(f.Member); entry == nil {
				m.fail(n, place, "missing", f.Want)
				continue
			}
		}
		if f.Blank && entry.kind == str && entry.isEmpty() {
			m.l.warn(m.origin(), at, "empty answers were skipped")
			continue
		}
		// Each is written as often as annotators gave it.
		if a := m.text(entry, place, f.Want); a != "" && !slices.Contains(*to, a) {
			*to = append(*to, a)
		}
	}
	if f.Member != "" && len(entries) == 0 {
		no := false
		m.c.Want.Answerable = &no
	}
}

// ragasHop is what the test-set generator of Ragas writes before a text of a question that
// needs several. No document has it.
var ragasHop = lazyregexp.New(`^<[0-9]+-hop>\s+`)

func (m *mapped) passages(n *node, at string, f *fieldMap) {
	if f.Flat {
		n = flat(n)
	}
	read := m.texts
	if f.Text {
		read = m.textOrTexts
	}
	out := read(n, at, f.Want)
	for i := range out {
		if f.Hops {
			out[i] = ragasHop().ReplaceAllString(out[i], "")
		}
	}
	m.warnShort(at, out)
	m.c.Want.Passages = out
}

// files reads the names of expected documents.
func (m *mapped) files(n *node, at string, f *fieldMap) {
	names := m.texts(n, at, f.Want)
	if names != nil {
		m.c.Want.Documents = make(map[string]int, len(names))
	}
	for _, name := range names {
		if m.c.Want.Documents[name] != 0 {
			m.l.warn(m.origin(), at, "a file is listed twice")
		}
		m.c.Want.Documents[name] = 1
	}
}

// documentsWithTexts reads texts and documents that should be retrieved.
func (m *mapped) documentsWithTexts(n *node, at string, f *fieldMap) {
	if n.kind != list {
		m.fail(n, at, n.what(), f.Want)
		return
	}
	for i, item := range n.items {
		text := item
		if item.kind == object {
			text = item.get("content")
			if uri := item.get("doc_uri"); !uri.isEmpty() {
				if id, ok := idOf(uri); ok {
					if m.c.Want.Documents == nil {
						m.c.Want.Documents = map[string]int{}
					}
					m.c.Want.Documents[id] = 1
				}
			}
		}
		if !text.isEmpty() {
			if t := m.text(text, fmt.Sprintf("%s[%d]", at, i), "a text that should be retrieved"); t != "" {
				m.c.Want.Passages = append(m.c.Want.Passages, t)
			}
		}
	}
}

// transcript reads what a recording says, which may be nothing.
func (m *mapped) transcript(n *node, at string, _ *fieldMap) {
	if n.kind != str {
		m.fail(n, at, n.what(), "text")
	}
	m.c.Want.Transcript = &n.text
}

func (m *mapped) tagList(n *node, at string, f *fieldMap) {
	tags := m.text(n, at, f.Want)
	if tags == "-" {
		return
	}
	for tag := range strings.SplitSeq(tags, ",") {
		if tag = strings.TrimSpace(tag); tag != "" {
			m.c.Tags = append(m.c.Tags, tag)
		}
	}
}

func (m *mapped) metadata(n *node, at string, f *fieldMap) {
	switch {
	case n.kind == object:
		for _, of := range n.fields {
			note(&m.c, of.name, of.value.value())
		}
	case f.Want != "":
		m.fail(n, at, n.what(), f.Want)
	default:
		note(&m.c, at, n.value())
	}
}

// members keeps the members of an object that hold something.
func (m *mapped) members(n *node, at string, f *fieldMap) {
	if n.kind != object {
		m.metadata(n, at, f)
		return
	}
	keep(&m.c, at, slices.DeleteFunc(slices.Clone(n.fields), func(of field) bool { return slices.Contains(f.But, of.name) }))
}

// scores keeps the scores of a test run.
func (m *mapped) scores(n *node, at string, _ *fieldMap) {
	if n.kind != list {
		m.fail(n, at, n.what(), "a list")
		return
	}
	scores := map[string]any{}
	for _, of := range n.items {
		if name, score := of.get("name"), of.get("score"); !name.absent() && name.kind == str && !score.absent() {
			scores[name.text] = score.value()
		}
	}
	if len(scores) > 0 {
		note(&m.c, "metrics", scores)
	}
	if slices.ContainsFunc(n.items, func(of *node) bool { return !of.get("reason").isEmpty() }) {
		m.l.warn(m.origin(), at, "reasons of scores are "+notCarried)
	}
}

func (m *mapped) response(n *node, at string, f *fieldMap) {
	if n.kind != str {
		m.fail(n, at, n.what(), "text")
	}
	m.resp.Answer, m.answered = n.text, true
	if f.Quoted {
		m.resp.Answer = unquoted(n.text)
	}
}

// retrieval reads the passages that a system retrieved.
func (m *mapped) retrieval(n *node, at string, f *fieldMap) {
	if f.Text {
		m.resp.Passages = m.retrieved(n, at)
		m.answered = m.answered || m.resp.Passages != nil
		return
	}
	bare := true
	m.eachPassage(n, at, f, func(p *assay.Passage, n *node) bool {
		if n.kind == object {
			bare = false
			return readPassage(p, n)
		}
		p.Text = n.text
		return n.kind == str
	})
	if bare {
		reply.Named(m.resp.Passages)
	}
}

func (m *mapped) retrievedIDs(n *node, at string, f *fieldMap) {
	m.eachPassage(n, at, f, func(p *assay.Passage, n *node) (ok bool) { p.ID, ok = idOf(n); return ok })
}

// eachPassage sets a part of every passage by a list.
func (m *mapped) eachPassage(n *node, at string, f *fieldMap, set func(*assay.Passage, *node) bool) {
	switch {
	case n.kind != list:
		m.fail(n, at, n.what(), "a list, each entry "+f.Want)
		return
	case m.resp.Passages == nil:
		m.resp.Passages, m.answered = make([]assay.Passage, len(n.items)), true
	case len(m.resp.Passages) != len(n.items):
		m.fail(n, at, fmt.Sprintf("%d entries for %d texts", len(n.items), len(m.resp.Passages)), "one for each")
		return
	}
	for i, item := range n.items {
		if !set(&m.resp.Passages[i], item) {
			m.fail(item, fmt.Sprintf("%s[%d]", at, i), item.what(), f.Want)
		}
	}
}

// readPassage reads a passage that is an object, as replies have them.
func readPassage(p *assay.Passage, n *node) bool {
	m, _, ok := reply.Detect([]any{n.value()})
	if !ok {
		return false
	}
	resp, _, err := m.Read([]any{n.value()})
	if err != nil || len(resp.Passages) != 1 {
		return false
	}
	*p = resp.Passages[0]
	return true
}

func (m *mapped) currency(n *node, _ string, _ *fieldMap) {
	if m.foreign = n.text != "USD"; m.foreign {
		m.l.warn(m.origin(), "total_cost", "not in dollars, and "+notCarried)
	}
}
