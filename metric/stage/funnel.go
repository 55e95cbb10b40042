package stage

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric/retrieval"
)

// A funnel follows the facts of one case through the stages of one response.
type funnel struct {
	a     *Attributor
	c     *assay.Case
	r     *assay.Response
	view  view
	facts []fact
	read  reader

	// seek is what is sought of each document, seen are its passages, forms holds the match forms of texts, sets their
	// terms.
	seek  []seek
	seen  [][]assay.Passage
	forms map[string]string
	sets  map[string]map[string]bool
	// prompt, kept and found are what the prompt, the output of the filter and that of
	// the retriever carry of each fact; match says how.
	prompt, kept, found []load
	match               []string
	// lost is where each fact was lost, left what was left of it there; self is set if
	// the answer has it nevertheless.
	lost, left []string
	self       []bool
	// unknown says why it is not known where each fact was lost, "" if it is; absent are
	// the facts that were not retrieved.
	unknown []string
	absent  []int
	// near has the labelled documents that passages name but for the form, nil if unread.
	near map[string]string
	// chunks is above 0 if passages are chunks of documents, below if not, 0 if unread.
	chunks int
	// from are the passages that show what an answer with each fact says.
	from [][]assay.Passage
	// rival says which stage it is if a passage has a weaker label by chance, and which if it is enough.
	rival  string
	merged map[string]string
	delta  *float64
}

// funnel starts to follow the facts of a response, without an assessment.
func (a *Attributor) funnel(c *assay.Case, r *assay.Response, facts []fact) *funnel {
	f := &funnel{
		a: a, c: a.worded(c), r: r, view: newView(r, c.Question, a.library.index != nil), facts: facts,
		read: reader{c: c, answer: r.Answer, facts: facts}, merged: map[string]string{},
		sets: map[string]map[string]bool{},
	}
	if len(c.Want.Documents) > 1 {
		retrieved, _ := f.view.retrieved()
		f.c = narrowed(f.c, slices.Concat(retrieved, f.view.kept))
	}
	return f
}

// follow finds where each fact was lost.
func (f *funnel) follow(ctx context.Context) error {
	if len(f.absent) > 0 {
		f.absent = f.search(f.absent)
	}
	return f.upstream(ctx, f.absent)
}

// place follows the facts from the retriever to the answer.
func (f *funnel) place() {
	v := &f.view
	f.unknown, f.absent = make([]string, len(f.facts)), nil
	f.lost, f.left, f.self = make([]string, len(f.facts)), make([]string, len(f.facts)), make([]bool, len(f.facts))
	f.match = make([]string, len(f.facts))
	f.seek = f.seeks()
	f.prompt = f.carriers(v.prompt)
	if v.frame != "" {
		f.unframe()
	}
	f.kept = f.prompt
	if v.traced {
		f.kept = f.carriers(v.kept)
	}
	f.found = f.kept
	known := true
	if slices.ContainsFunc(f.found, func(l load) bool { return len(l.whole) == 0 }) {
		var passages []assay.Passage
		if passages, known = v.retrieved(); known {
			f.found = f.carriers(passages)
		}
	}
	f.renamed()
	if !v.exact && !f.r.NoAnswer {
		f.merged[assay.LostPack] = assay.StageGenerate
	}
	switch {
	case !known && !v.filtered:
		// Nothing is known before the prompt, and whether there is a filter.
		f.merged[assay.StageFilter], f.merged[assay.LostPack] = assay.StageRetrieve, assay.StageRetrieve
	case !known:
		// The input of the filter is unknown.
		for _, s := range []string{assay.LostNotInIndex, assay.StageTranscribe, assay.StageDecompose, assay.StageRetrieve} {
			f.merged[s] = assay.StageFilter
		}
	}
	has, by := f.answered(f.read)
	for i := range f.facts {
		inPrompt := len(f.prompt[i].whole) > 0
		inKept, inFound := len(f.kept[i].whole) > 0, len(f.found[i].whole) > 0
		switch {
		case inFound && v.unread && !v.traced && f.unchanged():
			f.unknown[i] = assay.UnknownOutput
		case inFound && !(inPrompt && v.exact) && v.recounts():
			f.unknown[i] = assay.UnknownNames
		case inPrompt:
		case (inKept || inFound && !v.filtered) && v.logCut(v.prompts()),
			inFound && !inKept && v.filtered && (v.logCut(textsOf(v.kept)) || slices.ContainsFunc(v.kept, func(p assay.Passage) bool {
				return f.cut(p) && slices.ContainsFunc(v.kept, func(q assay.Passage) bool { return cutAlike(p, q) })
			})):
			f.unknown[i] = assay.UnknownCut
		case f.prompt[i].unknown != "":
			f.unknown[i] = f.prompt[i].unknown
		case !inKept && f.kept[i].unknown != "":
			f.unknown[i] = f.kept[i].unknown
		case (inKept || inFound) && f.besides(i):
			f.unknown[i] = assay.UnknownWords
		case !inKept && !inFound:
			if f.unknown[i] = f.found[i].unknown; v.unreads(assay.StageRetrieve) && known {
				f.unknown[i] = assay.UnknownOutput
			}
			if f.unknown[i] == "" && f.facts[i].kind == document && f.alike()[f.facts[i].id] != "" {
				f.unknown[i] = assay.UnknownNames
			}
			if f.unknown[i] == "" && f.clipped(&f.facts[i]) {
				f.unknown[i] = assay.UnknownTexts
			}
			if f.unknown[i] == "" && (f.reworded(&f.facts[i], f.found[i].part) || f.facts[i].kind == document && f.elsewhere()) {
				f.unknown[i] = assay.UnknownWords
			}
			if f.unknown[i] == "" && f.facts[i].kind != document {
				f.unknown[i] = f.veiled(&f.facts[i])
			}
		}
		if f.unknown[i] == "" && inPrompt && !has[i] && f.read.unsure(&f.facts[i], f.from[i]) {
			f.unknown[i] = assay.UnknownAnswer
		}
		if f.unknown[i] != "" {
			continue
		}
		if has[i] && len(f.prompt[i].part) > 0 && (f.prompt[i].match == byID || f.prompt[i].match == byDocument) {
			// What was cut from a passage was not the answer.
			inPrompt = true
		}
		here := f.found[i]
		switch {
		case inPrompt && (f.r.NoAnswer || has[i]):
			if by[i] == byJudge {
				f.match[i] = byJudge
			}
		case inPrompt:
			f.lost[i], here = f.lostInAnswer(i), load{}
		case inKept || inFound && !v.filtered:
			f.lost[i], here = assay.LostPack, f.prompt[i]
		case inFound || !known && v.filtered:
			f.lost[i], here = assay.StageFilter, f.kept[i]
		default:
			f.lost[i] = assay.StageRetrieve
			f.absent = append(f.absent, i)
		}
		if f.left[i] = assay.FactAbsent; len(here.part) > 0 {
			f.left[i] = assay.FactPartly
		}
		f.self[i] = !inPrompt && !f.r.NoAnswer && has[i] && f.read.fromMemory(&f.facts[i], f.c.Want, f.from[i], v.prompt)
	}
	if slices.Contains(f.lost, assay.LostPack) {
		delete(f.merged, assay.LostPack)
		if v.unread {
			f.merged[assay.StageFilter] = assay.LostPack
		}
	}
}

// alike returns the names of passages by the labelled documents that they would name but for their form.
func (f *funnel) alike() map[string]string {
	if f.near == nil {
		retrieved, _ := f.view.retrieved()
		f.near = maps.Collect(retrieval.Alike(f.c.Want.Documents, slices.Concat(retrieved, f.view.kept)))
	}
	return f.near
}

// carriers returns what passages carry of each fact, and completes match.
func (f *funnel) carriers(passages []assay.Passage) []load {
	out := f.carry(passages)
	for i := range out {
		if len(out[i].whole) > 0 {
			f.match[i] = cmp.Or(f.match[i], out[i].match)
		}
	}
	return out
}

// answered returns which facts an answer has, and how they matched.
func (f *funnel) answered(by reader) ([]bool, []string) {
	if f.from == nil {
		f.from = make([][]assay.Passage, len(f.facts))
		for i := range f.from {
			f.from[i] = slices.Concat(f.prompt[i].whole, f.prompt[i].part)
			if !by.needsOwn() || len(f.prompt[i].whole) > 0 {
				continue
			}
			if f.from[i] = f.found[i].whole; len(f.from[i]) == 0 {
				f.from[i], _ = f.a.library.lookup(&f.facts[i])
			}
		}
	}
	return by.has(f.from, f.r.Passages)
}

// needsOwn reports whether the text of a passage is needed to know what an answer that
// uses it says.
func (r reader) needsOwn() bool {
	return len(r.facts) > 1 && len(r.c.Want.Keywords) > 0 && (r.facts[0].kind == document || r.facts[0].kind == passage)
}

// lostInAnswer returns where a fact was lost that was in the prompt and is not in the
// answer.
func (f *funnel) lostInAnswer(i int) string {
	written, ok := f.view.generated()
	if !ok || text.MatchForm(written) == text.MatchForm(f.r.Answer) {
		return assay.StageGenerate
	}
	// The assessment is of the shown answer.
	by := f.read
	by.answer, by.by = written, nil
	if has, _ := f.answered(by); has[i] {
		return assay.LostPresent
	}
	return assay.StageGenerate
}

// merge records that a stage cannot be separated from a later one.
func (f *funnel) merge(stage, into string) {
	if f.merged[stage] == "" {
		f.merged[stage] = into
	}
}

// attribution is the result as a record keeps it.
func (f *funnel) attribution() *assay.Attribution {
	out := &assay.Attribution{RetrievalDelta: f.delta}
	for i := range f.facts {
		fa := &f.facts[i]
		if f.unknown[i] != "" {
			out.Unknown = cmp.Or(out.Unknown, f.unknown[i])
			continue
		}
		if f.byDocument(i) {
			out.Unknown = cmp.Or(out.Unknown, assay.UnknownChunk)
			if f.lost[i] != "" {
				continue // the chunk that is needed may have been lost at an earlier stage
			}
		}
		left := f.left[i]
		if f.lost[i] == "" {
			left = assay.FactWhole
		}
		out.Facts = append(out.Facts, assay.Fact{
			ID: fa.id, Text: fa.excerpt(), Lost: f.lost[i], Left: left,
			SelfKnowledge: f.self[i], Match: f.match[i],
		})
	}
	if len(f.merged) > 0 && len(out.Facts) > 0 {
		out.Merged = f.merged
	}
	return out
}

// sameWords reports whether two texts are equal except for case, white space and
// punctuation.
func sameWords(a, b string) bool {
	return slices.Equal(words(text.MatchForm(a)), words(text.MatchForm(b)))
}

// sameTexts reports whether two lists hold the same texts in any order.
func sameTexts(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for _, x := range a {
		if !slices.ContainsFunc(b, func(y string) bool { return sameWords(x, y) }) {
			return false
		}
	}
	return true
}
