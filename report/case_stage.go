package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/draw"
	"github.com/assay-eval/assay/report/words"
)

// stages adds where the case was lost: its facts, the ladder, the transcript, the
// sub-questions, and what the filter dropped.
func (b *caseContent) stages() {
	n := b.w.Names().CaseNames
	if a := b.Attribution; a != nil {
		if s := b.lostVerdict(a); s != "" {
			b.say(n.Lost, s)
		}
		var items []document.Item
		for _, f := range a.Facts {
			items = append(items, document.Item{Text: document.Text{{Text: b.w.FactResult(f) + ":", Style: document.Strong},
				{Text: " " + excerpt(b.w, factText(f), b.most.passage)}}})
		}
		b.list(n.Facts, "", items, b.most.claims, false)
		b.ladder(a.Ladder)
		for _, stage := range append(assay.LossStages(), assay.LostUnresolved) {
			if into := a.Merged[stage]; into != "" {
				b.say(n.Note, b.w.Say("Merged", words.V{"stage": b.w.Stage(stage), "into": b.w.Stage(into)}))
			}
		}
	}
	if pieces, edits, tokens := transcriptOf(b.Record); pieces != nil {
		chinese := text.ShareCJK(*b.Case.Want.Transcript) > 0
		b.say(n.Transcript, b.w.Say("Heard", words.V{"errors": edits, "tokens": tokens, "characters": chinese}), document.Transcript{Pieces: pieces})
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
				some.Items[k].Note = b.w.Say("SubQuestion", words.V{"n": i + 1})
			}
		}
		dropped.Items = append(dropped.Items, some.Items...)
		dropped.Left += some.Left
	}
	if dropped.Items != nil {
		b.say(n.Dropped, "", dropped)
	}
}

// lostVerdict returns where and why a failed case was lost, or "" if it did not fail.
func (c *content) lostVerdict(a *assay.Attribution) string {
	if a == nil || !a.Failed {
		return ""
	}
	evidence := line(a.Evidence)
	if a.Stage == "" && a.Unknown != "" && evidence == "" {
		evidence = c.w.Say("LostUnknown", words.V{"reason": a.Unknown})
	}
	return c.w.Say("LostVerdict", words.V{"stage": c.w.Stage(a.Stage), "evidence": evidence, "rule": line(a.Outcome)})
}

// factText returns a fact with its id.
func factText(f assay.Fact) string {
	text, id := line(f.Text), line(f.ID)
	if text == "" || id == "" || id == text {
		return cmp.Or(text, id)
	}
	return text + " (" + id + ")"
}

// ladder adds the results of the case with more and more stages replaced by right
// outputs.
func (b *caseContent) ladder(l *assay.Ladder) {
	if l == nil {
		return
	}
	lines := mapped(l.Rungs, func(r assay.Rung) string { return b.w.Rung(r, excerpt(b.w, line(r.Answer), 200)) })
	if l.NonMonotone {
		lines = append(lines, b.w.Names().NonMonotone)
	}
	if e := line(l.Error); e != "" {
		lines = append(lines, b.w.Say("LadderError", words.V{"err": e}))
	}
	b.list(b.w.Names().CaseNames.Ladder, "", document.Items(lines...), 0, false)
}

// parts adds the sub-questions and what was found for each.
func (b *caseContent) parts(list []part) {
	var items []document.Item
	var folds []document.Block
	for _, p := range list {
		text := line(p.Question) + " – " + b.part(p)
		items = append(items, document.Items(text)...)
		folds = append(folds, document.Fold{Title: text, Blocks: []document.Block{b.further(p.shown())}})
	}
	if b.page {
		b.say(b.w.Names().CaseNames.Parts, "", folds...)
		return
	}
	b.list(b.w.Names().CaseNames.Parts, "", items, 0, true)
}

func (b *caseContent) trace() {
	p := b.Response
	if p == nil || p.Trace == nil || len(p.Trace.Stages) == 0 {
		return
	}
	n := b.w.Names().CaseNames
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
		t.Add(stageOf(s), s.Model, bar, took, b.stageNote(s))
		if !b.page {
			continue
		}
		if inside := b.stage(s); inside != nil {
			folds = append(folds, document.Fold{Title: stageOf(s), Blocks: inside})
		}
	}
	b.say(n.Trace, "", append([]document.Block{t}, folds...)...)
}

// stageNote is the remark about a stage, and what it consumed.
func (b *caseContent) stageNote(s assay.Stage) string {
	used := b.w.Usage("", s.Usage.InputTokens, s.Usage.OutputTokens)
	if s.Note == "" || used == "" {
		return s.Note + used
	}
	return s.Note + " · " + used
}

// stage returns a stage's prompt, input and output.
func (b *caseContent) stage(s assay.Stage) []document.Block {
	n := b.w.Names().PageNames
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

// value returns a stage's input or output: passages as a list, a string as its text,
// anything else as indented JSON. It returns nil if there is nothing to show.
func (b *caseContent) value(raw json.RawMessage) document.Block {
	var text string
	if len(raw) == 0 || json.Unmarshal(raw, &text) == nil && text == "" {
		return nil
	}
	if list, ok := passageList(raw); ok {
		return b.further(list)
	}
	if text == "" {
		text = indented(raw)
	}
	return document.Quote{Text: b.excerpt(text, b.most.passage), Role: document.Verbatim}
}

// passageList decodes a JSON list of passages: objects that have a text or name a
// document.
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

// staged reports whether a case's stages are shown: when it was followed through the
// stages, or when its question was split into sub-questions.
func staged(r assay.Record) bool {
	_, apart := r.Response.SubQuestions()
	return r.Attribution != nil || apart
}

// part returns a sub-question with the number of passages found for it and the names
// of the first ones.
func (c *content) part(p part) string {
	s, shown := c.w.Say("PartCounts", words.V{"found": len(p.Found), "kept": -1}), p.shown()
	if p.Kept != nil {
		s = c.w.Say("PartCounts", words.V{"found": len(p.Found), "kept": len(p.Kept)})
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

// A part is the work of the stages on one sub-question, or on the whole question if it
// was not split.
type part struct {
	Question string
	// Found are the retrieved passages and Kept those that the filter kept; each is
	// nil if the trace does not say. Dropped are the others, with the filter's scores
	// if the trace has them.
	Found, Kept, Dropped []assay.Passage
}

// shown returns the passages that the stages after the filter saw.
func (p part) shown() []assay.Passage {
	if p.Kept != nil {
		return p.Kept
	}
	return p.Found
}

// partsOf returns the parts of a response, in order. There are none if the trace has
// neither sub-questions nor a filter.
func partsOf(r *assay.Response) []part {
	questions, asked := r.SubQuestions()
	filtered := len(r.Stages(assay.StageFilter)) > 0
	if !asked && !filtered {
		return nil
	}
	if len(questions) == 0 {
		questions = []string{""}
	}
	var out []part
	for i, q := range questions {
		p := part{Question: q}
		in, kept := []assay.Passage(nil), []assay.Passage(nil)
		for at, s := range r.Trace.Stages {
			// A stage that worked on all sub-questions is counted once.
			if s.SubQuestion != i+1 && !(s.SubQuestion == 0 && i == 0) {
				continue
			}
			switch s.Name {
			case assay.StageRetrieve:
				p.Found = append(p.Found, r.PassagesAt(at, false)...)
			case assay.StageFilter:
				in = append(in, r.PassagesAt(at, true)...)
				if list := r.PassagesAt(at, false); list != nil {
					kept = append(append([]assay.Passage{}, kept...), list...)
				}
			}
		}
		if in == nil {
			in = p.Found
		}
		if p.Kept = kept; kept != nil {
			for _, x := range in {
				if !slices.ContainsFunc(kept, x.Same) {
					p.Dropped = append(p.Dropped, x)
				}
			}
		}
		out = append(out, p)
	}
	return out
}

// stageOf returns the name of a stage of a trace, with the sub-question it worked on.
func stageOf(s assay.Stage) string {
	if s.SubQuestion > 0 {
		return fmt.Sprintf("%s %d", s.Name, s.SubQuestion)
	}
	return s.Name
}
