package stage

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge/offline"
)

// A saying is what an answer says, as far as words and values show.
type saying struct {
	answer   string
	said     string // without citations
	form     string // of it
	folded   []text.Token
	question string
	folds    folds
}

func newSaying(question, answer string) saying {
	said := text.WithoutCitations(answer)
	s := saying{answer: answer, said: said, form: text.MatchForm(said), question: question, folds: folds{}}
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

// values reports whether the answer plainly answers: by a number, a name, yes or no, or of
// something that the question names.
func (s saying) values() bool {
	question, _ := s.asked()
	yes, _ := polarity(s.form, s.folded)
	echoes, tells := false, false
	for _, t := range s.folded {
		if t.Value == nil && !plain[t.Text] {
			echo := slices.ContainsFunc(question, func(q text.Token) bool { return sameWord(q.Text, t.Text) })
			echoes, tells = echoes || echo, tells || !echo
		}
	}
	return yes != "" || len(valuesOf(s.folded)) > 0 || echoes && tells || named().MatchString(s.said)
}

// asserts reports whether the answer says what is wanted and nothing else: it has one of
// each group of references, in the order of their words, and all other words are plain or
// echo the question. Whatever else an answer says may deny, limit or rival the reference.
func (s saying) asserts(groups [][]string) bool {
	if len(groups) == 0 || strings.Contains(s.form, "?") {
		return false
	}
	if len(groups) == 1 && len(groups[0]) == 1 {
		ref := text.MatchForm(groups[0][0])
		if yes, alone := polarity(ref, s.folds.of(ref)); alone {
			said, _ := polarity(s.form, s.folded)
			return said == yes && s.backs(yes)
		}
	}
	of := assertion{saying: s, own: make([]bool, len(s.folded)), named: true}
	for _, references := range groups {
		if !of.take(references) {
			return false
		}
	}
	return of.restEchoes() && !of.lists(groups) && !s.limits(groups)
}

// lists reports whether an answer that echoes the question has names side by side, or speaks of what a
// reference has: whatever stands beside the reference may be another answer, as the letter of another option is.
func (a *assertion) lists(groups [][]string) bool {
	labels, rest := slices.Concat(groups...), " "+strings.ReplaceAll(a.form, "’", "'")
	for _, r := range labels {
		rest = strings.ReplaceAll(rest, bare(text.MatchForm(r)), "")
	}
	letters := strings.FieldsFunc(strings.Join(labels, " "), func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.ContainsFunc(option().FindAllStringSubmatch(a.said, -1), func(m []string) bool { return !slices.Contains(letters, m[1]) }) ||
		a.echoes != nil && strings.Contains(rest, " 's") && !strings.Contains(text.MatchForm(a.question), "whose") ||
		a.named && (a.echoes != nil || a.chosen) && (strings.ContainsAny(rest, ",;/、") || strings.Contains(strings.TrimSpace(a.answer), "\n"))
}

// limits reports whether the answer limits or compares, and no reference does. A comparison
// may echo the question.
func (s saying) limits(groups [][]string) bool {
	labels := text.MatchForm(strings.Join(slices.Concat(groups...), "\n"))
	other := func(in string) func(m string) bool { return func(m string) bool { return !strings.Contains(in, m) } }
	return slices.ContainsFunc(limit().FindAllString(s.form, -1), other(labels)) ||
		slices.ContainsFunc(comparison().FindAllString(s.form, -1), other(labels+text.MatchForm(s.question)))
}

// backs reports whether what follows a yes or no echoes the question with the same meaning:
// "No, parking is not free", and not "No, parking is free".
func (s saying) backs(yes string) bool {
	of, denied := assertion{saying: s, own: make([]bool, len(s.folded))}, false
	for i, t := range s.folded {
		of.own[i] = i == 0 || yes == "no" && denies(t)
		denied = denied || i > 0 && denies(t)
	}
	return of.restEchoes() && !s.limited() && ((yes == "no") == denied || of.echoes == nil)
}

// kept returns groups of references without those that the answer writes with other signs or
// in another case; with several groups, all of them or none.
func (s saying) kept(groups [][]string) [][]string {
	if len(groups) == 1 {
		return [][]string{slices.DeleteFunc(slices.Clone(groups[0]), s.differs)}
	}
	var all []string
	for _, g := range groups {
		for _, r := range g[:min(len(g), 1)] {
			if !text.SameCase(s.said, r) {
				return nil
			}
			all = append(all, text.Marks(r)...)
		}
	}
	if slices.Sort(all); !slices.Equal(all, slices.Sorted(slices.Values(text.Marks(s.said)))) {
		return nil
	}
	return groups
}

// differs reports whether a reference has other [text.Marks] than the answer, but for words such as 3G that
// echo the question, or another case.
func (s saying) differs(reference string) bool {
	said := s.said
	for _, w := range strings.Fields(s.question) {
		if w = strings.Trim(w, ",.;:?"); len(w) > 1 && strings.ContainsAny(w, "0123456789") && !strings.Contains(reference, w) {
			said = strings.ReplaceAll(" "+said+" ", " "+w+" ", " ")
		}
	}
	return !text.SameCase(s.said, reference) || !slices.Equal(text.Marks(reference), text.Marks(said))
}

// nothing reports whether a refusal such as "none" may state a reference: one of zero, of signs,
// or that denies or declines itself.
func (s saying) nothing(reference string) bool {
	ref := s.folds.of(text.MatchForm(reference))
	v, ok := soleValue(ref)
	return len(ref) == 0 || offline.Denies(reference) || ok && v.Amount == 0 && v.Date.Month == 0
}

// repeats reports whether the answer is one of the references of the only group.
func (s saying) repeats(groups [][]string) bool {
	said := bare(s.form)
	return said != "" && len(groups) == 1 && slices.ContainsFunc(groups[0], func(r string) bool { return bare(text.MatchForm(r)) == said })
}

func bare(form string) string {
	return strings.TrimLeft(strings.TrimRight(form, ".。!！ "), "。!！ ")
}

// An assertion is an answer in which references were found.
type assertion struct {
	saying
	// own marks the words of references.
	own []bool
	// named is set if all references are words: what is said of whom depends on their order.
	named bool
	// echoes are the words of the question beside them.
	echoes []text.Token
	// chosen is set if the question has a reference, as in "is it red or blue?".
	chosen bool
}

// take marks where the answer has references, and reports whether it has one.
func (a *assertion) take(references []string) (found bool) {
	question, _ := a.asked()
	mark := func(ref []text.Token, is func(i int) bool) {
		for i := 0; i+len(ref) <= len(a.folded); i++ {
			if len(ref) == 0 || !is(i) {
				continue
			}
			for at := i; at < i+len(ref); at++ {
				a.own[at] = true
			}
			found = true
			a.named = a.named && valuesOf(ref) == nil
			a.chosen = a.chosen || text.IndexFolded(question, ref, 0) >= 0
		}
	}
	for _, r := range references {
		whole := a.folds.of(text.MatchForm(r))
		for _, ref := range [][]text.Token{whole, trimPlain(r, whole)} {
			mark(ref, func(i int) bool { return slices.EqualFunc(a.folded[i:i+len(ref)], ref, sameToken) })
		}
		if v, ok := soleValue(whole); ok {
			mark(whole[:1], func(i int) bool { return a.means(i, v) })
		}
	}
	return found
}

// means reports whether the value at a place is that of a reference. At the end of the answer
// it may lack what the question counts, and in a short one the unit. Another word after a number may be
// a part of its value: "5 dozen", "5 below".
func (a *assertion) means(at int, r text.Value) bool {
	v, last := a.folded[at].Value, at == len(a.folded)-1
	question, _ := a.asked()
	counted := func(q text.Token) bool { return sameWord(q.Text, r.Noun) }
	return v != nil && (r.Noun == "" || v.Noun == r.Noun || slices.ContainsFunc(question, counted)) && (sameValue(*v, r) && (last || r.Noun == "" || v.Noun != "") ||
		last && at <= 2 && v.Unit == "" && v.Noun == "" && v.Amount == r.Amount && v.Exact == r.Exact && v.Date.Month+r.Date.Month == 0)
}

// sameValue reports whether a value states a reference, of the same currency, and no day, month
// or unit that the reference does not have where it says what it counts.
func sameValue(v, r text.Value) bool {
	return v.States(r) && (v.Date.Month == 0 || r.States(v)) && v.Coin == r.Coin && v.Exact == r.Exact && (r.Noun == "" || v.Unit == "")
}

func sameToken(t, ref text.Token) bool {
	if t.Value != nil && ref.Value != nil {
		return sameValue(*t.Value, *ref.Value)
	}
	return t == ref
}

// trimPlain leaves out the words before a reference that place it: "in an explosion". Those of
// a title stay: "On the Road".
func trimPlain(reference string, ref []text.Token) []text.Token {
	idle := func(t text.Token) bool { return t.Value == nil && (placing[t.Text] || slices.Contains(vague, t.Text)) }
	if first := slices.IndexFunc(ref, func(t text.Token) bool { return !idle(t) }); first > 0 && reference[0] >= 'a' {
		return ref[first:]
	}
	return ref
}

// contradicts reports whether the answer asserts one other value of the kind that every
// reference is, none that is close, and nothing else, or says yes for no. It may deny the
// reference. Words beside the value may change it in any language: "bis zu 40 Euro", "40 dollars
// a head", "40 dollars plus tax".
func (s saying) contradicts(references []string) bool {
	question, asked := s.asked()
	var want []text.Value
	about, scaled := estimate().MatchString(text.MatchForm(s.question)), scale().MatchString(text.MatchForm(s.question))
	for _, r := range references {
		ref := s.folds.of(text.MatchForm(r))
		if yes, _ := polarity(text.MatchForm(r), ref); yes != "" {
			said, _ := polarity(s.form, s.folded)
			return len(references) == 1 && said != "" && said != yes && !slices.ContainsFunc(question, denies) && s.backs(said)
		}
		if n := len(ref) - 1; n > 0 && len(ref[n].Text) == 1 && slices.Contains(s.folded, ref[n]) {
			ref = ref[:n] // of "km/h"
		}
		v, ok := soleValue(ref)
		if yearly := (text.Token{Text: "year"}); !ok || ref[len(ref)-1] == yearly && !slices.Contains(s.folded, yearly) {
			// "12 % a year" may be 1 % a month.
			return false
		}
		// A German Billion has twelve zeros.
		scaled = scaled || strings.Contains(text.MatchForm(r), "illion") && text.Language(s.question) != "en"
		want, about = append(want, v), about || slices.ContainsFunc(ref, func(t text.Token) bool { return slices.Contains(rounding, t.Text) })
	}
	// "39 euros per month" may echo the question.
	bounds := func(m string) bool { return !rates[m] || !strings.Contains(text.MatchForm(s.question), m) }
	var rivals []text.Value
	for i, t := range s.folded {
		if t.Value == nil {
			next := valuesOf(s.folded[i:min(i+4, len(s.folded))])
			if denies(t) && !slices.ContainsFunc(next, func(v text.Value) bool { return slices.ContainsFunc(want, v.States) }) {
				return false
			}
			continue
		}
		v := *t.Value
		if s.negated(i) || slices.ContainsFunc(asked, v.States) || (v.Unit == "" || v.Unit == "th") && v.Amount == 1 {
			continue
		}
		if slices.ContainsFunc(want, func(w text.Value) bool { return v.States(w) || near(v, w, about) || scaled && rescaled(v, w) }) {
			return false
		}
		if slices.ContainsFunc(want, v.Rivals) && wanted(v, want, question) &&
			!slices.ContainsFunc(rivals, func(r text.Value) bool { return r.States(v) && v.States(r) }) {
			rivals = append(rivals, v)
		}
	}
	return len(rivals) == 1 && !s.limited() && !slices.ContainsFunc(comparison().FindAllString(s.form, -1), bounds) && !slices.ContainsFunc(references, s.differs) && s.only(rivals[0], references)
}

// only reports whether the words beside a value are plain, or echo the question or a reference.
func (s saying) only(v text.Value, references []string) bool {
	of, labels := assertion{saying: s, own: make([]bool, len(s.folded))}, s.folds.of(text.MatchForm(strings.Join(references, " ")))
	for i, t := range s.folded {
		of.own[i] = denies(t) || sameToken(t, text.Token{Value: &v}) ||
			slices.ContainsFunc(labels, func(r text.Token) bool { return sameToken(t, r) || sameWord(t.Text, r.Text) })
	}
	return of.restEchoes()
}

// limited reports whether an answer makes uncertain or limits what it says, or asks.
func (s saying) limited() bool { return strings.Contains(s.form, "?") || limit().MatchString(s.form) }

// negated reports whether one of the three words before a place denies it.
func (s saying) negated(at int) bool { return slices.ContainsFunc(s.folded[max(0, at-3):at], denies) }

// wanted reports whether a value counts what a reference does: what only a reference counts
// must be in the question, as it may be a unit: 6 ft are 72 in.
func wanted(v text.Value, want []text.Value, question []text.Token) bool {
	return !several[v.Noun] && slices.ContainsFunc(want, func(w text.Value) bool {
		return !several[w.Noun] && (w.Noun == "" || w.Noun == v.Noun || slices.ContainsFunc(question, func(t text.Token) bool {
			return t.Text == w.Noun || strings.TrimSuffix(t.Text, "s") == w.Noun
		}))
	})
}

// near reports whether a value may be another one, rounded or said in part; about is set if the
// other one is only about right.
func near(v, w text.Value, about bool) bool {
	year, hasYear := v.Year()
	other, alsoYear := w.Year()
	most := 0.02
	switch {
	case about && (v.Date.Month > 0 || w.Date.Month > 0 || w.Unit == "clock"):
		return true
	case about:
		most = 0.25
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
	// A sign may stand in words: "minus 5".
	return v.Unit == w.Unit && math.Abs(math.Abs(v.Amount)-math.Abs(w.Amount)) <= most*math.Abs(w.Amount)
}

// rescaled reports whether a value may be another one in hundreds, thousands and so on, or in dozens.
func rescaled(v, w text.Value) bool {
	power := math.Abs(math.Log10(math.Abs(v.Amount / w.Amount)))
	return math.Round(power) > 1 && math.Abs(power-math.Round(power)) < 0.01 || math.Abs(power-math.Log10(12)) < 0.01
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
		if t.Value == nil && (all[0].Noun == "" || t.Text != all[0].Noun && t.Text != all[0].Noun+"s" && !strings.HasPrefix(t.Text, all[0].Noun+"/")) && !slices.Contains(vague, t.Text) {
			return text.Value{}, false
		}
	}
	return all[0], true
}

// vague words beside a value do not change it, but for rounding ones.
var (
	rounding = strings.Fields("around about approximately roughly")
	vague    = append(strings.Fields("in on at of year it is was for"), rounding...)
)

// polarity returns "yes" or "no" if a text begins with it; alone is set if it says nothing
// else.
func polarity(form string, folded []text.Token) (yes string, alone bool) {
	if len(folded) == 0 {
		return "", false
	}
	rest, _ := strings.CutPrefix(form, folded[0].Text)
	apart := rest != "" && strings.ContainsRune(",.;:!", rune(rest[0]))
	switch first := folded[0].Text; first {
	case "yes", "true", "correct", "對", "对":
		return "yes", len(folded) == 1
	case "no", "false", "incorrect", "否":
		// "No passenger may stand" is no answer to yes or no.
		subjects := []string{"it", "they", "he", "she", "you", "there", "this", "that"}
		if first == "no" && len(folded) > 1 && !apart && !slices.Contains(subjects, folded[1].Text) {
			return "", false
		}
		return "no", len(folded) == 1
	}
	if len(folded) > 1 && folded[0].Text+folded[1].Text == "不是" {
		return "no", len(folded) == 2
	}
	if folded[0].Text == "是" && (len(folded) == 1 || apart || folded[1].Text == "的") {
		return "yes", len(folded) == 1 || len(folded) == 2 && !apart
	}
	return "", false
}
