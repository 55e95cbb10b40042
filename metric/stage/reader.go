package stage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// A reader tells which facts an answer has. The judge's word counts where it was
// given; else a point must be said, a keyword stand there, and for passages and
// documents the reference answer, or the keywords that they hold; where nothing
// of that is labelled, a stretch of their text or a citation will do.
type reader struct {
	c      *assay.Case
	answer string
	said   *judge.Assessment
	facts  []fact
}

// full is the credit from which a judge's point counts as made, as in
// nugget_strict.
const full = 0.75

// has tells which facts the answer has, and by what; from are the passages that
// carry each.
func (r reader) has(from [][]assay.Passage, all []assay.Passage) (has []bool, by []string) {
	has, by = make([]bool, len(r.facts)), make([]string, len(r.facts))
	form := text.MatchForm(r.answer)
	if form == "" {
		return has, by
	}
	right, rightBy, told := r.right(form)
	for i := range r.facts {
		switch f := &r.facts[i]; f.kind {
		case point:
			has[i], by[i] = r.makes(f, form)
		case keyword:
			has[i], by[i] = text.HasKeyword(form, f.text), byText
		default:
			own := r.own(from[i])
			switch {
			case right:
				has[i], by[i] = true, rightBy
			case len(r.facts) > 1 && len(own) > 0:
				has[i], by[i] = !slices.ContainsFunc(own, func(k string) bool { return !text.HasKeyword(form, k) }), byText
			case told:
				has[i], by[i] = false, rightBy
			default:
				has[i], by[i] = uses(r.answer, from[i], all), byText
			}
		}
	}
	return has, by
}

// right tells whether the whole answer is right; told is false when nothing says.
func (r reader) right(form string) (right bool, by string, told bool) {
	if r.said != nil && question.Equivalence.Of(r.said).Asked() {
		if ruling, err := question.Equivalence.Of(r.said).Get(); err == nil {
			return ruling.Holds, byJudge, true
		}
	}
	w := r.c.Want
	switch {
	case len(w.Keywords) > 0:
		return !slices.ContainsFunc(w.Keywords, func(k string) bool { return !text.HasKeyword(form, k) }), byText, true
	case len(w.Answers) > 0:
		return slices.ContainsFunc(w.Answers, func(a string) bool { return mentions(form, a) }), byText, true
	}
	return false, "", false
}

// makes tells whether the answer makes a point.
func (r reader) makes(f *fact, form string) (bool, string) {
	if r.said != nil && question.Points.Of(r.said).Asked() {
		points, err := question.Points.Of(r.said).Get()
		if err == nil && f.at < len(points) && points[f.at].Known {
			return points[f.at].Credit >= full, byJudge
		}
	}
	return f.form != "" && says(form, f.form), byText
}

// own gives the case's keywords that passages hold: what an answer that uses them
// must say.
func (r reader) own(passages []assay.Passage) []string {
	var out []string
	for _, p := range passages {
		form := text.MatchForm(p.Text)
		for _, k := range r.c.Want.Keywords {
			if !slices.Contains(out, k) && text.HasKeyword(form, k) {
				out = append(out, k)
			}
		}
	}
	return out
}

// uses tells whether an answer cites one of the passages, by its number among
// all of the response, or has a stretch of its text.
func uses(answer string, passages, all []assay.Passage) bool {
	for _, p := range passages {
		if i := slices.IndexFunc(all, p.Same); i >= 0 && strings.Contains(answer, fmt.Sprintf("[%d]", i+1)) {
			return true
		}
		if text.Coverage(answer, []string{p.Text}, text.MatchLengthFor(p.Text)) > 0 {
			return true
		}
	}
	return false
}

// hints tells whether a passage in the prompt says what the answer needs, whatever
// its label: an answer that has a fact may have it from there. from are passages
// that carry the fact.
func (r reader) hints(f *fact, from, prompt []assay.Passage) bool {
	if f.kind == point || f.kind == keyword {
		return false // a passage that says it would carry it
	}
	keywords := r.c.Want.Keywords
	if len(r.facts) > 1 {
		if own := r.own(from); len(own) > 0 {
			keywords = own
		}
	}
	return slices.ContainsFunc(prompt, func(p assay.Passage) bool {
		form := text.MatchForm(p.Text)
		return slices.ContainsFunc(keywords, func(k string) bool { return text.HasKeyword(form, k) }) ||
			slices.ContainsFunc(r.c.Want.Answers, func(a string) bool { return mentions(form, a) })
	})
}
