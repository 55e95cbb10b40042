package stage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
	f := a.funnel(c, r, facts)
	f.read.wrong = true
	f.place()
	evidence = f.evidence(at, stage)
	if by, lost := f.alone(at); by != nil && lost != stage {
		at.Unknown = assay.UnknownEnough
		return "", fmt.Sprintf("%s if %q, which states the reference answer or may state it, is enough; %s if the answer needs all that is labeled: %s; "+
			"label only what it needs", cmp.Or(lost, "another stage"), by.name(), stage, evidence)
	}
	return stage, evidence
}

// alone returns the fact that may be enough for the answer and was lost last, and where: its passage or document states
// what is sought, and lacks no name of the question that another one has; or what the document states is not known, and
// at most one keyword is sought: several may be in several documents.
func (f *funnel) alone(at *assay.Attribution) (by *fact, lost string) {
	var all []string
	for i := range f.facts {
		if k := f.facts[i].kind; k == document || k == passage {
			all = append(all, strings.Join(f.texts(i), "\n"))
		}
	}
	names := newAsked(f.c.Question).names
	for i, own := range all {
		s, w := seekIn([]string{own}, f.c.Want), f.c.Want
		unread := f.facts[i].kind == document && len(w.Keywords) < 2 && (strings.TrimSpace(own) == "" || len(w.Answers)+len(w.Keywords) == 0)
		if !unread && (s.none() || len(s.answers) == 0 && len(s.keywords) < len(w.Keywords)) || slices.ContainsFunc(names, func(name string) bool {
			return !strings.Contains(own, name) && strings.Contains(strings.Join(all, "\n"), name)
		}) {
			continue
		}
		stage, rank := f.facts[i].lostAt(at, assay.StageGenerate), func(s string) int { return slices.Index(assay.LossStages(), s) }
		if by == nil || stage == "" || lost != "" && rank(stage) > rank(lost) {
			by, lost = &f.facts[i], stage
		}
	}
	return by, lost
}

// lostAt returns where an attribution says that a fact was lost, kept if the answer has it; "" if that is unknown.
func (fa *fact) lostAt(at *assay.Attribution, kept string) string {
	for _, f := range at.Facts {
		if f.ID == fa.id && f.Text == fa.excerpt() {
			return cmp.Or(f.Lost, kept)
		}
	}
	return ""
}

// evidence says how the first fact was lost at a stage; "" if none was.
func (f *funnel) evidence(at *assay.Attribution, stage string) string {
	first, n := -1, 0
	for i := range f.facts {
		if f.unknown[i] == "" && f.facts[i].lostAt(at, "") == stage {
			if n++; first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return ""
	}
	s, fa := f.sentence(first, stage), &f.facts[first]
	if fa.kind != document && fa.text != "" {
		s = fmt.Sprintf("%q: %s", fa.name(), s)
	}
	if n > 1 {
		s += fmt.Sprintf(" (the first of %d facts lost there)", n)
	}
	return s
}

// sentence says how a stage lost a fact.
func (f *funnel) sentence(i int, stage string) string {
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
		if !known && f.view.unreads(stage) {
			return "the prompt does not have it, and what was retrieved cannot be read"
		}
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
		return f.leftOut(i, "the filter", "dropped", f.view.kept)
	case assay.LostPack:
		if part := f.prompt[i].part; len(part) > 0 {
			return "the prompt had " + f.partly(i, part)
		}
		return f.leftOut(i, "the prompt", "left out", f.view.prompt)
	case assay.StageGenerate:
		if f.view.relayed {
			return "the prompts of its calls had it" + f.given(i) + ", the answer does not"
		}
		if !f.view.traced && f.view.frame != "" {
			return "what was retrieved had it" + f.given(i) + ", the prompt has no passage word for word, and the answer does not have it"
		}
		if !f.view.traced {
			return "what was retrieved had it" + f.given(i) + ", no prompt can be read, and the answer does not have it"
		}
		if !f.view.exact && !slices.ContainsFunc(f.prompt[i].whole, hasText) {
			return "the prompt lists its id" + f.given(i) + " and may have only part of its text, the answer does not have it"
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

// leftOut says that a stage lost the passages that had a fact, or that those which it kept were cut. Passages of other
// documents may have a document's answer too.
func (f *funnel) leftOut(i int, stage, lost string, kept []assay.Passage) string {
	had, all := f.found[i].whole, "the only passage"
	switch left := slices.DeleteFunc(slices.Clone(had), func(p assay.Passage) bool { return slices.ContainsFunc(kept, p.Same) }); {
	case len(left) == 0:
		lost = "cut"
	case len(left) < len(had):
		lost += " or cut"
	}
	if len(had) > 1 {
		all = fmt.Sprintf("all %d passages", len(had))
	}
	if fa := &f.facts[i]; fa.kind == document && had[0].ID != fa.id {
		all += " of " + fa.id
	}
	return stage + " " + lost + " " + all + " that had it: " + names(had)
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
