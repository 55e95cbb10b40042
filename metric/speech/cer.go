package speech

import "github.com/assay-eval/assay/metric"

// CER is the character error rate.
var CER = errorRate(metric.Def{
	Name:  "cer",
	Title: "CER",
	Doc: "How many characters of the recording's text the transcript got wrong. It is the rate to report for " +
		"Chinese, Cantonese and Japanese.",
	Edges:  "White space is no character. ",
	Source: "jiwer's CER over texts without spaces; Morris et al. 2004",
	Params: []metric.Param{scriptParam},
}, func(metric.Params) func(string) []string { return Characters.Tokens })
