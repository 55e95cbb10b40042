package speech

import "github.com/assay-eval/assay/metric"

// WER is the word error rate.
var WER = errorRate(metric.Def{
	Name:  "wer",
	Title: "WER",
	Doc: "How many words of the recording's text the transcript got wrong. It is the rate to report for " +
		"English; Chinese without spaces is one long word, for which cer is meant.",
	Edges:  "Words are what white space separates. ",
	Source: "jiwer's WER; Morris et al. 2004",
	Params: []metric.Param{scriptParam},
}, func(metric.Params) func(string) []string { return Words.Tokens })
