package offline

import (
	"slices"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
	metric "github.com/assay-eval/assay/metric/text"
)

// A sentence is a sentence of a source, prepared for comparison.
type sentence struct {
	text   string // verbatim
	source int
	words  []string
	vector []float32
}

// A source is a text that claims are compared with. Its sentences are those of the
// evidence from first to before end.
type source struct {
	text       string
	first, end int
	words      map[string]bool
	terms      map[string]bool
	pairs      map[[2]string]bool
	numbers    metric.NumberSet
}

// evidence is the sources of a question.
type evidence struct {
	sources   []source
	sentences []sentence
	// having lists the sentences that have a term.
	having map[string][]int
	// at lists the places of a word. Places number the words of all sentences, with a
	// gap after each sentence; sourceOf is the source of each place.
	at       map[string][]int32
	sourceOf []int32
	support  *model
}

// longestSentence is the length in bytes from which sentences are split: they are
// tables, or text without punctuation.
const longestSentence = 600

// newEvidence prepares texts for comparison.
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

// sentenceSpans returns the sentences of a text that have a word, long ones split.
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
	return slices.DeleteFunc(out, func(p text.Span) bool { return !hasWord(p.Of(s)) })
}

// pieceEnd returns where to split a sentence that is too long: after the last white
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
