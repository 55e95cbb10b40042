// Package indextest makes texts and queries for tests and measurements of an index.
package indextest

import (
	"math/rand/v2"
	"strconv"
)

// Zipf returns texts of 150 to 309 words, drawn from 50,000 by Zipf's law with exponent
// 1.07, and queries of five words drawn in the same way, so that the most common words
// occur in both. The result depends only on the numbers.
func Zipf(texts, queries int) (corpus, questions []string) {
	r := rand.New(rand.NewPCG(1, 2))
	z := rand.NewZipf(r, 1.07, 1, 50_000-1)
	words := func(n int) string {
		var b []byte
		for range n {
			b = append(b, 'w')
			b = strconv.AppendUint(b, z.Uint64(), 10)
			b = append(b, 'q', ' ')
		}
		return string(b)
	}
	for range texts {
		corpus = append(corpus, words(150+r.IntN(160)))
	}
	for range queries {
		questions = append(questions, words(5))
	}
	return corpus, questions
}
