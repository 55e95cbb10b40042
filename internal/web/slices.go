package web

import (
	"context"
	"html/template"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/draw"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
	"github.com/assay-eval/assay/summary/explore"
)

// A SliceBackend looks through the slices of runs.
type SliceBackend interface {
	// Slices looks for slices of a finished run on which a metric departs.
	Slices(ctx context.Context, h assay.Header, m assay.MetricInfo) (explore.Finding, error)
}

// A sliceList is what looking through slices came to.
type sliceList struct {
	// Action is the address of the form, and Hidden are its other parameters.
	Action        string
	Hidden        []option
	Metrics, Runs []option
	// Sentence says what was found, Wait why nothing was looked at.
	Sentence, Missing, Note, Wait string
	Inside, Others                string
	Rows                          []sliceRow
	Axis                          template.HTML
}

// A sliceRow is a slice that departs.
type sliceRow struct {
	Text, Filter, Address, Cases, Mean, Within, Rest, Diff, Ends, P string
	Sign                                                            string
	Worse                                                           bool
	Plot                                                            template.HTML
	Also                                                            []chip
}

// slices is the page of the slices of a run.
func (p *Pages) slices(r *request, one Run) (view, error) {
	h := one.Header
	n := r.w.Names().SliceNames
	list := &sliceList{Action: slicesAddress(h.ID), Inside: n.Inside, Others: n.Others}
	leading, _ := wire.LeadingMetric(h)
	m, ok, err := list.choose(r, h.Metrics, leading.Name)
	if err != nil {
		return view{}, err
	}
	switch {
	case h.State != "finished":
		list.Wait = n.Later
	case !ok:
		list.Wait = n.Estimates
	default:
		f, err := p.cfg.Backend.Slices(r.Context(), h, m)
		if err != nil {
			return view{}, err
		}
		list.show(r.w, m, f, false, func(q query.Query) string { return filterAddress(h.ID, q.String()) })
	}
	data := struct {
		Run  runRow
		List *sliceList
	}{rowOf(r.w, one), list}
	return view{Template: "slices", Title: n.Title + " · " + data.Run.Name, Place: placeRuns, Data: data}, nil
}

// comparedSlices is the list of the slices of a comparison.
func (p *Pages) comparedSlices(r *request, c Comparison) (*sliceList, error) {
	rep, n := c.Report(), r.w.Names().SliceNames
	list := &sliceList{Action: "/compare", Hidden: r.values.hidden("runs", "base", "primary", "view"), Inside: n.Change, Others: n.OtherChange}
	run, err := runOf(r, rep)
	if err != nil {
		return nil, err
	}
	list.Runs = runsOf(rep, run)
	m, ok, err := list.choose(r, rep.Metrics(), rep.Primary)
	if err != nil {
		return nil, err
	}
	finished := !slices.ContainsFunc(rep.Reports, func(one *report.Report) bool { return one.Header.State != "finished" })
	switch {
	case !finished:
		list.Wait = n.Later
		return list, nil
	case !ok:
		list.Wait = n.Estimates
		return list, nil
	}
	f, err := c.Slices(r.Context(), run, m)
	if err != nil {
		return nil, err
	}
	list.show(r.w, m, f, true, func(q query.Query) string {
		return "/compare" + r.values.only("runs", "base", "primary", "run", "metric").with("view", viewMatrix, "q", q.String())
	})
	return list, nil
}

// choose offers the metrics that are tested, and returns the one that the address names, else
// the leading one. ok is false if there is none.
func (l *sliceList) choose(r *request, metrics []assay.MetricInfo, leading string) (m assay.MetricInfo, ok bool, _ error) {
	tested := summary.Tested(metrics)
	if err := Measured(r.values.Get("metric"), metrics); err != nil || len(tested) == 0 {
		return m, false, err
	}
	named := func(name string) int {
		return slices.IndexFunc(tested, func(m assay.MetricInfo) bool { return m.Name == name })
	}
	at := max(0, named(leading))
	if i := named(r.values.Get("metric")); i >= 0 {
		at = i
	}
	for i, m := range tested {
		l.Metrics = append(l.Metrics, option{m.Name, report.MetricTitle(m), i == at})
	}
	return tested[at], true, nil
}

// show fills in what was found. address is that of the cases of a filter.
func (l *sliceList) show(w words.Words, m assay.MetricInfo, f explore.Finding, changes bool, address func(query.Query) string) {
	percent := func(v float64) string { return summary.Percent(math.Round(v*1e6) / 1e6) }
	l.Sentence = w.Say("SlicesFound", words.V{"metric": report.MetricTitle(m), "found": len(f.Departures), "looked": f.Looked, "change": changes})
	l.Missing = w.Say("SliceMissing", words.V{"cases": f.Cases - f.Valued, "of": f.Cases, "change": changes})
	l.Note = w.Say("SlicesNote", words.V{"level": percent(f.Level), "rate": percent(1 - f.Level), "least": explore.LeastCases})
	amount := func(v float64) string { return summary.Amount(m, v) }
	if changes {
		amount = func(v float64) string { return summary.Signed(m, v) }
	}
	reach := 0.0
	for _, d := range f.Departures {
		reach = max(reach, math.Abs(d.Diff))
		if d.CI != nil {
			reach = max(reach, math.Abs(d.CI.Lo), math.Abs(d.CI.Hi))
		}
	}
	reach = draw.Reach(reach)
	text := func(s explore.Slice) string { return w.SliceOf(string(s.Kind), document.Line(s.Value), s.From, s.To) }
	for _, d := range f.Departures {
		q := d.Query()
		row := sliceRow{Text: text(d.Slice), Filter: q.String(), Address: address(q),
			Cases: w.Say("SliceCases", words.V{"cases": d.Cases, "valued": d.N}), Mean: amount(d.Mean),
			Rest: amount(d.Rest), Diff: summary.Signed(m, d.Diff), Worse: d.Worse, Sign: "▲", P: summary.P(d.Q)}
		if d.Worse {
			row.Sign = "▼"
		}
		if d.Within != nil {
			row.Within = summary.Ends(m, *d.Within)
		}
		plot := draw.Forest{Diff: d.Diff, Shown: true, Better: !d.Worse, Reach: reach, Label: row.Text + w.Names().Colon + row.Diff}
		if d.CI != nil {
			row.Ends, plot.CI = summary.Ends(m, *d.CI), spanOf(*d.CI)
			plot.Label += " (" + row.Ends + ")"
		}
		row.Plot = plot.SVG()
		for _, also := range d.Also {
			row.Also = append(row.Also, chip{Text: text(also), Label: also.Query().String(), Address: address(also.Query())})
		}
		l.Rows = append(l.Rows, row)
	}
	if len(l.Rows) > 0 {
		l.Axis = draw.ForestAxis{Reach: reach, Label: w.Say("AxisLabel", words.V{"unit": m.Unit})}.SVG()
	}
}

func spanOf(i stats.Interval) *draw.Span { return &draw.Span{Lo: i.Lo, Hi: i.Hi} }

func slicesAddress(run string) string { return runAddress(run) + "/slices" }

// runOf returns the run of a comparison that the address sets against the baseline.
func runOf(r *request, rep *report.Comparison) (int, error) {
	var ids []string
	for _, one := range rep.Reports[1:] {
		ids = append(ids, one.Header.ID)
	}
	run := r.values.Get("run")
	return max(0, slices.Index(ids, run)) + 1, Known("compared run", run, ids)
}

// runsOf lists the runs that can be set against the baseline, if there are several.
func runsOf(rep *report.Comparison, chosen int) (out []option) {
	for i, one := range rep.Reports[1:] {
		out = append(out, option{one.Header.ID, rep.Runs[i+1], i+1 == chosen})
	}
	if len(out) == 1 {
		return nil
	}
	return out
}
