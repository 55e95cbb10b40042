package report

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/draw"
	"github.com/assay-eval/assay/report/terminal"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// tags shows the significant differences over the cases with one tag. A page shows
// every difference by tag.
func (x *compared) tags() []document.Section {
	c := x.c
	all, tested := c.found()
	s := document.Section{ID: "tags", Title: x.w.Names().ByTagTitle, Bare: document.Glance}
	text := document.Glance | document.Reading
	if tested > 0 && len(all) == 0 {
		s.Blocks = append(s.Blocks, document.Paragraph{Text: document.T(x.w.Say("NoneByTag", words.V{"tested": tested})), Views: text})
	} else if tested > 0 {
		s.Blocks = append(s.Blocks, x.foundTable(all, 8, document.Glance), x.foundTable(all, 20, document.Reading),
			document.Paragraph{Text: document.T(x.w.Say("TestedByTag", words.V{"tested": tested, "shown": len(all)})), Views: text})
	}
	out := []document.Section{s}
	if len(c.Slices) == 0 {
		return out
	}
	out[0].Blocks = append(out[0].Blocks, document.Paragraph{Kind: document.Note,
		Text: document.T(x.w.Say("TagHeatNote", words.V{"level": x.w.Interval(percent(c.Level))})), Views: document.Page})
	for i := 1; i < len(c.Runs); i++ {
		out = append(out, document.Section{Sub: true, Title: c.Runs[i], Views: document.Page, Blocks: []document.Block{x.tagTable(i)}})
	}
	return out
}

func (x *compared) foundTable(all []found, most int, view document.Views) document.Table {
	h := x.w.Names().DifferenceHeads
	t := document.Table{
		ID: "found", Cut: true, Most: most, Views: view, NameMost: 24,
		Columns: []document.Column{{ID: "tag", Head: x.w.Names().Tag, Short: x.w.Names().ByTag, Words: true},
			{ID: "metric", Head: h.Metric, Words: true, Most: 24}, {ID: "run", Head: x.w.Names().Strategy, Short: h.Run, Words: true, Most: 16},
			{ID: "delta", Head: "Δ"}, {ID: "ci", Head: x.w.Interval(percent(x.c.Level))}, {ID: "p", Head: "p (BH)"}, {ID: "n", Head: "n"}},
	}
	for _, f := range all[:min(len(all), most)] {
		m := f.row.MetricInfo
		t.Add(f.tag, document.Span{Text: m.Name, Style: document.Metric, Title: m.Title, Lower: m.Better == "lower"}, f.run, signed(m, f.d.Diff),
			x.signedInterval(f.row, f.d.CI), pValue(m, f.d), f.d.N)
	}
	return t
}

// tagTable is one run's differences from the baseline, by tag and metric.
func (x *compared) tagTable(i int) document.Table {
	c := x.c
	t := document.Table{ID: "heat changes", Name: line(c.Runs[i]) + " – " + x.w.Names().ByTag,
		Columns: []document.Column{{Head: x.w.Names().Tag, Words: true}, {Head: x.w.Names().CasesHead}}}
	reach := map[string]float64{}
	for _, row := range c.Rows {
		t.Columns = append(t.Columns, document.Column{Head: arrow(row.MetricInfo)})
	}
	for _, s := range c.Slices {
		for _, row := range s.Rows {
			for _, d := range row.Differences {
				reach[row.Name] = max(reach[row.Name], math.Abs(d.Diff))
			}
		}
	}
	for _, s := range c.Slices {
		r := document.Row{Cells: document.Cells(s.Tag, s.Cases)}
		for _, row := range s.Rows {
			r.Cells = append(r.Cells, tagDifference(row, i, reach[row.Name]))
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// tagDifference returns a difference over the cases with one tag. Its shade shows its
// size: "up3", "down1".
func tagDifference(row summary.ComparisonRow, i int, reach float64) document.Cell {
	d := row.Differences[i-1]
	if d.N == 0 {
		return document.Cell{Text: document.T("–")}
	}
	text := document.Span{Text: signed(row.MetricInfo, d.Diff)}
	if d.N >= summary.SliceCases && summary.Shown(d) {
		text = document.Span{Text: shownSign(row.MetricInfo, d) + " " + text.Text, Style: document.Strong}
	}
	cell := document.Cell{Text: document.Text{text}, Below: "(" + itoa(d.N) + ")"}
	if d.CI != nil {
		cell.Below += " " + summary.Ends(row.MetricInfo, *d.CI)
	}
	if row.Estimate || reach == 0 || math.Abs(d.Diff) <= equal {
		return cell
	}
	cell.Shade = "down"
	if summary.Improves(row.MetricInfo, d) {
		cell.Shade = "up"
	}
	cell.Shade += string(rune('1' + min(int(4*math.Abs(d.Diff)/reach), 3)))
	return cell
}

// front compares quality with cost and latency.
func (x *compared) front() []document.Section {
	c := x.c
	known := func(s summary.Standing) bool { return s.Cost != nil || s.Latency != nil }
	if _, ok := c.primary(); !ok || !slices.ContainsFunc(c.Standings, known) {
		return nil
	}
	s := document.Section{ID: "front", Title: x.w.Names().FrontTitle, Nav: x.w.Names().FrontNav, Bare: document.Glance}
	note := document.Paragraph{Kind: document.Note, Text: document.T(x.w.Say("FrontNote", words.V{"plots": false})), Views: document.Reading}
	pageNote := note
	pageNote.Text, pageNote.Views = document.T(x.w.Say("FrontNote", words.V{"plots": true})), document.Page
	s.Blocks = append(s.Blocks, pageNote)
	if plots := x.frontPlots(); plots != nil {
		s.Blocks = append(s.Blocks, document.Beside{Blocks: plots, Views: document.Page})
	}
	s.Blocks = append(s.Blocks, x.frontTable(), note)
	return []document.Section{s}
}

func (x *compared) frontTable() document.Table {
	c, h := x.c, x.w.Names().FrontHeads
	m, _ := c.primary()
	const glance, wide = document.Glance, document.Reading | document.Page
	t := document.Table{
		ID: "standings", Name: x.w.Names().FrontTitle, NameMost: 20, Cut: true,
		Columns: []document.Column{{ID: "run", Head: x.w.Names().Strategy, Short: x.w.Names().DifferenceHeads.Run, Words: true},
			{ID: "quality", Head: m.Title, Short: m.Name, Views: wide}, {ID: "mean", Head: m.Name, Short: m.Name, Views: glance},
			{ID: "ci", Head: x.w.Interval(percent(c.Level)), Views: glance}, {ID: "n", Head: "n", Views: glance},
			{ID: "cost", Head: h.Cost, Short: h.ShortCost}, {ID: "latency", Head: h.Latency, Short: h.ShortLatency},
			{ID: "standing", Head: h.Standing, Words: true, Role: "wide"}, {ID: "tied", Head: h.Tied, Words: true, Role: "wide"}},
		Steps: []document.Step{{Stack: [][2]string{{"standing", "tied"}}}},
	}
	for _, s := range c.Standings {
		name, around, n := mean(m, s.Quality), ends(x.w, m, s.Quality), itoa(s.Quality.N)
		quality := document.Cell{Text: document.T(name)}
		if s.Quality.N > 0 {
			quality = document.Cell{Text: document.T(name + " (" + n + ")"), Below: around}
		}
		cost, latency := "–", "–"
		if s.Cost != nil {
			cost = caseCost(*s.Cost)
		}
		if s.Latency != nil {
			latency = duration(*s.Latency)
		}
		standing := document.Span{Text: x.w.Standing(line(s.Dominated))}
		if s.Dominated == "" {
			standing.Style = document.Strong
		}
		t.Add(line(s.Run), quality, name, around, n, cost, latency, standing, strings.Join(s.Tied, ", "))
	}
	return t.Filled("cost")
}

// frontPlots plots quality against cost and against latency, each if it is known for
// at least two runs.
func (x *compared) frontPlots() []document.Block {
	m, ok := x.c.primary()
	if !ok {
		return nil
	}
	var out []document.Block
	h := x.w.Names().FrontHeads
	for _, axis := range []struct {
		name string
		of   func(summary.Standing) (float64, bool)
		tick func(float64) string
	}{
		{h.Cost, func(s summary.Standing) (float64, bool) {
			if s.Cost == nil {
				return 0, false
			}
			return float64(*s.Cost), true
		}, func(v float64) string { return caseCost(int64(math.Round(v))) }},
		{h.Latency, func(s summary.Standing) (float64, bool) {
			if s.Latency == nil {
				return 0, false
			}
			return float64(*s.Latency), true
		}, func(v float64) string { return duration(time.Duration(v)) }},
	} {
		f := draw.Front{XTick: axis.tick, YTick: func(v float64) string { return number(m, v) },
			XName: x.w.Say("LessIsBetter", words.V{"name": axis.name})}
		f.Label = line(m.Name) + ": " + axis.name
		var runs []summary.Standing
		for _, s := range x.c.Standings {
			v, ok := axis.of(s)
			if !ok || s.Quality.N == 0 {
				continue
			}
			f.YName = line(m.Name) + ", " + x.w.Interval(percent(s.Quality.Level))
			spot := draw.Spot{Name: terminal.Fit(line(s.Run), 22), X: v, Y: s.Quality.Mean, CI: spanOf(s.Quality.CI), Behind: s.Dominated != ""}
			spot.NameColumns = terminal.Columns(spot.Name)
			spot.Title = line(s.Run) + ": " + number(m, s.Quality.Mean) + ", " + axis.tick(v) + ", " + x.w.Standing(line(s.Dominated))
			for k, o := range runs {
				if slices.Contains(s.Tied, o.Run) {
					spot.Tied = append(spot.Tied, k)
				}
			}
			f.Spots, runs = append(f.Spots, spot), append(runs, s)
			f.Label += "; " + spot.Title
		}
		if len(f.Spots) > 1 {
			out = append(out, document.Figure{Plot: f})
		}
	}
	return out
}

// changed lists, for each run, the cases that changed most.
func (x *compared) changed() []document.Section {
	c := x.c
	out := []document.Section{{ID: "changed", Title: x.w.Names().ChangedTitle, Views: document.Page}}
	glance := 5
	if len(c.Runs) > 2 {
		glance = 3
	}
	for i := 1; i < len(c.Runs); i++ {
		all := c.changes(i)
		for _, v := range []struct {
			view document.Views
			most int
		}{{document.Glance, x.o.cases(glance)}, {document.Reading, x.o.cases(10)}, {document.Page, 10}} {
			if shown := foremost(all, v.most); len(shown) > 0 {
				out = append(out, document.Section{Sub: true,
					Title: x.w.Say("ChangedIn", words.V{"baseline": c.Runs[0], "run": c.Runs[i], "shown": len(shown), "of": len(all)}), Views: v.view,
					Blocks: []document.Block{x.changeTable(shown)}})
			}
		}
	}
	return out
}

func (x *compared) changeTable(changes []change) document.Table {
	h := x.w.Names().ChangeHeads
	t := document.Table{
		ID: "moved", Cut: true, NameMost: 24,
		Columns: []document.Column{{Head: h.Case, Words: true}, {Head: h.Metric, Words: true, Role: "metric", Most: 24},
			{Head: h.Values, Role: "values"}, {Head: "Δ", Role: "delta"}, {ID: "question", Head: h.Question, Words: true, Role: "q"}},
	}
	for _, v := range changes {
		m := x.c.Rows[v.row].MetricInfo
		cell := document.Cell{Text: document.T("▲ " + signed(m, v.new-v.old))}
		if v.worse {
			cell = document.Cell{Text: document.T("▼ " + signed(m, v.new-v.old)), Mark: document.Bad}
		}
		t.Add(document.C(clip(line(v.id), 80)), arrow(m), number(m, v.old)+" → "+number(m, v.new), cell, clip(line(x.c.question(v.id)), 160))
	}
	return t.Filled("question")
}

// settings shows the settings that differ between the runs.
func (x *compared) settings() []document.Section {
	all := x.c.Settings(x.w)
	if len(all) == 0 {
		return nil
	}
	t := document.Table{
		ID: "settings", Name: x.w.Names().SettingsTitle, Cut: true, Most: 8, NameMost: 28,
		Columns: []document.Column{{Head: x.w.Names().Provenance.Setting, Short: document.LowerFirst(x.w.Names().SettingsTitle), Words: true}},
		Omitted: func(rows, _ int) string {
			if rows == 0 {
				return ""
			}
			return x.w.Say("MoreSettings", words.V{"n": rows})
		},
	}
	for _, name := range x.c.Runs {
		t.Columns = append(t.Columns, document.Column{Head: name, Short: terminal.Fit(line(name), 24), Words: true, Most: 28})
	}
	for _, s := range all {
		cells := document.Cells(document.C(s.Key))
		for _, v := range s.Values {
			value := document.T("–")
			if v = line(v); v != "" {
				value = document.C(clip(v, 120))
			}
			cells = append(cells, document.Cell{Text: value})
		}
		t.Rows = append(t.Rows, document.Row{Cells: cells})
	}
	return []document.Section{{ID: "settings", Title: x.w.Names().SettingsTitle, Bare: document.Glance, Blocks: []document.Block{t}}}
}

// lost compares where the runs lose answers.
func (x *compared) lost() []document.Section {
	c := x.c
	if c.Lost == nil {
		return nil
	}
	note := document.Paragraph{Kind: document.Note, Text: document.T(x.w.Names().LostCompareNote)}
	wide := document.Section{ID: "lost", Title: x.w.Names().LostTitle, Views: document.Reading | document.Page, Blocks: []document.Block{note}}
	var out []document.Section
	var same, answered []string
	for i, lost := range c.Lost {
		if len(lost) == 0 {
			continue
		}
		t := x.lostTable(i+1, lost)
		wide.Blocks = append(wide.Blocks, t)
		if slices.ContainsFunc(lost, x.lostShown) {
			out = append(out, document.Section{ID: "lost",
				Title: x.w.Say("LostOf", words.V{"baseline": c.Runs[0], "run": c.Runs[i+1], "cases": lost[0].Cases}), Views: document.Glance,
				Blocks: []document.Block{t}})
			continue
		}
		last := lost[len(lost)-1]
		if same == nil {
			answered = append(answered, line(c.Runs[0])+" "+summary.Percent(last.Old))
		}
		same, answered = append(same, line(c.Runs[i+1])), append(answered, line(c.Runs[i+1])+" "+summary.Percent(last.New))
	}
	if len(out) > 0 {
		out[len(out)-1].Blocks = append(out[len(out)-1].Blocks, note)
	}
	if same != nil {
		last := c.Lost[0]
		for _, l := range c.Lost {
			if len(l) > 0 {
				last = l
				break
			}
		}
		text := x.w.Say("LostSame",
			words.V{"runs": same, "baseline": line(c.Runs[0]), "reached": x.w.Reached(last[len(last)-1].Retrieval), "shares": answered})
		out = append(out, document.Section{ID: "lost", Bare: document.Glance, Views: document.Glance,
			Blocks: []document.Block{document.Paragraph{Text: document.T(text)}}})
	}
	return append(out, wide)
}

func (x *compared) lostShown(d summary.LostDifference) bool { return d.PAdjusted < 1-x.c.Level }

func (x *compared) lostTable(i int, lost []summary.LostDifference) document.Table {
	c := x.c
	t := document.Table{
		ID: "stages falls", Cut: true, NameMost: 20,
		Columns: []document.Column{{ID: "stage", Head: x.w.LostHeads("").Stage, Words: true},
			{ID: "old", Head: c.Runs[0], Short: terminal.Fit(line(c.Runs[0]), 20)}, {ID: "new", Head: c.Runs[i], Short: terminal.Fit(line(c.Runs[i]), 20)},
			{ID: "delta", Head: "Δ"}, {ID: "ci", Head: x.w.Interval(percent(c.Level))}, {ID: "p", Head: "p (maxT)"}},
		Steps: []document.Step{{Drop: []string{"ci"}}},
	}
	for _, d := range lost {
		name, rank, worse := x.w.Stage(d.Stage), document.Part, d.Diff > 0
		if d.Stage == "" {
			name, rank, worse = x.w.Reached(d.Retrieval), document.End, d.Diff < 0
		}
		change, mark := document.Span{Text: "~ " + points(d.Diff)}, document.None
		switch shown := x.lostShown(d); {
		case shown && worse:
			change, mark = document.Span{Text: "▼ " + points(d.Diff), Style: document.Strong}, document.Bad
		case shown:
			change, mark = document.Span{Text: "▲ " + points(d.Diff), Style: document.Strong}, document.Good
		}
		t.Rows = append(t.Rows, document.Row{Rank: rank, Cells: document.Cells(name, summary.Percent(d.Old), summary.Percent(d.New),
			document.Cell{Text: document.Text{change}, Mark: mark}, pointsOf(d.CI), summary.P(d.PAdjusted))})
	}
	return t
}

// A found is a significant difference over the cases with one tag.
type found struct {
	tag, run string
	row      summary.ComparisonRow
	d        stats.Comparison
}

// found returns the significant differences over the cases with one tag, and the
// number of differences tested.
func (c *Comparison) found() (out []found, tested int) {
	for _, s := range c.Slices {
		for _, row := range s.Rows {
			if row.Estimate {
				continue
			}
			for i, d := range row.Differences {
				if d.N >= summary.SliceCases {
					tested++
				}
				if d.N >= summary.SliceCases && summary.Shown(d) {
					out = append(out, found{s.Tag, c.Runs[i+1], row, d})
				}
			}
		}
	}
	return out, tested
}

// primary returns the metric that the standings use.
func (c *Comparison) primary() (assay.MetricInfo, bool) {
	row, ok := c.row(c.Primary)
	return row.MetricInfo, ok
}

// caseCost formats the cost of one case. It keeps at least two significant digits,
// because a case costs a fraction of a cent.
func caseCost(micro int64) string {
	v := float64(micro) / 1e6
	places := 2
	for places < 6 && v > 0 && v < math.Pow10(1-places) {
		places++
	}
	return "$" + strconv.FormatFloat(v, 'f', places, 64)
}
