package words

import "github.com/assay-eval/assay/summary"

// draws are the words about runs that ask each case several times and about the noise
// of a system.
type draws interface {
	DrawsTitle() string
	DrawsNote(draws int, same bool) string
	// EachAsked says how often each case was asked. same is set if all draws of every
	// case gave the same scores.
	EachAsked(draws int, same bool) string
	Passing() string
	DrawHeads() DrawHeads
	By(spread string) string
	// CasesDiffer counts the cases whose draws differ. which has their names.
	CasesDiffer(n, of int, which string) string
	Flaky(f Flaky) string
	Spreads(metrics []string) string
	NoNoise() string
	NoiseNames() NoiseNames
	NoiseDraws(draws, judgings int) string
	// NoiseFloor explains the noise floor. level is a percentage.
	NoiseFloor(level string) string
	// FalseAlarms counts the significant differences among comparisons of a system
	// with itself. share is how many are expected by chance.
	FalseAlarms(shown, comparisons int, share string) string
	FlakyCases(n, of int, which string) string
	NeedsTitle() string
	NeedsNote(power string) string
	NoiseHeads() NoiseHeads
	// NoiseAdvice returns sentences on what the noise means for comparisons of two
	// versions of the system.
	NoiseAdvice(n summary.Noise) []string
}

// Flaky describes how the draws of a case differ: Passed of Draws pass, Metric varies
// by Spread, or Metrics do not have a score in every draw. Several of these may apply
// or, if the case fails differently each time, none.
type Flaky struct {
	Passed, Draws  int
	Metric, Spread string
	Metrics        []string
}

// NoiseNames name the facts about noise.
type NoiseNames struct{ Draws, Floor, Same, Flaky string }

// DrawHeads are the headings of the table of draws.
type DrawHeads struct{ Metric, Changed, SD, Furthest string }

// NoiseHeads are the headings of the table of noise. Pairs of them are two lines of
// one heading.
type NoiseHeads struct {
	Metric, Mean                                         string
	Cases, Target, Judge, Floor, Largest, Shown, Changed [2]string
}
