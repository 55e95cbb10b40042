// Package speech scores transcripts: word, character and mixed error rates with
// what belongs to them, after a normalisation that is the same on both sides.
//
// [Compare] gives everything for a pair of texts. The metrics, one a file, are
// those of its numbers that a run reports.
package speech

import (
	"context"
	"fmt"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

var set metric.Set

// Defs returns the definitions of the package.
func Defs() []*metric.Def { return set.Defs() }

const (
	untranscribed = "the response has no transcript"

	normalised = "Both texts are normalised alike: NFKC, case folding, one form for variants of a character (衞 is 衛), punctuation " +
		"and symbols dropped. "
	emptySides = "Both texts empty give 0; where only the reference is, there is no rate, and the insertions enter the pooled mean. " +
		"The alignment has the fewest edits, and among those the most hits. "
	noStage   = "Without a transcribe stage in the trace there is no value."
	rateOver1 = "The rate may exceed 1. "
)

var (
	scriptParam = metric.Param{
		Name: "script", Default: string(Strict), Values: []string{string(Strict), string(Folded)},
		Doc: "strict tells traditional from simplified characters, folded compares both in simplified",
	}
	unitParam = metric.Param{
		Name: "unit", Default: string(Words), Values: []string{string(Characters), string(Words), string(Mixed)},
		Doc: "what is counted: characters, words, or CJK characters and words of other scripts (mixed)",
	}
)

// transcripts defines a metric of the transcript beside its reference.
func transcripts(d metric.Def, f func(p metric.Params) func(reference, transcript string, in metric.Input) assay.Score) *metric.Def {
	d.Group = metric.Speech
	d.Needs |= metric.NeedTranscript
	d.Reads |= metric.ReadTrace
	d.New = func(p metric.Params) metric.Func {
		score := f(p)
		return func(_ context.Context, in metric.Input) (assay.Score, error) {
			said, ok := in.Response.Transcript()
			if !ok {
				return assay.None(untranscribed), nil
			}
			return score(*in.Case.Want.Transcript, said, in), nil
		}
	}
	return set.Define(d)
}

// errorRate defines an error rate of tokens, pooled over cases.
func errorRate(d metric.Def, tokens func(metric.Params) func(normalised string) []string) *metric.Def {
	d.Better, d.Pooled, d.Range = metric.Lower, true, [2]float64{0, math.MaxFloat64}
	d.Formula = "(substitutions + deletions + insertions) / tokens of the reference"
	d.Edges = normalised + d.Edges + rateOver1 + emptySides + noStage
	return transcripts(d, func(p metric.Params) func(reference, transcript string, in metric.Input) assay.Score {
		tokens, script := tokens(p), Script(p.Word("script"))
		return func(reference, transcript string, _ metric.Input) assay.Score {
			form := func(s string) []string { return tokens(script.In(Profile{}.Normalise(s))) }
			r, h := form(reference), form(transcript)
			steps := Align(r, h)
			s := pooled(CountSteps(steps))
			for _, d := range Differences(r, h, steps, shownErrors) {
				s.Evidence = append(s.Evidence, assay.Evidence{Kind: d.kind(), Text: d.String(), Where: fmt.Sprintf("token %d", d.At+1)})
			}
			return s
		}
	})
}

// shownErrors bounds the evidence of a score.
const shownErrors = 20

// pooled makes the score of counts. Tokens that were heard where nothing was said
// have no rate of their own, and enter the pooled one.
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

// unitCounts counts units of two texts in a script, after the default
// normalisation.
func unitCounts(p metric.Params) func(reference, transcript string) Counts {
	unit, script := Unit(p.Word("unit")), Script(p.Word("script"))
	return func(reference, transcript string) Counts {
		form := func(s string) []string { return unit.Tokens(script.In(Profile{}.Normalise(s))) }
		return Count(form(reference), form(transcript))
	}
}
