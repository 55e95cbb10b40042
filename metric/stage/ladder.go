package stage

import (
	"context"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// A climb asks a failed case again with the right outputs of more and more stages.
type climb struct {
	a     *Attributor
	c     *assay.Case
	r     *assay.Response
	at    *assay.Attribution
	facts []fact
	by    decision

	ladder *assay.Ladder
	// given is the replaced outputs so far, last the response to them.
	given assay.Given
	last  *assay.Response
	// stages and outcomes are those of the rungs; outcomes begins with the actual one.
	stages   []string
	outcomes []bool
	// stopped is set if the verdict needs no further rung.
	stopped bool
}

// drawStride separates the draws of a rung's repetitions from the draws of a case, which
// are far fewer.
const drawStride = 1 << 16

// climb climbs the ladder and sets the verdict of the attribution. An error ends the
// ladder and leaves the funnel's verdict.
func (l *climb) climb(ctx context.Context) error {
	l.ladder = &assay.Ladder{Rungs: []assay.Rung{{Runs: 1, Answer: l.r.Answer}}}
	l.at.Ladder, l.last, l.outcomes = l.ladder, l.r, []bool{false}
	for _, step := range []func(context.Context) error{l.transcribe, l.decompose, l.index, l.retrieve, l.filter, l.generate} {
		if l.done() {
			break
		}
		if err := step(ctx); err != nil {
			return l.fail(ctx, err)
		}
	}
	if len(l.outcomes) == 1 {
		// Nothing could be replaced.
		l.at.Ladder = nil
		return nil
	}
	l.conclude()
	return nil
}

// done reports whether no further rung is needed.
func (l *climb) done() bool {
	return l.stopped || !l.a.o.Full && slices.Contains(l.outcomes, true)
}

// succeeded reports whether the last rung was right.
func (l *climb) succeeded() bool { return l.outcomes[len(l.outcomes)-1] }

// fail ends the ladder with an error.
func (l *climb) fail(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	l.ladder.Error = err.Error()
	if judge.Fatal(err) {
		return err
	}
	return nil
}

// conclude sets the stage that failed first.
func (l *climb) conclude() {
	label, odd := FirstFailing(l.stages, l.outcomes)
	l.ladder.NonMonotone = odd
	alone := l.ladder.Undistracted
	switch {
	case l.stopped:
		return
	case label == assay.LostUnresolved && l.stages[len(l.stages)-1] != assay.StageGenerate:
		// A missing label ended the ladder early: no verdict.
		return
	case label == assay.LostUnresolved:
		l.at.Stage, l.at.Evidence = label, "the case fails even with the labelled answer: the labels or the outcome metric are wrong"
	case alone != nil && right(alone.Right) && label == assay.StageGenerate:
		l.at.Stage, l.at.Evidence = l.distracted(), "the answer is right with the right passages alone: the other passages distract"
	default:
		l.at.Stage, l.at.Evidence = label, ladderEvidence(label, l.evidence(label), l.at.Stage, l.at.Evidence)
	}
}

// evidence says how the funnel lost facts at a stage.
func (l *climb) evidence(stage string) string {
	f := l.a.funnel(l.c, l.r, l.facts)
	f.read.wrong = true
	f.place()
	return f.evidence(l.at, stage)
}

// distracted returns the stage to blame for distraction: the filter, which should drop
// what distracts, else the generator.
func (l *climb) distracted() string {
	if l.a.o.Staged.HasStage(assay.StageFilter) {
		return assay.StageFilter
	}
	return assay.StageGenerate
}

// right reports whether most repetitions were right.
func right(share float64) bool { return share > 0.5 }

// ask asks the target with replaced outputs, and decides.
func (l *climb) ask(ctx context.Context, g assay.Given, name string) (rung assay.Rung, first *assay.Response, err error) {
	rung = assay.Rung{Stage: name, Runs: l.a.o.Repeats}
	n, unknown := 0, 0
	for i := range rung.Runs {
		c := *l.c
		c.Draw += i * drawStride
		r, err := l.a.ask(ctx, &c, g)
		if err != nil {
			return rung, nil, fmt.Errorf("asked again with the right output of %s: %w", name, err)
		}
		if first == nil {
			first, rung.Answer = &r, r.Answer
		}
		of, err := l.a.again(ctx, l.by, l.c, &r, l.facts)
		if err != nil {
			return rung, nil, fmt.Errorf("asked again with the right output of %s: %w", name, err)
		}
		switch of {
		case assay.AnswerRight:
			n++
		case assay.AnswerUnknown:
			unknown++
		}
	}
	rung.Right = float64(n) / float64(rung.Runs)
	if most := float64(n+unknown) / float64(rung.Runs); right(most) && !right(rung.Right) {
		return rung, nil, fmt.Errorf("asked again with the right output of %s: the labels do not tell whether the new answer is right", name)
	}
	return rung, first, nil
}

// step adds one rung to the ladder.
func (l *climb) step(ctx context.Context, name string) error {
	rung, r, err := l.ask(ctx, l.given, name)
	if err != nil {
		return err
	}
	l.last = r
	l.add(rung)
	return nil
}

func (l *climb) add(rung assay.Rung) {
	l.ladder.Rungs = append(l.ladder.Rungs, rung)
	l.stages, l.outcomes = append(l.stages, rung.Stage), append(l.outcomes, right(rung.Right))
}

// merge records that a stage cannot be separated from a later one.
func (l *climb) merge(name, into string) {
	if l.at.Merged == nil {
		l.at.Merged = map[string]string{}
	}
	if l.at.Merged[name] == "" {
		l.at.Merged[name] = into
	}
}

// unmerge reverts merge.
func (l *climb) unmerge(name string) {
	delete(l.at.Merged, name)
	if len(l.at.Merged) == 0 {
		l.at.Merged = nil
	}
}

func (l *climb) has(name string) bool {
	return l.a.o.Staged.HasStage(name) && len(l.r.Stages(name)) > 0
}

func (l *climb) transcribe(ctx context.Context) error {
	if !l.has(assay.StageTranscribe) {
		return nil
	}
	heard, _ := l.r.Transcript()
	gold := l.c.Want.Transcript
	if gold == nil {
		// The target need not transcribe again.
		l.given.Transcript = &heard
		return nil
	}
	l.unmerge(assay.StageTranscribe)
	l.given.Transcript = gold
	if sameWords(*gold, heard) {
		return nil
	}
	err := l.step(ctx, assay.StageTranscribe)
	if err == nil && l.at.RetrievalDelta == nil && len(l.facts) > 0 {
		l.retrievalDelta()
	}
	return err
}

// retrievalDelta sets how many facts the retriever lost to the transcript.
func (l *climb) retrievalDelta() {
	of := func(r *assay.Response) (int, bool) {
		f := l.a.funnel(l.c, r, l.facts)
		f.seek = f.seeks()
		passages, ok := f.view.retrieved()
		return covered(f.carry(passages)), ok
	}
	before, ok := of(l.r)
	after, ok2 := of(l.last)
	if ok && ok2 {
		d := float64(after-before) / float64(len(l.facts))
		l.at.RetrievalDelta = &d
	}
}

func (l *climb) decompose(ctx context.Context) error {
	if !l.has(assay.StageDecompose) {
		return nil
	}
	made, _ := l.last.SubQuestions()
	if l.given.SubQuestions = l.c.Want.SubQuestions; len(l.given.SubQuestions) == 0 {
		l.given.SubQuestions = made
		return nil
	}
	l.unmerge(assay.StageDecompose)
	if sameTexts(l.given.SubQuestions, made) {
		l.given.SubQuestions = made
		return nil
	}
	return l.step(ctx, assay.StageDecompose)
}

// index ends the ladder if the index lacks a fact: then the retriever has no right
// output.
func (l *climb) index(context.Context) error {
	if slices.ContainsFunc(l.at.Facts, func(f assay.Fact) bool { return f.Lost == assay.LostNotInIndex }) {
		l.stopped = true
		l.at.Stage, l.at.Evidence = assay.LostNotInIndex, l.evidence(assay.LostNotInIndex)
	}
	return nil
}

// parts is the number of lists that the target takes.
func (l *climb) parts() int { return max(len(l.given.SubQuestions), 1) }

// retrieve ends the ladder if the right passages are not known: the labelled answer would blame the generator
// for what was lost before.
func (l *climb) retrieve(ctx context.Context) error {
	gold, ok := l.a.goldPassages(l.facts)
	if !ok && len(l.facts) > 0 {
		l.stopped = !slices.Contains(l.outcomes, true)
		return nil
	}
	if !ok {
		for _, s := range []string{assay.StageRetrieve, assay.StageFilter} {
			l.merge(s, assay.StageGenerate)
		}
		return nil
	}
	for _, list := range lists(l.last, assay.StageRetrieve, l.parts()) {
		l.given.Retrieved = append(l.given.Retrieved, goldFirst(gold, list, len(l.facts)))
	}
	if err := l.step(ctx, assay.StageRetrieve); err != nil || l.succeeded() || l.has(assay.StageFilter) {
		return err
	}
	only := l.given
	only.Retrieved = slices.Repeat([][]assay.Passage{gold}, l.parts())
	return l.undistracted(ctx, only, assay.StageRetrieve)
}

func (l *climb) filter(ctx context.Context) error {
	if l.given.Retrieved == nil || !l.has(assay.StageFilter) {
		return nil
	}
	gold, _ := l.a.goldPassages(l.facts)
	for _, list := range lists(l.last, assay.StageFilter, l.parts()) {
		// A filter that kept too few had room for more.
		l.given.Kept = append(l.given.Kept, goldFirst(gold, list, len(gold)))
	}
	if err := l.step(ctx, assay.StageFilter); err != nil || l.succeeded() {
		return err
	}
	only := l.given
	only.Kept = slices.Repeat([][]assay.Passage{gold}, l.parts())
	return l.undistracted(ctx, only, assay.StageFilter)
}

// undistracted asks with only the right passages, unless the last rung did.
func (l *climb) undistracted(ctx context.Context, g assay.Given, name string) error {
	same := func(a, b [][]assay.Passage) bool {
		return slices.EqualFunc(a, b, func(x, y []assay.Passage) bool { return slices.EqualFunc(x, y, assay.Passage.Same) })
	}
	if same(g.Retrieved, l.given.Retrieved) && same(g.Kept, l.given.Kept) {
		return nil
	}
	rung, _, err := l.ask(ctx, g, name)
	if err == nil {
		l.ladder.Undistracted = &rung
	}
	return err
}

// generate decides on the labelled answer: if even that fails, no stage is to blame.
func (l *climb) generate(ctx context.Context) error {
	rung := assay.Rung{Stage: assay.StageGenerate, Right: 1, Runs: 1}
	if gold := goldAnswer(l.c.Want); gold != "" {
		r := *l.last
		r.Answer, rung.Answer = gold, gold
		of, err := l.a.again(ctx, l.by, l.c, &r, l.facts)
		if err != nil {
			return fmt.Errorf("the labelled answer: %w", err)
		}
		if of == assay.AnswerWrong {
			rung.Right = 0
		}
	}
	l.add(rung)
	return nil
}
