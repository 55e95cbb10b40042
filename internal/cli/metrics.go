package cli

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/catalog"
)

func newMetrics(env *Env) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use: "metrics [NAME…]",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return metricNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			c, width := catalog.All(), 0
			if slices.ContainsFunc(args, func(s string) bool { return strings.HasPrefix(strings.ToLower(s), assay.CheckPrefix) }) {
				r, err := gather(env, cmd.Flags(), file, nil)
				if err != nil {
					return err
				}
				c = wire.Metrics(r.Config, env.Path)
			}
			if env.StdoutTTY {
				width = env.Width
			}
			if len(args) == 0 {
				listMetrics(env.Stdout, c, width)
				return nil
			}
			return explainMetrics(env.Stdout, c, args, width)
		},
	}
	configFlag(cmd, &file)
	return cmd
}

func metricNames() []string {
	var out []string
	for _, d := range catalog.All().Defs() {
		out = append(out, d.Name+"\t"+firstSentence(d.Doc))
	}
	return out
}

// listMetrics writes one line per metric, wrapped to width unless it is 0.
func listMetrics(w io.Writer, c *metric.Catalog, width int) {
	column := 0
	for _, d := range c.Defs() {
		column = max(column, len(nameWithCutoff(d)))
	}
	for i, g := range metric.Groups() {
		var defs []*metric.Def
		for _, d := range c.Defs() {
			if d.Group == g {
				defs = append(defs, d)
			}
		}
		if defs == nil {
			continue
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, strings.ToUpper(string(g)))
		for _, d := range defs {
			hanging(w, fmt.Sprintf("  %-*s  ", column, nameWithCutoff(d)), firstSentence(d.Doc)+remark(d), width)
		}
	}
	trecMeasures(w, width)
	fmt.Fprint(w, "\nassay metrics NAME explains one. [@k] may, @k must be given: ndcg@10.\n")
}

// nameWithCutoff returns the name of a metric with a placeholder for its cutoff.
func nameWithCutoff(d *metric.Def) string {
	switch d.Cutoff {
	case metric.OptionalCutoff:
		return d.Name + "[@k]"
	case metric.RequiredCutoff:
		return d.Name + "@k"
	}
	return d.Name
}

// remark returns what is unusual about a metric.
func remark(d *metric.Def) string {
	var out []string
	if d.Better == metric.Lower {
		out = append(out, "lower is better")
	}
	if d.Estimate && !strings.Contains(d.Doc, "estimate") {
		out = append(out, "an estimate")
	}
	if out == nil {
		return ""
	}
	return " (" + strings.Join(out, "; ") + ")"
}

// firstSentence returns the first sentence of a description.
func firstSentence(s string) string {
	if i := strings.Index(s, ". "); i >= 0 {
		return s[:i+1]
	}
	return s
}

func explainMetrics(w io.Writer, c *metric.Catalog, names []string, width int) error {
	var explain []func()
	for _, n := range names {
		m, err := findMetric(c, n)
		if err == nil {
			explain = append(explain, func() { explainMetric(w, m, width) })
			continue
		}
		f, ok := trecFamily(n)
		if !ok {
			return err
		}
		explain = append(explain, func() { explainTREC(w, f, width) })
	}
	for i, write := range explain {
		if i > 0 {
			fmt.Fprintln(w)
		}
		write()
	}
	return nil
}

// findMetric finds a metric by name. Unlike elsewhere, a required cutoff may be
// missing.
func findMetric(c *metric.Catalog, name string) (metric.Metric, error) {
	if d, err := c.Find(name); err == nil {
		return metric.Metric{Def: d, Name: nameWithCutoff(d)}, nil
	}
	return c.Parse(name)
}

func explainMetric(w io.Writer, m metric.Metric, width int) {
	d := m.Def
	fmt.Fprintf(w, "%s  %s\n\n", m.Name, d.Title)
	hanging(w, "", d.Doc, width)
	fmt.Fprintln(w)
	for _, f := range metricFacts(d) {
		hanging(w, fmt.Sprintf("%-11s ", f.name), f.text, width)
	}
}

// A metricFact is a line of a metric's explanation.
type metricFact struct{ name, text string }

func metricFacts(d *metric.Def) []metricFact {
	facts := []metricFact{{"formula", d.Formula}, {"edges", d.Edges}, {"range", rangeOf(d)}, {"needs", needsOf(d)}}
	if len(d.Asks) > 0 {
		facts = append(facts, metricFact{"judge", askedOf(d)})
	}
	if d.Cutoff != metric.NoCutoff {
		facts = append(facts, metricFact{"cutoff", cutoffOf(d)})
	}
	for i, p := range d.Params {
		name := "parameters"
		if i > 0 {
			name = ""
		}
		facts = append(facts, metricFact{name, paramOf(p)})
	}
	if d.Pooled {
		facts = append(facts, metricFact{"mean", "pooled: the counts of all cases together, not the mean of their ratios"})
	}
	if d.Estimate {
		facts = append(facts, metricFact{"estimate", "a formula that stands in for a judgement; never averaged with judged metrics"})
	}
	return append(facts, metricFact{"source", d.Source}, metricFact{"version", fmt.Sprint(d.Version)})
}

func rangeOf(d *metric.Def) string {
	unit := ""
	if d.Unit != "" {
		unit = " " + d.Unit
	}
	upper := fmt.Sprint(d.Range[1])
	if d.Range[1] == math.MaxFloat64 {
		upper = "any value above"
	}
	return fmt.Sprintf("%v to %s%s, %s is better", d.Range[0], upper, unit, d.Better)
}

// needsOf says what a metric needs from the case, the response and the configuration.
func needsOf(d *metric.Def) string {
	var out []string
	if names := d.Needs.Names(); names != nil {
		out = append(out, "of the case: "+strings.Join(names, ", "))
	}
	if names := d.Reads.Names(); names != nil {
		out = append(out, "of the response: "+strings.Join(names, ", "))
	}
	if d.Embeds {
		out = append(out, "an embedder")
	}
	if len(d.Asks) > 0 {
		out = append(out, "a judge")
	}
	if out == nil {
		return "a response"
	}
	return strings.Join(out, "; ")
}

// askedOf lists what a judge is asked, each question once, and what besides for a value of a
// parameter.
func askedOf(d *metric.Def) string {
	var out []string
	for _, q := range d.Asks.With() {
		out = append(out, q.String())
	}
	text := "is asked for " + strings.Join(out, ", ")
	for _, more := range askedMore(d) {
		text += fmt.Sprintf("; with %s also for %s", more.with, more.question)
	}
	return text
}

// A furtherQuestion is one that a metric reads only with a value of a parameter: "mode=strict".
type furtherQuestion struct {
	with     string
	question judge.AnyQuestion
}

// askedMore lists the questions that a metric reads only with a value of a parameter.
func askedMore(d *metric.Def) []furtherQuestion {
	var out []furtherQuestion
	for _, p := range d.Params {
		for _, v := range p.Values {
			for _, q := range p.Asks[v] {
				if !d.Asks.Has(q.ID()) {
					out = append(out, furtherQuestion{p.Name + "=" + v, q})
				}
			}
		}
	}
	return out
}

func cutoffOf(d *metric.Def) string {
	if d.Cutoff == metric.RequiredCutoff {
		return fmt.Sprintf("must be given, as in %s@10", d.Name)
	}
	return fmt.Sprintf("may be given, as in %s@10; without, the whole list counts", d.Name)
}

func paramOf(p metric.Param) string {
	values := strings.Join(p.Values, "|")
	if p.Values == nil {
		values = fmt.Sprintf("%v…%v", p.Min, p.Max)
	}
	return fmt.Sprintf("%s=%s: %s (default %s)", p.Name, values, p.Doc, p.Default)
}

// hanging writes text after a lead, wrapped to width and indented by the lead's width.
// If width is 0, nothing is wrapped, for programs that read whole lines.
func hanging(w io.Writer, lead, text string, width int) {
	const narrowest = 20
	indent := utf8.RuneCountInString(lead)
	line := lead
	used := indent
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case width > 0 && used+1+n > max(width, indent+narrowest):
			fmt.Fprintln(w, line)
			line, used = strings.Repeat(" ", indent), indent
		default:
			line += " "
			used++
		}
		line += word
		used += n
	}
	fmt.Fprintln(w, strings.TrimRight(line, " "))
}
