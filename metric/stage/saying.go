package stage

import (
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// A saying is what an answer says, as far as words and values show.
type saying struct {
	form     string
	folded   []text.Token
	question string
	folds    folds
}

func newSaying(question, answer string) saying {
	s := saying{form: text.MatchForm(answer), question: question, folds: folds{}}
	s.folded = s.folds.of(s.form)
	return s
}

// asked returns what was asked, and its values: an answer repeats them.
func (s saying) asked() ([]text.Token, []text.Value) {
	words := s.folds.of(s.question)
	return words, valuesOf(words)
}

// Folds hold the folded forms of texts that are compared several times. A nil map keeps
// nothing.
type folds map[string][]text.Token

func (f folds) of(s string) []text.Token {
	tokens, known := f[s]
	if !known {
		tokens = text.Folded(s)
		if f != nil {
			f[s] = tokens
		}
	}
	return tokens
}

func valuesOf(folded []text.Token) []text.Value {
	var out []text.Value
	for _, t := range folded {
		if t.Value != nil {
			out = append(out, *t.Value)
		}
	}
	return out
}

// statesAny reports whether the answer states one of the references.
func (s saying) statesAny(references []string) bool { return slices.ContainsFunc(references, s.states) }

// statesAll reports whether the answer states all keywords.
func (s saying) statesAll(keywords []string) bool {
	return !slices.ContainsFunc(keywords, func(k string) bool { return !s.statesAny(alternatives(k)) })
}

// states reports whether the answer states a reference: begins with the same yes or no, has
// the words and values of a short one in a row and does not negate them, or has most words
// of a long one, in whatever order, and the same values.
func (s saying) states(reference string) bool {
	form := text.MatchForm(reference)
	ref := s.folds.of(form)
	if yes, alone := polarity(ref); yes != "" && alone {
		said, _ := polarity(s.folded)
		return said == yes
	}
	if long(reference) {
		said, _ := polarity(s.folded)
		yes, _ := polarity(ref)
		r := referenceOf(reference)
		if strings.TrimRight(form, asciiStops) == r.form {
			s.folds[r.form] = ref
		}
		return (yes == "" || said == "" || yes == said) && r.isIn(s.form, s.folds)
	}
	first := text.IndexFolded(s.folded, ref, 0)
	for at := first; at >= 0; at = text.IndexFolded(s.folded, ref, at+1) {
		if !s.negated(at) {
			return true
		}
	}
	if first < 0 && s.spells(reference) {
		return true
	}
	// The reference is a value, with words that say no more than its kind.
	if v, ok := soleValue(ref); ok {
		for i, t := range s.folded {
			if t.Value != nil && t.Value.States(v) && !s.negated(i) {
				return true
			}
		}
		// "40", asked for dollars.
		all := valuesOf(s.folded)
		return len(all) == 1 && len(s.folded) <= 3 && all[0].Unit == "" && all[0].Noun == "" && all[0].Amount == v.Amount && v.Date.Month == 0
	}
	return false
}

// asciiStops at the end of a statement change none of its words and values.
const asciiStops = ".!? "

// spells reports whether the answer has a reference letter by letter and does not negate
// it. Folding may join what a mark separates, as in "[note]four".
func (s saying) spells(reference string) bool {
	form := strings.TrimRight(text.MatchForm(reference), ".。!！?？ ")
	if form == "" || !text.HasKeyword(s.form, form) {
		return false
	}
	before := text.Folded(s.form[:max(0, strings.Index(s.form, form))])
	return !saying{folded: before}.negated(len(before))
}

// long reports whether a reference is a statement more than an answer in a few words.
func long(reference string) bool {
	n := len(text.Tokens(reference))
	if text.ShareCJK(reference) > 0.5 {
		return n > 2*shortReference
	}
	return n > shortReference
}

// denials deny what follows them within a few words.
var denials = []string{"not", "never", "isn't", "wasn't", "aren't", "weren't", "doesn't", "don't", "didn't",
	"nor", "neither", "without", "instead"}

// negated reports whether the token at a place is denied: "not 40 but 30 dollars".
func (s saying) negated(at int) bool {
	before := s.folded[max(0, at-3):at]
	for i, t := range before {
		switch {
		case slices.Contains(denials, t.Text):
			return true
		case i > 0 && slices.Contains([]string{"不是", "並非", "并非", "而非", "不再"}, before[i-1].Text+t.Text):
			return true
		}
	}
	return false
}

// contradicts reports whether the answer has another value of the kind that every reference
// is, and none that is close, or says yes for no.
func (s saying) contradicts(references []string) bool {
	var want []text.Value
	for _, r := range references {
		ref := s.folds.of(text.MatchForm(r))
		if yes, _ := polarity(ref); yes != "" {
			said, _ := polarity(s.folded)
			return len(references) == 1 && said != "" && said != yes
		}
		v, ok := soleValue(ref)
		if !ok {
			return false
		}
		want = append(want, v)
	}
	question, asked := s.asked()
	rivals := 0
	for i, t := range s.folded {
		if t.Value == nil || s.negated(i) {
			continue
		}
		v := *t.Value
		echo := func(o text.Value) bool { return v.States(o) }
		if slices.ContainsFunc(asked, echo) || (v.Unit == "" || v.Unit == "th") && v.Amount == 1 {
			continue
		}
		for _, w := range want {
			if near(v, w) {
				return false
			}
		}
		if slices.ContainsFunc(want, v.Rivals) && s.wanted(v, want, question) {
			rivals++
		}
	}
	// A text with many values is more than an answer.
	const many = 4
	return rivals > 0 && rivals < many
}

// wanted reports whether a value is what the question asks for: where the references do not
// say what they count, a longer answer also has other values, and the question must name
// what the value counts.
func (s saying) wanted(v text.Value, want []text.Value, question []text.Token) bool {
	const words = 8
	if len(s.folded) <= words || v.Noun == "" || slices.ContainsFunc(want, func(w text.Value) bool { return w.Noun == v.Noun }) {
		return true
	}
	return slices.ContainsFunc(question, func(t text.Token) bool { return t.Text == v.Noun || strings.TrimSuffix(t.Text, "s") == v.Noun })
}

// near reports whether two values may be the same one, rounded or said in part.
func near(v, w text.Value) bool {
	year, hasYear := v.Year()
	other, alsoYear := w.Year()
	switch {
	case v.Date.Month > 0 && w.Date.Month > 0:
		part := v.Date.Year == 0 || w.Date.Year == 0 || v.Date.Day == 0 || w.Date.Day == 0
		sameYear := v.Date.Year == 0 || w.Date.Year == 0 || v.Date.Year == w.Date.Year
		sameDay := v.Date.Day == 0 || w.Date.Day == 0 || v.Date.Day == w.Date.Day
		return part && v.Date.Month == w.Date.Month && sameYear && sameDay
	case hasYear && alsoYear && year == other:
		return true
	case v.Date.Month > 0 || w.Date.Month > 0:
		return false
	case hasYear && alsoYear:
		return false
	}
	return v.Unit == w.Unit && math.Abs(v.Amount-w.Amount) <= 0.02*math.Abs(w.Amount)
}

// soleValue returns the value of a reference that is one value and few words.
func soleValue(ref []text.Token) (text.Value, bool) {
	all := valuesOf(ref)
	const words = 4
	if len(all) != 1 || len(ref) > words || math.IsNaN(all[0].Amount) {
		return text.Value{}, false
	}
	for _, t := range ref {
		// "page 12" wants a name more than an amount.
		if t.Value == nil && t.Text != all[0].Noun && t.Text != all[0].Noun+"s" && !slices.Contains(vague, t.Text) {
			return text.Value{}, false
		}
	}
	return all[0], true
}

// vague words beside a value do not change it.
var vague = strings.Fields("in on at of by around about approximately roughly year it is was for per up to")

// polarity returns "yes" or "no" if a text begins with it; alone is set if it says nothing
// else.
func polarity(folded []text.Token) (yes string, alone bool) {
	if len(folded) == 0 {
		return "", false
	}
	switch first := folded[0].Text; first {
	case "yes", "true", "correct", "對", "对":
		return "yes", len(folded) == 1
	case "no", "false", "incorrect", "否":
		// "No passenger may stand" is no answer to yes or no.
		subjects := []string{"it", "they", "he", "she", "you", "there", "this", "that"}
		if first == "no" && len(folded) > 1 && !slices.Contains(subjects, folded[1].Text) {
			return "", false
		}
		return "no", len(folded) == 1
	}
	if len(folded) > 1 && folded[0].Text+folded[1].Text == "不是" {
		return "no", len(folded) == 2
	}
	if folded[0].Text == "是" && (len(folded) == 1 || folded[1].Text == "的") {
		return "yes", len(folded) <= 2
	}
	return "", false
}
