package report

import (
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
)

// How much of a case a text shows; the other formats show more.
const (
	mostAnswer   = 2000 // characters of an answer
	mostPassage  = 300  // characters of a passage
	mostPassages = 5
	mostEvidence = 8 // observations a score
	mostClaims   = 20
	mostDropped  = 10 // passages that a filter dropped
)

// A caseContent builds the document of one case.
type caseContent struct {
	*content
	lowCase
	blocks []document.Block
}

// one tells all that is known of a case.
func (c *content) one(x lowCase) document.Case {
	b := &caseContent{content: c, lowCase: x}
	b.asked()
	b.answered()
	b.wanted()
	b.stages()
	b.scores()
	b.reasoning()
	b.claims()
	b.remarks()
	b.trace()
	return document.Case{Heading: document.T(c.result(x, true) + ": " + line(x.Case.ID) + " – " + clip(line(x.Case.Question), 120)),
		Blocks: b.blocks}
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
	b.say(n.Question, "", document.Quote{Text: b.Case.Question})
	if f := b.Failure; f != nil {
		b.say(n.Failure, b.w.FailedAfter(line(f.Kind), attempts(b.Record)), document.Quote{Text: excerpt(f.Message, mostAnswer)})
	}
	if b.Status == assay.StatusFailed {
		b.say(n.Below, b.w.List(b.misses(b.Record), 0))
	}
	if tries := triesOf(b.Record); tries != nil {
		var items []document.Item
		for _, t := range tries {
			items = append(items, document.Items(tryLine(t, mostPassage))...)
		}
		b.list(n.Tries, b.w.Of(len(tries), b.Attempts), items, mostTries, true)
	}
}

func (b *caseContent) answered() {
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
		var items []document.Item
		for _, x := range p.Passages {
			items = append(items, document.Items(b.passage(x))...)
		}
		b.list(n.Passages, itoa(len(p.Passages)), items, mostPassages, true)
	}
	switch {
	case p.NoAnswer:
		b.say(n.Answer, b.w.NoAnswer())
	case strings.TrimSpace(visible(p.Answer)) == "":
		b.say(n.Answer, "", document.Quote{Text: b.w.Empty()})
	default:
		b.say(n.Answer, "", document.Quote{Text: excerpt(p.Answer, mostAnswer)})
	}
}

// passage quotes a passage, names its document and says what the labels say.
func (b *caseContent) passage(x assay.Passage) string {
	s := ""
	if text := excerpt(line(x.Text), mostPassage); text != "" {
		s = "“" + text + "” "
	}
	if name := passageName(x); name != "" {
		s += "(" + line(name) + ")"
	}
	return s + relevanceWord(b.Case.Want, x)
}

func (b *caseContent) wanted() {
	for _, l := range wanted(b.Case.Want) {
		if len(l.values) == 0 {
			b.say(l.name, b.w.NoneByLabel())
			continue
		}
		var items []document.Item
		for _, v := range l.values {
			items = append(items, document.Items(excerpt(line(v), mostAnswer))...)
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
				mostPassage)}}})
		}
		b.list(n.Facts, "", items, mostClaims, false)
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
		var items []document.Item
		for _, p := range list {
			items = append(items, document.Items(line(p.Question)+" – "+partLine(p))...)
		}
		b.list(n.Parts, "", items, 0, true)
	}
	var dropped []document.Item
	for i, p := range list {
		for k, x := range p.Dropped {
			if k == mostDropped {
				dropped = append(dropped, document.Items(b.w.More(len(p.Dropped)-k))...)
				break
			}
			s := b.passage(x)
			if score := scoreWord(x); score != "" {
				s = b.w.Score(score) + ": " + s
			}
			if len(list) > 1 {
				s += " – " + b.w.SubQuestion(i+1)
			}
			dropped = append(dropped, document.Items(s)...)
		}
	}
	b.list(n.Dropped, "", dropped, 0, false)
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
		s, ok := b.score(info)
		if !ok {
			continue
		}
		text := ": " + b.held(info, s)
		if s.Reason != "" && !reasoned(info, s) {
			text += " – " + excerpt(line(s.Reason), mostPassage)
		}
		item := document.Item{Text: document.Join(document.C(info.Name), document.T(text))}
		if !ruled(info) {
			item.Sub = b.evidence(s.Evidence)
		}
		items = append(items, item)
	}
	b.say(b.w.CaseNames().Scores, "", document.List{Items: items})
}

func (b *caseContent) score(info assay.MetricInfo) (assay.Score, bool) {
	s, ok := b.Record.Scores[info.Name]
	return s, ok
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
			item.Text = append(item.Text, document.Span{Text: ": " + excerpt(line(s.Reason), mostPassage)})
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
		items = append(items, document.Items(x.line(mostPassage))...)
	}
	b.list(b.w.CaseNames().Claims, "", items, mostClaims, false)
}

func (b *caseContent) evidence(list []assay.Evidence) []document.Text {
	var out []document.Text
	for i, e := range list {
		if i == mostEvidence {
			return append(out, document.T(b.w.More(len(list)-i)))
		}
		s := e.Kind + ": " + excerpt(line(e.Text), mostPassage)
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
		items = append(items, document.Items(excerpt(line(w), mostPassage))...)
	}
	b.list(b.w.CaseNames().Remarks, "", items, 0, false)
}

func (b *caseContent) trace() {
	p := b.Response
	if p == nil || p.Trace == nil || len(p.Trace.Stages) == 0 {
		return
	}
	n := b.w.CaseNames()
	t := document.Table{ID: "trace", Columns: []document.Column{{Head: n.Stage, Words: true}, {Head: n.Model, Words: true},
		{Head: n.Time}, {Head: n.TraceNote, Words: true}}}
	for _, s := range p.Trace.Stages {
		t.Rows = append(t.Rows, document.Row{Cells: document.Cells(stageOf(s), s.Model, duration(s.Latency), s.Note)})
	}
	b.say(n.Trace, "", t)
}

// relevanceWord says what the labels say about a passage; a case without
// labels for documents gets no word.
func relevanceWord(w assay.Want, p assay.Passage) string {
	g, ok := judged(w, p)
	switch {
	case !ok:
		return ""
	case g >= 1:
		return " – relevant, grade " + itoa(g)
	case g == 0:
		return " – not relevant"
	}
	return " – pooled, not judged"
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
	s := partCounts(p)
	shown := p.Found
	if p.Kept != nil {
		shown = p.Kept
	}
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
