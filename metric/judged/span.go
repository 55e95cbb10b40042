package judged

import (
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// spans returns the places of a claim: where the answer makes it, and the words that the
// judge quoted.
func (r rulings) spans(i int) []assay.Span {
	var out []assay.Span
	if r.ofAnswer {
		out = saidAt(r.response.Answer, r.claims[i])
	}
	f := r.findings[i]
	if r.passages {
		return append(out, findingAt(r.response, f)...)
	}
	for _, q := range slices.Concat(f.Quotes, f.Contrary, f.Parts) {
		if r.inAnswer && q.Source == 0 {
			out = append(out, spansOf(0, 0, question.Places(r.response.Answer, q.Text))...)
		}
	}
	return out
}

// findingAt returns where the words that a finding rests on are in passages.
func findingAt(r *assay.Response, f judge.Finding) []assay.Span {
	var out []assay.Span
	for i, q := range slices.Concat(f.Quotes, f.Parts, f.Contrary) {
		for _, s := range quotedAt(r, q) {
			s.Against = i >= len(f.Quotes)+len(f.Parts)
			out = append(out, s)
		}
	}
	return out
}

// quotedAt returns where the words that a judge quoted stand in the text of their passage.
// Words in its title have no place.
func quotedAt(r *assay.Response, q judge.Quote) []assay.Span {
	if q.Source < 0 || q.Source >= len(r.Passages) {
		return nil
	}
	return spansOf(q.Source+1, 0, question.Places(r.Passages[q.Source].Text, q.Text))
}

// saidAt returns where an answer makes a claim: the words of the claim, if its sentence has
// them, else the sentence. A claim is often in other words than its sentence.
func saidAt(answer string, c judge.Claim) []assay.Span {
	if c.Sentence < 1 {
		return spansOf(0, 0, question.Places(answer, c.Text))
	}
	sentences := text.Sentences(answer)
	if c.Sentence > len(sentences) {
		return nil
	}
	in := sentences[c.Sentence-1]
	if places := question.Places(in.Of(answer), c.Text); places != nil && in.Of(answer) != c.Text {
		return spansOf(0, in.Start, places)
	}
	return spansOf(0, 0, []text.Span{in})
}

// citedSpans returns the places of a sentence and of the words that the judge quoted from
// the passages that it cites.
func citedSpans(r *assay.Response, c judge.Cited) []assay.Span {
	return append(saidAt(r.Answer, judge.Claim{Text: c.Text, Sentence: c.Sentence}), findingAt(r, c.Finding)...)
}

// spansOf makes spans of places that begin at an offset of the text of a passage, or of the
// answer.
func spansOf(passage, from int, places []text.Span) []assay.Span {
	var out []assay.Span
	for _, p := range places {
		if p.Start < p.End {
			out = append(out, assay.Span{Passage: passage, Start: from + p.Start, End: from + p.End})
		}
	}
	return out
}
