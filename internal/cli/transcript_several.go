package cli

import (
	"fmt"
	"math"
	"slices"
	"text/tabwriter"

	"github.com/assay-eval/assay/metric/speech"
	"github.com/assay-eval/assay/stats"
)

// A transcriptDifference compares a transcript with the first, in the selected unit.
type transcriptDifference struct {
	First  string        `json:"first"`
	Other  string        `json:"other"`
	Unit   speech.Unit   `json:"unit"`
	Script speech.Script `json:"script"`
	stats.Comparison
}

// differencesOf compares each further transcript with the first. The pairs are the errors in
// an utterance, scaled so that their means are the pooled rates: what was said is the same on
// both sides. The test flips, utterance by utterance, which of the two made which errors.
// That the unit of the test is an utterance, and its differences of errors are what is
// tested, is as in Gillick and Cox, ICASSP 1989 (matched pairs).
func differencesOf(all []*scoredTranscript) []transcriptDifference {
	first := all[0]
	said := first.Total.Of(first.Script).Of(first.Unit).Reference()
	if said == 0 {
		return nil
	}
	at := slices.Index(speech.Units(), first.Unit)
	scale := float64(first.N) / float64(said)
	var out []transcriptDifference
	var pairs [][]stats.Pair
	for _, s := range all[1:] {
		of := make([]stats.Pair, first.N)
		for i := range of {
			of[i] = stats.Pair{Old: float64(first.errors[i][at]) * scale, New: float64(s.errors[i][at]) * scale, Width: math.Inf(1)}
		}
		out = append(out, transcriptDifference{First: first.Hypothesis, Other: s.Hypothesis, Unit: first.Unit, Script: first.Script})
		pairs = append(pairs, of)
	}
	for i, c := range stats.CompareTogether(stats.SignFlip, pairs, stats.DefaultLevel, 0) {
		out[i].Comparison = c
	}
	return out
}

// shown reports whether the difference can be shown.
func (d *transcriptDifference) shown() bool { return d.N > 1 && d.PAdjusted < 1-stats.DefaultLevel }

// sentence says which of the two is better, if that can be said.
func (d *transcriptDifference) sentence() string {
	first, other := oneLine(d.First), oneLine(d.Other)
	numbers := fmt.Sprintf("%s %.3f → %.3f", d.Unit, d.Old, d.New)
	switch {
	case d.N < 2:
		return fmt.Sprintf("Whether %s or %s is better cannot be said of one text (%s); give the utterances apart.", first, other, numbers)
	case !d.shown():
		return fmt.Sprintf("No difference can be shown between %s and %s (%s).", first, other, numbers)
	case d.Diff > 0:
		return fmt.Sprintf("%s is better than %s (%s).", first, other, numbers)
	}
	return fmt.Sprintf("%s is better than %s (%s).", other, first, numbers)
}

// writeTranscripts writes the rates of several transcripts side by side, and their
// differences from the first.
func writeTranscripts(env *Env, all []*scoredTranscript) {
	out, first := env.Stdout, all[0]
	first.writeHead(env, fmt.Sprintf("%d transcripts against %s: %s", len(all), oneLine(first.Reference), counted(first.N, "utterance")))
	without := func(cells []string) []string { return slices.Delete(slices.Clone(cells), 3, 4) } // the median
	rows := [][]string{append([]string{"", ""}, without(rateColumns)...)}
	for _, part := range unitParts {
		name := first.marked(part)
		for _, s := range all {
			if cells, ok := s.rateCells(part, ""); ok {
				rows = append(rows, append([]string{name, oneLine(s.Hypothesis)}, without(cells)...))
				name = ""
			}
		}
	}
	fmt.Fprintln(out)
	_ = writeTable(out, rows)
	differences := differencesOf(all)
	if len(differences) == 0 {
		return
	}
	fmt.Fprintf(out, "\ndifferences from %s in %s, paired by utterance\n", oneLine(first.Hypothesis), first.Unit)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	corrected := ""
	if len(differences) > 1 {
		corrected = " (maxT)"
	}
	fmt.Fprintf(w, "\tdifference\t95 %% interval\tp%s\tn\tfewer/as many/more errors\n", corrected)
	for _, d := range differences {
		interval := "none"
		if d.CI != nil && d.N >= stats.Readable {
			interval = fmt.Sprintf("%+.3f to %+.3f", d.CI.Lo, d.CI.Hi)
		}
		p := fmt.Sprintf("%.4f", d.PAdjusted)
		if d.PAdjusted < 0.0001 {
			p = "<0.0001"
		}
		fmt.Fprintf(w, "%s\t%+.3f\t%s\t%s\t%d\t%d/%d/%d\n", oneLine(d.Other), d.Diff, interval, p, d.N, d.Losses, d.Ties, d.Wins)
	}
	_ = w.Flush()
	fmt.Fprintln(out)
	for _, d := range differences {
		fmt.Fprintln(out, d.sentence())
	}
}
