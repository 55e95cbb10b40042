package speech

import "github.com/assay-eval/assay/metric"

// MixER is the mixed error rate.
var MixER = errorRate(metric.Def{
	Name:  "mixer",
	Title: "Mixed error rate",
	Doc: "How much of speech that switches between Chinese and English the transcript got wrong, in Chinese " +
		"characters and English words.",
	Edges:  "Every CJK character is a token, and every run of anything else between spaces. ",
	Source: "the mixed error rate of code-switching speech, as in Hai et al. 2025",
	Params: []metric.Param{scriptParam},
}, func(metric.Params) func(string) []string { return Mixed.Tokens })
