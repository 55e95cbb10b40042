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
	"github.com/assay-eval/assay/report/words"
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
func (c *content) reached() string { return c.w.AllMet(len(c.r.Gate.Results), c.r.plainGate()) }

// ruleLine says how a rule ended: "faithfulness 0.810 (0.740…0.880, n 12)
// misses 0.85", "mrr vs baseline >= -0.03: 0.800 → 0.760 (−0.040, …)".
func (c *content) ruleLine(x gate.Result) string {
	if m := c.r.known(x.Metric); m != nil && isThreshold(*m, x) {
		return c.thresholdLine(*m, x)
	}
	said := words.Rule{Rule: line(x.Rule), Versus: versus(x)}
	if x.Verdict != gate.Pass {
		said.Reason = line(x.Reason.In(c.w))
		said.Cases, said.More = lostMost(x)
	}
	switch {
	case x.Diff != nil:
		said.Moved = c.r.move(x)
		if c.r.movedOnly(x) {
			said.Reason = ""
		}
	case x.Got != nil && said.Reason == "":
		said.Value = c.r.inUnit(x.Metric, *x.Got)
	}
	return c.w.Rule(said)
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

// lostMost names the first cases of a rule, those that lost most, and counts the
// others.
func lostMost(x gate.Result) (names []string, more int) {
	for _, c := range x.Cases[:min(len(x.Cases), mostLost)] {
		names = append(names, clip(line(c), 40))
	}
	return names, len(x.Cases) - len(names)
}

// gateColumns are the columns of numbers in the table of a gate, in order.
var gateColumns = []string{"Baseline", "Run", "Δ", "Interval", "n"}

// A gateRow is a rule in the table of a gate, or a metric that is tracked and
// has no verdict. Values are by the names in [gateColumns].
type gateRow struct {
	Rule   string
	Status document.Span
	Values map[string]string
	Lost   string
}

// usedColumns are those of [gateColumns] that some row has a value in.
func usedColumns(rows []gateRow) []string {
	return slices.DeleteFunc(slices.Clone(gateColumns), func(c string) bool {
		return !slices.ContainsFunc(rows, func(g gateRow) bool { return g.Values[c] != "" })
	})
}

// gateRows lists the rules as [Report.judged] orders them, then what is tracked.
func (c *content) gateRows() []gateRow {
	var rows []gateRow
	for _, x := range c.r.judged() {
		rows = append(rows, c.gateRow(line(x.Rule), c.verdict(x.Verdict), x))
	}
	for _, x := range c.r.Gate.Tracked {
		rows = append(rows, c.gateRow(line(x.Metric), document.Span{Text: c.w.Tracked(), Style: document.Verdict}, x))
	}
	return rows
}

func (c *content) gateRow(rule string, status document.Span, x gate.Result) gateRow {
	v := map[string]string{}
	m := c.r.info(x.Metric)
	switch {
	case x.Diff != nil:
		v["Δ"], v["Interval"] = signed(m, *x.Diff), signedEnds(m, x)
		if x.Baseline != nil {
			v["Run"] = number(m, *x.Baseline+*x.Diff)
		}
	case x.Got != nil:
		v["Run"] = c.r.inUnit(x.Metric, *x.Got)
	}
	if x.Baseline != nil {
		v["Baseline"] = number(m, *x.Baseline)
	}
	if x.N > 0 {
		v["n"] = itoa(x.N)
	}
	return gateRow{rule, status, v, c.w.List(lostMost(x))}
}
