package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/summary"
)

// mostLost bounds the cases that are named beside a rule.
const mostLost = 5

// versus reports whether a result is of a rule against a baseline.
func versus(r gate.Result) bool {
	return r.Baseline != nil || r.Diff != nil || strings.Contains(r.Rule, " vs baseline")
}

// judged gives the results of the gate: rules that failed first, then those that
// are not sure, and the composite first among equals. nil without a gate.
func (r *Report) judged() []gate.Result {
	if r.Gate == nil {
		return nil
	}
	results := first(r.Gate.Results, func(x gate.Result) bool { return x.Metric == assay.CompositeName })
	return byVerdict(results, func(x gate.Result) gate.Verdict { return x.Verdict })
}

// byVerdict gives the results that failed first, then those that are open.
func byVerdict(results []gate.Result, verdict func(gate.Result) gate.Verdict) []gate.Result {
	order := []gate.Verdict{gate.Fail, gate.Inconclusive, gate.Pass}
	results = slices.Clone(results)
	slices.SortStableFunc(results, func(a, b gate.Result) int {
		return slices.Index(order, verdict(a)) - slices.Index(order, verdict(b))
	})
	return results
}

// plainGate reports whether the gate is of thresholds alone, whose verdicts stand in
// the table of metrics.
func (r *Report) plainGate() bool {
	g := r.Gate
	return g == nil || len(g.Refused) == 0 && len(g.Tracked) == 0 && len(g.Warnings) == 0 &&
		!slices.ContainsFunc(g.Results, func(x gate.Result) bool { return !r.ofThreshold(x) })
}

func (r *Report) ofThreshold(x gate.Result) bool {
	m := r.known(x.Metric)
	return m != nil && isThreshold(*m, x)
}

// known finds a metric of the summary; nil when the run has none of that name.
func (r *Report) known(name string) *summary.Metric {
	i := slices.IndexFunc(r.Summary.Metrics, func(m summary.Metric) bool { return m.Name == name })
	if i < 0 {
		return nil
	}
	return &r.Summary.Metrics[i]
}

// reached says that every rule passed.
func (r *Report) reached() string {
	n := len(r.Gate.Results)
	switch {
	case n == 0:
		return "nothing is gated"
	case r.plainGate() && n == 1:
		return "the threshold is reached"
	case r.plainGate():
		return fmt.Sprintf("all %d thresholds are reached", n)
	case n == 1:
		return "the rule is met"
	}
	return fmt.Sprintf("all %d rules are met", n)
}

// ruleLine says what a rule came to: "faithfulness 0.810 (0.740…0.880, n 12)
// misses 0.85", "mrr vs baseline >= -0.03: 0.800 → 0.760 (−0.040, …)".
func (r *Report) ruleLine(x gate.Result) string {
	if m := r.known(x.Metric); m != nil && isThreshold(*m, x) {
		return thresholdLine(*m, x)
	}
	text := line(x.Rule)
	reason := line(x.Reason)
	if x.Verdict == gate.Pass {
		reason = ""
	}
	switch {
	case x.Diff != nil:
		text += ": " + r.move(x)
		if r.movedOnly(x) {
			reason = ""
		}
	case x.Got != nil && reason == "":
		text += ": " + r.inUnit(x.Metric, *x.Got)
	}
	if reason != "" {
		text += ": " + reason
	}
	if lost := lostMost(x); lost != "" && x.Verdict != gate.Pass {
		what := "; cases: "
		if versus(x) {
			what = "; lost most: "
		}
		text += what + lost
	}
	return text
}

// movedOnly reports whether the difference, as it is shown, says alone why the
// rule failed: it is what the rule is about, and not rounded to the limit.
func (r *Report) movedOnly(x gate.Result) bool {
	if x.Verdict != gate.Fail || x.Bounds != nil || strings.Contains(x.Rule, ".lower ") || strings.Contains(x.Rule, ".upper ") {
		return false
	}
	shown, err := strconv.ParseFloat(number(r.info(x.Metric), *x.Diff), 64)
	return err == nil && shown != x.Want
}

// move shows what a run adds to its baseline: "0.800 → 0.760 (−0.040,
// −0.080…0.000, n 20)".
func (r *Report) move(x gate.Result) string {
	m := r.info(x.Metric)
	text := ""
	if x.Baseline != nil {
		text = number(m, *x.Baseline) + " → " + number(m, *x.Baseline+*x.Diff) + " "
	}
	parts := []string{signed(m, *x.Diff)}
	if x.CI != nil {
		parts = append(parts, signedEnds(m, x))
	}
	if x.N > 0 {
		parts = append(parts, fmt.Sprintf("n %d", x.N))
	}
	return text + "(" + strings.Join(parts, ", ") + ")"
}

// signedEnds shows the interval of a difference: "−0.080…+0.010".
func signedEnds(m assay.MetricInfo, x gate.Result) string {
	if x.CI == nil {
		return ""
	}
	end := func(v float64) string { return strings.TrimPrefix(signed(m, v), "±") }
	return end(x.CI.Lo) + "…" + end(x.CI.Hi)
}

// info describes a metric of the run, or one of its name that the run lacks.
func (r *Report) info(name string) assay.MetricInfo {
	if m := r.known(name); m != nil {
		return m.MetricInfo
	}
	return assay.MetricInfo{Name: name, Range: [2]float64{0, 1}}
}

// inUnit shows a number in the unit of what a rule is about.
func (r *Report) inUnit(quantity string, v float64) string {
	switch m := r.known(quantity); {
	case m != nil:
		return number(m.MetricInfo, v)
	case quantity == "errors" || quantity == "new_total_losses":
		return fmt.Sprintf("%.1f %%", 100*v)
	case strings.HasSuffix(quantity, "_latency"):
		return duration(time.Duration(v * float64(time.Second)))
	case quantity == "cost":
		return fmt.Sprintf("$%.4f", v)
	case quantity == "": // a number of cases
		return fmt.Sprintf("%g", v)
	}
	return number(assay.MetricInfo{}, v)
}

// lostMost names the cases that lost most under a rule, or that it is about.
func lostMost(x gate.Result) string {
	var names []string
	for _, c := range x.Cases[:min(len(x.Cases), mostLost)] {
		names = append(names, clip(line(c), 40))
	}
	if n := len(x.Cases) - mostLost; n > 0 {
		names = append(names, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(names, ", ")
}

// gateColumns are the columns of numbers in the table of a gate, in order.
var gateColumns = []string{"Baseline", "Run", "Δ", "Interval", "n"}

// A gateRow is one rule in the table of a gate, or a metric that is tracked and
// has no verdict.
type gateRow struct {
	Rule                      string
	Status                    document.Span
	Baseline, Run, Diff, Ends string
	N                         string
	Lost                      string
}

// Cells gives what the row has in some of [gateColumns].
func (g gateRow) Cells(columns ...string) []string {
	all := map[string]string{"Baseline": g.Baseline, "Run": g.Run, "Δ": g.Diff, "Interval": g.Ends, "n": g.N}
	var out []string
	for _, c := range columns {
		out = append(out, all[c])
	}
	return out
}

// usedColumns are those of [gateColumns] that some row has anything in.
func usedColumns(rows []gateRow) []string {
	return slices.DeleteFunc(slices.Clone(gateColumns), func(c string) bool {
		return !slices.ContainsFunc(rows, func(g gateRow) bool { return g.Cells(c)[0] != "" })
	})
}

// tracked stands where a verdict would.
const tracked = "tracked"

// gateRows lists the rules as [Report.judged] orders them, then what is tracked.
func (r *Report) gateRows() []gateRow {
	var rows []gateRow
	for _, x := range r.judged() {
		row := r.gateRow(x)
		row.Rule, row.Status = line(x.Rule), verdictSpan(x.Verdict)
		rows = append(rows, row)
	}
	if r.Gate == nil {
		return rows
	}
	for _, x := range r.Gate.Tracked {
		row := r.gateRow(x)
		row.Rule, row.Status = line(x.Metric), document.Span{Text: tracked, Style: document.Verdict}
		rows = append(rows, row)
	}
	return rows
}

func (r *Report) gateRow(x gate.Result) gateRow {
	var row gateRow
	m := r.info(x.Metric)
	switch {
	case x.Diff != nil:
		row.Diff, row.Ends = signed(m, *x.Diff), signedEnds(m, x)
		if x.Baseline != nil {
			row.Run = number(m, *x.Baseline+*x.Diff)
		}
	case x.Got != nil:
		row.Run = r.inUnit(x.Metric, *x.Got)
	}
	if x.Baseline != nil {
		row.Baseline = number(m, *x.Baseline)
	}
	if x.N > 0 {
		row.N = fmt.Sprint(x.N)
	}
	row.Lost = lostMost(x)
	return row
}

// gateNotes are the remarks of a gate that decide nothing.
func (r *Report) gateNotes() []string {
	if r.Gate == nil {
		return nil
	}
	return r.Gate.Warnings
}
