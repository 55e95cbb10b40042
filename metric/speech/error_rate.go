package speech

import "github.com/assay-eval/assay/metric"

// WER is the word error rate.
var WER = errorRate(metric.Def{
	Name:  "wer",
	Title: "Word error rate",
	Doc: "How many words of the recording's text the transcript got wrong. It is the rate to report for " +
		"English; Chinese without spaces is one long word: use cer for it.",
	Edges:  "Words are what white space separates. ",
	Source: "jiwer's WER; Morris et al. 2004",
}, Words.Tokens)

// CER is the character error rate.
var CER = errorRate(metric.Def{
	Name:  "cer",
	Title: "Character error rate",
	Doc: "How many characters of the recording's text the transcript got wrong. It is the rate to report for " +
		"Chinese, Cantonese and Japanese.",
	Edges:  "White space does not count. ",
	Source: "jiwer's CER over texts without spaces; Morris et al. 2004",
}, Characters.Tokens)

// MixER is the mixed error rate.
var MixER = errorRate(metric.Def{
	Name:  "mixer",
	Title: "Mixed error rate",
	Doc: "How much of speech that switches between Chinese and English the transcript got wrong, in Chinese " +
		"characters and English words.",
	Edges:  "Every CJK character is a token, and every run of anything else between spaces. ",
	Source: "the mixed error rate of code-switching speech, as in Hai et al. 2025",
}, Mixed.Tokens)

// WERSegmented is the word error rate after Chinese text is segmented into words.
var WERSegmented = errorRate(metric.Def{
	Name:  "wer_segmented",
	Title: "Word error rate (segmented)",
	Doc: "The word error rate of Chinese after both texts were segmented by one dictionary. It is a " +
		"diagnostic: a wrong character changes where words end, so the segmentation adds errors. " +
		"Report cer.",
	Edges: "Words are the likeliest path through a dictionary of simplified Chinese; what it lacks, as most " +
		"Cantonese words, is split into characters. ",
	Source: "own definition; the dictionary is jieba's",
}, Segment)
