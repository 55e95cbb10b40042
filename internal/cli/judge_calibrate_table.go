package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// writeCalibration writes a calibration as text.
func writeCalibration(out io.Writer, labels string, from judged, r *judge.CalibrationReport) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s against %s of %s\n", oneLine(labels), from.metric.Name, oneLine(from.what))
	if j := from.judge(); j != nil {
		fmt.Fprintf(w, "judge %s\n", oneLine(judgeLine(*j)))
	}
	fmt.Fprintf(w, "%d cases with label and score", r.N)
	if r.Unscored > 0 {
		fmt.Fprintf(w, " · %d labels without a score (%d judge errors)", r.Unscored, r.JudgeErrors)
	}
	fmt.Fprintf(w, " · %d scores without a label\n", r.Unlabelled)
	if b := r.Binary; b != nil {
		writeBinary(w, r, b)
	}
	if g := r.Graded; g != nil {
		fmt.Fprintf(w, "\ngraded\tvalue\t%s\n", intervalTitle(r.Level))
		writeFigure(w, "mean label", judge.Figure{Value: &g.Mean})
		writeFigure(w, "Spearman", g.Spearman)
		writeFigure(w, "Pearson", g.Pearson)
		writeFigure(w, "quadratic kappa", g.Kappa)
		writeFigure(w, "people among themselves, ordinal alpha", g.Alpha)
	}
	writeCorrected(w, r)
	if err := w.Flush(); err != nil {
		return err
	}
	verdict := "undetermined: whether the judge agrees with people about as well as people do. It lacks"
	switch {
	case r.Validated:
		verdict = "validated judge: it agrees with people about as well as people do"
	case r.Worse:
		verdict = "not a validated judge: it agrees with people less than people do. It lacks"
	}
	fmt.Fprintf(out, "\n%s\n", verdict)
	for _, l := range r.Lacks {
		fmt.Fprintf(out, "  %s\n", oneLine(l))
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(out, "! %s\n", oneLine(warning))
	}
	return nil
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

func intervalTitle(level float64) string { return fmt.Sprintf("%.4g %% interval", 100*level) }

func writeFigure(w io.Writer, name string, f judge.Figure) {
	switch {
	case f.Value == nil:
		fmt.Fprintf(w, "  %s\tundefined\t%s\n", name, oneLine(f.Why))
	case f.CI == nil:
		fmt.Fprintf(w, "  %s\t%.3f\t%s\n", name, *f.Value, oneLine(f.Why))
	default:
		fmt.Fprintf(w, "  %s\t%.3f\t%.3f to %.3f\n", name, *f.Value, f.CI.Lo, f.CI.Hi)
	}
}

func writeBinary(w io.Writer, r *judge.CalibrationReport, b *judge.BinaryCalibration) {
	c := b.Confusion
	fmt.Fprintf(w, "\nconfusion\tjudge 1\tjudge 0\t(1 from a score of %.4g)\n", b.Threshold)
	fmt.Fprintf(w, "  people 1\t%d\t%d\n", c.TP, c.FN)
	fmt.Fprintf(w, "  people 0\t%d\t%d\n", c.FP, c.TN)
	fmt.Fprintf(w, "\nagreement\tvalue\t%s\n", intervalTitle(r.Level))
	writeFigure(w, "prevalence of 1", judge.Figure{Value: &b.Prevalence})
	writeAgreed(w, b.Judge)
	writeFigure(w, "balanced accuracy", b.BalancedAccuracy)
	writeFigure(w, "AUROC", b.AUROC)
	writeFigure(w, "Brier", b.Brier)
	writeFigure(w, "expected calibration error", b.ECE)
	if h := b.Humans; h != nil {
		fmt.Fprintf(w, "people among themselves (%d pairs of labels)\t\t\n", h.N)
		writeAgreed(w, *h)
	}
	fmt.Fprint(w, "\nthreshold\n")
	best := b.Best
	if best.Value == nil {
		fmt.Fprintf(w, "  none chosen: %s\n", best.Why)
		return
	}
	fmt.Fprintf(w, "  best\t%.4g\n", *best.Value)
	elsewhere := best.Why
	if v := best.CrossValidated; v != nil {
		elsewhere = fmt.Sprintf("%.3f", *v)
	}
	fmt.Fprintf(w, "  balanced accuracy on cases it was not chosen on\t%s\n", elsewhere)
	fmt.Fprintf(w, "  on those it was chosen on (flattering)\t%.3f\n", *best.Resubstituted)
}

func writeAgreed(w io.Writer, a judge.Agreed) {
	writeFigure(w, "agreement", a.Agreement)
	writeFigure(w, "kappa", a.Kappa)
	writeFigure(w, "AC1", a.AC1)
}

func writeCorrected(w io.Writer, r *judge.CalibrationReport) {
	run := r.Run
	fmt.Fprintf(w, "\nall %d scored cases\tvalue\t%s\n", r.N+r.Unlabelled, intervalTitle(r.Level))
	name := "judge's mean score, uncorrected"
	if r.Binary == nil {
		name = "judge's mean score, on the declared scale if any, uncorrected"
	}
	writeFigure(w, name, run.Score)
	if run.Passed.Value != nil {
		writeFigure(w, "judge's share of 1, uncorrected", run.Passed)
	}
	if p := run.PPI; p != nil {
		writeFigure(w, "corrected, PPI++", judge.Figure{Value: &p.Mean, CI: &p.CI})
	}
	writeFigure(w, fmt.Sprintf("labels alone (%d)", run.Labels.N), judge.Figure{Value: &run.Labels.Mean, CI: run.Labels.CI})
	if p := run.PPI; p != nil && p.HumanCI != nil && p.CI.Half() > 0 && p.CI.Half() < p.HumanCI.Half() {
		r := p.HumanCI.Half() / p.CI.Half()
		fmt.Fprintf(w, "  the judge (weight %.2f) makes %d labels worth %.0f\n", p.Lambda, p.N, float64(p.N)*r*r)
	}
	if n := run.LabelsForHalf; n != nil {
		fmt.Fprintf(w, "  about %d further labels, of cases drawn at random, would halve the interval\n", *n)
	}
	for _, why := range run.Why {
		fmt.Fprintf(w, "  %s\n", oneLine(why))
	}
}
