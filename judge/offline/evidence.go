package offline

import (
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
	metric "github.com/assay-eval/assay/metric/text"
)

// A sentence is one of a source, made ready for comparison.
type sentence struct {
	text   string // verbatim
	source int
	words  []string
	vector []float32
}

// A source is a text that claims are held against. Its sentences are those from
// first to end of the evidence.
type source struct {
	text       string
	first, end int
	words      map[string]bool
	terms      map[string]bool
	pairs      map[[2]string]bool
	numbers    metric.NumberSet
}

// evidence is all the sources of a question.
type evidence struct {
	sources   []source
	sentences []sentence
	// having lists the sentences that have a term.
	having map[string][]int
	// at lists the places where a word stands. Places count the words of all
	// sentences, with a gap after each; sourceOf tells whose they are.
	at       map[string][]int32
	sourceOf []int32
	support  *model
}

// Sentences are cut where they get longer than a reader would call one: tables
// and texts without punctuation.
const longestSentence = 600

// newEvidence makes texts ready.
func newEvidence(texts []string) *evidence {
	e := &evidence{support: &support, having: map[string][]int{}, at: map[string][]int32{}}
	for i, t := range texts {
		s := source{text: t, first: len(e.sentences), words: map[string]bool{}, terms: map[string]bool{}, pairs: map[[2]string]bool{}}
		for _, p := range sentenceSpans(t) {
			e.add(&s, i, p.Of(t))
		}
		s.numbers.Add(text.Numbers(t))
		s.end = len(e.sentences)
		e.sources = append(e.sources, s)
	}
	return e
}

func (e *evidence) add(s *source, at int, t string) {
	n := len(e.sentences)
	w := words(t)
	s.numbers.Add(spelled(w))
	for i, x := range w {
		s.words[x] = true
		e.at[x] = append(e.at[x], int32(len(e.sourceOf)))
		e.sourceOf = append(e.sourceOf, int32(at))
		if i > 0 {
			s.pairs[[2]string{w[i-1], x}] = true
		}
	}
	e.sourceOf = append(e.sourceOf, int32(at))
	for _, x := range terms(w) {
		s.terms[x] = true
		e.having[x] = append(e.having[x], n)
	}
	e.sentences = append(e.sentences, sentence{text: t, source: at, words: w})
}

// sentenceSpans gives the sentences of a text that have a word, long ones in
// pieces.
func sentenceSpans(s string) []text.Span {
	var out []text.Span
	for _, p := range text.Sentences(s) {
		for p.End-p.Start > longestSentence {
			cut := p.Start + pieceEnd(p.Of(s))
			out = append(out, text.Span{Start: p.Start, End: cut})
			p.Start = cut
		}
		out = append(out, p)
	}
	kept := out[:0]
	for _, p := range out {
		if hasWord(p.Of(s)) {
			kept = append(kept, p)
		}
	}
	return kept
}

// pieceEnd gives where to cut a sentence that is too long: after the last white
// space that fits, else between two characters.
func pieceEnd(s string) int {
	at := longestSentence
	for at > 0 && !utf8.RuneStart(s[at]) {
		at--
	}
	if at == 0 {
		return longestSentence
	}
	for i := at; i > longestSentence/2; i-- {
		switch s[i-1] {
		case ' ', '\n', '\t':
			return i
		}
	}
	return at
}
