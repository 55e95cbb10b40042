package check

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"unicode"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/simd"
	"github.com/assay-eval/assay/internal/text"
)

func isPunctuation(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }

// duplicates finds questions that differ only in case, punctuation and white
// space.
func duplicates(_ context.Context, l *look) ([]Finding, error) {
	var out []Finding
	first := map[string]int{}
	for i := range l.Cases {
		c := &l.Cases[i]
		form := same(c.Question)
		if c.Audio != "" {
			form += "\x00" + c.Audio
		}
		before, again := first[form]
		if !again {
			first[form] = i
			continue
		}
		old := &l.Cases[before]
		if differ := contradiction(old.Want, c.Want); differ != "" {
			out = append(out, found(Wrong, fmt.Sprintf("repeats the question of %q with different %s", old.ID,
				differ), c, old))
		} else {
			out = append(out, found(Wrong, fmt.Sprintf("repeats the question of %q", old.ID), c, old))
		}
	}
	return out, nil
}

// contradiction names the labels in which two cases differ.
func contradiction(a, b assay.Want) string {
	switch {
	case a.Answers != nil && b.Answers != nil && !reflect.DeepEqual(a.Answers, b.Answers):
		return "answers"
	case a.Documents != nil && b.Documents != nil && !maps.Equal(a.Documents, b.Documents):
		return "documents"
	case a.Passages != nil && b.Passages != nil && !slices.Equal(a.Passages, b.Passages):
		return "passages"
	case a.Answerable != nil && b.Answerable != nil && *a.Answerable != *b.Answerable:
		return "answerability"
	}
	return ""
}

// nearCosine is the cosine of MiniLM's vectors from which two questions count as
// near duplicates. Of the pairs among the 300 claims of SciFact's test split, 16
// lie above it, each a claim with its paraphrase or its negation; of the 9 pairs
// between 0.85 and it, 4 are about different facts.
const nearCosine = 0.95

// nearDuplicates finds questions with nearly the same meaning and no common
// group. Their scores are correlated, so treating them as independent makes
// intervals too narrow. Questions that differ in their numbers are not near
// duplicates.
func nearDuplicates(ctx context.Context, l *look) ([]Finding, error) {
	texts := make([]string, len(l.Cases))
	for i, c := range l.Cases {
		texts[i] = c.Question
	}
	vectors, err := l.Embedder.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	var out []Finding
	seen := map[string]bool{}
	for i := range vectors {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		b := &l.Cases[i]
		form := same(b.Question)
		if seen[form] {
			// duplicates reports identical questions.
			continue
		}
		seen[form] = true
		for j := range i {
			cosine := simd.Dot(vectors[i], vectors[j])
			if cosine < nearCosine {
				continue
			}
			a := &l.Cases[j]
			if a.Group != "" && a.Group == b.Group || !slices.Equal(numbers(a.Question), numbers(b.Question)) {
				continue
			}
			if !readable(a.Question, b.Question) && dice(form, same(a.Question)) < nearDice {
				continue
			}
			out = append(out, found(Doubtful, fmt.Sprintf("nearly the same question as %q (cosine %.2f): %q", a.ID, cosine,
				text.Shorten(a.Question, 80)), b, a))
			break
		}
	}
	return out, nil
}

// nearDice is the share of common character bigrams from which two questions in a
// non-Latin script count as near duplicates. MiniLM only reads English: the
// Chinese for "when did Jerome die" and "when did Zhou Enlai die" has a cosine of
// 1.00.
const nearDice = 0.8

// readable reports whether most letters of the texts are Latin, so that MiniLM
// can read them.
func readable(texts ...string) bool {
	latin, letters := 0, 0
	for _, s := range texts {
		for _, r := range s {
			if unicode.IsLetter(r) {
				letters++
				if unicode.Is(unicode.Latin, r) {
					latin++
				}
			}
		}
	}
	return 2*latin >= letters
}

// dice is Dice's coefficient of the character bigrams of two texts, 0…1.
func dice(a, b string) float64 {
	pairs := map[[2]rune]int{}
	count := func(s string, by int) (n, common int) {
		r := []rune(s)
		for i := 1; i < len(r); i++ {
			pair := [2]rune{r[i-1], r[i]}
			if by < 0 && pairs[pair] > 0 {
				common++
			}
			pairs[pair] += by
			n++
		}
		return n, common
	}
	n, _ := count(a, 1)
	m, common := count(b, -1)
	if n+m == 0 {
		return 0
	}
	return 2 * float64(common) / float64(n+m)
}

func numbers(s string) []string {
	var out []string
	for _, n := range text.Numbers(s) {
		out = append(out, n.Key)
	}
	return out
}
