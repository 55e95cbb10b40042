package report

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// lostTitle heads the waterfall in every format.
const lostTitle = "Where answers are lost"

// stageWord names a place where evidence is lost, as a reader sees it.
func stageWord(stage string) string {
	switch stage {
	case assay.LostNotInIndex:
		return "not in the index"
	case assay.LostPresent:
		return "shown"
	case assay.LostUnresolved:
		return "unresolved"
	case "":
		return "not known"
	}
	return clip(line(stage), longestStage)
}

// longestStage bounds a word for a stage that is none of ours, in characters.
const longestStage = 24

// lostFall is the waterfall as rows that any format can show: what came in, the
// stages, what the answers have.
type lostFall struct {
	Rows []lostRow
	// Failed are the failed cases by stage, Rungs the ladder.
	Failed []lostVerdict
	Rungs  []lostRung
	// Lead and Facts are sentences, Notes what limits the numbers.
	Lead, Facts string
	Notes       []string
}

// A lostRow is one line of the waterfall. Kept and Lost are counts of facts.
type lostRow struct {
	Name       string
	Kept, Lost int
	// All is the number of facts, the length of a full bar.
	All                   int
	Share, Interval, Rate string
	// End is set for the first line and the last, which are no stages.
	End bool
}

// A lostVerdict is the failed cases that are put down to one stage.
type lostVerdict struct {
	Name            string
	N, Of           int
	Share, Interval string
	IDs             []string
}

// A lostRung is one step of the ladder.
type lostRung struct {
	Name                  string
	Right, Gain, Interval string
	// Share is Right as a number.
	Share float64
}

// newLostFall makes the rows of a waterfall; nil when there is none, and when no
// case failed and nothing could be followed.
func newLostFall(w *summary.Waterfall) *lostFall {
	if w == nil || w.Facts == 0 && w.Failed == 0 {
		return nil
	}
	f := &lostFall{Lead: line(w.Lost()), Facts: line(w.Followed()), Notes: lostNotes(w)}
	if w.Facts > 0 {
		f.Rows = append(f.Rows, lostRow{Name: "facts", Kept: w.Facts, All: w.Facts, End: true})
		for _, s := range w.Stages {
			f.Rows = append(f.Rows, lostRow{
				Name: stageWord(s.Stage), Kept: s.Entering - s.Lost, Lost: s.Lost, All: w.Facts,
				Share: summary.Percent(s.Share), Interval: shares(s.ShareCI), Rate: summary.Percent(s.Hazard),
			})
		}
		f.Rows = append(f.Rows, lostRow{Name: reached(w.Retrieval), Kept: w.Answered, All: w.Facts, Share: summary.Percent(w.Survival), Interval: shares(w.SurvivalCI), End: true})
	}
	for _, v := range w.Verdicts {
		f.Failed = append(f.Failed, lostVerdict{stageWord(v.Stage), v.Cases, w.Failed, summary.Percent(v.Share), shares(v.ShareCI), v.IDs})
	}
	if g := w.Ladder; g != nil && g.Cases > 0 {
		f.Rungs = append(f.Rungs, lostRung{Name: "as it is", Right: summary.Percent(g.Actual), Share: g.Actual})
		for _, s := range g.Stages {
			f.Rungs = append(f.Rungs, lostRung{
				Name: stageWord(s.Stage), Right: summary.Percent(s.Right), Gain: points(s.Gain), Interval: pointsOf(s.CI), Share: s.Right,
			})
		}
		f.Rungs = append(f.Rungs, lostRung{Name: "unresolved", Right: summary.Percent(g.Residual), Share: g.Residual})
	}
	return f
}

// shares shows an interval of shares; "?" when it is not known.
func shares(ci *stats.Interval) string {
	if ci == nil {
		return "?"
	}
	return summary.Percents(*ci)
}

// points shows a difference of shares: "+16 %".
func points(v float64) string {
	s := summary.Percent(max(v, -v))
	switch {
	case strings.Trim(s, "0. %") == "":
		return "±0 %"
	case v < 0:
		return "−" + s
	}
	return "+" + s
}

func pointsOf(ci *stats.Interval) string {
	if ci == nil {
		return "?"
	}
	both := strings.TrimSuffix(points(ci.Lo), " %") + "…" + points(ci.Hi)
	return strings.ReplaceAll(both, "±", "")
}

// ladderNote says what the ladder shows.
func ladderNote(w *summary.Waterfall) string {
	g := w.Ladder
	return fmt.Sprintf("%s asked for again with the right outputs of more and more stages, from the first on; shares are of these cases. What stays wrong is the fault of labels, or of what judges.",
		plural(g.Cases, "wrong answer was", "wrong answers were"))
}

// reached names the facts that no stage lost.
func reached(retrieval bool) string {
	if retrieval {
		return "found"
	}
	return "answered"
}

// lostNotes says what a reader must know of the numbers.
func lostNotes(w *summary.Waterfall) []string {
	var out []string
	for _, m := range w.Merged {
		s := fmt.Sprintf("%s cannot be told from %s", stageWord(m.Stage), stageWord(m.Into))
		if m.Cases < w.Cases {
			s += fmt.Sprintf(" in %d of %s", m.Cases, plural(w.Cases, "case", "cases"))
		}
		out = append(out, s+", which answers for both")
	}
	if n := w.SelfKnowledge; n > 0 {
		out = append(out, fmt.Sprintf("%s in an answer and not in its prompt (self-knowledge): counted where the prompt lost it", plural(n, "fact is", "facts are")))
	}
	if n := w.Unfollowed; n > 0 {
		out = append(out, plural(n, "case", "cases")+" could not be followed: no response, or nothing labelled to follow")
	}
	if g := w.Ladder; g != nil {
		if g.Broken > 0 {
			out = append(out, plural(g.Broken, "wrong answer was", "wrong answers were")+" not asked again to the end, because of an error")
		}
		if g.NonMonotone > 0 {
			out = append(out, plural(g.NonMonotone, "wrong answer was", "wrong answers were")+" right with fewer stages replaced than with more (non-monotone): put down to the first that mended it")
		}
	}
	return out
}

// lostAt says where a failed case was lost; "" when it is not failed, or nobody
// knows.
func lostAt(r assay.Record) string {
	if a := r.Attribution; a != nil && a.Failed && a.Stage != "" {
		if a.Stage == assay.LostUnresolved {
			return "unresolved"
		}
		return clip(line("lost "+summary.At(a.Stage)), 40)
	}
	return ""
}
