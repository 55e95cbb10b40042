package web

import (
	"cmp"
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/draw"
	"github.com/assay-eval/assay/report/terminal"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
)

// A frontierView is the page of the frontier.
type frontierView struct {
	Names words.TrendNames
	// Datasets, Metrics and Axes are what can be chosen.
	Datasets, Metrics, Axes []option
	Findings, Omitted       []string
	Note, X                 string
	// Compare is the address of the comparison of the runs, "" if they are too few or too
	// many for one.
	Compare string
	Plot    template.HTML
	Rows    []frontierRow
	// NoCost is set if no target has a cost; Latency is then the address of that.
	NoCost  bool
	Latency string
	// Empty is set if there is no finished run at all.
	Empty bool
}

// A frontierRow is a target in the table.
type frontierRow struct {
	Address, Name, Day, Y, X, Behind, Tied string
}

// logRange is the ratio of the largest to the smallest value from which an axis is
// logarithmic.
const logRange = 30

// frontier is the page of quality against cost or latency.
func (p *Pages) frontier(r *request) (view, error) {
	data := frontierView{Names: r.w.Names().TrendNames}
	v := view{Template: "frontier", Title: data.Names.FrontierTitle, Place: placeFrontier}
	runs, err := p.cfg.Backend.Finished(r.Context())
	if err != nil {
		return v, err
	}
	if data.Empty = len(runs) == 0; data.Empty {
		v.Data = data
		return v, nil
	}
	f, err := p.cfg.Backend.Frontier(r.Context(), r.values.Get("dataset"), r.values.Get("x"), r.values.Get("y"))
	if err != nil {
		return v, err
	}
	data.choose(runs, f, r.values.Get("dataset"))
	if len(f.Spots) > 0 {
		v.Title = report.MetricTitle(f.Info) + " · " + v.Title
		data.tell(r, f)
	} else {
		data.NoCost = f.Axis == wire.AxisCost && f.Unknown > 0
		data.Latency = "/frontier" + r.values.with("x", wire.AxisLatency)
	}
	data.Omitted = r.w.FrontierOmitted(f.Unknown, f.Elsewhere, f.More)
	v.Data = data
	return v, nil
}

func (v *frontierView) axis(name string) string {
	if name == wire.AxisLatency {
		return v.Names.Latency
	}
	return v.Names.Cost
}

// choose fills in the controls.
func (v *frontierView) choose(runs []assay.Header, f wire.Frontier, dataset string) {
	dataset = cmp.Or(f.Dataset, dataset)
	datasets, metrics := map[string]bool{}, map[string]bool{}
	for _, h := range runs {
		if !datasets[h.Dataset.Name] && len(v.Datasets) < optionsShown {
			v.Datasets = append(v.Datasets, option{h.Dataset.Name, h.Dataset.Name, h.Dataset.Name == dataset})
		}
		datasets[h.Dataset.Name] = true
		if h.Dataset.Name != dataset {
			continue
		}
		for _, m := range h.Metrics {
			if !metrics[m.Name] && len(v.Metrics) < optionsShown {
				v.Metrics = append(v.Metrics, option{m.Name, report.MetricTitle(m), m.Name == f.Metric})
			}
			metrics[m.Name] = true
		}
	}
	for _, axis := range []string{wire.AxisCost, wire.AxisLatency} {
		v.Axes = append(v.Axes, option{axis, v.axis(axis), f.Axis == axis})
	}
}

// tell fills in the sentences, the picture and the table.
func (v *frontierView) tell(r *request, f wire.Frontier) {
	title, x := report.MetricTitle(f.Info), v.axis(f.Axis)
	v.X, v.Note = r.w.Say("LessIsBetter", words.V{"name": x}), r.w.Say("FrontierNote", words.V{"metric": title})
	amount := func(value float64) string {
		if f.Axis == wire.AxisLatency {
			return report.LatencyText(time.Duration(value * float64(time.Millisecond)))
		}
		return report.CostText(int64(value*1e6 + 0.5))
	}
	names := map[string]string{}
	var front []string
	for _, s := range f.Spots {
		names[s.Run] = document.Line(spotName(f, s))
		if s.Behind == nil {
			front = append(front, names[s.Run])
		}
	}
	named := func(runs []string) (out []string) {
		for _, run := range runs {
			out = append(out, names[run])
		}
		return out
	}
	if len(f.Spots) == 1 {
		v.Findings = append(v.Findings, r.w.Names().FrontierOne)
	} else {
		v.Findings = append(v.Findings, r.w.Say("FrontierFront",
			words.V{"names": r.w.List(front, 0), "all": len(front) == len(f.Spots), "of": len(f.Spots), "unranked": f.Unranked}))
		if len(f.Runs) <= MaxCompared && f.Unranked == "" {
			v.Compare = "/compare" + values{}.with("runs", strings.Join(f.Runs, ","), "primary", f.Metric)
		}
	}
	plot := draw.Front{XTick: amount, YTick: draw.Tick, XName: v.X, YName: document.Line(title), Label: document.Line(title + r.w.Names().Colon + x)}
	least, most := f.Spots[0].X, f.Spots[0].X
	for i, s := range f.Spots {
		least, most = min(least, s.X), max(most, s.X)
		spot := draw.Spot{Name: terminal.Fit(names[s.Run], 22), X: s.X, Y: s.Y, Behind: s.Behind != nil, Address: runAddress(s.Run)}
		spot.NameColumns = terminal.Columns(spot.Name)
		row := frontierRow{Address: spot.Address, Name: names[s.Run], Day: day(s.Started), Y: report.MeanText(r.w, f.Info, &s.Y, s.YCI, s.N),
			X: amount(s.X), Behind: v.Names.Nobody, Tied: r.w.List(named(s.Tied), 0)}
		if s.YCI != nil && s.N >= stats.Readable {
			spot.CI = &draw.Span{Lo: s.YCI[0], Hi: s.YCI[1]}
		}
		if s.XCI != nil {
			spot.XCI = &draw.Span{Lo: s.XCI[0], Hi: s.XCI[1]}
			row.X += " [" + amount(s.XCI[0]) + "…" + amount(s.XCI[1]) + "]"
		}
		row.X += " (" + itoa(s.XN) + ")"
		var behind []string
		for _, a := range s.Behind {
			behind = append(behind, names[a.Run])
		}
		if behind != nil {
			row.Behind = r.w.List(behind, 0)
			a := s.Behind[0]
			v.Findings = append(v.Findings, r.w.Say("FrontierBehind",
				words.V{"metric": title, "ahead": names[a.Run], "behind": names[s.Run], "quality": a.Y, "less": a.X, "timed": f.Axis == wire.AxisLatency}))
		}
		if f.Unranked != "" {
			row.Behind = "–"
		}
		for k, o := range f.Spots[:i] {
			if slices.Contains(s.Tied, o.Run) {
				spot.Tied = append(spot.Tied, k)
			}
		}
		spot.Title = names[s.Run] + r.w.Names().Colon + row.Y + ", " + row.X
		plot.Spots, v.Rows = append(plot.Spots, spot), append(v.Rows, row)
	}
	if first := f.Spots[0]; first.Tied != nil {
		v.Findings = append(v.Findings, r.w.Say("FrontierTied",
			words.V{"metric": title, "one": names[first.Run], "others": r.w.List(named(first.Tied), 0)}))
	}
	if plot.Log = least > 0 && most/least > logRange; len(f.Spots) > 1 {
		v.Plot = plot.SVG()
	}
}

// spotName names a target: by the name of its runs, its address or its adapter, and by more
// of these if another one has the same name.
func spotName(f wire.Frontier, s wire.FrontierSpot) string {
	system := cmp.Or(s.Endpoint, s.Adapter)
	if s.Name == "" {
		return system
	}
	for _, o := range f.Spots {
		if o.Run != s.Run && o.Name == s.Name {
			return s.Name + " · " + system
		}
	}
	return s.Name
}
