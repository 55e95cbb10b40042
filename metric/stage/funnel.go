package stage

import (
	"context"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// A funnel follows the facts of one case through the stages of one response.
type funnel struct {
	a     *Attributor
	c     *assay.Case
	r     *assay.Response
	view  view
	facts []fact
	read  reader

	// prompt, kept and found are the passages that carry each fact in the prompt,
	// behind the filter and behind the retriever; how tells by what.
	prompt, kept, found [][]assay.Passage
	how                 []string
	// lost is where each fact was lost; self marks those that the answer has all
	// the same.
	lost []string
	self []bool
	// from are the passages that tell what an answer with each fact says.
	from   [][]assay.Passage
	merged map[string]string
	delta  *float64
}

// funnel starts to follow the facts of a response, without what a judge said.
func (a *Attributor) funnel(c *assay.Case, r *assay.Response, facts []fact) *funnel {
	return &funnel{a: a, c: c, r: r, view: newView(r), facts: facts, read: reader{c: c, answer: r.Answer, facts: facts}, merged: map[string]string{}}
}

// follow finds where each fact was lost.
func (f *funnel) follow(ctx context.Context) error {
	absent := f.place()
	if len(absent) > 0 {
		absent = f.search(absent)
	}
	return f.upstream(ctx, absent)
}

// place follows the facts from the retriever to the answer, and gives those that
// were not retrieved.
func (f *funnel) place() (absent []int) {
	w, v := f.c.Want, &f.view
	f.lost, f.self = make([]string, len(f.facts)), make([]bool, len(f.facts))
	f.prompt, f.how = carriers(f.facts, w, v.given)
	f.kept = f.prompt
	if v.told {
		var how []string
		f.kept, how = carriers(f.facts, w, v.kept)
		f.learn(how)
	}
	f.found = f.kept
	told := true
	if slices.ContainsFunc(f.found, func(p []assay.Passage) bool { return len(p) == 0 }) {
		var passages []assay.Passage
		if passages, told = v.retrieved(); told {
			var how []string
			f.found, how = carriers(f.facts, w, passages)
			f.learn(how)
		}
	}
	if !v.told && !f.r.NoAnswer {
		f.merged[assay.LostPack] = assay.StageGenerate
	}
	if !told {
		// What went into the filter is not known.
		for _, s := range []string{assay.LostNotInIndex, assay.StageTranscribe, assay.StageDecompose, assay.StageRetrieve} {
			f.merged[s] = assay.StageFilter
		}
	}
	has, by := f.answered(f.read)
	for i := range f.facts {
		inPrompt := len(f.prompt[i]) > 0
		switch {
		case inPrompt && (f.r.NoAnswer || has[i]):
			if by[i] == byJudge {
				f.how[i] = byJudge
			}
		case inPrompt:
			f.lost[i] = f.unsaid(i)
		case len(f.kept[i]) > 0 || len(f.found[i]) > 0 && !v.filtered:
			f.lost[i] = assay.LostPack
		case len(f.found[i]) > 0 || !told:
			f.lost[i] = assay.StageFilter
		default:
			f.lost[i] = assay.StageRetrieve
			absent = append(absent, i)
		}
		f.self[i] = !inPrompt && !f.r.NoAnswer && has[i] && !f.read.hints(&f.facts[i], f.from[i], v.given)
	}
	if slices.Contains(f.lost, assay.LostPack) {
		delete(f.merged, assay.LostPack)
	}
	return absent
}

// learn fills in how facts were found that were not before.
func (f *funnel) learn(how []string) {
	for i, h := range how {
		if f.how[i] == "" {
			f.how[i] = h
		}
	}
}

// answered tells which facts an answer has.
func (f *funnel) answered(by reader) ([]bool, []string) {
	if f.from == nil {
		f.from = slices.Clone(f.prompt)
		for i := range f.from {
			if !by.needsOwn() || len(f.from[i]) > 0 {
				continue
			}
			if f.from[i] = f.found[i]; len(f.from[i]) == 0 {
				f.from[i], _ = f.a.library.holding(&f.facts[i])
			}
		}
	}
	return by.has(f.from, f.r.Passages)
}

// needsOwn reports whether it takes the text of a passage to tell what an answer
// that uses it says.
func (r reader) needsOwn() bool {
	return len(r.facts) > 1 && len(r.c.Want.Keywords) > 0 && (r.facts[0].kind == document || r.facts[0].kind == passage)
}

// unsaid tells where a fact was lost that was in the prompt and is not in the
// answer.
func (f *funnel) unsaid(i int) string {
	written, ok := f.view.generated()
	if !ok || text.MatchForm(written) == text.MatchForm(f.r.Answer) {
		return assay.StageGenerate
	}
	// What the judge said is of what was shown.
	by := f.read
	by.answer, by.said = written, nil
	if has, _ := f.answered(by); has[i] {
		return assay.LostPresent
	}
	return assay.StageGenerate
}

// search tells which of the facts that were not retrieved are in the index at
// all, and gives these.
func (f *funnel) search(absent []int) (findable []int) {
	for _, i := range absent {
		switch passages, told := f.a.library.holding(&f.facts[i]); {
		case !told:
			f.merged[assay.LostNotInIndex] = assay.StageRetrieve
			findable = append(findable, i)
		case len(passages) == 0:
			f.lost[i] = assay.LostNotInIndex
		default:
			findable = append(findable, i)
		}
	}
	return findable
}

// upstream asks whether the facts that were lost would not have been with the
// right transcript, and with the right sub-questions: whether those that were not
// retrieved would have been, and whether the answer would have the others. For a
// question that was misheard may find the right passages by luck, and the filter
// and the generator then look for something else in them.
func (f *funnel) upstream(ctx context.Context, absent []int) error {
	open := slices.Clone(absent)
	for i, l := range f.lost {
		if l == assay.StageFilter || l == assay.LostPack || l == assay.StageGenerate {
			open = append(open, i)
		}
	}
	slices.Sort(open)
	var given assay.Given
	open, err := f.transcribed(ctx, &given, open)
	if err != nil {
		return err
	}
	return f.decomposed(ctx, given, open)
}

// asks reports whether the target may be asked with another output of a stage.
func (f *funnel) asks(stage string) bool {
	return f.a.o.Again && f.a.o.Staged != nil && f.a.o.Staged.HasStage(stage)
}

// transcribed asks with the right transcript, and gives the facts that are lost
// all the same.
func (f *funnel) transcribed(ctx context.Context, given *assay.Given, open []int) ([]int, error) {
	heard, ok := f.r.Transcript()
	if !ok {
		return open, nil
	}
	into := assay.StageRetrieve
	if f.view.decomposed {
		into = assay.StageDecompose
	}
	gold := f.c.Want.Transcript
	switch {
	case gold == nil || !f.asks(assay.StageTranscribe):
		f.merge(assay.StageTranscribe, into)
		return open, nil
	case alike(*gold, heard):
		none := 0.0
		f.delta = &none
		return open, nil
	}
	given.Transcript = gold
	with, err := f.again(ctx, *given)
	if with == nil {
		f.merge(assay.StageTranscribe, into)
		return open, err
	}
	d := float64(covered(with.found)-covered(f.found)) / float64(len(f.facts))
	f.delta = &d
	return f.blame(open, with, assay.StageTranscribe), nil
}

// decomposed asks with the right sub-questions.
func (f *funnel) decomposed(ctx context.Context, given assay.Given, open []int) error {
	made, ok := f.r.SubQuestions()
	if !ok {
		return nil
	}
	gold := f.c.Want.SubQuestions
	switch {
	case len(gold) == 0 || !f.asks(assay.StageDecompose):
		f.merge(assay.StageDecompose, assay.StageRetrieve)
		return nil
	case len(open) == 0 || allAlike(gold, made):
		return nil
	}
	if heard, ok := f.r.Transcript(); ok && given.Transcript == nil {
		// What was heard stays, and need not be heard again.
		given.Transcript = &heard
	}
	given.SubQuestions = gold
	with, err := f.again(ctx, given)
	if with == nil {
		f.merge(assay.StageDecompose, assay.StageRetrieve)
		return err
	}
	f.blame(open, with, assay.StageDecompose)
	return nil
}

// merge says that a stage cannot be told from a later one, unless it is told from
// nothing at all.
func (f *funnel) merge(stage, into string) {
	if f.merged[stage] == "" {
		f.merged[stage] = into
	}
}

// blame puts the facts that are not lost with a stage's right output down to that
// stage, and gives the others.
func (f *funnel) blame(open []int, with *funnel, stage string) (rest []int) {
	for _, i := range open {
		if len(f.found[i]) == 0 && len(with.found[i]) > 0 || len(f.found[i]) > 0 && !f.r.NoAnswer && with.lost[i] == "" {
			f.lost[i] = stage
		} else {
			rest = append(rest, i)
		}
	}
	return rest
}

// again asks the target with outputs put in the stages' places, and follows the
// facts through that; nil when it did not tell. The error is that of ctx.
func (f *funnel) again(ctx context.Context, g assay.Given) (*funnel, error) {
	r, err := f.a.ask(ctx, f.c, g)
	if err != nil {
		return nil, ctx.Err()
	}
	with := f.a.funnel(f.c, &r, f.facts)
	if _, told := with.view.retrieved(); !told {
		return nil, nil
	}
	with.place()
	return with, nil
}

// covered counts the facts that some passage carries.
func covered(of [][]assay.Passage) int {
	n := 0
	for _, p := range of {
		if len(p) > 0 {
			n++
		}
	}
	return n
}

// attribution is what becomes of the facts as a record keeps it.
func (f *funnel) attribution() *assay.Attribution {
	out := &assay.Attribution{RetrievalDelta: f.delta}
	for i := range f.facts {
		fa := &f.facts[i]
		out.Facts = append(out.Facts, assay.Fact{
			ID: fa.id, Text: text.Shorten(text.Collapse(fa.text), longest), Lost: f.lost[i], SelfKnowledge: f.self[i], Match: f.how[i],
		})
	}
	if len(f.merged) > 0 {
		out.Merged = f.merged
	}
	return out
}

// alike reports whether two texts are the same but for case, white space and
// punctuation.
func alike(a, b string) bool {
	return slices.Equal(words(text.MatchForm(a)), words(text.MatchForm(b)))
}

// allAlike reports whether two lists hold the same texts in any order.
func allAlike(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for _, x := range a {
		if !slices.ContainsFunc(b, func(y string) bool { return alike(x, y) }) {
			return false
		}
	}
	return true
}
