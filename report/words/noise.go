package words

import "github.com/assay-eval/assay/summary"

// draws are the words about runs that ask each case several times, and about the
// noise of a system.
type draws interface {
	DrawsTitle() string
	DrawsNote(draws int, same bool) string
	// EachAsked says how often each case was asked; same, that all draws of every
	// case gave the same scores.
	EachAsked(draws int, same bool) string
	Passing() string
	DrawHeads() DrawHeads
	By(spread string) string
	// CasesDiffer counts the cases whose draws differ; which names them.
	CasesDiffer(n, of int, which string) string
	Flaky(f Flaky) string
	Spreads(metrics []string) string
	NoNoise() string
	NoiseNames() NoiseNames
	NoiseDraws(draws, judgings int) string
	// NoiseFloor says what the floor is; level is a percentage.
	NoiseFloor(level string) string
	// FalseAlarms counts the differences shown among comparisons of a system with
	// itself; share is how many are expected by chance.
	FalseAlarms(shown, comparisons int, share string) string
	FlakyCases(n, of int, which string) string
	NeedsTitle() string
	NeedsNote(power string) string
	NoiseHeads() NoiseHeads
	// NoiseAdvice says in sentences what the noise means for comparisons of two
	// versions of the system.
	NoiseAdvice(n summary.Noise) []string
}

// Flaky says how the draws of a case differ: Passed of Draws pass, Metric moves by
// Spread, or Metrics have no score in every draw. It may be several of these or,
// when the case fails differently each time, none.
type Flaky struct {
	Passed, Draws  int
	Metric, Spread string
	Metrics        []string
}

// NoiseNames name the facts about noise.
type NoiseNames struct{ Draws, Floor, Same, Flaky string }

// DrawHeads head the table of draws.
type DrawHeads struct{ Metric, Changed, SD, Furthest string }

// NoiseHeads head the table of noise; pairs are two lines of one head.
type NoiseHeads struct {
	Metric, Mean                                         string
	Cases, Target, Judge, Floor, Largest, Shown, Changed [2]string
}
