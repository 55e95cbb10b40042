package question

import (
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
)

// Cite parts an answer into sentences and tells which of n passages each cites by number;
// see [text.Citations]. The findings are empty.
func Cite(answer string, n int) []judge.Cited {
	var out []judge.Cited
	for _, c := range text.Citations(answer, n) {
		out = append(out, judge.Cited{Sentence: c.Sentence, Text: c.Text, Cites: c.Cites, Invalid: c.Invalid})
	}
	return out
}
