package stage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/offline"
	"github.com/assay-eval/assay/judge/question"
)

// A reader decides which facts an answer has. The judge's ruling counts if there is one.
// Else the answer must make a point, or contain a keyword; for passages and documents it
// must contain the reference answer, or the keywords that they hold. If none of these is
// labelled, a stretch of their text or a citation is enough.
type reader struct {
	c      *assay.Case
	answer string
	// by is the assessment of the answer, nil if there is none.
	by    *judge.Assessment
	facts []fact
	// wrong is set if the answer is known to be wrong.
	wrong bool
}

// fullCredit is the credit from which a point is fully made, as in nugget_strict.
const fullCredit = 0.75

// has returns which facts the answer has, and how they matched; from are the passages
// that carry each.
func (r reader) has(from [][]assay.Passage, all []assay.Passage) (has []bool, by []string) {
	has, by = make([]bool, len(r.facts)), make([]string, len(r.facts))
	form := formOf(r.answer)
	if form == "" {
		return has, by
	}
	right, rightBy, known := r.right()
	for i := range r.facts {
		switch f := &r.facts[i]; f.kind {
		case point:
			has[i], by[i] = r.makes(f, form)
		case keyword:
			has[i], by[i] = f.phrase.In(form), byText
		default:
			own := r.own(from[i])
			switch {
			case right:
				has[i], by[i] = true, rightBy
			case len(r.facts) > 1 && len(own) > 0:
				has[i], by[i] = hasAll(form, own), byText
			case known:
				has[i], by[i] = false, rightBy
			default:
				has[i], by[i] = r.uses(from, i, all), byText
			}
		}
	}
	return has, by
}

// right reports whether the whole answer is right, if that is known.
func (r reader) right() (right bool, by string, known bool) {
	if r.by != nil {
		for _, q := range []*judge.Question[judge.Ruling]{question.Equivalence, question.TrueFalse} {
			if ruling, err := q.Of(r.by).Get(); q.Of(r.by).Asked() && err == nil {
				return ruling.Holds, byJudge, true
			}
		}
	}
	if w := r.c.Want; len(w.Keywords) > 0 || len(w.Answers) > 0 {
		return mentions(formOf(r.answer), w.Answers, w.Keywords), byText, true
	}
	return false, "", false
}

// makes reports whether the answer makes a point.
func (r reader) makes(f *fact, form string) (bool, string) {
	if r.by != nil && question.Points.Of(r.by).Asked() {
		points, err := question.Points.Of(r.by).Get()
		if err == nil && f.at < len(points) && points[f.at].Known {
			return points[f.at].Credit >= fullCredit, byJudge
		}
	}
	return f.form != "" && says(form, f.form), byText
}

// own returns the case's keywords that passages hold: an answer that uses the passages
// must contain them.
func (r reader) own(passages []assay.Passage) []text.Phrase {
	keywords := phrasesOf(r.c.Want.Keywords)
	var out []text.Phrase
	for _, p := range passages {
		form := formOf(p.Text)
		for _, k := range keywords {
			if k.In(form) && !slices.ContainsFunc(out, func(o text.Phrase) bool { return o.String() == k.String() }) {
				out = append(out, k)
			}
		}
	}
	return out
}

// uses reports whether a sentence of the answer cites one of the passages of fact i, by its number in the response, has
// a stretch of its text, or says only what the passage says, and has no other value in the place of its own. Of a wrong
// answer that is not enough for the only fact: it must have nearly all of a passage.
func (r reader) uses(from [][]assay.Passage, i int, all []assay.Passage) bool {
	if r.wrong && len(r.facts) == 1 {
		return slices.ContainsFunc(from[i], func(p assay.Passage) bool {
			return p.Text != "" && text.Coverage(p.Text, []string{r.answer}, text.MatchLengthFor(p.Text)) >= nearlyAll
		})
	}
	touches := func(said string) bool {
		return slices.ContainsFunc(from[i], func(p assay.Passage) bool {
			at := slices.IndexFunc(all, p.Same)
			return at >= 0 && strings.Contains(said, fmt.Sprintf("[%d]", at+1)) ||
				text.Coverage(said, []string{p.Text}, text.MatchLengthFor(p.Text)) > 0 || says(formOf(p.Text), formOf(said))
		})
	}
	part := false
	for _, s := range text.Sentences(r.answer) {
		said := s.Of(r.answer)
		if !touches(said) {
			continue
		}
		if own, other := r.states(said, slices.Concat(from...)); own || !other {
			return true
		}
		part = true
	}
	return !part && touches(r.answer)
}

// states reports whether a part of the answer has, beside those of the question, a number or date of some passages, and
// another one.
func (r reader) states(said string, passages []assay.Passage) (own, other bool) {
	var all []string
	for _, p := range passages {
		all = append(all, p.Text)
	}
	asked, has := valuesOf(text.Folded(r.c.Question)), valuesOf(text.Folded(strings.Join(all, "\n")))
	for _, w := range valuesOf(text.Folded(text.WithoutCitations(said))) {
		same := func(v text.Value) bool {
			// 11:30 am may be meant by 11:30.
			return v.States(w) || v.Unit == w.Unit && v.Amount == w.Amount && (v.Coin == "" || w.Coin == "")
		}
		if !slices.ContainsFunc(asked, same) {
			is := slices.ContainsFunc(has, same)
			own, other = own || is, other || !is
		}
	}
	return own, other
}

// unsure reports whether an answer without the words of a labelled passage or document may say
// the same in others: nothing tells whether it is right, and it declines nothing and states nothing that they lack.
func (r reader) unsure(f *fact, from []assay.Passage) bool {
	if _, _, known := r.right(); known || r.wrong || f.kind != passage && f.kind != document || offline.Declines(r.c.Question, r.answer) {
		return false
	}
	_, other := r.states(r.answer, from)
	return !other
}

// fromMemory reports whether what the answer has of a fact is, by its text, in no passage
// of the prompt, whatever its label. A document, or a labelled passage, is not missed by its
// text: the answer must have a short reference answer or a keyword of it that the prompt
// does not have. w are the labels that texts have, from are passages that carry the fact.
func (r reader) fromMemory(f *fact, w assay.Want, from, prompt []assay.Passage) bool {
	if f.kind == point || f.kind == keyword || f.kind == answer {
		return true // a passage with its text would carry the fact
	}
	keywords := phrasesOf(w.Keywords)
	if len(r.facts) > 1 {
		if own := r.own(from); len(own) > 0 {
			keywords = own
		}
	}
	all := referencesOf(w.Answers)
	var answers []reference
	for _, a := range all {
		if findable(a.form) && !isLong(a.form) {
			answers = append(answers, a)
		}
	}
	if form := formOf(r.answer); !hasAny(form, keywords) && !mentionsAny(form, answers) {
		return false
	}
	return !slices.ContainsFunc(prompt, func(p assay.Passage) bool {
		form := formOf(p.Text)
		return form == "" || hasAny(form, keywords) || mentionsAny(form, all)
	})
}
