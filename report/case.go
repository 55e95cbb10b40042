package report

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/checks"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
)

// caseLimits bounds what is shown of a case. Texts are measured in characters.
type caseLimits struct {
	answer, passage, passages int
	evidence                  int // observations of a score
	claims                    int
	dropped                   int // passages that a filter dropped
}

var readingLimits = caseLimits{answer: 2000, passage: 300, passages: 5, evidence: 8, claims: 20, dropped: 10}

// pageLimits returns the limits for a page whose texts have at most text characters.
func pageLimits(text int) caseLimits {
	return caseLimits{answer: text, passage: text, passages: 20, evidence: 20, claims: 40, dropped: 20}
}

// A caseContent builds the document of one case.
type caseContent struct {
	*content
	shownCase
	most caseLimits
	// page is set for a page, which shows texts with their line breaks, scores as a
	// table, and the input and output of each stage.
	page bool
	// ruled are the claims of the answer with their places; the zero value where they are not
	// shown.
	ruled  ruledClaims
	blocks []document.Block
}

// one returns the document of a case for a text format.
func (c *content) one(x shownCase) document.Case {
	b := &caseContent{content: c, shownCase: x, most: readingLimits}
	b.build(b.asked, b.passages, b.answer, b.wanted, b.stages, b.scores, b.reasoning, b.claims, b.remarks, b.trace)
	return document.Case{Heading: document.T(c.result(x, true) + ": " + line(x.Case.ID) + " – " + clip(line(x.Case.Question), 120)),
		Blocks: b.blocks}
}

// panel returns the document of a case for a page.
func (c *content) panel(x shownCase, most caseLimits) document.Case {
	b := &caseContent{content: c, shownCase: x, most: most, page: true}
	b.build(b.asked, b.answer, b.wanted, b.stages, b.scoreTable, b.claims, b.remarks, b.passages, b.trace, b.notes)
	return document.Case{Blocks: b.blocks}
}

func (b *caseContent) build(parts ...func()) {
	for _, part := range parts {
		part()
	}
}

// excerpt shortens a text. A page keeps its line breaks; other formats put it on one
// line.
func (b *caseContent) excerpt(s string, most int) string {
	if b.page {
		return excerpt(b.w, visible(s), most)
	}
	return excerpt(b.w, line(s), most)
}

func (b *caseContent) say(label, text string, blocks ...document.Block) {
	b.blocks = append(b.blocks, document.Labelled{Label: label, Text: document.T(text), Blocks: blocks})
}

// list adds a list of at most most items.
func (b *caseContent) list(label, text string, items []document.Item, most int, ordered bool) {
	if len(items) == 0 {
		return
	}
	if n := len(items) - most; most > 0 && n > 0 {
		items = append(items[:most:most], document.Item{Text: document.T(b.w.More(n))})
	}
	b.say(label, text, document.List{Items: items, Ordered: ordered})
}

func (b *caseContent) asked() {
	b.question()
	if b.page {
		cell, _ := b.standing(b.shownCase)
		b.note(append([]string{cell.Text[0].Text, b.checkReason(b.Record, b.r.Check(b.Record))}, b.about(b.shownCase)...)...)
	}
	b.troubles()
}

// troubles adds why there is no response, the thresholds that were missed and the failed
// attempts.
func (b *caseContent) troubles() {
	n := b.w.Names().CaseNames
	if f := b.Failure; f != nil {
		b.say(n.Failure, b.w.Say("FailedAfter", words.V{"kind": line(f.Kind), "attempts": b.attempts(b.Record)}),
			document.Quote{Text: excerpt(b.w, f.Message, b.most.answer)})
	}
	if b.Status == assay.StatusFailed {
		b.say(n.Below, b.w.List(b.misses(b.Record), 0))
	}
	if tries := triesOf(b.Record); tries != nil {
		lines := mapped(tries, func(t assay.Try) string { return try(b.w, t, b.most.passage) })
		b.list(n.Tries, b.w.Say("Of", words.V{"n": len(tries), "of": b.Attempts}), document.Items(lines...), mostTries, true)
	}
}

func (b *caseContent) question() {
	q := document.Quote{Text: b.Case.Question, Role: document.Question}
	if b.page {
		q.Text = b.excerpt(q.Text, b.most.answer)
	}
	b.say(b.w.Names().CaseNames.Question, "", q)
}

// about returns the tags of a case, its time and its cost.
func (c *content) about(x shownCase) []string {
	n := c.w.Names().PageNames
	said := slices.Clone(x.Case.Tags)
	if p := x.Response; p != nil {
		if p.Latency > 0 {
			said = append(said, duration(p.Latency))
		}
		if x.Slow {
			said = append(said, n.Slow)
		}
	}
	if cost := x.Usage().Cost; cost > 0 {
		said = append(said, caseCost(cost))
	}
	return said
}

// note adds a line of remarks.
func (b *caseContent) note(remarks ...string) {
	if len(remarks) > 0 {
		b.blocks = append(b.blocks, document.Paragraph{Kind: document.Note, Text: document.T(strings.Join(remarks, " · "))})
	}
}

func (b *caseContent) passages() {
	p := b.Response
	if p == nil {
		return
	}
	n := b.w.Names().CaseNames
	switch {
	case p.Passages == nil:
		b.say(n.Passages, b.w.Names().NotReported)
	case len(p.Passages) == 0:
		b.say(n.Passages, b.w.Names().NoPassages)
	default:
		list := b.excerpts(p.Passages, b.most.passages)
		for i := range list.Items {
			if marks := b.marks(i + 1); marks != nil {
				// Places are those of the text as it is.
				list.Items[i].Text, list.Items[i].Marks = p.Passages[i].Text, marks
			}
		}
		list.Cited = true
		b.say(n.Passages, itoa(len(p.Passages)), list)
	}
}

func (b *caseContent) answer() {
	p := b.Response
	if p == nil {
		return
	}
	n := b.w.Names().CaseNames
	switch {
	case p.NoAnswer:
		b.say(n.Answer, b.w.Names().NoAnswer)
	default:
		b.say(n.Answer, "", b.quoted())
	}
}

// quoted returns the answer. Its citations refer to the passages that are shown.
func (b *caseContent) quoted() document.Quote {
	p := b.Response
	if strings.TrimSpace(visible(p.Answer)) == "" {
		return document.Quote{Text: b.w.Names().Empty}
	}
	return document.Quote{Text: excerpt(b.w, p.Answer, b.most.answer), Role: document.Answer, Cites: min(len(p.Passages), b.most.passages),
		Marks: b.marks(0)}
}

// excerpts returns the first most passages.
func (b *caseContent) excerpts(list []assay.Passage, most int) document.Passages {
	var out document.Passages
	for _, x := range list[:min(len(list), most)] {
		out.Items = append(out.Items, b.passage(x))
	}
	out.Left = len(list) - len(out.Items)
	return out
}

// further is like excerpts, but leaves out texts that the list of retrieved passages
// already shows.
func (b *caseContent) further(list []assay.Passage) document.Passages {
	out := b.excerpts(list, b.most.passages)
	shown := b.Response.Passages[:min(len(b.Response.Passages), b.most.passages)]
	for i := range out.Items {
		if slices.ContainsFunc(shown, func(p assay.Passage) bool { return p.Text == list[i].Text && p.Same(list[i]) }) {
			out.Items[i].Text = ""
		}
	}
	return out
}

// passage returns a passage with the name of its document and its relevance by the
// labels.
func (b *caseContent) passage(x assay.Passage) document.Passage {
	out := document.Passage{Text: b.excerpt(x.Text, b.most.passage), Name: line(passageName(x))}
	out.Relevance, out.Mark = b.relevance(b.Case.Want, x)
	if b.page {
		if out.Name == "" {
			out.Name = b.w.Names().PageNames.Unnamed
		}
		if title := line(x.Title); title != out.Name {
			out.Title = title
		}
		out.Score = b.score(x)
	}
	return out
}

// score returns the score that a stage gave to a passage, or "" if there is none.
func (b *caseContent) score(x assay.Passage) string {
	if x.Score == 0 || !finiteNumber(x.Score) {
		return ""
	}
	return b.w.Say("Score", words.V{"score": strconv.FormatFloat(x.Score, 'g', 3, 64)})
}

func (b *caseContent) wanted() {
	for _, l := range wanted(b.w, b.Case.Want) {
		if len(l.values) == 0 {
			b.say(l.name, b.w.Names().NoneByLabel)
			continue
		}
		if b.page && len(l.values) == 1 {
			b.say(l.name, "", document.Quote{Text: b.excerpt(l.values[0], b.most.answer)})
			continue
		}
		lines := mapped(l.values, func(v string) string { return excerpt(b.w, line(v), b.most.answer) })
		b.list(l.name, "", document.Items(lines...), 0, false)
	}
}

// remarks adds the remarks made while the case was judged.
func (b *caseContent) remarks() {
	lines := mapped(b.Warnings, func(w string) string { return excerpt(b.w, line(w), b.most.passage) })
	b.list(b.w.Names().CaseNames.Remarks, "", document.Items(lines...), 0, false)
}

// notes adds the target's notes on its response.
func (b *caseContent) notes() {
	if b.Response != nil {
		b.list(b.w.Names().PageNames.Notes, "", document.Items(b.Response.Warnings...), 0, false)
	}
}

// relevance returns the relevance of a passage by the labels. It is empty if the case
// has no labels for documents.
func (c *content) relevance(w assay.Want, p assay.Passage) (string, document.Mark) {
	g, ok := judged(w, p)
	switch {
	case !ok:
		return "", document.None
	case g >= 1:
		return c.w.Say("Relevance", words.V{"grade": g}), document.Good
	}
	return c.w.Say("Relevance", words.V{"grade": g}), document.None
}

// judged returns the grade of a passage by the labels of the case: that of the label
// on its document if there is one, else 1 if a reference passage contains its text or
// is contained in it. ok is false if no label applies.
func judged(w assay.Want, p assay.Passage) (grade int, ok bool) {
	if label, ok := assay.Label(w.Documents, p.ID, p.Document, p.Source); ok {
		return w.Documents[label], true
	}
	for _, want := range w.Passages {
		if text.Contains(want, p.Text, text.MatchLengthFor(want)) {
			return 1, true
		}
	}
	return 0, false
}

// passageName returns the name of a passage's document for readers.
func passageName(p assay.Passage) string { return cmp.Or(p.Source, p.Document, p.ID) }

// mostTries is how many attempts of a case the readable reports list.
const mostTries = 10

// triesOf returns the failed attempts of a case, or nil if they add nothing to its
// failure.
func triesOf(r assay.Record) []assay.Try {
	if len(r.Tries) == 0 || len(r.Tries) == 1 && r.Failure != nil && r.Tries[0].Failure == *r.Failure {
		return nil
	}
	return r.Tries
}

// try describes a failed attempt: "timeout after 30.0 s, waited 1.1 s: no response
// within 30s".
func try(w words.Words, t assay.Try, most int) string {
	after, wait := "", ""
	if t.Latency > 0 {
		after = duration(t.Latency)
	}
	if t.Wait > 0 {
		wait = duration(t.Wait)
	}
	return w.Say("Try", words.V{"Kind": line(t.Kind), "Message": excerpt(w, line(t.Message), most), "After": after, "Wait": wait})
}

// attempts returns how often the target was asked and, if it was asked once, how long
// it took to fail.
func (c *content) attempts(r assay.Record) string {
	after := ""
	if len(r.Tries) == 1 && r.Tries[0].Latency > 0 {
		after = duration(r.Tries[0].Latency)
	}
	return c.w.Say("Attempts", words.V{"n": r.Attempts, "took": after})
}

// A label is an expectation of a case about its answer.
type label struct {
	name   string
	values []string
}

// wanted returns the labels of a case. A label that is present but empty has no
// values.
func wanted(say words.Words, w assay.Want) []label {
	n := say.Names().WantNames
	var out []label
	add := func(name string, values []string) {
		if values != nil {
			out = append(out, label{name, values})
		}
	}
	add(n.Answers, w.Answers)
	if w.Documents != nil {
		docs := slices.SortedFunc(maps.Keys(w.Documents), func(a, b string) int {
			return cmp.Or(w.Documents[b]-w.Documents[a], cmp.Compare(a, b))
		})
		for i, d := range docs {
			docs[i] = say.Say("Grade", words.V{"document": d, "grade": w.Documents[d]})
		}
		add(n.Documents, append([]string{}, docs...))
	}
	add(n.Passages, w.Passages)
	add(n.Keywords, w.Keywords)
	add(n.Questions, w.SubQuestions)
	if w.Transcript != nil {
		add(n.Transcript, []string{*w.Transcript})
	}
	if w.Answerable != nil {
		add(n.Answerable, []string{say.Say("Answerable", words.V{"yes": *w.Answerable})})
	}
	if w.Checks != nil {
		add(n.Checks, append([]string{}, mapped(w.Checks, checks.Describe)...))
	}
	return out
}

// How many failed cases and how many of the lowest other cases a glance and a text
// show.
const (
	glanceFailed, glanceLow   = 8, 5
	readingFailed, readingLow = 50, 20
)

// cases shows the failed cases, then those that lost most: one line each at a glance,
// in full in a text. On a page they are in the table of cases.
func (c *content) cases() []document.Section {
	failed, low := split(c.r.lowest())
	out := c.lookup()
	add := func(s document.Section, most int, list []lowCase) {
		if most > 0 {
			list = list[:most]
			if s.Views == document.Glance {
				s.Blocks = []document.Block{document.Lines{Lines: c.caseLines(list)}}
			} else {
				s.Blocks = append([]document.Block{document.Cases{All: c.each(list)}}, s.Blocks...)
			}
			out = append(out, s)
		}
	}
	mostFailed := glanceFailed
	if c.o.Short {
		mostFailed = shortCases
	}
	f, l := c.o.bounded(len(failed), len(low), mostFailed, glanceLow)
	add(document.Section{ID: "failed", Title: c.w.Say("FailedCases", words.V{"shown": f, "of": len(failed)}), Views: document.Glance}, f, failed)
	add(document.Section{ID: "lowest", Title: c.w.Say("LowestCases", words.V{"shown": l, "of": len(low), "by": c.sortedBy(low)}), Views: document.Glance}, l, low)
	f, l = c.o.bounded(len(failed), len(low), readingFailed, readingLow)
	s := document.Section{ID: "failed", Title: c.w.Say("FailedCases", words.V{"shown": f, "of": len(failed)}), Views: document.Reading}
	if n := len(failed) - f; n > 0 {
		s.Blocks = []document.Block{document.Paragraph{Text: document.T(c.w.Say("MoreFailed", words.V{"n": n}))}}
	}
	add(s, f, failed)
	add(document.Section{ID: "lowest", Title: c.w.Say("LowestCases", words.V{"shown": l, "of": len(low), "by": c.sortedBy(low)}), Views: document.Reading}, l, low)
	return out
}

// caseLines returns a line for each case, and a second line for a failure.
func (c *content) caseLines(cases []lowCase) []string {
	var out []string
	for _, x := range cases {
		x := c.shown(x)
		out = append(out, " "+line(x.Case.ID)+"  "+c.result(x, false)+"  "+line(x.Case.Question))
		if x.Failure != nil {
			out = append(out, "   "+line(x.Failure.Message))
		}
	}
	return out
}

// each yields the documents of the cases, built one at a time.
func (c *content) each(cases []lowCase) iter.Seq[document.Case] {
	return func(yield func(document.Case) bool) {
		for _, x := range cases {
			if !yield(c.one(c.shown(x))) {
				return
			}
		}
	}
}
