package dataset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/target/reply"
)

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
	"failure":  (*mapped).failed,
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
	if m.tried() {
		m.recorded(n, at, f)
		return
	}
	m.expected(n, at, f)
}

// tried reports whether the record says what a system did, and not what it should do.
func (m *mapped) tried() bool {
	return m.l.format.Name != "langsmith" || slices.ContainsFunc(slices.Concat(m.l.excerpt.names, m.l.excerpt.header),
		func(name string) bool { return strings.HasPrefix(name, "reference") })
}

// failed reads why a system failed, or its status.
func (m *mapped) failed(n *node, at string, _ *fieldMap) {
	why := strings.TrimSpace(cmp.Or(n.text, fmt.Sprint(n.value())))
	switch {
	case n.isEmpty() || slices.Contains(wordsOfNone, why):
	case !m.tried() || at != "error" && !strings.EqualFold(strings.TrimPrefix(why, "TraceState."), "error"):
		keep(&m.c, at, []field{{at, n}})
	case at == "error":
		m.failure = why
	default:
		m.failure = cmp.Or(m.failure, at+" "+why)
	}
}

func (m *mapped) question(n *node, at string, f *fieldMap) {
	if n != nil && n.kind == list {
		m.fail(n, at, "a list", cmp.Or(f.List, "the last question as a text; turns before it may be in the metadata, as history"))
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
