package offline

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/assay-eval/assay/internal/text"
	metric "github.com/assay-eval/assay/metric/text"
)

// A claim is a text prepared for comparison with evidence.
type claim struct {
	text    string
	words   []string
	terms   []string
	numbers []text.Number
	names   []string
	vector  []float32
}

// longestRun is the number of words of a claim that are aligned with a source: the
// time of an alignment grows with the product of both lengths.
const longestRun = 300

func newClaim(s string) *claim {
	c := &claim{text: s, words: words(s), names: names(s)}
	c.terms = terms(c.words)
	seen := map[string]bool{}
	for _, n := range slices.Concat(text.Numbers(s), spelled(c.words)) {
		if !seen[n.Key] {
			seen[n.Key] = true
			c.numbers = append(c.numbers, n)
		}
	}
	return c
}

// found is what one source, or several together, share with a claim.
type found struct {
	words, terms, pairs, numbers, names []bool
	// cosine is the largest cosine with a sentence, 0 without vectors.
	cosine float64
	// sentence and window are the largest shares of the claim's terms in one
	// sentence, and in three consecutive ones.
	sentence, window float64
	// run is the longest run of the claim's words in a sentence, common the longest
	// common subsequence with the best sentence, both as shares of its words.
	run, common float64
	// best is the nearest sentence by cosine and terms; -1 for none.
	best      int
	bestScore float64
}

// look compares a claim with each source separately.
func (e *evidence) look(c *claim) []found {
	one, three := e.counts(c)
	runs := e.runs(c)
	out := make([]found, len(e.sources))
	for i := range e.sources {
		s := &e.sources[i]
		f := found{
			words:   has(c.words, s.words),
			terms:   has(c.terms, s.terms),
			names:   has(c.names, s.words),
			numbers: make([]bool, len(c.numbers)),
			best:    -1,
			run:     ratio(runs[i], min(len(c.words), longestRun)),
		}
		for k, n := range c.numbers {
			f.numbers[k] = s.numbers.Has(n)
		}
		for k := 1; k < len(c.words); k++ {
			f.pairs = append(f.pairs, s.pairs[[2]string{c.words[k-1], c.words[k]}])
		}
		for k := s.first; k < s.end; k++ {
			t := ratio(one[k], len(c.terms))
			f.sentence = max(f.sentence, t)
			f.window = max(f.window, ratio(three[k], len(c.terms)))
			cos := dot(c.vector, e.sentences[k].vector)
			f.cosine = max(f.cosine, cos)
			if score := t + cos; f.best < 0 || score > f.bestScore {
				f.best, f.bestScore = k, score
			}
		}
		if f.best >= 0 {
			f.common = ratio(subsequence(c.words, e.sentences[f.best].words), min(len(c.words), longestRun))
		}
		out[i] = f
	}
	return out
}

// counts returns how many of the claim's terms each sentence has, alone and with its
// neighbours in the same source.
func (e *evidence) counts(c *claim) (one, three []int) {
	one, three = make([]int, len(e.sentences)), make([]int, len(e.sentences))
	for _, t := range c.terms {
		done := -1
		for _, at := range e.having[t] {
			one[at]++
			s := e.sources[e.sentences[at].source]
			for w := max(at-1, s.first, done+1); w <= min(at+1, s.end-1); w++ {
				three[w]++
				done = w
			}
		}
	}
	return one, three
}

// runs returns the length of the longest run of the claim's words in a sentence of
// each source.
func (e *evidence) runs(c *claim) []int {
	out := make([]int, len(e.sources))
	// length[p] is the length of the run that ends at place p with the claim's word
	// number before[p], counted from 1: an older run is not continued.
	length, before := make([]int32, len(e.sourceOf)+1), make([]int32, len(e.sourceOf)+1)
	for i, w := range c.words[:min(len(c.words), longestRun)] {
		// Backward, so that the entry of the place before is still that of the word
		// before.
		for _, p := range slices.Backward(e.at[w]) {
			n := int32(1)
			if p > 0 && before[p-1] == int32(i) {
				n += length[p-1]
			}
			length[p], before[p] = n, int32(i+1)
			s := e.sourceOf[p]
			out[s] = max(out[s], int(n))
		}
	}
	return out
}

// together merges what several sources share with a claim.
func together(parts []found) found {
	out := found{best: -1}
	for _, f := range parts {
		out.words, out.terms, out.pairs = or(out.words, f.words), or(out.terms, f.terms), or(out.pairs, f.pairs)
		out.numbers, out.names = or(out.numbers, f.numbers), or(out.names, f.names)
		out.cosine, out.sentence, out.window = max(out.cosine, f.cosine), max(out.sentence, f.sentence), max(out.window, f.window)
		out.run, out.common = max(out.run, f.run), max(out.common, f.common)
		if f.best >= 0 && (out.best < 0 || f.bestScore > out.bestScore) {
			out.best, out.bestScore = f.best, f.bestScore
		}
	}
	return out
}

// subsequence returns the length of the longest common subsequence of two sentences,
// up to longestRun words.
func subsequence(a, b []string) int {
	a, b = a[:min(len(a), longestRun)], b[:min(len(b), longestRun)]
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for k, y := range b {
			above := row[k+1]
			if x == y {
				row[k+1] = diagonal + 1
			} else {
				row[k+1] = max(row[k+1], row[k])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

// denies reports whether either the claim or the sentence, and not both, is negated.
// Of the sentence only the parts between commas and brackets count whose terms are
// mostly those of the claim.
func (c *claim) denies(sentence string) bool {
	in := toSet(c.terms)
	var same []string
	for _, part := range strings.FieldsFunc(sentence,
		func(r rune) bool { return strings.ContainsRune(",;:()[]—–，；：（）、", r) }) {
		if t := terms(words(part)); len(t) > 0 && 2*share(t, in) >= 1 {
			same = append(same, part)
		}
	}
	if same == nil {
		return false
	}
	claimed := known().Opening.ReplaceAllString(c.text, "")
	return metric.NegationsDiffer(negatives.Replace(claimed), negatives.Replace(strings.Join(same, ", ")))
}

// negatives joins what tokenizers separate, as in "are n't".
var negatives = strings.NewReplacer(" n't", "n't", " n’t", "n't")

// personal reports whether the claim is in the first person, in words that no source
// has.
func (c *claim) personal(f found) bool {
	for i, w := range c.words {
		if i < len(f.words) && !f.words[i] && firstPerson[w] {
			return true
		}
	}
	return false
}

var firstPerson = text.Set("i me my mine myself 我 俺 咱")

// latin reports whether at least half of the letters are Latin: MiniLM does not
// support other scripts.
func latin(s string) bool {
	var n, all int
	for _, r := range s {
		if unicode.IsLetter(r) {
			all++
			if unicode.Is(unicode.Latin, r) {
				n++
			}
		}
	}
	return 2*n >= all
}

func has(list []string, set map[string]bool) []bool {
	out := make([]bool, len(list))
	for i, x := range list {
		out[i] = set[x]
	}
	return out
}

// or sets a to the union of both; a may be nil.
func or(a, b []bool) []bool {
	if a == nil {
		return slices.Clone(b)
	}
	for i := range a {
		a[i] = a[i] || b[i]
	}
	return a
}

// part returns the share of a list that is true, or empty for an empty list.
func part(list []bool, empty float64) float64 {
	if len(list) == 0 {
		return empty
	}
	return float64(count(list)) / float64(len(list))
}

func count(list []bool) int {
	n := 0
	for _, x := range list {
		if x {
			n++
		}
	}
	return n
}

// share is the share of a list that a set has.
func share(list []string, set map[string]bool) float64 {
	return ratio(count(has(list, set)), len(list))
}

func ratio(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// dot is the cosine of two vectors of length 1, at least 0; 0 if one is missing.
func dot(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var sum float32
	for i, x := range a {
		sum += x * b[i]
	}
	return math.Max(0, math.Min(1, float64(sum)))
}

// otherNumber reports whether a sentence has a number that the claim lacks: only
// such a sentence can contradict a number of the claim.
func otherNumber(sentence string, c *claim) bool { return lacksNumber(text.Numbers(sentence), c) }

// lacksNumber reports whether a claim lacks one of the numbers.
func lacksNumber(numbers []text.Number, c *claim) bool {
	return slices.ContainsFunc(numbers, func(n text.Number) bool {
		return !slices.ContainsFunc(c.numbers, func(m text.Number) bool { return m.Key == n.Key })
	})
}

// spelled returns the numbers written as English words, such as "twelve", which
// [text.Numbers] does not read. "One" is mostly a pronoun and is left out.
func spelled(words []string) []text.Number {
	var out []text.Number
	for _, w := range words {
		if n, ok := known().Spelled[w]; ok {
			out = append(out, text.Number{Text: w, Key: strconv.Itoa(n)})
		}
	}
	return out
}
