package text

import (
	"math/bits"
	"slices"

	"github.com/assay-eval/assay/metric"
)

// ROUGEL compares by the longest common subsequence of words.
var ROUGEL = rouge(metric.Def{
	Name:    "rouge_l",
	Title:   "ROUGE-L",
	Doc:     "How long a sequence of words the answer and the reference answer have in common, in order but not necessarily side by side.",
	Formula: "F1 of L / words(answer) and L / words(reference), L = length of the longest common subsequence of words",
}, func(answer, reference []uint32) match {
	return matchOf(commonSubsequence(answer, reference), len(answer), len(reference))
})

// commonSubsequence returns the length of the longest common subsequence, 64
// cells of the usual table at a time. Source: Hyyrö, Bit-parallel LCS-length
// computation revisited, 2004.
func commonSubsequence(a, b []uint32) int {
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
	size int
	// at are the positions in the order of the tokens; those of a token end where end says.
	at, end []uint32
	kept    map[uint32][]uint64
	scratch []uint64
}

func placesOf(tokens []uint32) places {
	p := places{size: (len(tokens) + 63) / 64, at: make([]uint32, len(tokens)), scratch: make([]uint64, (len(tokens)+63)/64)}
	if len(tokens) > 0 {
		p.end = make([]uint32, slices.Max(tokens)+2)
	}
	// Counted two places further, the counts are the first positions one place further, and
	// the ends in their own place once every position is set.
	for _, t := range tokens {
		if int(t)+2 < len(p.end) {
			p.end[t+2]++
		}
	}
	for t := 2; t < len(p.end); t++ {
		p.end[t] += p.end[t-1]
	}
	for i, t := range tokens {
		p.at[p.end[t+1]] = uint32(i)
		p.end[t+1]++
	}
	for t := range p.end {
		if at := p.of(uint32(t)); len(at) > p.size {
			if p.kept == nil {
				p.kept = map[uint32][]uint64{}
			}
			p.kept[uint32(t)] = make([]uint64, p.size)
			set64(p.kept[uint32(t)], at)
		}
	}
	return p
}

// of returns the positions of a token.
func (p *places) of(token uint32) []uint32 {
	if int(token)+1 >= len(p.end) {
		return nil
	}
	return p.at[p.end[token]:p.end[token+1]]
}

func set64(words []uint64, at []uint32) {
	for _, i := range at {
		words[i/64] |= 1 << (i % 64)
	}
}

// mark returns the positions of a token, valid until clear is called, and the index
// of the first word that is not zero.
func (p *places) mark(token uint32) (words []uint64, first int) {
	at := p.of(token)
	switch {
	case len(at) == 0:
		return p.scratch, p.size
	case len(at) > p.size:
		return p.kept[token], int(at[0] / 64)
	}
	set64(p.scratch, at)
	return p.scratch, int(at[0] / 64)
}

func (p *places) clear(token uint32) {
	if at := p.of(token); len(at) <= p.size {
		for _, i := range at {
			p.scratch[i/64] = 0
		}
	}
}
