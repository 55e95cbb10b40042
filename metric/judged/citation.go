package judged

import (
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

const (
	alce         = "ALCE (Gao et al., EMNLP 2023)"
	citationEdge = "An answer that declines or is empty is abstained. " +
		"Sentences count if they make a claim or cite something; greetings and the like do not. " +
		"Recognised are [1], [2][3], [1, 2], [1-3], 【1】, [^1], and names such as [doc1], [source 2] and [citation:3]; an answer that only cites in " +
		"other forms has no score; a mark after the full stop belongs to the sentence before it. " +
		"Of the passages that one sentence cites the first five are judged. A number that no passage has is a wrong citation. "
	noCitation = "the answer cites nothing"
)

// A sentence is a sentence of the answer that counts, with the ruling on what
// it cites.
type sentence struct {
	judge.Cited
	supported float64
	known     bool
	spans     []assay.Span
}

// cites reports whether the sentence cites anything.
func (s sentence) cites() bool { return len(s.Cites)+len(s.Invalid) > 0 }

// citations defines a metric over the sentences that count, of which there is
// at least one, with the rulings of a question on them.
func citations(of *judge.Question[[]judge.Cited], d metric.Def, score func(metric.Params, []sentence) assay.Score) *metric.Def {
	d.Edges = citationEdge + d.Edges + unknownEdge
	d.Reads, d.Asks, d.LabelQuestion = readsBoth, judge.Asks{question.Answer, of}, assay.LabelCited
	return define(d, func(in metric.Input, p metric.Params) (assay.Score, error) {
		r, err := question.Answer.Of(in.Assessment).Get()
		switch {
		case err != nil:
			return assay.Score{}, err
		case r.Kind.Declines():
			return abstained(r.Kind), nil
		}
		cited, err := of.Of(in.Assessment).Get()
		if err != nil {
			return assay.Score{}, err
		}
		claims := map[int]bool{}
		for _, c := range r.Claims {
			claims[c.Sentence] = true
		}
		var sentences []sentence
		for _, c := range cited {
			s := sentence{Cited: c, known: true, spans: citedSpans(in.Response, c)}
			// A claim whose sentence is unknown may belong to any.
			if !s.cites() && !claims[c.Sentence] && !claims[0] {
				continue
			}
			if len(c.Cites) > 0 {
				s.supported, s.known = credit(c.Finding)
			}
			sentences = append(sentences, s)
		}
		if sentences == nil {
			return assay.None(noClaims), nil
		}
		if mark := text.OtherMark(in.Response.Answer); mark != "" && !slices.ContainsFunc(sentences, sentence.cites) {
			return assay.None(fmt.Sprintf("the answer cites in a form that is not read as the number of a passage (%s)", mark)), nil
		}
		return score(p, sentences), nil
	})
}

// needs reports whether the sentence needs the citation of a passage: the
// passage supports it alone, or with others that do not suffice without it. The
// others suffice if one of them does alone, or if the judge quotes only them.
func (s sentence) needs(passage int) bool {
	if len(s.Cites) == 1 {
		return true
	}
	quoted, othersAlone := false, false
	for _, q := range s.Finding.Quotes {
		switch {
		case q.Source == passage && q.Alone:
			return true
		case q.Source == passage:
			quoted = true
		case q.Alone && slices.Contains(s.Cites, q.Source):
			othersAlone = true
		}
	}
	return quoted && !othersAlone
}

// first grades the first citation of the sentence: 1 if it supports the
// sentence alone, 0.5 if it does so with others or supports a part of it, else 0.
func (s sentence) first() (v float64, known bool) {
	if len(s.Cites) == 0 {
		return 0, true
	}
	if !s.known {
		return 0, false
	}
	for _, q := range s.Finding.Quotes {
		if q.Source == s.Cites[0] {
			if q.Alone {
				return s.supported, true
			}
			v = s.supported / 2
		}
	}
	if slices.ContainsFunc(s.Finding.Parts, func(q judge.Quote) bool { return q.Source == s.Cites[0] }) {
		v = 0.5
	}
	return v, true
}

// unsupportedSentences lists the sentences that their citations do not support.
func unsupportedSentences(sentences []sentence) []assay.Evidence {
	var out []assay.Evidence
	for _, s := range sentences {
		kind := ""
		switch {
		case !s.known:
			kind = "unknown"
		case !s.cites():
			kind = "uncited"
		case s.supported < 0.5:
			kind = "unsupported"
		case s.Finding.Split():
			kind = "split"
		case len(s.Invalid) > 0:
			kind = "no such passage"
		default:
			continue
		}
		where := withVotes(fmt.Sprintf("sentence %d", s.Sentence), s.Finding.Votes)
		out = append(out, assay.Evidence{Kind: kind, Text: withReason(excerpt(s.Text), s.Finding.Why), Where: where, Spans: s.spans})
	}
	return out
}

// cites reports whether any sentence cites anything.
func cites(sentences []sentence) bool { return slices.ContainsFunc(sentences, sentence.cites) }
