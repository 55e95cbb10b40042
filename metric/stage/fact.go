package stage

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// kind is the label that a fact comes from.
type kind uint8

const (
	point kind = iota
	passage
	document
	keyword
	answer
)

// A fact is one piece of evidence.
type fact struct {
	kind kind
	// at is its index among the points, passages or keywords of the labels.
	at int
	// id is its name, text its content; a document has no text.
	id, text string
	// form is the match form of the text, of answers that of all; least the length of a stretch that counts,
	// anchors are stretches of it.
	form    string
	least   int
	anchors []string
	// phrase is a keyword as it is looked for, answers are the reference answers.
	phrase  text.Phrase
	answers []reference
	// asked is the question that a reference answer is of.
	asked asked
	// valued is set if the text has a number or a date, chosen if the question has the answer.
	valued, chosen bool
	// source is the passage that a point comes from, or the zero value.
	source assay.Passage
	// answering are the chunks of a document that hold the answer, if not all do.
	answering []assay.Passage
}

// longest is the length of a fact's text in a record.
const longest = 160

// factsOf returns the facts of a case by the first kind of its labels.
func (a *Attributor) factsOf(c *assay.Case) []fact {
	c = a.worded(c)
	for k := point; k <= answer; k++ {
		if facts := a.factsBy(k, c); len(facts) > 0 {
			return facts
		}
	}
	return nil
}

// factsBy returns the facts of a case by one kind of label, in the order of its labels.
func (a *Attributor) factsBy(k kind, c *assay.Case) []fact {
	w := c.Want
	var out []fact
	switch {
	case k == point && w.Ideal != nil:
		vital := slices.ContainsFunc(w.Ideal.Points, func(p assay.Point) bool { return p.Vital })
		for i, p := range w.Ideal.Points {
			if vital && !p.Vital {
				continue
			}
			f := newFact(point, i, p.Text)
			f.id, f.source.ID = p.Passage, p.Passage
			if j := slices.IndexFunc(w.Ideal.Passages, func(q assay.Passage) bool { return q.ID == p.Passage && p.Passage != "" }); j >= 0 {
				f.source = w.Ideal.Passages[j]
			}
			if p.Passage == "" {
				f = f.of(c.Question)
			}
			out = append(out, f)
		}
	case k == passage:
		for i, p := range w.Passages {
			f := newFact(passage, i, p)
			out = append(out, f.of(c.Question))
		}
	case k == document:
		for _, id := range slices.Sorted(maps.Keys(w.Documents)) {
			if w.Documents[id] >= 1 {
				out = append(out, fact{kind: document, id: id, answering: a.library.answering(id, w), asked: newAsked(c.Question)})
			}
		}
	case k == keyword:
		for i, k := range w.Keywords {
			if strings.Trim(k, "| ") != "" {
				f := fact{kind: keyword, at: i, text: k, form: formOf(k), phrase: text.NewPhrase(text.Rendered(k))}
				out = append(out, f.of(c.Question))
			}
		}
	case k == answer && traceable(w):
		f := fact{kind: answer, text: w.Answers[0], form: formOf(strings.Join(w.Answers, "\n")), answers: referencesOf(w.Answers)}
		f = f.of(c.Question)
		if in, ok := a.library.lookup(&f); !ok || len(in) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// traceable reports whether reference answers can be followed by their text: whether each
// is short, and no text has one by chance.
func traceable(w assay.Want) bool {
	return len(w.Answers) > 0 && !slices.ContainsFunc(w.Answers, func(a string) bool { return !distinct(a) })
}

// distinct reports whether a reference answer can be found by its words: it is no yes or
// no, a text has it word for word, and not by chance, as a number of one or two digits
// without a unit, or a few letters.
func distinct(answer string) bool {
	form := strings.Trim(formOf(answer), " .。!！?？")
	most := 6
	if text.ShareCJK(form) > 0.5 {
		most *= 2
	}
	if !findable(answer) || len(text.Tokens(form)) > most || strings.Contains(form, "|") {
		return false
	}
	letters := 0
	for _, t := range text.Folded(form) {
		switch v := t.Value; {
		case v == nil && text.ShareCJK(t.Text) > 0.5:
			// Two characters are a word.
			letters += 2 * utf8.RuneCountInString(t.Text)
		case v == nil:
			letters += utf8.RuneCountInString(t.Text)
		case v.Date.Month > 0, v.Unit != "", v.Noun != "", math.Abs(v.Amount) >= 100, v.Amount != math.Trunc(v.Amount):
			return true
		}
	}
	return letters >= 4
}

// MostFacts is the largest number of facts that the labels of a case can give.
func MostFacts(w assay.Want) int {
	most := max(len(w.Passages), len(w.Keywords), min(len(w.Answers), 1))
	if w.Ideal != nil {
		most = max(most, len(w.Ideal.Points))
	}
	return max(most, w.Relevant())
}

// Labelled reports whether a case has a label for the output of some stage: of reference
// answers alone, whether their text can be found.
func Labelled(w assay.Want) bool {
	return w.Ideal != nil || len(w.Passages) > 0 || len(w.Documents) > 0 || len(w.Keywords) > 0 ||
		len(w.SubQuestions) > 0 || w.Transcript != nil || traceable(w)
}

func newFact(k kind, at int, s string) fact {
	f := fact{kind: k, at: at, text: s, form: formOf(s), least: text.MatchLengthFor(s)}
	runes := []rune(f.form)
	for i := 0; i+f.least <= len(runes); i += f.least {
		f.anchors = append(f.anchors, string(runes[i:i+f.least]))
	}
	if len(f.anchors) > 1 {
		// What a chunk begins within ends with this one.
		f.anchors = append(f.anchors, string(runes[len(runes)-f.least:]))
	}
	return f
}

// of returns the fact as one that answers a question.
func (f fact) of(question string) fact {
	f.asked, f.valued = newAsked(question), len(valuesOf(text.Folded(f.form))) > 0
	if f.chosen = f.short() && f.mentionedIn(formOf(question)); f.chosen {
		// A text about one of the choices has its words by chance.
		own := termSet(f.form)
		f.asked.terms = slices.DeleteFunc(f.asked.terms, func(t string) bool { return own[t] })
		f.asked.names = slices.DeleteFunc(f.asked.names, func(n string) bool { return strings.Contains(f.form, n) })
	}
	return f
}

// excerpt is the text of the fact in a record.
func (f *fact) excerpt() string { return text.Shorten(text.Collapse(f.text), longest) }

// name names the fact for a reader.
func (f *fact) name() string {
	return cmp.Or(text.Shorten(text.Collapse(f.text), 60), f.id)
}
