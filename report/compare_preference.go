package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// mostDuelled is the largest number of runs that are all compared with each other in pairs.
const mostDuelled = 5

// A Duel is two runs of a comparison, by their index, whose answers are compared.
type Duel struct {
	Old, New int
	// rows are those of the cases that both have: the first draw in either run.
	rows [][2]int
	c    *Comparison
}

// Duels returns the pairs of runs whose answers are to be compared: all pairs of up to five
// runs, and each run with the first of more.
func (c *Comparison) Duels() []*Duel {
	var out []*Duel
	for i := range c.Runs {
		for k := i + 1; k < len(c.Runs); k++ {
			if i == 0 || len(c.Runs) <= mostDuelled {
				out = append(out, c.duel(i, k))
			}
		}
	}
	return out
}

// DuelsOf returns the number of pairs of so many runs whose answers are compared.
func DuelsOf(runs int) int {
	if runs > mostDuelled {
		return runs - 1
	}
	return runs * (runs - 1) / 2
}

func (c *Comparison) duel(old, young int) *Duel {
	d, m := &Duel{Old: old, New: young, c: c}, c.Matrix()
	for k := range m.Cases {
		before, had := m.Row(old, k)
		if after, has := m.Row(young, k); had && has {
			d.rows = append(d.rows, [2]int{before, after})
		}
	}
	return d
}

// Len returns the number of cases that both runs have.
func (d *Duel) Len() int { return len(d.rows) }

// At returns the records of a case, of its first draw.
func (d *Duel) At(i int) (old, young assay.Record, err error) {
	if old, err = d.c.Reports[d.Old].Record(d.rows[i][0]); err != nil {
		return old, young, err
	}
	young, err = d.c.Reports[d.New].Record(d.rows[i][1])
	return old, young, err
}

// Prefer adds the preferences of a judge to the comparison. They are compared with the
// primary metric.
func (c *Comparison) Prefer(judge assay.JudgeInfo, found []summary.Preferred, seed uint64) {
	var metric assay.MetricInfo
	if row, ok := c.row(c.Primary); ok {
		metric = row.MetricInfo
	}
	runs := mapped(c.Reports, func(r *Report) *columns.Table { return r.Cases })
	c.Preferences = c.OfPreferences(judge, found, runs, metric, seed)
}

// preferred shows which answers a judge prefers.
func (x *compared) preferred() []document.Section {
	p := x.c.Preferences
	if p == nil {
		return nil
	}
	const text = document.Reading | document.Page
	s := document.Section{ID: "preferred", Title: x.w.Names().PreferencesTitle}
	var said []string
	for _, pair := range p.Pairs {
		if pair.N > 0 {
			said = append(said, x.preference(pair))
		}
	}
	if p.Bias.N > 0 {
		said = append(said, x.positionBias(p.Bias))
	}
	for _, pair := range p.Pairs {
		if a := pair.Agreement; a != nil {
			said = append(said, x.preferenceAgreement(pair, a))
		}
	}
	s.Blocks = append(s.Blocks, document.List{Items: document.Items(said...)})
	if len(p.Pairs) > 1 {
		s.Blocks = append(s.Blocks, x.preferenceTable(p))
	}
	var counts []string
	for _, pair := range p.Pairs {
		if c := x.w.PreferenceCounts(pair); c != "" {
			counts = append(counts, c)
		}
	}
	if counts != nil {
		s.Blocks = append(s.Blocks, document.List{Items: document.Items(counts...)})
	}
	for _, pair := range p.Pairs {
		s.Blocks = append(s.Blocks, x.against(pair, text)...)
	}
	s.Blocks = append(s.Blocks, document.Paragraph{Kind: document.Note, Views: text,
		Text: document.T(x.w.Say("PreferencesNote", words.V{"judge": line(judgesOf(p.Judge)), "pairs": len(p.Pairs), "baseline": p.Baseline}))})
	return []document.Section{s}
}

// judgesOf names a judge, or those of a panel: "openai gpt-4.1-mini".
func judgesOf(j assay.JudgeInfo) string {
	if len(j.Panel) == 0 {
		return strings.TrimSpace(j.Provider + " " + j.Model)
	}
	return strings.Join(mapped(j.Panel, judgesOf), " + ")
}

// against lists the cases in which the judge and the metric contradict each other.
func (x *compared) against(pair summary.PreferencePair, views document.Views) []document.Block {
	a := pair.Agreement
	if a == nil || len(a.Against) == 0 {
		return nil
	}
	const most = 20
	text := document.Text{{Text: line(pair.Old) + " – " + line(pair.New) + x.w.Names().Colon + x.w.Say("PreferenceAgainst",
		words.V{"metric": a.Metric, "cases": len(a.Against)})}}
	for i, id := range a.Against[:min(most, len(a.Against))] {
		if i > 0 {
			text = append(text, document.Span{Text: ", "})
		}
		text = append(text, document.Span{Text: line(id), Style: document.CaseID})
	}
	if more := len(a.Against) - most; more > 0 {
		text = append(text, document.Span{Text: ", " + x.w.More(more)})
	}
	return []document.Block{document.Paragraph{Text: text, Views: views}}
}

// preferenceTable has a row for each pair of runs.
func (x *compared) preferenceTable(p *summary.Preferences) document.Table {
	h := x.w.Names().PreferenceHeads
	t := document.Table{ID: "preferences", Name: x.w.Names().PreferencesTitle, NameMost: 24, Cut: true,
		Columns: []document.Column{
			{ID: "run", Head: h.Run, Words: true}, {ID: "beside", Head: h.Beside, Words: true}, {ID: "better", Head: h.Better},
			{ID: "same", Head: h.Same}, {ID: "worse", Head: h.Worse}, {ID: "rate", Head: h.Rate},
			{ID: "ci", Head: x.w.Interval(percent(x.c.Level))}, {ID: "p", Head: h.SameNow}, {ID: "n", Head: "n"}},
		Steps: []document.Step{{Drop: []string{"same", "worse", "better"}}},
	}
	for _, pair := range p.Pairs {
		rate, ends, test := "–", "–", "–"
		if pair.N > 0 {
			rate, ends, test = summary.Percent(pair.Rate), winRates(pair.N, pair.CI), summary.P(pair.PAdjusted)
		}
		won := document.Span{Text: rate}
		if pair.N > 0 && pair.Shown() {
			won.Style = document.Strong
		}
		t.Add(pair.New, pair.Old, pair.Better, pair.Same, pair.Worse, won, ends, test, pair.N)
	}
	return t
}

func (x *compared) preference(p summary.PreferencePair) string {
	part := func(n int) string { return summary.Percent(float64(n) / float64(p.N)) }
	return x.w.Say("Preferred", words.V{"Old": line(p.Old), "New": line(p.New), "Better": part(p.Better), "Worse": part(p.Worse),
		"Same": part(p.Same), "Rate": summary.Percent(p.Rate), "Interval": winRates(p.N, p.CI), "Cases": p.N, "Shown": p.Shown()})
}

func (x *compared) positionBias(b summary.PositionBias) string {
	ends := ""
	if ci := over(b.N, b.CI); ci != nil {
		ends = strings.TrimSuffix(pointsOf(ci), " %")
	}
	return x.w.Say("PositionBias", words.V{"Points": strings.TrimLeft(strings.TrimSuffix(points(math.Abs(b.Bias)), " %"), "+±"),
		"Cases": b.N, "Second": b.Bias < 0, "Shown": b.Shown() && b.N >= stats.Readable, "Interval": ends})
}

func (x *compared) preferenceAgreement(p summary.PreferencePair, a *summary.Agreement) string {
	kappa := ""
	if a.Kappa != nil {
		kappa = strings.ReplaceAll(fmt.Sprintf("%.2f", *a.Kappa), "-", "−")
	}
	return x.w.Say("PreferenceAgreement", words.V{"Old": line(p.Old), "New": line(p.New), "Metric": line(a.Metric),
		"Share": summary.Percent(a.Share), "Interval": sharesOver(a.N, a.CI), "Cases": a.N, "Kappa": kappa})
}

// sharesOver formats the interval of a share over n values; "" if there is none to show.
func sharesOver(n int, ci *stats.Interval) string {
	if ci = over(n, ci); ci == nil {
		return ""
	}
	return summary.Percents(*ci)
}

// winRates formats the interval of a win rate over n cases; "" if there is none to show. An
// end that leaves out one half and appears as such is marked.
func winRates(n int, ci *stats.Interval) string {
	if ci = over(n, ci); ci == nil {
		return ""
	}
	const half = "50 %"
	lo, hi := summary.Percent(ci.Lo), summary.Percent(ci.Hi)
	if lo == half && ci.Lo > 0.5 {
		lo = ">" + lo
	}
	if hi == half && ci.Hi < 0.5 {
		hi = "<" + hi
	}
	return strings.TrimSuffix(lo, " %") + "…" + hi
}
