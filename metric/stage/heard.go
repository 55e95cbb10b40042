package stage

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric/speech"
	"github.com/assay-eval/assay/rag/index"
)

// mostLost is the share of a question's words from which a transcript that lost them is
// another question.
const mostLost = 0.5

// asking are words of questions that say nothing of what is asked for, in the form of
// [index.Terms].
var asking = sync.OnceValue(func() []string {
	return index.Terms("what when where which who whom whose why how do does did can could would should may might must has have had " +
		"you your me my we our i us from about please tell so than also its am were been being " +
		"much many long old large far often year date day time number percent percentage")
})

// misheard returns the words of the question that its transcript lost and that the
// retriever would have needed to find a fact: those that the fact's text has, where it
// is known; any, where it is not or where half of them are lost.
func (f *funnel) misheard(i int) []string {
	heard, ok := f.r.Transcript()
	if !ok || f.c.Want.Transcript == nil {
		return nil
	}
	lost, share := lostWords(*f.c.Want.Transcript, heard)
	evidence := f.evidenceText(i)
	if evidence == "" || share >= mostLost {
		return lost
	}
	has := termSet(evidence)
	return slices.DeleteFunc(lost, func(word string) bool {
		return !slices.ContainsFunc(index.Terms(speech.Simplify(word)), func(t string) bool { return has[t] })
	})
}

// evidenceText returns the text in which a fact is found; "" if it is not known.
func (f *funnel) evidenceText(i int) string {
	fa := &f.facts[i]
	parts := []string{fa.source.Text}
	if fa.kind != keyword && fa.kind != answer {
		parts = append(parts, fa.text)
	}
	in, _ := f.a.library.lookup(fa)
	for _, p := range in {
		parts = append(parts, p.Text)
	}
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

// lostWords returns the words of a question that a transcript does not have, in order,
// and their share of the question's words. Endings and function words do not count, nor
// does spelling: the script of Chinese, numbers and their units, accents, spaces, American and British words,
// abbreviations.
func lostWords(question, transcript string) (lost []string, share float64) {
	has, spoken, kept := termSet(transcript), termSet(wordsOf(transcript)), termSet(wordsOf(question))
	sameNumbers := hasValues(nil, transcript, question)
	otherwise := func(field, shown string) bool {
		terms := index.Terms(speech.Simplify(wordsOf(shown)))
		none := func(set map[string]bool) bool {
			return !slices.ContainsFunc(terms, func(t string) bool { return set[t] })
		}
		return sameNumbers && none(kept) || len(terms) > 0 && !slices.ContainsFunc(terms, func(t string) bool { return !spoken[t] }) ||
			runTogether(transcript, field) || runTogether(transcript, shown) || strings.HasSuffix(field, "n't") ||
			slices.ContainsFunc(abbreviated, func(pair [2]string) bool { return pair[0] == shown && has[pair[1]] || pair[1] == shown && has[pair[0]] })
	}
	all := 0
	seen := map[string]bool{}
	for _, word := range strings.FieldsFunc(text.MatchForm(question), func(r rune) bool { return r == ' ' || r == '\n' }) {
		terms := index.Terms(word)
		same := index.Terms(speech.Simplify(word))
		for n, t := range same {
			if slices.Contains(asking(), t) || seen[t] {
				continue
			}
			seen[t] = true
			all++
			if has[t] {
				continue
			}
			shown := strings.Trim(word, `.,;:!?"'()¿¡`)
			if len(same) > 1 {
				// A word of a script without spaces.
				if shown = t; len(terms) == len(same) {
					shown = terms[n]
				}
			}
			if !otherwise(strings.Trim(word, `.,;:!?"'()¿¡`), shown) && !slices.Contains(lost, shown) {
				lost = append(lost, shown)
			}
		}
	}
	if all == 0 {
		return nil, 0
	}
	return lost, float64(len(lost)) / float64(all)
}

// abbreviated are words that are spoken in full, as terms.
var abbreviated = [][2]string{{"dr", "doctor"}, {"mr", "mister"}, {"mrs", "missi"}, {"st", "saint"}, {"ok", "okai"}, {"ok", "okay"}, {"tv", "televis"}}

// wordsOf returns the words of a text in one spelling, without its numbers and their units.
func wordsOf(s string) string {
	var b strings.Builder
	for _, t := range text.Folded(s) {
		if t.Value == nil && text.ShareCJK(t.Text) > 0 {
			b.WriteString(t.Text)
		} else {
			b.WriteString(" " + t.Text + " ")
		}
	}
	return b.String()
}

// runTogether reports whether a text has a word in other parts: "A T M" of ATM, "helpdesk" of help desk. A word begins
// or ends with it.
func runTogether(s, word string) bool {
	w := string(slices.DeleteFunc(letters(word), between))
	if utf8.RuneCountInString(w) < 3 {
		return false
	}
	var all string
	begins, ends := map[int]bool{}, map[int]bool{}
	for _, of := range strings.FieldsFunc(string(letters(s)), between) {
		begins[len(all)] = true
		all += of
		ends[len(all)] = true
	}
	for at := 0; ; at++ {
		i := strings.Index(all[at:], w)
		if i < 0 {
			return false
		}
		if at += i; begins[at] || ends[at+len(w)] {
			return true
		}
	}
}

func termSet(s string) map[string]bool {
	out := map[string]bool{}
	for _, t := range index.Terms(speech.Simplify(text.MatchForm(s))) {
		out[t] = true
	}
	return out
}

// unheard attributes to the transcript the facts that were not retrieved, or dropped by their
// rank on the way to the prompt, and for which it lost words of the question. It stands in for asking with the right
// transcript, and returns the facts that are still open, and whether there was such a fact.
func (f *funnel) unheard(open []int) (rest []int, some bool) {
	for _, i := range open {
		ranked := f.lost[i] == assay.StageRetrieve || f.lost[i] == assay.StageFilter || f.lost[i] == assay.LostPack
		if ranked && len(f.misheard(i)) > 0 {
			f.lost[i], some = assay.StageTranscribe, true
		} else {
			rest = append(rest, i)
		}
	}
	return rest, some
}

// lostInTranscript is the evidence of unheard.
func (f *funnel) lostInTranscript(i int, heard string) string {
	const shown = 4
	words := f.misheard(i)
	var list []string
	for _, w := range words[:min(len(words), shown)] {
		list = append(list, fmt.Sprintf("%q", w))
	}
	if len(words) > shown {
		list = append(list, "…")
	}
	lost := "not retrieved"
	if len(f.found[i].whole) > 0 {
		lost = "dropped before the prompt"
	}
	return fmt.Sprintf("the transcript lost %s of the question, and it was %s; the transcript was %q", strings.Join(list, ", "), lost, heard)
}
