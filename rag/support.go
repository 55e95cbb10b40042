package rag

import (
	"context"
	"math"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/rag/index"
)

// Minimum support, chosen by judgement.
const (
	// termSupport applies to the weighted share of the question's terms. It was chosen
	// to best separate questions whose paragraph is in the corpus from questions whose
	// paragraph was removed while related ones stayed; TestDecline measures both rates.
	termSupport = 0.5
	// cosineSupport applies to the cosine of sentence embeddings of all-MiniLM-L6-v2;
	// another model has another scale. On the same questions, in English, it answers
	// 0.86, of which 0.78 with the right words, and declines 0.82.
	cosineSupport = 0.55
	// pairLoss is the share of the terms of a Chinese question that no sentence
	// contains: pairs of characters that belong to two words. It was measured as the
	// ratio of the best bounds for Chinese and English, 0.35 to 0.5.
	pairLoss = 0.3
)

// defaultSupport returns the minimum support for the measure that the embedder implies.
func defaultSupport(e assay.Embedder) float64 {
	if e == nil {
		return termSupport
	}
	return cosineSupport
}

// contextWeight is the weight of a question's term that occurs not in the sentence but
// in the title, a heading or the previous sentence.
const contextWeight = 0.5

// support sets how well each sentence supports the question, 0 to 1: the cosine of both
// embeddings if there is an embedder, else the share of the question's terms, weighted
// by rarity, that the sentence contains.
func (p *Pipeline) support(ctx context.Context, question string, all []candidate) error {
	if len(all) == 0 {
		return nil
	}
	for i := range all {
		all[i].terms = set(index.Terms(all[i].text))
	}
	if p.config.Embedder != nil {
		return p.cosines(ctx, question, all)
	}
	asked := p.weigh(question)
	total := 0.0
	for _, t := range asked {
		total += t.weight
	}
	if total == 0 {
		return nil
	}
	total *= 1 - pairLoss*text.ShareCJK(question)
	for i := range all {
		around := set(index.Terms(all[i].context))
		sum := 0.0
		for _, t := range asked {
			if all[i].terms[t.term] {
				sum += t.weight
			} else if around[t.term] {
				sum += contextWeight * t.weight
			}
		}
		all[i].support = min(1, sum/total)
	}
	return nil
}

// asked is a term of the question with its weight.
type asked struct {
	term   string
	weight float64
}

// weigh returns the distinct content terms of a question. A term is weighted as in
// BM25: ln(1 + (N − n + ½)/(n + ½)), with n of N passages containing it. A term of no
// passage has the weight of a term of one passage: it is still part of the question.
func (p *Pipeline) weigh(question string) []asked {
	var out []asked
	seen := map[string]bool{}
	for _, word := range content(question) {
		terms := index.Terms(word)
		for _, t := range terms {
			if seen[t] {
				continue
			}
			seen[t] = true
			// A stem is searched by its word, since it may have another stem itself; a
			// pair of characters is searched as it is.
			if len(terms) > 1 {
				word = t
			}
			n, all := max(1, float64(p.frequency(t, word))), float64(len(p.passages))
			out = append(out, asked{t, math.Log(1 + (all-n+0.5)/(n+0.5))})
		}
	}
	return out
}

// cosines embeds the question and all sentences in one call.
func (p *Pipeline) cosines(ctx context.Context, question string, all []candidate) error {
	texts := []string{question}
	for _, c := range all {
		texts = append(texts, c.text)
	}
	vectors, err := embed(ctx, p.config.Embedder, texts)
	if err != nil {
		return err
	}
	for i, v := range vectors[1:] {
		all[i].support = cosine(vectors[0], v)
	}
	return nil
}

// cosine is the cosine of two vectors of length 1, clamped to [0,1]; 0 for NaN.
func cosine(a, b []float32) float64 {
	dot := 0.0
	for i, x := range b {
		dot += float64(x) * float64(a[i])
	}
	if math.IsNaN(dot) {
		return 0
	}
	return max(0, min(1, dot))
}

// frequency counts the passages that a search for the word finds, those with its term,
// up to the larger of an eighth of all passages and 1,000: above, a term is common and
// its exact weight does not matter.
func (p *Pipeline) frequency(term, word string) int {
	if n, ok := p.frequencies.Load(term); ok {
		return n.(int)
	}
	n := len(p.sparse.Search(word, max(1000, len(p.passages)/8)))
	p.frequencies.Store(term, n)
	return n
}

func set(terms []string) map[string]bool {
	s := make(map[string]bool, len(terms))
	for _, t := range terms {
		s[t] = true
	}
	return s
}

// content returns the words of a question without question words, which answers do not
// contain.
func content(question string) []string {
	s := questionChinese.Replace(question)
	var out []string
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\n?？,.;:!'’", r) }) {
		if !questionWords[strings.ToLower(w)] {
			out = append(out, w)
		}
	}
	return out
}

var questionWords = map[string]bool{
	"what": true, "who": true, "whom": true, "whose": true, "when": true, "where": true, "which": true, "why": true, "how": true,
	"do": true, "does": true, "did": true, "can": true, "could": true, "should": true, "would": true, "may": true, "might": true,
	"many": true, "much": true, "has": true, "have": true, "had": true, "were": true, "am": true, "been": true, "being": true,
	"i": true, "we": true, "you": true, "me": true, "my": true, "our": true, "your": true, "us": true, "please": true, "tell": true,
	"kind": true, "type": true, "name": true, "s": true, "there": true, "about": true,
}

// questionChinese replaces Chinese question words, longer ones first, by spaces, so
// that no pair of characters spans them.
var questionChinese = strings.NewReplacer(
	"为什么", " ", "為什麼", " ", "为何", " ", "為何", " ", "什么时候", " ", "什麼時候", " ", "什么", " ", "什麼", " ",
	"甚麼", " ",
	"哪些", " ", "哪一", " ", "哪个", " ", "哪個", " ", "哪里", " ", "哪裡", " ", "哪種", " ", "哪种", " ", "哪", " ", "谁",
	" ", "誰", " ",
	"多少", " ", "几个", " ", "幾個", " ", "如何", " ", "怎么", " ", "怎麼", " ", "怎样", " ", "怎樣", " ", "何時", " ",
	"何时", " ", "何處", " ", "何处", " ",
	"是否", " ", "能否", " ", "请问", " ", "請問", " ", "吗", " ", "嗎", " ", "呢", " ",
)
