package wire

import (
	"cmp"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/summary"
)

// A Frontier sets the quality of targets against what a case costs, or how long it takes, in
// the latest run of each.
type Frontier struct {
	Metric  string         `json:"y" doc:"name of the metric" example:"recall@5"`
	Axis    string         `json:"x" enum:"cost,latency" doc:"what it is set against"`
	Unit    string         `json:"x_unit" enum:"usd,ms" doc:"unit of x"`
	Dataset string         `json:"dataset" doc:"name of the dataset" example:"rivers.jsonl"`
	Content string         `json:"dataset_hash" doc:"fingerprint of the dataset: that of the latest run" example:"sha256:9f86d081"`
	Spots   []FrontierSpot `json:"targets" nullable:"false" doc:"the targets, best mean first"`
	// Unknown and Elsewhere count targets that are not among them.
	Unknown   int    `json:"without_x" doc:"number of targets without a known cost or latency" example:"0"`
	Elsewhere int    `json:"not_comparable" doc:"targets whose runs are over other data, or have another judge or version of the metric" example:"1"`
	More      int    `json:"left_out" doc:"number of further targets, whose runs are older" example:"0"`
	Unranked  string `json:"unranked,omitempty" doc:"why the targets cannot be ranked; absent if they are" example:"metric tone is an estimate"`
	// Runs are those that are compared, the baseline first.
	Runs []string `json:"-"`
	// Info describes the metric.
	Info assay.MetricInfo `json:"-"`
}

// A FrontierSpot is the latest run of a target.
type FrontierSpot struct {
	Run      string      `json:"run_id" doc:"id of the run" example:"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`
	Name     string      `json:"name,omitempty" doc:"name that the run was given" example:"hybrid"`
	Started  time.Time   `json:"started" doc:"start of the run" example:"2026-03-02T09:30:00Z"`
	Adapter  string      `json:"adapter" doc:"kind of the target" example:"http"`
	Endpoint string      `json:"endpoint,omitempty" doc:"address of the target" example:"https://rag.example.org/ask"`
	X        float64     `json:"x_value" doc:"mean cost of a response, or median latency" example:"0.0021"`
	XCI      *[2]float64 `json:"x_ci" required:"true" doc:"its interval; null if the responses are too few" example:"[0.0019, 0.0024]"`
	XN       int         `json:"x_n" doc:"number of responses that it is of" example:"500"`
	Y        float64     `json:"y_value" doc:"mean of the metric" example:"0.781"`
	YCI      *[2]float64 `json:"y_ci" required:"true" doc:"its interval; null if the cases are too few" example:"[0.743, 0.816]"`
	N        int         `json:"n" doc:"number of cases with a value" example:"500"`
	Behind   []Ahead     `json:"dominated_by,omitempty" nullable:"false" doc:"the target that dominates it in a comparison of all these runs with y as the primary metric"`
	Tied     []string    `json:"tied_with,omitempty" nullable:"false" doc:"runs whose means do not differ significantly from its own in that comparison" example:"[\"01990a3e-7c1d\"]"`
}

// Ahead is a target that dominates another, as in [summary.Standing].
type Ahead struct {
	Run string `json:"run_id" doc:"id of its run" example:"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`
	Y   bool   `json:"better" doc:"set if its mean is shown to be better"`
	X   bool   `json:"cheaper" doc:"set if it costs less, or is faster"`
}

// The axes of a frontier.
const (
	AxisCost    = "cost"
	AxisLatency = "latency"
)

// MostTargets is the largest number of targets of a frontier.
const MostTargets = 20

// LeadingMetric returns the metric of a run that a list shows: the composite or the primary
// metric, else the first.
func LeadingMetric(h assay.Header) (assay.MetricInfo, bool) {
	for _, name := range []string{assay.CompositeName, h.Config["primary"]} {
		if m, ok := MetricOf(h, name); ok {
			return m, true
		}
	}
	if len(h.Metrics) == 0 {
		return assay.MetricInfo{}, false
	}
	return h.Metrics[0], true
}

// A target is what a run asked: two runs with the same one are of the same system.
type targetKey struct{ adapter, endpoint, name string }

func targetOf(h assay.Header) targetKey {
	return targetKey{h.Target.Adapter, h.Target.Endpoint, h.Name}
}

// LatestOfTargets returns, of runs that have a metric, latest first, the latest of each
// target that can be compared with the latest of all: at most [MostTargets]. elsewhere counts
// targets without such a run, and more those beyond the limit.
func LatestOfTargets(runs []assay.Header, metric string) (latest []assay.Header, elsewhere, more int) {
	taken, all := map[targetKey]bool{}, map[targetKey]bool{}
	for _, h := range runs {
		all[targetOf(h)] = true
		if taken[targetOf(h)] || Differs(runs[0], h, metric) != nil {
			continue
		}
		taken[targetOf(h)] = true
		if len(latest) < MostTargets {
			latest = append(latest, h)
		} else {
			more++
		}
	}
	return latest, len(all) - len(taken), more
}

// FrontierOf sets runs against each other, with their means. The axis "" is cost if any run
// has one, else latency.
func FrontierOf(metric, axis string, runs []assay.Header, means []Means) Frontier {
	if axis == "" {
		axis = AxisLatency
		if slices.ContainsFunc(means, func(m Means) bool { return m.Cost != nil }) {
			axis = AxisCost
		}
	}
	out := Frontier{Metric: metric, Axis: axis, Unit: "usd", Spots: []FrontierSpot{}}
	if axis == AxisLatency {
		out.Unit = "ms"
	}
	for i, h := range runs {
		out.Dataset, out.Content = h.Dataset.Name, h.Dataset.Hash
		out.Info, _ = MetricOf(h, metric)
		e, ok := means[i].Of(metric)
		if !ok {
			continue
		}
		q := means[i].Cost
		if axis == AxisLatency {
			q = means[i].Latency
		}
		if q == nil {
			out.Unknown++
			continue
		}
		s := FrontierSpot{Run: h.ID, Name: h.Name, Started: h.Started, Adapter: h.Target.Adapter, Endpoint: h.Target.Endpoint,
			X: q.Value / 1e6, XN: q.N, Y: *e.Mean, YCI: e.CI, N: e.N}
		if q.CI != nil {
			s.XCI = &[2]float64{max(0, q.CI.Lo) / 1e6, q.CI.Hi / 1e6}
		}
		out.Spots = append(out.Spots, s)
	}
	slices.SortStableFunc(out.Spots, func(a, b FrontierSpot) int {
		if out.Info.Better == "lower" {
			a, b = b, a
		}
		return cmp.Compare(b.Y, a.Y)
	})
	return out
}

// Rank fills in what a comparison of the runs, with the metric as the primary one, says of them.
func (f *Frontier) Rank(c *report.Comparison) {
	at := func(name string) int { return slices.Index(c.Runs, name) }
	for i := range f.Spots {
		s := &f.Spots[i]
		mine := c.Standings[slices.IndexFunc(c.Reports, func(r *report.Report) bool { return r.Header.ID == s.Run })]
		for _, name := range mine.Tied {
			s.Tied = append(s.Tied, c.Reports[at(name)].Header.ID)
		}
		if mine.Dominated == "" {
			continue
		}
		k := at(mine.Dominated)
		o := c.Standings[k]
		less := f.Axis == AxisCost && o.Cost != nil && *o.Cost < *mine.Cost ||
			f.Axis == AxisLatency && o.Latency != nil && summary.Slower(*mine.Latency, *o.Latency)
		s.Behind = []Ahead{{c.Reports[k].Header.ID, !slices.Contains(mine.Tied, o.Run), less}}
	}
}
