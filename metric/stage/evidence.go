package stage

import (
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// verdict returns the stage that lost the most facts, the earliest of equals, and the
// evidence for it. If no fact was lost, the answer has them all and is still wrong: the
// generator is to blame.
func (a *Attributor) verdict(c *assay.Case, r *assay.Response, at *assay.Attribution, facts []fact) (stage, evidence string) {
	if len(at.Facts) == 0 || len(at.Facts) > len(facts) {
		return "", ""
	}
	count, open := map[string]int{}, len(facts)-len(at.Facts)
	for _, f := range at.Facts {
		switch {
		case f.Match == byDocument && f.Lost != assay.StageRetrieve, f.Lost == "" && f.Match == "":
			open++
		case f.Lost != "":
			count[f.Lost]++
		}
	}
	next := 0
	for _, s := range assay.LossStages() {
		if count[s] > count[stage] {
			stage, next = s, count[stage]
		} else {
			next = max(next, count[s])
		}
	}
	if open > 0 && count[stage]-next <= open {
		return "", "" // the facts that could not be followed may have been lost at another stage
	}
	if stage == "" {
		return assay.StageGenerate, "the prompt had all labelled evidence, but the answer is wrong"
	}
	return stage, a.evidence(c, r, at, facts, stage)
}

// evidence says how the first fact was lost at a stage; "" if none was.
func (a *Attributor) evidence(c *assay.Case, r *assay.Response, at *assay.Attribution, facts []fact, stage string) string {
	f := a.funnel(c, r, facts)
	f.place()
	first, n, at0 := -1, 0, at.Facts
	for i := range facts {
		if f.unknown[i] != "" || len(at0) == 0 {
			continue
		}
		if at0[0].Lost == stage {
			if n++; first < 0 {
				first = i
			}
		}
		at0 = at0[1:]
	}
	if first < 0 {
		return ""
	}
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
	found := names(f.found[i].whole)
	switch stage {
	case assay.LostNotInIndex:
		if f.facts[i].kind == document {
			return fmt.Sprintf("the index does not hold %s", f.facts[i].id)
		}
		return "no passage of the index has it"
	case assay.StageTranscribe:
		heard, _ := f.r.Transcript()
		heard = text.Shorten(text.Collapse(heard), 80)
		if !f.canAsk(assay.StageTranscribe) {
			return f.lostInTranscript(i, heard)
		}
		return fmt.Sprintf("with the right transcript %s; the transcript was %q", f.corrected(i), heard)
	case assay.StageDecompose:
		made, _ := f.r.SubQuestions()
		return fmt.Sprintf("with the labelled sub-questions %s; the decomposition had %d", f.corrected(i), len(made))
	case assay.StageRetrieve:
		passages, known := f.view.retrieved()
		if !known {
			return "the prompt does not have it, and the trace does not show what was retrieved"
		}
		what := "it"
		if in, ok := f.a.library.lookup(&f.facts[i]); ok && len(in) > 0 {
			what = "it, as " + names(in) + " does"
		} else if f.facts[i].kind == document {
			what = f.facts[i].id
		}
		if part := f.found[i].part; len(part) > 0 && f.facts[i].kind != document {
			return fmt.Sprintf("the %d passages retrieved have %s", len(passages), f.partly(i, part))
		}
		return fmt.Sprintf("none of the %d passages retrieved has %s", len(passages), what)
	case assay.StageFilter:
		if part := f.kept[i].part; len(part) > 0 {
			return "what the filter kept has " + f.partly(i, part)
		}
		if len(f.found[i].whole) == 0 {
			return "none of the passages that the filter kept has it"
		}
		return "the filter dropped " + allOf(f.found[i].whole) + ": " + found
	case assay.LostPack:
		if part := f.prompt[i].part; len(part) > 0 {
			return "the prompt had " + f.partly(i, part)
		}
		return "the prompt left out " + allOf(f.found[i].whole) + ": " + found
	case assay.StageGenerate:
		if f.view.relayed {
			return "the prompts of its calls had it" + f.given(i) + ", the answer does not"
		}
		return "the prompt had it" + f.given(i) + ", the answer does not"
	case assay.LostPresent:
		return "the generated text had it" + f.given(i) + ", the shown answer does not"
	}
	return ""
}

// given names the passages of the prompt that have a fact, if they have names.
func (f *funnel) given(i int) string {
	if s := names(slices.Concat(f.prompt[i].whole, f.prompt[i].part)); s != "" {
		return " (" + s + ")"
	}
	return ""
}

// partly says what is left of a fact in passages that do not carry all of it.
func (f *funnel) partly(i int, part []assay.Passage) string {
	if f.seek != nil && !f.seek[i].none() {
		return names(part) + " without the text of the answer"
	}
	return "only part of it: " + names(part)
}

// corrected says what the right output of an early stage changes for a fact.
func (f *funnel) corrected(i int) string {
	if len(f.found[i].whole) == 0 {
		return "it is retrieved"
	}
	return "the answer has it"
}

// allOf says how many passages had a fact.
func allOf(passages []assay.Passage) string {
	if len(passages) == 1 {
		return "the only passage that had it"
	}
	return fmt.Sprintf("all %d passages that had it", len(passages))
}

// ladderEvidence is the evidence of a ladder's verdict. evidence is what the funnel
// found at that stage; if it found the loss at another one, before, both are at fault.
func ladderEvidence(stage, evidence, before, why string) string {
	s := "the answer is right once the output of " + stage + " is right"
	switch {
	case evidence != "":
		s += ": " + evidence
	case before != "" && before != stage:
		s = "the answer is right only if the output of " + stage + " is right too, although evidence was lost at " + before
		if why != "" {
			s += ": " + why
		}
	}
	return s
}
