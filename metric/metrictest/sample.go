package metrictest

import (
	"fmt"

	"github.com/assay-eval/assay/internal/checks"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// referenceClaims is how many claims the reference of a sample makes; answerClaims is that of
// the answer.
const answerClaims, referenceClaims = 3, 2

// sample sets an ordinary answer to every question in an assessment.
func sample(a *judge.Assessment, in metric.Input) {
	passages := len(in.Response.Passages)
	answered(a, judge.Answered, answerClaims)
	set(a, question.Reference, reading(judge.Answered, referenceClaims))
	set(a, question.ReferencePassages, findings(referenceClaims, passages))
	set(a, question.ReferenceAlone, findings(referenceClaims, passages))
	set(a, question.ReferenceAnswer, findings(referenceClaims, 1))
	set(a, question.Relevance, grades(passages))
	set(a, question.UMBRELA, grades(passages))
	set(a, question.Equivalence, judge.Ruling{Holds: true, Degree: 1})
	set(a, question.TrueFalse, judge.Ruling{Holds: true, Degree: 1})
	set(a, question.Toxicity, judge.Grade{Known: true, Level: 1, Degree: 1. / 3, Quote: "built", Why: "it is rude"})
	set(a, question.Marks, []judge.Mark{{Level: 1, Quote: "built", Why: "plain"}, {Level: 0}})
	set(a, question.KeyQuestions, []judge.Mark{{Level: 40}, {Level: 12.5, Why: "half of it is asked"}, {Level: 15}, {Level: 15}})
	set(a, question.CorpusRelevance, []question.Batch{{Rulings: []judge.Ruling{{Holds: true, Degree: 1}, {}}}})
	set(a, question.Questions, []judge.Reversed{{Question: "Who built it?"}, {Question: "When was it built?", Noncommittal: true}, {}})
	var points []judge.Assignment
	if ideal := in.Case.Want.Ideal; ideal != nil {
		for i := range ideal.Points {
			points = append(points, judge.Assignment{Known: true, Credit: float64((i+2)%3) / 2, Why: "it is said"})
		}
	}
	set(a, question.Points, points)
	statements := map[string]judge.Finding{}
	all := checks.Statements(in.Case.Want.Checks, checks.Subject{Case: in.Case, Response: in.Response})
	for i, f := range findings(len(all), 1) {
		statements[all[i]] = f
	}
	set(a, question.Statements, statements)
	for _, q := range question.All {
		if asked, _ := q.State(a); !asked {
			panic("metrictest: no sample of an answer to the question " + q.ID() + ": expected one in sample.go")
		}
	}
}

func set[T any](a *judge.Assessment, q *judge.Question[T], v T) { q.Set(a, judge.Known(v)) }

// answered sets the kind of the answer, and the answers to the questions that depend on it.
func answered(a *judge.Assessment, k judge.AnswerKind, claims int) {
	set(a, question.Answer, reading(k, claims))
	set(a, question.AnswerPassages, findings(claims, a.Passages))
	set(a, question.AnswerAlone, findings(claims, a.Passages))
	set(a, question.AnswerReference, findings(claims, 1))
	set(a, question.Truth, findings(claims, 2))
	set(a, question.Citations, cited(min(claims, 20), a.Passages))
	set(a, question.CitationsAlone, cited(min(claims, 20), a.Passages))
}

// reading makes a reading with n claims.
func reading(k judge.AnswerKind, n int) judge.Reading {
	r := judge.Reading{Kind: k}
	for i := range n {
		r.Claims = append(r.Claims, judge.Claim{Text: fmt.Sprintf("claim %d", i+1), Sentence: i + 1})
	}
	return r
}

// findings makes rulings on n claims against some sources: supported by one, contradicted,
// supported by two together, not found, and so on. Without a source nothing is found.
func findings(n, sources int) []judge.Finding {
	out := make([]judge.Finding, n)
	for i := range out {
		switch {
		case sources == 0 || i%4 == 3:
			out[i] = Ruled(judge.NotFound)
		case i%4 == 1:
			out[i] = Ruled(judge.Contradicted, i%sources)
		case i%4 == 2 && sources > 1:
			out[i] = Ruled(judge.Supported, 0, 1)
		default:
			out[i] = Ruled(judge.Supported, i%sources)
		}
	}
	return out
}

// Ruled makes a ruling that quotes the sources, alone if there is one.
func Ruled(v judge.Verdict, sources ...int) judge.Finding {
	f := judge.Finding{Verdict: v, Why: "because"}
	if v == judge.Supported {
		f.Degree = 1
	}
	for _, s := range sources {
		f.Quotes = append(f.Quotes, judge.Quote{Source: s, Text: "words", Alone: len(sources) == 1})
	}
	return f
}

// cited makes sentences that cite some of the passages.
func cited(n, passages int) []judge.Cited {
	out := make([]judge.Cited, n)
	for i := range out {
		c := judge.Cited{Sentence: i + 1, Text: fmt.Sprintf("Sentence %d.", i+1), Finding: judge.Finding{Why: "it cites no passage"}}
		if i%3 != 2 && passages > 0 {
			c.Cites = []int{0}
			if passages > 1 {
				c.Cites = append(c.Cites, 1)
			}
			c.Finding = findings(i+1, passages)[i]
		}
		if i%3 == 1 {
			c.Invalid = []int{0, 99}
		}
		out[i] = c
	}
	return out
}

// grades are grades of every level, one a passage.
func grades(passages int) []judge.Grade {
	out := make([]judge.Grade, passages)
	for i := range out {
		level := (i*2 + 3) % 4
		out[i] = judge.Grade{Known: true, Level: level, Degree: float64(level) / 3, Why: "it says so"}
	}
	return out
}
