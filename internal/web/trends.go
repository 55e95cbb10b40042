package web

import (
	"cmp"
	"context"
	"html/template"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/draw"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// A TrendBackend answers what the pages about several runs show.
type TrendBackend interface {
	// Finished returns the headers of the finished runs, latest first, with what lists need.
	Finished(ctx context.Context) ([]assay.Header, error)
	// Trend returns a metric over time.
	Trend(ctx context.Context, q TrendQuery) (wire.Trend, error)
	// LatestOfTargets returns the latest run of each target over a dataset, the earliest first, and the metric that ranks
	// them, "" for that of the comparison. What is "" is chosen by the latest run.
	LatestOfTargets(ctx context.Context, dataset, metric string) (runs []string, primary string, err error)
}

// A TrendQuery chooses the runs of a trend. What is "" chooses all.
type TrendQuery struct {
	Metric, Dataset, Name string
	// Target is the adapter or the address of a target.
	Target string
	// ByTarget is set if runs of one target with different names can be compared.
	ByTarget bool
	// Limit is the number of the latest runs that are taken at most.
	Limit int
}

// Takes reports whether a run is in the trend.
func (q TrendQuery) Takes(h assay.Header) bool {
	_, has := wire.MetricOf(h, q.Metric)
	return has && (q.Dataset == "" || h.Dataset.Name == q.Dataset) && (q.Name == "" || h.Name == q.Name) &&
		(q.Target == "" || h.Target.Adapter == q.Target || h.Target.Endpoint == q.Target)
}

const (
	// trendShown is the number of runs of a trend on its page, optionsShown that of the
	// values that a control offers, and seriesTold that of the series with a sentence.
	trendShown   = 100
	optionsShown = 100
	seriesTold   = 4
)

// A trendView is the page of a trend.
type trendView struct {
	Names words.TrendNames
	// Datasets, Metrics, Targets, Runs and By are what can be chosen.
	Datasets, Metrics, Targets, Runs, By []option
	Findings                             []trendFinding
	Notes                                []string
	Plot                                 template.HTML
	Rows                                 []trendRow
	// Several is set if the rows are of several series.
	Several bool
	// Found counts the runs; Empty is set if there is no finished run at all.
	Found string
	Empty bool
}

// A trendFinding is what is said about a series. Head names it if there are several.
type trendFinding struct {
	Head  string
	Parts []trendPart
}

// A trendPart is a sentence, with the address of the comparison that says more.
type trendPart struct{ Text, Address string }

// A trendRow is a run in the table.
type trendRow struct {
	Address, Name, Day, Time, Mean, Series, Note string
	// Change describes the change before the run, Compare is the comparison across it.
	Change, Compare, Mark string
}

// trendOf is the address of the leading metric of a run over time; "" unless it is finished.
func trendOf(h assay.Header) string {
	m, ok := wire.LeadingMetric(h)
	if !ok || h.State != "finished" {
		return ""
	}
	return "/trends" + values{}.with("dataset", h.Dataset.Name, "metric", m.Name, "target", targetName(h), "name", h.Name, "by", "name")
}

// trends is the page of a metric over time.
func (p *Pages) trends(r *request) (view, error) {
	data := trendView{Names: r.w.Names().TrendNames}
	v := view{Template: "trends", Title: data.Names.TrendTitle, Place: placeTrends}
	runs, err := p.cfg.Backend.Finished(r.Context())
	if err != nil {
		return v, err
	}
	if data.Empty = len(runs) == 0; data.Empty {
		v.Data = data
		return v, nil
	}
	q, err := data.choose(r, runs)
	if err != nil {
		return v, err
	}
	t, err := p.cfg.Backend.Trend(r.Context(), q)
	if err != nil {
		return v, err
	}
	if len(t.Points) > 0 {
		v.Title = report.MetricTitle(t.Info) + " · " + v.Title
		data.tell(r, t, q)
	}
	data.Found = r.w.RunsFound(len(t.Points), len(t.Points))
	v.Data = data
	return v, nil
}

// choose returns the trend that the address states; what it does not state is that of the
// latest run that fits. It fills in the controls. A value that no run has is an error.
func (v *trendView) choose(r *request, runs []assay.Header) (q TrendQuery, err error) {
	q = TrendQuery{Limit: trendShown, ByTarget: r.values.Get("by") == "target"}
	all := slices.Clone(runs)
	stated := func(name string, of func(assay.Header) []string) string {
		value := r.values.Get(name)
		if name == "dataset" {
			value = wire.DatasetNamed(all, value)
		}
		var known []string
		for _, h := range all {
			known = append(known, of(h)...)
		}
		err = cmp.Or(err, Known(name, value, known))
		return value
	}
	// pick narrows the runs down to those with a value: the stated one, or that of the latest.
	pick := func(name string, of func(assay.Header) []string) (chosen string, options []option) {
		seen := map[string]bool{}
		for _, h := range runs {
			for _, value := range of(h) {
				if !seen[value] && len(options) < optionsShown {
					options = append(options, option{Value: value, Text: value})
				}
				seen[value] = true
			}
		}
		if chosen = stated(name, of); !seen[chosen] && len(options) > 0 {
			chosen = options[0].Value
		}
		runs = slices.DeleteFunc(runs, func(h assay.Header) bool { return !slices.Contains(of(h), chosen) })
		for i := range options {
			options[i].Chosen = options[i].Value == chosen
		}
		return chosen, options
	}
	q.Dataset, v.Datasets = pick("dataset", func(h assay.Header) []string { return []string{h.Dataset.Name} })
	q.Metric, v.Metrics = pick("metric", func(h assay.Header) (names []string) {
		if m, ok := wire.LeadingMetric(h); ok {
			names = append(names, m.Name)
		}
		return append(names, wire.MetricNames(h.Metrics)...)
	})
	if len(runs) == 0 {
		return q, err // they measured nothing
	}
	for i := range v.Metrics {
		if m, ok := wire.MetricOf(runs[0], v.Metrics[i].Value); ok {
			v.Metrics[i].Text = report.MetricTitle(m)
		}
	}
	q.Target, v.Targets = pick("target", func(h assay.Header) []string { return []string{targetName(h)} })
	name := stated("name", func(h assay.Header) []string { return []string{h.Name} })
	if name == "" && r.values.Get("by") == "" {
		name = runs[0].Name
	}
	v.Runs = []option{{"", v.Names.AnyName, name == ""}}
	seen := map[string]bool{"": true}
	for _, h := range runs {
		if !seen[h.Name] && len(v.Runs) < optionsShown {
			v.Runs = append(v.Runs, option{h.Name, h.Name, h.Name == name})
		}
		seen[h.Name] = true
	}
	if seen[name] {
		q.Name = name
	}
	v.By = []option{{"name", v.Names.NamesApart, !q.ByTarget}, {"target", v.Names.NamesTogether, q.ByTarget}}
	return q, err
}

// tell fills in the sentences, the picture and the table.
func (v *trendView) tell(r *request, t wire.Trend, q TrendQuery) {
	title := report.MetricTitle(t.Info)
	v.Several = len(t.Series) > 1
	byRun := map[string]int{}
	for i, p := range t.Points {
		byRun[p.Run] = i
	}
	alone := len(t.Series) > 1
	for _, s := range t.Series {
		alone = alone && s.Runs < 2 && s.Differs == nil
	}
	if alone && !q.ByTarget {
		v.Findings = append(v.Findings, trendFinding{Parts: []trendPart{{Text: r.w.Names().TrendAlone}}})
	}
	cuts := map[int]draw.TrendCut{}
	changed := map[int]trendRow{}
	for k := range slices.Backward(t.Series) {
		s := t.Series[k]
		first := slices.IndexFunc(t.Points, func(p wire.TrendPoint) bool { return p.Series == k })
		var found trendFinding
		if v.Several {
			found.Head = v.series(r, t, k) + r.w.Names().Colon
		}
		say := func(text, address string) { found.Parts = append(found.Parts, trendPart{text, address}) }
		for _, c := range slices.Backward(s.Changes) {
			last, next := t.Points[byRun[c.Last]], t.Points[byRun[c.First]]
			text := changeText(r.w, t.Info, c, last, next)
			address := "/compare" + values{}.with("runs", c.Last+","+c.First)
			say(text, address)
			class := "worse"
			if (c.After > c.Before) == (t.Info.Better != "lower") {
				class = "better"
			}
			if t.Info.Estimate {
				class = "none"
			}
			at := byRun[c.First]
			if c.Gradual {
				at = slices.IndexFunc(t.Points, func(p wire.TrendPoint) bool { return p.Started.Equal(c.At) && p.Series == k })
			}
			short := summary.Signed(t.Info, c.After-c.Before)
			cuts[at] = draw.TrendCut{At: at, Class: class, Text: short, Title: text, Address: address}
			changed[at] = trendRow{Change: short, Compare: address, Mark: class}
		}
		switch {
		case s.Runs < s.Needed:
			say(r.w.Say("TrendFew", words.V{"metric": title, "runs": s.Runs, "needed": s.Needed}), "")
		case len(s.Changes) == 0:
			say(r.w.Say("TrendStable", words.V{"metric": title, "runs": s.Runs}), "")
		}
		if s.Noise != nil {
			half := "0"
			if s.Noise.Half > 1e-9 {
				half = summary.RoundedUp(s.Noise.Half)
			}
			say(r.w.Say("TrendBand", words.V{"half": half, "changed": len(s.Changes) > 0}), "")
		}
		if s.Differs != nil {
			text := r.w.TrendApart(day(t.Points[first].Started), s.Differs)
			say(text, "")
			if _, taken := cuts[first]; !taken {
				cuts[first] = draw.TrendCut{At: first, Class: "other", Title: text}
			}
		}
		if len(t.Series)-1-k < seriesTold && !alone {
			v.Findings = append(v.Findings, found)
		}
	}
	v.Notes = []string{v.Names.Legend, v.Names.Means}
	v.Plot = trendPlot(r, t, cuts, title)
	for i, p := range slices.Backward(t.Points) {
		row := changed[i]
		row.Address, row.Day, row.Time = runAddress(p.Run), day(p.Started), p.Started.UTC().Format("15:04")
		row.Name, row.Mean, row.Series = runName(p), report.MeanText(r.w, t.Info, &p.Mean, p.CI, p.N), v.series(r, t, p.Series)
		if p.Partial {
			row.Note = r.w.Say("Partial", words.V{"n": p.N})
		}
		v.Rows = append(v.Rows, row)
	}
}

// series names a series: what ran, and when.
func (v *trendView) series(r *request, t wire.Trend, k int) string {
	s := t.Series[k]
	var days []string
	for _, p := range t.Points {
		if p.Series == k {
			days = append(days, day(p.Started))
		}
	}
	return document.Line(cmp.Or(s.Name, s.Endpoint, s.Adapter)) + ", " + r.w.Range(days[0], days[len(days)-1])
}

func changeText(w words.Words, m assay.MetricInfo, c wire.TrendChange, last, first wire.TrendPoint) string {
	from, to, on, difference := document.Line(runName(last)), document.Line(runName(first)), day(c.At), ""
	if last.Name == first.Name {
		from, to, on = moment(last.Started), moment(first.Started), ""
	}
	if c.Lo != nil && c.Hi != nil {
		difference = summary.Ends(m, stats.Interval{Lo: *c.Lo, Hi: *c.Hi})
	}
	return w.Say("TrendChanged", words.V{
		"Metric": report.MetricTitle(m), "Before": summary.Amount(m, c.Before), "After": summary.Amount(m, c.After), "P": summary.P(c.P),
		"Last": from, "First": to, "Day": on, "Difference": difference, "RunsBefore": c.RunsIn[0], "RunsAfter": c.RunsIn[1],
		"Rose": c.After > c.Before, "Better": (c.After > c.Before) == (m.Better != "lower"), "Gradually": c.Gradual, "Estimate": m.Estimate,
	})
}

// trendPlot draws the trend.
func trendPlot(r *request, t wire.Trend, cuts map[int]draw.TrendCut, title string) template.HTML {
	plot := draw.Trend{Lo: t.Info.Range[0], Hi: t.Info.Range[1], YName: document.Line(title), YTick: draw.Tick,
		Label: document.Line(r.w.Say("TrendPicture", words.V{"metric": title, "runs": len(t.Points)}))}
	for _, p := range t.Points {
		m := draw.TrendMark{Y: p.Mean, Line: p.Series, Aside: p.Partial, Address: runAddress(p.Run)}
		if p.CI != nil && p.N >= stats.Readable {
			m.CI = &draw.Span{Lo: p.CI[0], Hi: p.CI[1]}
		}
		m.Title = document.Line(runName(p) + ", " + moment(p.Started) + r.w.Names().Colon + report.MeanText(r.w, t.Info, &p.Mean, p.CI, p.N))
		plot.Marks, plot.Dates = append(plot.Marks, m), append(plot.Dates, day(p.Started))
	}
	for k, s := range t.Series {
		if s.Noise == nil {
			continue
		}
		var level []int // the points between two changes
		close := func() {
			if len(level) > 0 {
				var values []float64
				for _, i := range level {
					values = append(values, t.Points[i].Mean)
				}
				slices.Sort(values)
				middle, _ := stats.Quantile(values, 0.5)
				plot.Bands = append(plot.Bands, draw.TrendBand{From: level[0], To: level[len(level)-1], Level: middle, Half: s.Noise.Half})
			}
			level = nil
		}
		if slices.ContainsFunc(s.Changes, func(c wire.TrendChange) bool { return c.Gradual }) {
			continue // there is no level
		}
		for i, p := range t.Points {
			if p.Series != k || p.Partial {
				continue
			}
			if slices.ContainsFunc(s.Changes, func(c wire.TrendChange) bool { return c.First == p.Run }) {
				close()
			}
			level = append(level, i)
		}
		close()
	}
	for i := range t.Points {
		if c, ok := cuts[i]; ok {
			plot.Cuts = append(plot.Cuts, c)
		}
	}
	return plot.SVG()
}

func runName(p wire.TrendPoint) string { return cmp.Or(p.Name, p.Run) }

// day and moment format a time of a run, in UTC.
func day(t time.Time) string    { return t.UTC().Format("2006-01-02") }
func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }
