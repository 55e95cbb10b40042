package report

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/draw"
	"github.com/assay-eval/assay/summary"
)

// caseLimits say how much of a case is shown. Texts are bounded in characters.
type caseLimits struct {
	answer, passage, passages int
	evidence                  int // observations of a score
	claims                    int
	dropped                   int // passages that a filter dropped
}

var readingLimits = caseLimits{answer: 2000, passage: 300, passages: 5, evidence: 8, claims: 20, dropped: 10}

// pageLimits are those of a page whose texts have at most so many characters.
func pageLimits(text int) caseLimits {
	return caseLimits{answer: text, passage: text, passages: 20, evidence: 20, claims: 40, dropped: 20}
}

// A caseContent builds the document of one case.
type caseContent struct {
	*content
	lowCase
	most caseLimits
	// page is set for a page: it shows texts with their lines, scores as a table
	// and what each stage read and wrote.
	page   bool
	blocks []document.Block
}

// one builds the document of a case for a text.
func (c *content) one(x lowCase) document.Case {
	b := &caseContent{content: c, lowCase: x, most: readingLimits}
	b.build(b.asked, b.passages, b.answer, b.wanted, b.stages, b.scores, b.reasoning, b.claims, b.remarks, b.trace)
	return document.Case{Heading: document.T(c.result(x, true) + ": " + line(x.Case.ID) + " – " + clip(line(x.Case.Question), 120)),
		Blocks: b.blocks}
}

// panel builds the document of a case for a page.
func (c *content) panel(x lowCase, most caseLimits) document.Case {
	b := &caseContent{content: c, lowCase: x, most: most, page: true}
	b.build(b.asked, b.answer, b.wanted, b.stages, b.scoreTable, b.claims, b.remarks, b.passages, b.trace, b.notes)
	return document.Case{Blocks: b.blocks}
}

func (b *caseContent) build(parts ...func()) {
	for _, part := range parts {
		part()
	}
}

// excerpt bounds a text: on a page with its lines, else as one line.
func (b *caseContent) excerpt(s string, most int) string {
	if b.page {
		return excerpt(visible(s), most)
	}
	return excerpt(line(s), most)
}

func (b *caseContent) say(label, text string, blocks ...document.Block) {
	b.blocks = append(b.blocks, document.Labelled{Label: label, Text: document.T(text), Blocks: blocks})
}

// list names items, at most most of them.
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
	n := b.w.CaseNames()
	b.question()
	if b.page {
		b.about()
	}
	if f := b.Failure; f != nil {
		b.say(n.Failure, b.w.FailedAfter(line(f.Kind), attempts(b.Record)), document.Quote{Text: excerpt(f.Message, b.most.answer)})
	}
	if b.Status == assay.StatusFailed {
		b.say(n.Below, b.w.List(b.misses(b.Record), 0))
	}
	if tries := triesOf(b.Record); tries != nil {
		var items []document.Item
		for _, t := range tries {
			items = append(items, document.Items(tryLine(t, b.most.passage))...)
		}
		b.list(n.Tries, b.w.Of(len(tries), b.Attempts), items, mostTries, true)
	}
}

func (b *caseContent) question() {
	q := document.Quote{Text: b.Case.Question, Role: document.Question}
	if b.page {
		q.Text = b.excerpt(q.Text, b.most.answer)
	}
	b.say(b.w.CaseNames().Question, "", q)
}

// about says on a page how the case ended, its tags, its time and its cost.
func (b *caseContent) about() {
	n := b.w.PageNames()
	said := []string{b.w.Status(b.Status)}
	if b.Case.Critical {
		said = append(said, n.Critical)
	}
	said = append(said, b.Case.Tags...)
	if p := b.Response; p != nil {
		if p.Latency > 0 {
			said = append(said, duration(p.Latency))
		}
		if b.Slow {
			said = append(said, n.Slow)
		}
		if p.Usage.Cost > 0 {
			said = append(said, caseCost(p.Usage.Cost))
		}
	}
	b.note(said...)
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
	n := b.w.CaseNames()
	switch {
	case p.Passages == nil:
		b.say(n.Passages, b.w.NotReported())
	case len(p.Passages) == 0:
		b.say(n.Passages, b.w.NoPassages())
	default:
		list := b.excerpts(p.Passages, b.most.passages)
		list.Cited = true
		b.say(n.Passages, itoa(len(p.Passages)), list)
	}
}

func (b *caseContent) answer() {
	p := b.Response
	if p == nil {
		return
	}
	n := b.w.CaseNames()
	switch {
	case p.NoAnswer:
		b.say(n.Answer, b.w.NoAnswer())
	default:
		b.say(n.Answer, "", b.quoted())
	}
}

// quoted is the answer, with citations of the passages that are shown.
func (b *caseContent) quoted() document.Quote {
	p := b.Response
	if strings.TrimSpace(visible(p.Answer)) == "" {
		return document.Quote{Text: b.w.Empty()}
	}
	return document.Quote{Text: excerpt(p.Answer, b.most.answer), Role: document.Answer, Cites: min(len(p.Passages), b.most.passages)}
}

// excerpts quotes the first most passages.
func (b *caseContent) excerpts(list []assay.Passage, most int) document.Passages {
	var out document.Passages
	for _, x := range list[:min(len(list), most)] {
		out.Items = append(out.Items, b.passage(x))
	}
	out.Left = len(list) - len(out.Items)
	return out
}

// passage quotes a passage, names its document and says what the labels say.
func (b *caseContent) passage(x assay.Passage) document.Passage {
	out := document.Passage{Text: b.excerpt(x.Text, b.most.passage), Name: line(passageName(x))}
	out.Relevance, out.Mark = relevance(b.Case.Want, x)
	if b.page {
		if out.Name == "" {
			out.Name = b.w.PageNames().Unnamed
		}
		if title := line(x.Title); title != out.Name {
			out.Title = title
		}
		out.Score = b.score(x)
	}
	return out
}

// score shows the score that a stage gave to a passage; "" when it gave none.
func (b *caseContent) score(x assay.Passage) string {
	if x.Score == 0 || !finiteNumber(x.Score) {
		return ""
	}
	return b.w.Score(strconv.FormatFloat(x.Score, 'g', 3, 64))
}

func (b *caseContent) wanted() {
	for _, l := range wanted(b.Case.Want) {
		if len(l.values) == 0 {
			b.say(l.name, b.w.NoneByLabel())
			continue
		}
		if b.page && len(l.values) == 1 {
			b.say(l.name, "", document.Quote{Text: b.excerpt(l.values[0], b.most.answer)})
			continue
		}
		var items []document.Item
		for _, v := range l.values {
			items = append(items, document.Items(excerpt(line(v), b.most.answer))...)
		}
		b.list(l.name, "", items, 0, false)
	}
}

// stages shows where the case was lost: its facts, the ladder, the transcript,
// the sub-questions, and what the filter dropped.
func (b *caseContent) stages() {
	n := b.w.CaseNames()
	if a := b.Attribution; a != nil {
		if s := lostVerdictLine(a); s != "" {
			b.say(n.Lost, s)
		}
		var items []document.Item
		for _, f := range a.Facts {
			outcome, text := factLine(f)
			items = append(items, document.Item{Text: document.Text{{Text: outcome + ":", Style: document.Strong}, {Text: " " + excerpt(text,
				b.most.passage)}}})
		}
		b.list(n.Facts, "", items, b.most.claims, false)
		b.list(n.Ladder, "", ladder(a.Ladder), 0, false)
		for _, l := range mergedLines(a) {
			b.say(n.Note, l)
		}
	}
	if pieces, edits, tokens := transcriptOf(b.Record); pieces != nil {
		b.blocks = append(b.blocks, document.Labelled{Label: n.Transcript, Text: document.T(heardLine(b.Record, edits, tokens)),
			Blocks: []document.Block{
				document.Transcript{Pieces: pieces},
			}})
	}
	if b.Response == nil || !staged(b.Record) {
		return
	}
	list := partsOf(b.Response)
	if len(list) > 0 && list[0].Question != "" {
		b.parts(list)
	}
	var dropped document.Passages
	for i, p := range list {
		some := b.excerpts(p.Dropped, b.most.dropped)
		for k := range some.Items {
			some.Items[k].Score = b.score(p.Dropped[k])
			if len(list) > 1 {
				some.Items[k].Note = b.w.SubQuestion(i + 1)
			}
		}
		dropped.Items = append(dropped.Items, some.Items...)
		dropped.Left += some.Left
	}
	if dropped.Items != nil {
		b.say(n.Dropped, "", dropped)
	}
}

// parts lists the sub-questions with what was found for each.
func (b *caseContent) parts(list []part) {
	var items []document.Item
	var folds []document.Block
	for _, p := range list {
		text := line(p.Question) + " – " + partLine(p)
		items = append(items, document.Items(text)...)
		folds = append(folds, document.Fold{Title: text, Blocks: []document.Block{b.excerpts(p.shown(), b.most.passages)}})
	}
	if b.page {
		b.say(b.w.CaseNames().Parts, "", folds...)
		return
	}
	b.list(b.w.CaseNames().Parts, "", items, 0, true)
}

// ladder lists the rungs of the case.
func ladder(l *assay.Ladder) []document.Item {
	var items []document.Item
	for _, s := range ladderLines(l) {
		items = append(items, document.Items(strings.TrimPrefix(s, "+ "))...)
	}
	return items
}

// scores lists what the case scored, each beside its threshold, with what the
// score rests on. What a judge observed has a part of its own.
func (b *caseContent) scores() {
	var items []document.Item
	for _, info := range ordered(b.r.Header.Metrics) {
		s, ok := b.Record.Scores[info.Name]
		if !ok {
			continue
		}
		text := ": " + b.held(info, s)
		if s.Reason != "" && !reasoned(info, s) {
			text += " – " + excerpt(line(s.Reason), b.most.passage)
		}
		item := document.Item{Text: document.Join(document.C(info.Name), document.T(text))}
		if !ruled(info) {
			item.Sub = b.evidence(s.Evidence)
		}
		items = append(items, item)
	}
	b.say(b.w.CaseNames().Scores, "", document.List{Items: items})
}

// scoreTable shows the scores of a case on a page, each with its reason and what
// it rests on.
func (b *caseContent) scoreTable() {
	n := b.w.PageNames()
	t := document.Table{ID: "scores"}
	t.Columns = []document.Column{{Head: n.Metric, Words: true}, {Head: n.Score}, {Head: n.Reason, Words: true}}
	for _, info := range ordered(b.r.Header.Metrics) {
		s, ok := b.Record.Scores[info.Name]
		if !ok {
			continue
		}
		name := document.Span{Text: info.Name, Style: document.Metric, Title: info.Title}
		if share := weight(info); share != "" {
			name.Notes = []string{b.w.Weight(share)}
		}
		value := document.Cell{Text: document.T(b.held(info, s))}
		if summary.Misses(info, s) || s.State == assay.TargetError {
			value.Mark = document.Bad
		}
		if s.State == assay.Scored && s.Lower != s.Upper {
			value.Below = number(info, s.Lower) + "…" + number(info, s.Upper)
		}
		why := document.Cell{Text: document.T(excerpt(line(s.Reason), b.most.passage))}
		for _, e := range b.evidence(observed(info, s)) {
			why.Fold = append(why.Fold, e[0].Text)
		}
		t.Rows = append(t.Rows, document.Row{Cells: []document.Cell{{Text: document.Text{name}}, value, why}})
	}
	if t.Rows != nil {
		b.say(b.w.CaseNames().Scores, "", t)
	}
}

// reasoned reports whether a score's reason is part of the judge's reasoning:
// why there is no score stands beside its absence.
func reasoned(info assay.MetricInfo, s assay.Score) bool {
	return ruled(info) && s.State == assay.Scored
}

// reasoning says what the judge observed, but for the unsupported claims.
func (b *caseContent) reasoning() {
	n := b.w.CaseNames()
	var items []document.Item
	for _, info := range ordered(b.r.Header.Metrics) {
		s := b.Record.Scores[info.Name]
		evidence := observed(info, s)
		reason := reasoned(info, s) && s.Reason != ""
		if !ruled(info) || len(evidence) == 0 && !reason {
			continue
		}
		item := document.Item{Text: document.C(info.Name), Sub: b.evidence(evidence)}
		if reason {
			item.Text = append(item.Text, document.Span{Text: ": " + excerpt(line(s.Reason), b.most.passage)})
		}
		items = append(items, item)
	}
	title := n.Reasoning
	if j := b.r.Header.Judge; j != nil && j.Estimate {
		title = n.Estimates
	}
	b.list(title, "", items, 0, false)
}

// claims lists the claims of the answer that nothing supports.
func (b *caseContent) claims() {
	var items []document.Item
	for _, x := range unsupported(b.r.Header.Metrics, b.Record) {
		items = append(items, document.Items(x.line(b.most.passage))...)
	}
	b.list(b.w.CaseNames().Claims, "", items, b.most.claims, false)
}

func (b *caseContent) evidence(list []assay.Evidence) []document.Text {
	var out []document.Text
	for i, e := range list {
		if i == b.most.evidence {
			return append(out, document.T(b.w.More(len(list)-i)))
		}
		s := e.Kind + ": " + excerpt(line(e.Text), b.most.passage)
		if e.Where != "" {
			s += " (" + e.Where + ")"
		}
		out = append(out, document.T(s))
	}
	return out
}

// remarks lists what was noted while the case was judged.
func (b *caseContent) remarks() {
	var items []document.Item
	for _, w := range b.Warnings {
		items = append(items, document.Items(excerpt(line(w), b.most.passage))...)
	}
	b.list(b.w.CaseNames().Remarks, "", items, 0, false)
}

func (b *caseContent) trace() {
	p := b.Response
	if p == nil || p.Trace == nil || len(p.Trace.Stages) == 0 {
		return
	}
	n := b.w.CaseNames()
	t := document.Table{ID: "trace", Name: n.Trace, Columns: []document.Column{{Head: n.Stage, Words: true}, {Head: n.Model, Words: true},
		{Head: "", Plot: 24, Views: document.Page}, {Head: n.Time}, {Head: n.TraceNote, Words: true}}}
	var longest time.Duration
	for _, s := range p.Trace.Stages {
		longest = max(longest, s.Latency)
	}
	folds := []document.Block{}
	for _, s := range p.Trace.Stages {
		took := duration(s.Latency)
		bar := draw.Bar{Full: float64(s.Latency), Of: float64(max(longest, 1)), Width: 160, Label: took}
		t.Rows = append(t.Rows, document.Row{Cells: []document.Cell{{Text: document.T(stageOf(s))}, {Text: document.T(s.Model)}, {Plot: bar},
			{Text: document.T(took)}, {Text: document.T(s.Note)}}})
		if inside := b.stage(s); b.page && inside != nil {
			folds = append(folds, document.Fold{Title: stageOf(s), Blocks: inside})
		}
	}
	b.say(n.Trace, "", append([]document.Block{t}, folds...)...)
}

// stage shows the prompt of a stage and what it read and wrote.
func (b *caseContent) stage(s assay.Stage) []document.Block {
	n := b.w.PageNames()
	var out []document.Block
	if s.Prompt != "" {
		out = append(out, document.Labelled{Label: n.Prompt, Blocks: []document.Block{
			document.Quote{Text: b.excerpt(s.Prompt, b.most.passage), Role: document.Verbatim}}})
	}
	for i, raw := range []json.RawMessage{s.Input, s.Output} {
		if block := b.value(raw); block != nil {
			out = append(out, document.Labelled{Label: []string{n.Input, n.Output}[i], Blocks: []document.Block{block}})
		}
	}
	return out
}

// value shows what a stage read or wrote: passages as such, a string as its text,
// anything else as indented JSON. It is nil for nothing.
func (b *caseContent) value(raw json.RawMessage) document.Block {
	var text string
	if len(raw) == 0 || json.Unmarshal(raw, &text) == nil && text == "" {
		return nil
	}
	if list, ok := passageList(raw); ok {
		return b.excerpts(list, b.most.passages)
	}
	if text == "" {
		var indented bytes.Buffer
		text = string(raw)
		if json.Indent(&indented, raw, "", "  ") == nil {
			text = indented.String()
		}
	}
	return document.Quote{Text: b.excerpt(text, b.most.passage), Role: document.Verbatim}
}

// passageList reads a JSON list of passages: objects that have a text or name
// a document.
func passageList(raw json.RawMessage) ([]assay.Passage, bool) {
	var list []assay.Passage
	if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
		return nil, false
	}
	for _, x := range list {
		if x.Text == "" && passageName(x) == "" {
			return nil, false
		}
	}
	return list, true
}

// notes lists what the target noted on its response.
func (b *caseContent) notes() {
	if b.Response != nil {
		b.list(b.w.PageNames().Notes, "", document.Items(b.Response.Warnings...), 0, false)
	}
}

// relevance says what the labels say about a passage; a case without labels for
// documents gets no word.
func relevance(w assay.Want, p assay.Passage) (string, document.Mark) {
	g, ok := judged(w, p)
	switch {
	case !ok:
		return "", document.None
	case g >= 1:
		return "relevant, grade " + itoa(g), document.Good
	case g == 0:
		return "not relevant", document.None
	}
	return "pooled, not judged", document.None
}

// staged reports whether a case's way through the stages is shown: where it was
// followed, or where its question was taken apart.
func staged(r assay.Record) bool {
	_, apart := r.Response.SubQuestions()
	return r.Attribution != nil || apart
}

// partCounts counts what was found for a sub-question.
func partCounts(p part) string {
	s := plural(len(p.Found), "passage", "passages")
	if p.Kept != nil {
		s += ", " + itoa(len(p.Kept)) + " kept"
	}
	return s
}

// partLine counts what was found for a sub-question and names the first.
func partLine(p part) string {
	s, shown := partCounts(p), p.shown()
	var names []string
	for _, x := range shown[:min(3, len(shown))] {
		if n := passageName(x); n != "" {
			names = append(names, n)
		}
	}
	if names == nil {
		return s
	}
	if len(shown) > len(names) {
		names = append(names, "…")
	}
	return s + ": " + strings.Join(names, ", ")
}
