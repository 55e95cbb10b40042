package text

import (
	"math/bits"

	"github.com/assay-eval/assay/metric"
)

// ROUGEL compares by the longest common subsequence of words.
var ROUGEL = rouge(metric.Def{
	Name:    "rouge_l",
	Title:   "ROUGE-L",
	Doc:     "How long a sequence of words the answer and the reference answer have in common, in order but not necessarily side by side.",
	Formula: "F1 of L / words(answer) and L / words(reference), L = length of the longest common subsequence of words",
}, func(answer, reference []string) match {
	return matchOf(commonSubsequence(answer, reference), len(answer), len(reference))
})

// commonSubsequence returns the length of the longest common subsequence, 64
// cells of the usual table at a time. Source: Hyyrö, Bit-parallel LCS-length
// computation revisited, 2004.
func commonSubsequence(a, b []string) int {
	p := placesOf(a)
	// A bit of row is 0 where the table rises by one.
	row := make([]uint64, p.size)
	for i := range row {
		row[i] = ^uint64(0)
	}
	for _, t := range b {
		same, first := p.mark(t)
		var carry uint64
		for i := first; i < len(row); i++ {
			kept := row[i] &^ same[i]
			row[i], carry = bits.Add64(row[i], row[i]&same[i], carry)
			row[i] |= kept
		}
		p.clear(t)
	}
	length := 0
	for _, w := range row {
		length += bits.OnesCount64(^w)
	}
	return length
}

// places holds the positions of each token as bits in words of 64. For a token
// with more positions than there are words, the bits are stored; at most 64 tokens
// have that many. For other tokens the bits are computed on demand.
type places struct {
	size    int
	at      map[string][]int
	kept    map[string][]uint64
	scratch []uint64
}

func placesOf(tokens []string) places {
	p := places{size: (len(tokens) + 63) / 64, at: make(map[string][]int, len(tokens)), kept: map[string][]uint64{}}
	for i, t := range tokens {
		p.at[t] = append(p.at[t], i)
	}
	p.scratch = make([]uint64, p.size)
	for t, at := range p.at {
		if len(at) > p.size {
			p.kept[t] = make([]uint64, p.size)
			set64(p.kept[t], at)
		}
	}
	return p
}

func set64(words []uint64, at []int) {
	for _, i := range at {
		words[i/64] |= 1 << (i % 64)
	}
}

// mark returns the positions of a token, valid until clear is called, and the index
// of the first word that is not zero.
func (p *places) mark(token string) (words []uint64, first int) {
	at := p.at[token]
	if at == nil {
		return p.scratch, p.size
	}
	if words := p.kept[token]; words != nil {
		return words, at[0] / 64
	}
	set64(p.scratch, at)
	return p.scratch, at[0] / 64
}

func (p *places) clear(token string) {
	if p.kept[token] == nil {
		for _, i := range p.at[token] {
			p.scratch[i/64] = 0
		}
	}
}
