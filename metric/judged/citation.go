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

// CitationPrecision is the share of citations that support their sentence.
var CitationPrecision = citations(question.CitationsAlone, metric.Def{
	Name:  "citation_precision",
	Title: "Citation precision",
	Doc: "How many of the answer's citations are right: the citations of a sentence support it, and would not without this one. " +
		"Citing everything lowers it.",
	Formula: "citations c of a sentence that its citations support, where c supports it alone or the others do not without c / citations",
	Edges:   "An answer that cites nothing has no value, and a citation_recall of 0. ",
	Source:  alce + ", which drops sentences with a wrong number from the denominator",
}, func(_ metric.Params, sentences []sentence) assay.Score {
	if !cites(sentences) {
		return assay.None(noCitation)
	}
	var t tally
	for _, s := range sentences {
		where := func(n int) string { return fmt.Sprintf("sentence %d, [%d]", s.Sentence, n) }
		for _, p := range s.Cites {
			v, kind := 0.0, "redundant"
			if s.needs(p) {
				v = s.supported
			}
			if s.supported < 0.5 {
				kind = "unsupported"
			}
			t.add(1, v, s.known)
			if s.known && v < 0.5 {
				t.evidence = append(t.evidence, assay.Evidence{Kind: kind, Text: withReason(excerpt(s.Text), s.Finding.Why),
					Where: where(p + 1), Spans: s.spans})
			}
		}
		for _, n := range s.Invalid {
			t.add(1, 0, true)
			t.note("no such passage", excerpt(s.Text), where(n))
		}
	}
	return t.score()
})

// CitationRecall is the share of sentences that their citations support.
var CitationRecall = citations(question.Citations, metric.Def{
	Name:    "citation_recall",
	Title:   "Citation recall",
	Doc:     "How many of the answer's sentences the passages that they cite support, with the other sentences listed.",
	Formula: "sentences that the passages they cite support together / sentences that count",
	Edges:   "A sentence without a citation is not supported. ",
	Source:  alce + ", of sentences worth checking",
}, func(_ metric.Params, sentences []sentence) assay.Score {
	t := tally{evidence: unsupportedSentences(sentences)}
	for _, s := range sentences {
		t.add(1, s.supported, s.known)
	}
	return t.score()
})

// CitationSupport grades the first citation of each sentence.
var CitationSupport = citations(question.CitationsAlone, metric.Def{
	Name:  "citation_support",
	Title: "Support by the first citation",
	Doc:   "How well the first passage that each sentence cites supports it: fully, partly, or not.",
	Formula: "sum over sentences of 1 if the first citation supports the sentence alone, 0.5 if it does so together with others " +
		"or supports a part of it, else 0; stat=precision: divided by the sentences that cite, stat=recall: by all",
	Edges: "A part counts only if nothing in the cited passages speaks against the sentence; estimates know no parts. " +
		"Where nothing is cited there is no precision, and recall is 0. ",
	Version: 2,
	Source:  "support evaluation of TREC 2024 RAG (Thakur et al., 2025), weighted precision and recall",
	Params: []metric.Param{
		{Name: "stat", Doc: "what the sum is divided by", Default: "precision", Values: []string{"precision", "recall"}},
	},
}, func(p metric.Params, sentences []sentence) assay.Score {
	recall := p.Word("stat") == "recall"
	if !recall && !cites(sentences) {
		return assay.None(noCitation)
	}
	t := tally{evidence: unsupportedSentences(sentences)}
	for _, s := range sentences {
		if recall || s.cites() {
			v, known := s.first()
			t.add(1, v, known)
		}
	}
	return t.score()
})
