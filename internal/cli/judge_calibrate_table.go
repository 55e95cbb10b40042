package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/stats"
)

// A calibrated is what the command prints as JSON.
type calibrated struct {
	Labels string           `json:"labels"`
	Scores string           `json:"scores"`
	Metric string           `json:"metric"`
	Judge  *assay.JudgeInfo `json:"judge,omitempty"`
	*judge.CalibrationReport
}

// print writes a calibration as text.
func (c calibrated) print(out io.Writer) error {
	page := struct {
		calibrated
		MeanOf string
		All    int
		// Worth is how many labels without the judge would have the interval of the corrected mean.
		Worth float64
	}{
		calibrated: c, All: c.N + c.Unlabelled, MeanOf: "judge's mean score, uncorrected",
	}
	if c.Binary == nil {
		page.MeanOf = "judge's mean score, on the declared scale if any, uncorrected"
	}
	if p := c.Run.PPI; p != nil && p.HumanCI != nil && p.CI.Half() > 0 && p.CI.Half() < p.HumanCI.Half() {
		r := p.HumanCI.Half() / p.CI.Half()
		page.Worth = float64(p.N) * r * r
	}
	return printPage(out, "calibration", page)
}

func judgeLine(j assay.JudgeInfo) string {
	parts := []string{strings.Trim(j.Provider+":"+j.Model, ":")}
	if j.PromptHash != "" {
		parts = append(parts, "prompts "+j.PromptHash)
	}
	if j.Passes > 1 {
		parts = append(parts, fmt.Sprintf("%d passes", j.Passes))
	}
	if j.Estimate {
		parts = append(parts, "an estimate: no model judged")
	}
	for _, task := range slices.Sorted(maps.Keys(j.Tasks)) {
		parts = append(parts, task+" by "+judgeLine(j.Tasks[task]))
	}
	return strings.Join(parts, " · ")
}

// figureRow returns a row of a table of figures.
func figureRow(name string, f judge.Figure) string {
	switch {
	case f.Value == nil:
		return fmt.Sprintf("  %s\tundefined\t%s", name, oneLine(f.Why))
	case f.CI == nil:
		return fmt.Sprintf("  %s\t%.3f\t%s", name, *f.Value, oneLine(f.Why))
	}
	return fmt.Sprintf("  %s\t%.3f\t%.3f to %.3f", name, *f.Value, f.CI.Lo, f.CI.Hi)
}

// estimateRow is figureRow for a number that is known.
func estimateRow(name string, mean float64, ci *stats.Interval) string {
	return figureRow(name, judge.Figure{Value: &mean, CI: ci})
}
