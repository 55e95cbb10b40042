package accuracy

import (
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric/speech"
)

// audio compares a transcript with its reference. If either text has Chinese, words
// are those of a dictionary. The keywords are those of the question, as in a dataset.
func audio(reference, transcript string, keywords []string) *AudioEvaluation {
	segment := text.ShareCJK(reference) > 0 || text.ShareCJK(transcript) > 0
	c := speech.Compare(reference, transcript, speech.Options{Segment: segment})
	numbers := speech.CompareNumbers(reference, transcript)
	out := &AudioEvaluation{
		Status: Completed, Normalisation: c.Normalisation, Strict: transcriptErrors(c.Strict), Folded: transcriptErrors(c.Folded),
		NumbersLost: numbers.Lost, NumbersAdded: numbers.Added,
	}
	strict := speech.CompareKeywords(reference, transcript, keywords, speech.Profile{}, speech.Strict)
	folded := speech.CompareKeywords(reference, transcript, keywords, speech.Profile{}, speech.Folded)
	out.KeywordsSaid, out.KeywordsLost = strict.Said, strict.Lost
	out.Strict.KeywordErrorRate, out.Folded.KeywordErrorRate = known(strict.Rate()), known(folded.Rate())
	// A number has one value in both scripts.
	if numbers.Reference() > 0 {
		rate := known(numbers.Rate())
		out.Strict.NumberErrorRate, out.Folded.NumberErrorRate = rate, rate
	}
	out.TranscriptErrors = out.Strict
	return out
}

func transcriptErrors(r speech.Rates) TranscriptErrors {
	words := r.Words
	if r.Segmented != nil {
		words = *r.Segmented
	}
	c := r.Characters
	return TranscriptErrors{
		CER: known(c.Rate()), WER: known(words.Rate()), Mixer: known(r.Mixed.Rate()),
		ReferenceLength: c.Reference(), TranscribedLength: c.Hypothesis(),
		Substitutions: c.Substitutions, Deletions: c.Deletions, Insertions: c.Insertions, Hits: c.Hits,
	}
}
