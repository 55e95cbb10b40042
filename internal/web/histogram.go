package web

import (
	"fmt"
	"strconv"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
)

// A histogram shows how the values of a metric are spread over the selected cases. Each bar
// leads to its cases.
type histogram struct {
	Title string
	Bars  []bar
	// Low and High are the ends of the axis.
	Low, High string
	N         int
}

// A bar is a part of a histogram, in units of its drawing: 10 wide, 32 high.
type bar struct {
	X, Y, Height   int
	Title, Address string
}

const barsHigh = 32

// histogramsOf returns the histograms of the metrics that have values.
func histogramsOf(r *request, h assay.Header, f caseFilter, counts wire.Facets) []histogram {
	var out []histogram
	for i, m := range counts.Metrics {
		if m.N == 0 || m.High <= m.Low {
			continue
		}
		out = append(out, histogramOf(r, h, f, h.Metrics[i], m))
	}
	return out
}

func histogramOf(r *request, h assay.Header, f caseFilter, info assay.MetricInfo, m wire.MetricFacet) histogram {
	out := histogram{Title: report.MetricTitle(info), N: m.N, Low: short(m.Low), High: short(m.High)}
	most := 1
	for _, n := range m.Bins {
		most = max(most, n)
	}
	for i, n := range m.Bins {
		if n == 0 {
			continue
		}
		from, to := m.Edge(i), m.Edge(i+1)
		within := query.Term(info.Name, ">=", precise(from))
		if i < wire.FacetBins-1 {
			within = within.With(query.Term(info.Name, "<", precise(to)))
		}
		height := max(2, n*barsHigh/most)
		out.Bars = append(out.Bars, bar{
			X: 10 * i, Y: barsHigh - height, Height: height, Title: r.w.Say("BinOf", words.V{"from": short(from), "to": short(to), "n": n, "draws": h.Repeat > 1}),
			Address: casesAddress(h.ID) + r.values.with("q", f.query.With(within).String()),
		})
	}
	return out
}

func short(v float64) string   { return fmt.Sprintf("%.4g", v) }
func precise(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
