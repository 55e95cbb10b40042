package stage

import (
	"context"
	"slices"

	"github.com/assay-eval/assay"
)

// search returns which of the facts that were not retrieved are in the index.
func (f *funnel) search(absent []int) (findable []int) {
	for _, i := range absent {
		switch passages, ok := f.a.library.lookup(&f.facts[i]); {
		case !ok:
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

// upstream tests whether the right transcript, and then the right sub-questions, would
// have saved the lost facts: whether those that were not retrieved would have been, and
// whether the answer would have the others. A wrong transcript may find the right
// passages by chance, and the filter and the generator then look for something else.
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

// canAsk reports whether the target may be asked with another output of a stage.
func (f *funnel) canAsk(stage string) bool {
	return f.a.o.Again && f.a.o.Staged != nil && f.a.o.Staged.HasStage(stage)
}

// transcribed asks with the right transcript, and returns the facts that are still
// lost.
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
	case gold == nil:
		f.merge(assay.StageTranscribe, into)
		return open, nil
	case sameWords(*gold, heard):
		none := 0.0
		f.delta = &none
		return open, nil
	case !f.canAsk(assay.StageTranscribe):
		rest, some := f.unheard(open)
		if !some {
			f.merge(assay.StageTranscribe, into)
		}
		return rest, nil
	}
	given.Transcript = gold
	with, err := f.replay(ctx, *given)
	if with == nil {
		f.merge(assay.StageTranscribe, into)
		return open, err
	}
	d := float64(covered(with.found)-covered(f.found)) / float64(len(f.facts))
	f.delta = &d
	return f.attribute(open, with, assay.StageTranscribe), nil
}

// decomposed asks with the right sub-questions.
func (f *funnel) decomposed(ctx context.Context, given assay.Given, open []int) error {
	made, ok := f.r.SubQuestions()
	if !ok {
		return nil
	}
	gold := f.c.Want.SubQuestions
	switch {
	case len(gold) == 0 || !f.canAsk(assay.StageDecompose):
		f.merge(assay.StageDecompose, assay.StageRetrieve)
		return nil
	case len(open) == 0 || sameTexts(gold, made):
		return nil
	}
	if heard, ok := f.r.Transcript(); ok && given.Transcript == nil {
		// The target need not transcribe again.
		given.Transcript = &heard
	}
	given.SubQuestions = gold
	with, err := f.replay(ctx, given)
	if with == nil {
		f.merge(assay.StageDecompose, assay.StageRetrieve)
		return err
	}
	f.attribute(open, with, assay.StageDecompose)
	return nil
}

// attribute attributes to a stage the facts that its right output saves, and returns the
// others.
func (f *funnel) attribute(open []int, with *funnel, stage string) (rest []int) {
	for _, i := range open {
		was, is := len(f.found[i].whole) > 0, len(with.found[i].whole) > 0
		if !was && is || was && !f.r.NoAnswer && with.lost[i] == "" {
			f.lost[i] = stage
		} else {
			rest = append(rest, i)
		}
	}
	return rest
}

// replay asks the target with replaced outputs of stages and follows the facts through
// its response; nil if the response does not report what was retrieved. The error is
// that of ctx.
func (f *funnel) replay(ctx context.Context, g assay.Given) (*funnel, error) {
	r, err := f.a.ask(ctx, f.c, g)
	if err != nil {
		return nil, ctx.Err()
	}
	with := f.a.funnel(f.c, &r, f.facts)
	if _, ok := with.view.retrieved(); !ok {
		return nil, nil
	}
	with.place()
	return with, nil
}

// covered counts the facts that some passage carries.
func covered(of []load) int {
	n := 0
	for _, l := range of {
		if len(l.whole) > 0 {
			n++
		}
	}
	return n
}
