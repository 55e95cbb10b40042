package speech

import "github.com/assay-eval/assay/metric"

// WERSegmented is the word error rate after Chinese was cut into words.
var WERSegmented = errorRate(metric.Def{
	Name:  "wer_segmented",
	Title: "WER (segmented)",
	Doc: "The word error rate of Chinese after both texts were cut into words by one dictionary. It is a " +
		"diagnostic: a wrong character changes where words end, so that the cut adds errors of its own. " +
		"Report cer.",
	Edges: "Words are the likeliest path through a dictionary of simplified Chinese; what it lacks, as most " +
		"Cantonese words, falls apart into characters. ",
	Source: "own definition; the dictionary is jieba's",
	Params: []metric.Param{scriptParam},
}, func(metric.Params) func(string) []string { return Segment })
