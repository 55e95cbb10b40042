package words

import (
	"fmt"

	"github.com/assay-eval/assay/summary"
)

func (w Words) DrawsTitle() string { return w.Say("DrawsTitle", nil) }
func (w Words) DrawsNote(draws int, same bool) string {
	return w.Say("DrawsNote", v{"draws": draws, "same": same})
}

// EachAsked says how often each case was asked. same is set if all draws of every
// case gave the same scores.
func (w Words) EachAsked(draws int, same bool) string {
	return w.Say("EachAsked", v{"draws": draws, "same": same})
}
func (w Words) Passing() string { return w.Say("Passing", nil) }
func (w Words) DrawHeads() (out DrawHeads) {
	w.Fill("DrawHeads", nil, &out)
	return out
}
func (w Words) By(spread string) string { return w.Say("By", v{"spread": spread}) }

// CasesDiffer counts the cases whose draws differ. which has their names.
func (w Words) CasesDiffer(n, of int, which string) string {
	return w.Say("CasesDiffer", v{"n": n, "of": of, "which": which})
}
func (w Words) Flaky(f Flaky) string            { return w.Say("Flaky", f) }
func (w Words) Spreads(metrics []string) string { return w.Say("Spreads", v{"metrics": metrics}) }
func (w Words) NoNoise() string                 { return w.Say("NoNoise", nil) }
func (w Words) NoiseNames() (out NoiseNames) {
	w.Fill("NoiseNames", nil, &out)
	return out
}
func (w Words) NoiseDraws(draws, judgings int) string {
	return w.Say("NoiseDraws", v{"draws": draws, "judgings": judgings})
}

// NoiseFloor explains the noise floor. level is a percentage.
func (w Words) NoiseFloor(level string) string { return w.Say("NoiseFloor", v{"level": level}) }

// FalseAlarms counts the significant differences among comparisons of a system
// with itself. share is how many are expected by chance.
func (w Words) FalseAlarms(shown, comparisons int, share string) string {
	return w.Say("FalseAlarms", v{"shown": shown, "comparisons": comparisons, "share": share})
}
func (w Words) FlakyCases(n, of int, which string) string {
	return w.Say("FlakyCases", v{"n": n, "of": of, "which": which})
}
func (w Words) NeedsTitle() string            { return w.Say("NeedsTitle", nil) }
func (w Words) NeedsNote(power string) string { return w.Say("NeedsNote", v{"power": power}) }
func (w Words) NoiseHeads() (out NoiseHeads) {
	w.Fill("NoiseHeads", nil, &out)
	return out
}

// NoiseAdvice returns sentences on what the noise means for comparisons of two
// versions of the system.
func (w Words) NoiseAdvice(n summary.Noise) (out []string) {
	if n.Silent() {
		return []string{w.Say("NoiseAdvice.silent", nil)}
	}
	metric, need, ok := n.Hardest()
	name := "more"
	switch {
	case need.Cases == 0:
		name = "never"
	case need.Repeat <= 1:
		name = "once"
	case need.Repeat <= summary.MostRepeats:
		name = "repeat"
	}
	w.add(&out, ok, "NoiseAdvice."+name, v{"effect": fmt.Sprintf("%g", n.Effect), "metric": metric, "need": need})
	judged := n.JudgeMoves()
	w.add(&out, judged != nil, "NoiseAdvice.judge", v{"metrics": judged})
	w.add(&out, n.Undivided(), "NoiseAdvice.undivided", nil)
	return out
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
