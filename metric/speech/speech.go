// Package speech scores transcripts: word, character and mixed error rates and related
// measures, after the same normalisation of both sides.
//
// [Compare] returns all measures for a pair of texts. The metrics are the measures
// that a run reports.
package speech

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

var set metric.Set

// Defs returns the definitions of the package.
func Defs() []*metric.Def { return set.Defs() }

const (
	untranscribed = "the response has no transcript"

	normalised = "Both texts are normalised alike: NFKC, case folding, one form for variants of a character (衞 is 衛), punctuation " +
		"and symbols dropped, except the signs of numbers: 5.3 is not 53, -5 not 5, 5% not 5; 1,000 is 1000. "
	emptySides = "Both texts empty give 0; where only the reference is, there is no rate, and the insertions enter the pooled mean. " +
		"The alignment has the fewest edits, and among those the most hits. "
	// Removed begins a list of what [Spoken] removed.
	Removed = "not counted as words, as names of speakers or markup of models: "

	noStage   = "Without a transcribe stage in the trace there is no value."
	rateOver1 = "The rate may exceed 1. "
)

var (
	scriptParam = metric.Param{
		Name: "script", Default: string(Strict), Values: []string{string(Strict), string(Folded)},
		Doc: "strict distinguishes traditional and simplified characters, folded compares both as simplified",
	}
	unitParam = metric.Param{
		Name: "unit", Default: string(Words), Values: []string{string(Characters), string(Words), string(Mixed)},
		Doc: "what is counted: characters, words, or CJK characters and words of other scripts (mixed)",
	}
)

// transcripts defines a metric that compares the transcript with its reference.
func transcripts(d metric.Def, score func(p metric.Params, reference, transcript string, in metric.Input) assay.Score) *metric.Def {
	d.Group, d.Version = metric.Speech, NormalisationVersion
	d.Needs |= metric.NeedTranscript
	d.Reads |= metric.ReadTrace
	d.New = func(p metric.Params) metric.Func {
		return func(_ context.Context, in metric.Input) (assay.Score, error) {
			transcript, ok := in.Response.Transcript()
			if !ok {
				return assay.None(untranscribed), nil
			}
			reference, a := Spoken(*in.Case.Want.Transcript, transcript)
			transcript, b := Spoken(transcript, *in.Case.Want.Transcript)
			s := score(p, reference, transcript, in)
			if names := append(a, b...); names != nil && s.Reason == "" {
				s.Reason = Removed + strings.Join(names, ", ")
			}
			return s, nil
		}
	}
	return set.Define(d)
}

// errorRate defines an error rate of tokens, pooled over cases.
func errorRate(d metric.Def, tokens func(normalised string) []string) *metric.Def {
	d.Better, d.Pooled, d.Range = metric.Lower, true, [2]float64{0, math.MaxFloat64}
	d.Formula = "(substitutions + deletions + insertions) / tokens of the reference"
	d.Params = []metric.Param{scriptParam}
	d.Edges = normalised + d.Edges + rateOver1 + emptySides + noStage
	return transcripts(d, func(p metric.Params, reference, transcript string, _ metric.Input) assay.Score {
		form := func(s string) []string { return tokens(Script(p.Word("script")).In(Profile{}.Normalise(s))) }
		r, h := form(reference), form(transcript)
		steps := Align(r, h)
		s := pooled(CountSteps(steps))
		for _, d := range Differences(r, h, steps, shownErrors) {
			s.Evidence = append(s.Evidence, assay.Evidence{Kind: d.kind(), Text: d.String(), Where: fmt.Sprintf("token %d", d.At+1)})
		}
		return s
	})
}

// shownErrors is the largest number of errors listed in the evidence of a score.
const shownErrors = 20

// pooled returns the score of counts. With an empty reference, insertions have no
// rate of their own but count in the pooled rate.
func pooled(c Counts) assay.Score {
	if _, ok := c.Rate(); !ok {
		s := assay.None(fmt.Sprintf("the reference is empty, and the transcript has %d tokens", c.Insertions))
		s.Num = float64(c.Insertions)
		return s
	}
	if c.Reference() == 0 {
		return assay.Value(0)
	}
	return assay.Ratio(float64(c.Errors()), float64(c.Reference()))
}

// unitCounts counts the units of two texts after the default normalisation, in the
// script that p names.
func unitCounts(p metric.Params, reference, transcript string) Counts {
	unit, script := Unit(p.Word("unit")), Script(p.Word("script"))
	form := func(s string) []string { return unit.Tokens(script.In(Profile{}.Normalise(s))) }
	return Count(form(reference), form(transcript))
}
