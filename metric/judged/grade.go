package judged

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

const (
	// topGrade is the highest grade.
	topGrade = 3
	// relevantGrade is the lowest grade of a passage that holds an answer.
	relevantGrade = 2

	gradeSource = "own prompt, ten passages a call, on the scale 0 to 3 of UMBRELA (Upadhyay et al., 2024)"
	gradeEdge   = "An empty list scores 0, and has no value if the case cannot be answered; passages without text give no value. " +
		depthEdge + unknownEdge
)

// graded defines a metric over the grades of the first k passages, of which
// there is at least one.
func graded(d metric.Def, score func(metric.Params, []judge.Grade) assay.Score) *metric.Def {
	return gradedBy(question.Relevance, d, score)
}

// gradedBy is graded with the question that the grades answer.
func gradedBy(q *judge.Question[[]judge.Grade], d metric.Def, score func(metric.Params, []judge.Grade) assay.Score) *metric.Def {
	d.Edges, d.LabelQuestion = d.Edges+gradeEdge, cmp.Or(d.LabelQuestion, assay.LabelRelevant)
	d.Reads, d.Asks, d.Cutoff = metric.ReadPassages, judge.Asks{q}, metric.OptionalCutoff
	return define(d, func(in metric.Input, p metric.Params) (assay.Score, error) {
		switch {
		case len(in.Response.Passages) == 0:
			return emptyList(in), nil
		case !hasText(in.Response.Passages):
			return assay.None(assay.NoTexts), nil
		}
		grades, err := q.Of(in.Assessment).Get()
		if err != nil {
			return assay.Score{}, err
		}
		n := shown(in)
		if len(grades) != n || n == 0 {
			return assay.Score{}, fmt.Errorf("the judge gave %d grades for %d passages", len(grades), n)
		}
		grades = grades[:cutAt(p.K, n)]
		s := score(p, grades)
		s.Evidence = gradesOf(grades)
		return s, nil
	})
}

// ContextRelevance is the mean grade of the passages.
var ContextRelevance = graded(metric.Def{
	Name:  "context_relevance",
	Title: "Context relevance",
	Doc: "How relevant the passages are to the question, each graded by a judge from 0, unrelated, to 3, dedicated to it and exact. " +
		"It needs no label.",
	Formula: "mean over the first k passages of grade / 3",
	Source: gradeSource + ", averaged as in the triad of TruLens. That of DeepEval is the share of relevant statements, " +
		"that of Ragas the mean of two grades from 0 to 2 of all passages together",
}, meanGrade)

// meanGrade is the mean grade as a share of the highest.
func meanGrade(_ metric.Params, grades []judge.Grade) assay.Score {
	return gradeMean(grades, func(g judge.Grade) float64 { return clip(g.Degree) })
}

// GradedPrecision is the share of passages that a judge finds relevant.
var GradedPrecision = graded(metric.Def{
	Name:    "graded_precision",
	Title:   "Judged precision",
	Doc:     "How much of what was retrieved answers the question at least in part, by a judge. It needs no label.",
	Formula: "passages of grade 2 or 3 among the first k / passages among the first k",
	Edges:   "The denominator is the number of passages that were returned, at most k. ",
	Source:  gradeSource + ", binary from grade 2",
}, relevantShare)

// relevantShare is the share of the passages that hold an answer.
func relevantShare(_ metric.Params, grades []judge.Grade) assay.Score {
	return gradeMean(grades, func(g judge.Grade) float64 { return indicator(relevant(g)) })
}

// GradedMRR is 1 / rank of the first passage that a judge finds relevant.
var GradedMRR = graded(metric.Def{
	Name:  "graded_mrr",
	Title: "Judged MRR", LabelQuestion: assay.LabelOrdered,
	Doc:     "How high the first passage ranks that answers the question at least in part, by a judge. It needs no label.",
	Formula: "1 / rank of the first passage of grade 2 or 3 among the first k, else 0",
	Edges:   "A passage without a grade keeps its rank. ",
	Source:  gradeSource + ", binary from grade 2",
}, func(_ metric.Params, grades []judge.Grade) assay.Score {
	reciprocal := func(is func(judge.Grade) bool) float64 {
		if i := slices.IndexFunc(grades, is); i >= 0 {
			return 1 / float64(i+1)
		}
		return 0
	}
	v := reciprocal(relevant)
	high := reciprocal(func(g judge.Grade) bool { return relevant(g) || !known(g) })
	return bounded(v, v, high, unknowns(grades), len(grades))
})

func gradeMean(grades []judge.Grade, worth func(judge.Grade) float64) assay.Score {
	var t tally
	for _, g := range grades {
		t.add(1, worth(g), known(g))
	}
	return t.score()
}

func known(g judge.Grade) bool { return g.Known && !math.IsNaN(g.Degree) }

// relevant reports whether a grade is that of a passage that holds an answer.
func relevant(g judge.Grade) bool { return known(g) && g.Level >= relevantGrade }

func unknowns(grades []judge.Grade) int {
	n := 0
	for _, g := range grades {
		if !known(g) {
			n++
		}
	}
	return n
}

// gradesOf lists the passages that are not relevant, have no grade, or have a
// split vote.
func gradesOf(grades []judge.Grade) []assay.Evidence {
	var out []assay.Evidence
	for i, g := range grades {
		kind := "split"
		switch {
		case !known(g):
			kind = "unknown"
		case g.Level < relevantGrade:
			kind = fmt.Sprintf("grade %d", g.Level)
		case !g.Split():
			continue
		}
		out = append(out, assay.Evidence{Kind: kind, Text: g.Why, Where: withVotes(passageNumber(i), g.Votes)})
	}
	return out
}

// NDCGSelf is whether the passages are in the order of their grades.
var NDCGSelf = graded(metric.Def{
	Name:  "ndcg_self",
	Title: "nDCG of itself", LabelQuestion: assay.LabelOrdered,
	Doc: "Whether the passages are in the order of their grades by a judge. " +
		"Its ideal is the same list sorted: it says nothing about what was not retrieved, and must not be compared with ndcg.",
	Formula: "DCG of the first k / DCG of the same passages sorted by grade; " +
		"DCG = sum over ranks i of gain / log2(i + 1), gain = grade, or 2^grade - 1 with gain=exponential",
	Edges: "A list without a grade above 0 scores 0. " +
		"A passage without a grade is left out with its rank; the bounds are then 0 and 1. ",
	Source: gradeSource + "; Järvelin and Kekäläinen, TOIS 2002",
	Params: []metric.Param{{Name: "gain", Doc: "what a grade is worth", Default: "linear", Values: []string{"linear", "exponential"}}},
}, func(p metric.Params, grades []judge.Grade) assay.Score {
	var gains []float64
	for _, g := range grades {
		if known(g) {
			gain := clip(g.Degree) * topGrade
			if p.Word("gain") == "exponential" {
				gain = math.Exp2(gain) - 1
			}
			gains = append(gains, gain)
		}
	}
	return bounded(selfNDCG(gains), 0, 1, unknowns(grades), len(grades))
})

// selfNDCG is the DCG of gains divided by that of the sorted gains; 0 if all
// gains are 0.
func selfNDCG(gains []float64) float64 {
	dcg := func(gains []float64) float64 {
		sum := 0.0
		for i, g := range gains {
			sum += g / math.Log2(float64(i+2))
		}
		return sum
	}
	best := slices.SortedFunc(slices.Values(gains), func(a, b float64) int { return cmp.Compare(b, a) })
	if dcg(best) == 0 {
		return 0
	}
	return dcg(gains) / dcg(best)
}

const umbrelaSource = "UMBRELA (Upadhyay et al., 2024): zero-shot, one passage a call; its steps and scale, in our words"

// UMBRELA is the mean grade of the passages by UMBRELA.
var UMBRELA = gradedBy(question.UMBRELA, metric.Def{
	Name:  "umbrela",
	Title: "UMBRELA",
	Doc: "How relevant the passages are to the question, each graded from 0 to 3 by the method UMBRELA, in a call of its own. " +
		"It needs no label, and costs a call a passage: context_relevance grades ten passages a call by another prompt.",
	Formula: "mean over the first k passages of grade / 3",
	Source:  umbrelaSource,
}, meanGrade)

// UMBRELAShare is the share of passages that UMBRELA finds relevant.
var UMBRELAShare = gradedBy(question.UMBRELA, metric.Def{
	Name:    "umbrela_share",
	Title:   "UMBRELA, relevant passages",
	Doc:     "How much of what was retrieved answers the question at least in part, by the grades of UMBRELA. It needs no label.",
	Formula: "passages of grade 2 or 3 among the first k / passages among the first k",
	Edges:   "The denominator is the number of passages that were returned, at most k. ",
	Source:  umbrelaSource + ", binary from grade 2",
}, relevantShare)
