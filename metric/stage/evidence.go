package stage

import (
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// verdict names the stage that lost the most facts, the earliest of equals, and
// what that rests on. When no fact was lost the answer has them and is wrong all
// the same, which is the generator's doing.
func (a *Attributor) verdict(c *assay.Case, r *assay.Response, at *assay.Attribution, facts []fact) (stage, evidence string) {
	if len(at.Facts) == 0 || len(at.Facts) != len(facts) {
		return "", ""
	}
	count := map[string]int{}
	for _, f := range at.Facts {
		if f.Lost != "" {
			count[f.Lost]++
		}
	}
	for _, s := range assay.LossStages() {
		if count[s] > count[stage] {
			stage = s
		}
	}
	if stage == "" {
		return assay.StageGenerate, "the prompt had everything that is labelled, and the answer is wrong all the same"
	}
	return stage, a.evidence(c, r, at, facts, stage)
}

// evidence says in a few words what became of the facts lost at a stage; "" when
// none was.
func (a *Attributor) evidence(c *assay.Case, r *assay.Response, at *assay.Attribution, facts []fact, stage string) string {
	first, n := -1, 0
	for i, f := range at.Facts {
		if f.Lost == stage {
			if n++; first < 0 {
				first = i
			}
		}
	}
	if first < 0 || first >= len(facts) {
		return ""
	}
	f := a.funnel(c, r, facts)
	f.place()
	s := f.sentence(first, stage)
	if facts[first].kind != document && facts[first].text != "" {
		s = fmt.Sprintf("%q: %s", facts[first].name(), s)
	}
	if n > 1 {
		s += fmt.Sprintf(" (the first of %d facts lost there)", n)
	}
	return s
}

// sentence says how a stage lost a fact.
func (f *funnel) sentence(i int, stage string) string {
	is := named(f.found[i])
	switch stage {
	case assay.LostNotInIndex:
		if f.facts[i].kind == document {
			return fmt.Sprintf("the index does not hold %s", f.facts[i].id)
		}
		return "no passage of the index has it"
	case assay.StageTranscribe:
		heard, _ := f.r.Transcript()
		return fmt.Sprintf("with the right transcript %s; heard was %q", f.would(i), text.Shorten(text.Collapse(heard), 80))
	case assay.StageDecompose:
		made, _ := f.r.SubQuestions()
		return fmt.Sprintf("with the labelled sub-questions %s; made were %d", f.would(i), len(made))
	case assay.StageRetrieve:
		passages, _ := f.view.retrieved()
		what := "it"
		if in, told := f.a.library.holding(&f.facts[i]); told && len(in) > 0 {
			what = "it, as " + named(in) + " does"
		} else if f.facts[i].kind == document {
			what = f.facts[i].id
		}
		return fmt.Sprintf("none of the %d passages retrieved has %s", len(passages), what)
	case assay.StageFilter:
		if len(f.found[i]) == 0 {
			return "none of the passages that the filter kept has it"
		}
		return "the filter dropped " + only(f.found[i]) + ": " + is
	case assay.LostPack:
		return "the prompt had no room for " + only(f.found[i]) + ": " + is
	case assay.StageGenerate:
		return "the prompt had it (" + named(f.prompt[i]) + "), the answer has not"
	case assay.LostPresent:
		return "the generated text had it (" + named(f.prompt[i]) + "), what was shown has not"
	}
	return ""
}

// would says what becomes of a fact with the right output of an early stage.
func (f *funnel) would(i int) string {
	if len(f.found[i]) == 0 {
		return "it is retrieved"
	}
	return "the answer has it"
}

// only says how many passages had a fact.
func only(passages []assay.Passage) string {
	if len(passages) == 1 {
		return "the only passage that had it"
	}
	return fmt.Sprintf("all %d passages that had it", len(passages))
}

// mends says what a ladder's verdict rests on. evidence is what the funnel found
// at that stage; when it found the loss at another one, before, both are at fault.
func mends(stage, evidence, before, why string) string {
	s := "the answer is right as soon as the output of " + stage + " is"
	switch {
	case evidence != "":
		s += ": " + evidence
	case before != "" && before != stage:
		s = "the answer is right only when the output of " + stage + " is, too, though evidence was lost at " + before
		if why != "" {
			s += ": " + why
		}
	}
	return s
}

// losesAt reports whether a fact was lost at the stage.
func losesAt(at *assay.Attribution, stage string) bool {
	return slices.ContainsFunc(at.Facts, func(f assay.Fact) bool { return f.Lost == stage })
}
