package judged

import (
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

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
