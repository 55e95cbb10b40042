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

// mostLost is how many cases are named beside a rule.
const mostLost = 5

// judged returns the results of the gate: failed rules, then undecided ones, then the
// others, with the composite first in each group. It returns nil without a gate.
func (r *Report) judged() []gate.Result {
	if r.Gate == nil {
		return nil
	}
	results := first(r.Gate.Results, func(x gate.Result) bool { return x.Metric == assay.CompositeName })
	return byVerdict(results, func(x gate.Result) gate.Verdict { return x.Verdict })
}

// byVerdict sorts results: the failed first, then the undecided.
func byVerdict(results []gate.Result, verdict func(gate.Result) gate.Verdict) []gate.Result {
	order := []gate.Verdict{gate.Fail, gate.Inconclusive, gate.Pass}
	results = slices.Clone(results)
	slices.SortStableFunc(results, func(a, b gate.Result) int {
		return slices.Index(order, verdict(a)) - slices.Index(order, verdict(b))
	})
	return results
}

// plainGate reports whether the gate has only thresholds, whose verdicts are in the
// table of metrics.
func (r *Report) plainGate() bool {
	g := r.Gate
	return g == nil || len(g.Refused) == 0 && len(g.Tracked) == 0 && len(g.Warnings) == 0 &&
		!slices.ContainsFunc(g.Results, func(x gate.Result) bool { return !r.ofThreshold(x) || x.People != nil })
}

func (r *Report) ofThreshold(x gate.Result) bool {
	m := r.known(x.Metric)
	return m != nil && isThreshold(*m, x)
}

// known returns a metric of the summary, or nil if the run has none of that name.
func (r *Report) known(name string) *summary.Metric {
	i := slices.IndexFunc(r.Summary.Metrics, func(m summary.Metric) bool { return m.Name == name })
	if i < 0 {
		return nil
	}
	return &r.Summary.Metrics[i]
}

// reached returns the sentence that every rule passed.
func (c *content) reached() string {
	return c.w.Say("AllMet", words.V{"rules": len(c.r.Gate.Results), "thresholds": c.r.plainGate()})
}

// ruleText returns a rule, and says if the judge of its metric is near chance.
func (c *content) ruleText(x gate.Result) string {
	if c.r.info(x.Metric).NearChance != "" {
		return line(x.Rule) + " (" + c.w.Names().NearChance + ")"
	}
	return line(x.Rule)
}

// ruleLine returns how a rule ended: "faithfulness 0.810 (0.740…0.880, n 12) misses
// 0.85", "mrr vs baseline >= -0.03: 0.800 → 0.760 (−0.040, …)".
func (c *content) ruleLine(x gate.Result) string {
	if m := c.r.known(x.Metric); m != nil && isThreshold(*m, x) {
		return c.thresholdLine(*m, x)
	}
	said := words.V{"Rule": c.ruleText(x), "Versus": x.Baseline != nil || x.Diff != nil || strings.Contains(x.Rule, " vs baseline"), "Moved": "", "Value": "", "Reason": "", "cases": ""}
	if x.Verdict != gate.Pass {
		said["Reason"], said["cases"] = line(x.Reason.In(c.w)), c.w.List(lostMost(x))
	}
	switch {
	case x.Diff != nil:
		said["Moved"] = c.r.move(x)
		if c.r.movedOnly(x) {
			said["Reason"] = ""
		}
	case x.Got != nil && said["Reason"] == "":
		said["Value"] = c.got(x)
	}
	return c.w.Say("Rule", said)
}

// got returns what a rule was evaluated on.
func (c *content) got(x gate.Result) string {
	if x.Rule == gate.CriticalRule {
		return c.w.Say("CriticalCard", c.criticalCount())
	}
	return c.r.inUnit(x.Metric, *x.Got)
}

// movedOnly reports whether the difference, as formatted, is enough to explain why the
// rule failed: the rule is about the difference, and rounding does not make it equal
// to the limit.
func (r *Report) movedOnly(x gate.Result) bool {
	if x.Verdict != gate.Fail || x.Bounds != nil || strings.Contains(x.Rule, ".lower ") || strings.Contains(x.Rule, ".upper ") {
		return false
	}
	shown, err := strconv.ParseFloat(number(r.info(x.Metric), *x.Diff), 64)
	return err == nil && shown != x.Want
}

// move returns the baseline's value, the run's value and the difference: "0.800 →
// 0.760 (−0.040, −0.080…0.000, n 20)".
func (r *Report) move(x gate.Result) string {
	m := r.info(x.Metric)
	text := ""
	if x.Baseline != nil {
		text = number(m, *x.Baseline) + " → " + number(m, *x.Baseline+*x.Diff) + " "
	}
	parts := []string{signed(m, *x.Diff)}
	if ends := signedEnds(m, x); ends != "" {
		parts = append(parts, ends)
	}
	if x.N > 0 {
		parts = append(parts, fmt.Sprintf("n %d", x.N))
	}
	return text + "(" + strings.Join(parts, ", ") + ")"
}

// signedEnds returns the interval of a difference, or the one-sided bound that decides: "lower −0.0716, one-sided".
func signedEnds(m assay.MetricInfo, x gate.Result) string {
	switch {
	case x.Bound != nil:
		side := "lower"
		if strings.Contains(x.Rule, ".upper ") {
			side = "upper"
		}
		return side + " " + strings.Replace(fmt.Sprintf("%+.4g", *x.Bound), "-", "−", 1) + ", one-sided"
	case x.CI != nil:
		return summary.Ends(m, *x.CI)
	}
	return ""
}

// info returns the metric of that name, also if the run lacks it.
func (r *Report) info(name string) assay.MetricInfo {
	if m := r.known(name); m != nil {
		return m.MetricInfo
	}
	return assay.MetricInfo{Name: name, Range: [2]float64{0, 1}}
}

// inUnit formats a number in the unit of the rule's quantity.
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

// lostMost returns the names of the cases of a rule that lost most, and the number of
// the others.
func lostMost(x gate.Result) (names []string, more int) {
	names = mapped(x.Cases[:min(len(x.Cases), mostLost)], clipped)
	return names, len(x.Cases) - len(names)
}

// clipped returns the name of a case for a list.
func clipped(id string) string { return clip(line(id), 40) }

// gateValues are the numbers of a rule, or of a metric that is tracked and has no verdict; "" if there is none.
type gateValues struct{ Baseline, Run, Change, Interval, N, People string }

func (c *content) gateValues(x gate.Result) (v gateValues) {
	m := c.r.info(x.Metric)
	switch {
	case x.Diff != nil:
		v.Change, v.Interval = signed(m, *x.Diff), signedEnds(m, x)
		if x.Baseline != nil {
			v.Run = number(m, *x.Baseline+*x.Diff)
		}
	case x.Got != nil:
		v.Run = c.got(x)
	}
	if x.Baseline != nil {
		v.Baseline = number(m, *x.Baseline)
	}
	if x.N > 0 {
		v.N = itoa(x.N)
	}
	if p := x.People; p != nil && p.Corrected != nil {
		show := func(v float64) string { return number(m, v) }
		if x.Diff != nil {
			show = func(v float64) string { return signed(m, v) }
		}
		v.People = show(p.Mean) + " (" + show(p.CI.Lo) + "…" + show(p.CI.Hi) + ", n " + itoa(p.N) + fmt.Sprintf(", λ %.2f)", p.Lambda)
	}
	return v
}

// gate shows the result of the gate, and a table of its rules unless all are
// thresholds, which are in the table of metrics.
func (c *content) gate() []document.Section {
	if c.r.Gate == nil {
		return nil
	}
	v := c.verdict(c.r.Gate.Verdict)
	s := document.Section{ID: "gate", Title: c.w.Names().Gate, Word: &v, Bare: document.Glance}
	s.Blocks = []document.Block{document.List{Items: c.gateItems(), Views: document.Page}}
	if !c.r.plainGate() {
		s.Blocks = append(s.Blocks, c.gateBlocks()...)
	}
	return []document.Section{s}
}

// gateItems returns the gate's reasons and the rules that did not pass, or every rule
// if all are thresholds.
func (c *content) gateItems() []document.Item {
	var out []document.Item
	if c.r.plainGate() {
		for _, x := range c.r.judged() {
			out = append(out, document.Item{Text: document.Text{c.verdict(x.Verdict), {Text: " " + c.ruleLine(x)}}})
		}
		return out
	}
	for _, l := range c.gateLines() {
		l[1].Text = " " + strings.TrimPrefix(l[1].Text, " · ")
		out = append(out, document.Item{Text: l})
	}
	return out
}

// gateBlocks returns the table of rules and the remarks that do not affect the result.
func (c *content) gateBlocks() []document.Block {
	var out []document.Block
	if t := c.gateTable(); t.Rows != nil {
		out = append(out, t)
	}
	if notes := words.Findings(c.w, c.r.Gate.Warnings); notes != nil {
		items := mapped(notes, func(n string) string { return c.w.Names().Warning + ": " + line(n) })
		out = append(out, document.List{Items: document.Items(items...)})
	}
	return out
}

// gateTable has the rules in the order of [Report.judged], then the tracked metrics.
func (c *content) gateTable() document.Table {
	h := c.w.Names().GateHeads
	interval := h.Interval
	for _, x := range slices.Concat(c.r.Gate.Results, c.r.Gate.Tracked) {
		if x.CI != nil && x.Level > 0 {
			interval = c.w.Interval(percent(x.Level))
		}
	}
	t := document.Table{
		ID: "rules", Name: h.Table,
		Columns: []document.Column{{ID: "rule", Head: h.Rule, Words: true, Views: document.Reading | document.Page},
			{ID: "name", Head: h.Rule, Short: document.LowerFirst(c.w.Names().Gate), Words: true, Views: document.Glance},
			{ID: "status", Head: h.Status, Words: true}, {ID: "baseline", Head: h.Baseline}, {ID: "run", Head: h.Run}, {ID: "change", Head: "Δ"},
			{ID: "interval", Head: interval}, {ID: "n", Head: "n"}, {ID: "people", Head: h.People},
			{ID: "cases", Head: h.Cases, Words: true, Views: document.Reading | document.Page}},
		Steps: []document.Step{{Drop: []string{"interval"}}, {Drop: []string{"baseline", "n"}, Name: 12}},
	}
	add := func(rule string, status document.Span, x gate.Result) {
		v := c.gateValues(x)
		t.Add(document.C(rule), rule, status, v.Baseline, v.Run, v.Change, v.Interval, v.N, v.People, c.w.List(lostMost(x)))
	}
	for _, x := range c.r.judged() {
		add(c.ruleText(x), c.verdict(x.Verdict), x)
	}
	for _, x := range c.r.Gate.Tracked {
		add(line(x.Metric), document.Span{Text: c.w.Names().Tracked, Style: document.Verdict}, x)
	}
	return t.Filled("baseline", "run", "change", "interval", "n", "people")
}

// gateDocument returns the report of the gate alone.
func (r *Report) gateDocument(o Options) *document.Document {
	c := newContent(r, o)
	if r.Gate == nil {
		return &document.Document{Title: c.w.Names().NoGate, Headline: document.Of(c.w.Names().NoGate), More: c.w.More, Language: c.w.Code}
	}
	word := c.w.Verdict(r.Gate.Verdict)
	d := &document.Document{
		Title:    c.w.Say("GateTitle", words.V{"name": r.title(), "verdict": word}),
		Status:   document.T(c.w.Say("RunStatus", words.V{"id": line(r.Header.ID), "state": line(r.Header.State)})),
		Headline: document.Of(append([]string{document.LowerFirst(c.w.Names().Gate) + " " + word}, c.headline()...)...),
		More:     c.w.More, Language: c.w.Code, Colon: c.w.Names().Colon,
	}
	lines := mapped(c.gateLines(), func(l document.Text) document.Item { return document.Item{Text: l} })
	bare := document.Glance | document.Reading
	d.Sections = []document.Section{
		{ID: "verdicts", Bare: bare, Blocks: []document.Block{document.List{Items: lines}}},
		{ID: "gate", Bare: bare, Blocks: c.gateBlocks()},
	}
	if lines := c.gatedJudge(); lines != nil {
		d.Sections = append(d.Sections, document.Section{ID: "judge", Bare: bare,
			Blocks: facts([]document.Fact{{Name: c.w.Names().FactNames.Judge, Lines: document.Of(lines...)}})})
	}
	return d
}
