package accuracy

import (
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric/speech"
)

// audio compares a transcript with its reference. If either text has Chinese, words
// are those of a dictionary.
func audio(reference, transcript string) *AudioEvaluation {
	segment := text.ShareCJK(reference) > 0 || text.ShareCJK(transcript) > 0
	c := speech.Compare(reference, transcript, speech.Options{Segment: segment})
	out := &AudioEvaluation{
		Status: Completed, Normalisation: c.Normalisation, Strict: transcriptErrors(c.Strict), Folded: transcriptErrors(c.Folded),
	}
	out.TranscriptErrors = out.Strict
	return out
}

func transcriptErrors(r speech.Rates) TranscriptErrors {
	rate := func(c speech.Counts) *float64 {
		if v, ok := c.Rate(); ok {
			return &v
		}
		return nil
	}
	words := r.Words
	if r.Segmented != nil {
		words = *r.Segmented
	}
	c := r.Characters
	return TranscriptErrors{
		CER: rate(c), WER: rate(words), Mixer: rate(r.Mixed), ReferenceLength: c.Reference(), TranscribedLength: c.Hypothesis(),
		Substitutions: c.Substitutions, Deletions: c.Deletions, Insertions: c.Insertions, Hits: c.Hits,
	}
}
