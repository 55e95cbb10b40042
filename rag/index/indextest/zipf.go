// Package indextest makes texts and queries for tests and measurements of an index.
package indextest

import (
	"math/rand/v2"
	"strconv"
)

// Words is the number of different words of [Zipf]; the words from Rare on are in less
// than a fifth of the texts each.
const (
	Words = 50_000
	Rare  = 100
)

// Zipf returns texts of 150 to 309 words, drawn by Zipf's law with exponent 1.07, and
// queries of five words drawn in the same way, so that the most common words occur in
// both. The result depends only on the numbers.
func Zipf(texts, queries int) (corpus, questions []string) {
	r := rand.New(rand.NewPCG(1, 2))
	z := rand.NewZipf(r, 1.07, 1, Words-1)
	for range texts {
		corpus = append(corpus, words(150+r.IntN(160), z.Uint64))
	}
	for range queries {
		questions = append(questions, words(5, z.Uint64))
	}
	return corpus, questions
}

// Content returns queries of n words without common ones: number k of Zipf's law stands
// for word k + Rare.
func Content(queries, n int) []string {
	z := rand.NewZipf(rand.New(rand.NewPCG(3, 4)), 1.07, 1, Words-1-Rare)
	var out []string
	for range queries {
		out = append(out, words(n, func() uint64 { return z.Uint64() + Rare }))
	}
	return out
}

// words returns n words, each of which names a number that next draws.
func words(n int, next func() uint64) string {
	var b []byte
	for range n {
		b = append(b, 'w')
		b = strconv.AppendUint(b, next(), 10)
		b = append(b, 'q', ' ')
	}
	return string(b)
}
