package wire

import (
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// A Trend is a metric over time.
type Trend struct {
	Metric string        `json:"metric" doc:"name of the metric" example:"recall@5"`
	Points []TrendPoint  `json:"points" nullable:"false" doc:"the finished runs with a mean of the metric, earliest first"`
	Series []TrendSeries `json:"series" nullable:"false" doc:"the runs by what can be compared: means of two series cannot"`
	// Info describes the metric as the latest run has it.
	Info assay.MetricInfo `json:"-"`
}

// A TrendPoint is a run in a trend.
type TrendPoint struct {
	Run     string    `json:"run_id" doc:"id of the run" example:"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`
	Name    string    `json:"name,omitempty" doc:"name that the run was given" example:"nightly"`
	Started time.Time `json:"started" doc:"start of the run" example:"2026-03-02T09:30:00Z"`
	Dataset string    `json:"dataset" doc:"name of the dataset" example:"rivers.jsonl"`
	// Content differs where means cannot be compared.
	Content  string      `json:"dataset_hash" doc:"fingerprint of the dataset; means of other data differ anyway" example:"sha256:9f86d081"`
	Adapter  string      `json:"adapter" doc:"kind of the target" example:"http"`
	Endpoint string      `json:"endpoint,omitempty" doc:"address of the target" example:"https://rag.example.org/ask"`
	N        int         `json:"n" doc:"number of cases with a value" example:"500"`
	Mean     float64     `json:"mean" doc:"mean over these" example:"0.781"`
	CI       *[2]float64 `json:"ci" required:"true" doc:"interval of the mean; null if the cases are too few" example:"[0.743, 0.816]"`
	Series   int         `json:"series" doc:"index of its series" example:"0"`
	Partial  bool        `json:"partial,omitempty" doc:"values of a tenth more or fewer cases than its series has: noise and changes leave it out"`
}

// A TrendSeries has the runs of one target that can be compared: over the same content and
// number of cases, with the same version of the metric and, if it is judged, the same judge.
type TrendSeries struct {
	Adapter  string `json:"adapter" doc:"kind of the target" example:"http"`
	Endpoint string `json:"endpoint,omitempty" doc:"address of the target" example:"https://rag.example.org/ask"`
	Name     string `json:"name,omitempty" doc:"name of its runs, if runs of other names are series of their own" example:"nightly"`
	Content  string `json:"dataset_hash" doc:"fingerprint of the dataset" example:"sha256:9f86d081"`
	Runs     int    `json:"runs" doc:"number of runs, without partial ones" example:"24"`
	// Differs is about the series of the same target before it.
	Differs []string      `json:"differs,omitempty" nullable:"false" enum:"dataset,cases,metric,judge" doc:"what differs from the last series of the target"`
	Needed  int           `json:"runs_needed" doc:"number of runs from which a change can be shown" example:"8"`
	Noise   *TrendNoise   `json:"noise" required:"true" doc:"how far runs differ while nothing changes; null if the runs are too few"`
	Changes []TrendChange `json:"changes" nullable:"false" doc:"where the level of the metric changed, earliest first"`
}

// TrendNoise is how far the means of runs differ while nothing changes. The cases are the
// same in every run, so that it is due to the target and to the judge alone.
type TrendNoise struct {
	SD   float64 `json:"sd" doc:"standard deviation of the mean between runs" example:"0.008"`
	Half float64 `json:"half" doc:"a run of the unchanged system falls within so much of the level in 95 of 100" example:"0.017"`
	N    int     `json:"n" doc:"number of differences between successive runs that it is of" example:"23"`
}

// A TrendChange is a change of the level of a metric.
type TrendChange struct {
	At      time.Time `json:"at" doc:"start of the first run after the change" example:"2026-03-02T09:30:00Z"`
	Last    string    `json:"run_before" doc:"the last run before it; of a gradual change the first of the series" example:"01990a3e-7c1d"`
	First   string    `json:"run_after" doc:"the first run after it; of a gradual change the last of the series" example:"01990a3f-1a2b"`
	Before  float64   `json:"before" doc:"median of the means of the runs before it, back to the last change" example:"0.71"`
	After   float64   `json:"after" doc:"median of the means of the runs after it, up to the next change" example:"0.78"`
	RunsIn  [2]int    `json:"runs" doc:"numbers of runs before and after" example:"[12, 12]"`
	Lo      *float64  `json:"lo" required:"true" doc:"lower end of the interval of the difference; null if the runs are too few" example:"0.05"`
	Hi      *float64  `json:"hi" required:"true" doc:"upper end" example:"0.09"`
	P       float64   `json:"p" doc:"p-value, corrected for every place in the series" example:"0.0005"`
	Gradual bool      `json:"gradual,omitempty" doc:"set if the metric drifts: a straight line describes it better than steps"`
}

// What makes two runs incomparable.
const (
	OtherDataset = "dataset"
	OtherCases   = "cases"
	OtherMetric  = "metric"
	OtherJudge   = "judge"
)

// Differs lists what keeps the means of a metric in two runs from being compared.
func Differs(a, b assay.Header, metric string) (out []string) {
	if a.Dataset.Hash != b.Dataset.Hash {
		out = append(out, OtherDataset)
	} else if a.Dataset.Cases != b.Dataset.Cases {
		out = append(out, OtherCases)
	}
	was, _ := MetricOf(a, metric)
	is, _ := MetricOf(b, metric)
	if was.Version != is.Version || was.Scheme != is.Scheme || was.Better != is.Better || was.Unit != is.Unit || was.Range != is.Range ||
		was.Pooled != is.Pooled || metric == assay.CompositeName && !maps.Equal(weights(a), weights(b)) {
		out = append(out, OtherMetric)
	}
	prompts := assay.PromptsOf([]assay.MetricInfo{was, is})
	if (was.Judged || is.Judged) && a.Judge != b.Judge && !assay.SameJudge(a.Judge, b.Judge, prompts) {
		out = append(out, OtherJudge)
	}
	return out
}

func weights(h assay.Header) map[string]float64 {
	out := map[string]float64{}
	for _, m := range h.Metrics {
		if m.Weight > 0 {
			out[m.Name] = m.Weight
		}
	}
	return out
}

// MetricNames returns the names of metrics.
func MetricNames(metrics []assay.MetricInfo) []string {
	names := make([]string, len(metrics))
	for i, m := range metrics {
		names[i] = m.Name
	}
	return names
}

// MetricOf returns a metric of a run; ok is false if it has none of the name.
func MetricOf(h assay.Header, name string) (m assay.MetricInfo, ok bool) {
	at := slices.IndexFunc(h.Metrics, func(m assay.MetricInfo) bool { return m.Name == name })
	if at < 0 {
		return m, false
	}
	return h.Metrics[at], true
}

// Of returns the estimate of a metric; ok is false if it has no mean.
func (m Means) Of(metric string) (e MetricMean, ok bool) {
	at := slices.IndexFunc(m.Estimates, func(e MetricMean) bool { return e.Metric == metric && e.Mean != nil })
	if at < 0 {
		return e, false
	}
	return m.Estimates[at], true
}

// trendLevel is the level of the bands and tests of a trend, and trendSeed seeds the tests.
const trendLevel, trendSeed = stats.DefaultLevel, 1

// DatasetNamed returns the name in headers of a dataset that is given by this name, or by that of
// its file; a name that no run has as it is.
func DatasetNamed(runs []assay.Header, name string) string {
	for _, h := range runs {
		if h.Dataset.Name == name {
			return name
		}
	}
	for _, h := range runs {
		if filepath.Base(h.Dataset.Path) == name {
			return h.Dataset.Name
		}
	}
	return name
}

// TrendOf returns the trend of a metric over runs, earliest first, with their means. Those
// without a mean of it are left out. Runs of different names are series of their own if named
// is set.
func TrendOf(metric string, named bool, runs []assay.Header, means []Means) Trend {
	out := Trend{Metric: metric, Points: []TrendPoint{}, Series: []TrendSeries{}}
	var first []assay.Header // of each series
	for i, h := range runs {
		e, ok := means[i].Of(metric)
		if !ok {
			continue
		}
		out.Info, _ = MetricOf(h, metric)
		last := -1
		at := -1
		for k, f := range first {
			if f.Target.Adapter != h.Target.Adapter || f.Target.Endpoint != h.Target.Endpoint || named && f.Name != h.Name {
				continue
			}
			last = k
			if Differs(f, h, metric) == nil {
				at = k
			}
		}
		if at < 0 {
			at = len(first)
			s := TrendSeries{Adapter: h.Target.Adapter, Endpoint: h.Target.Endpoint, Content: h.Dataset.Hash, Needed: stats.LeastShifts,
				Changes: []TrendChange{}}
			if named {
				s.Name = h.Name
			}
			if last >= 0 {
				s.Differs = Differs(first[last], h, metric)
			}
			first, out.Series = append(first, h), append(out.Series, s)
		}
		out.Points = append(out.Points, TrendPoint{Run: h.ID, Name: h.Name, Started: h.Started, Dataset: h.Dataset.Name,
			Content: h.Dataset.Hash, Adapter: h.Target.Adapter, Endpoint: h.Target.Endpoint, N: e.N, Mean: *e.Mean, CI: e.CI, Series: at})
	}
	for k := range out.Series {
		out.analyse(k)
	}
	return out
}

// analyse finds the noise and the changes of a series.
func (t *Trend) analyse(k int) {
	var all []float64
	for _, p := range t.Points {
		if p.Series == k {
			all = append(all, float64(p.N))
		}
	}
	slices.Sort(all)
	usual, _ := stats.Quantile(all, 0.5)
	var in []TrendPoint
	var values []float64
	for i := range t.Points {
		p := &t.Points[i]
		if p.Series != k {
			continue
		}
		if p.Partial = 10*float64(p.N) < 9*usual || 10*float64(p.N) > 11*usual; !p.Partial {
			in, values = append(in, *p), append(values, p.Mean)
		}
	}
	s := &t.Series[k]
	s.Runs = len(in)
	shifts := stats.Shifts(values, trendLevel, trendSeed)
	if w, ok := stats.SpreadOf(values, shifts, trendLevel); ok {
		s.Noise = &TrendNoise{w.SD, w.Half, w.N}
	}
	for _, f := range shifts {
		c := TrendChange{At: in[f.At].Started, Last: in[f.At-1].Run, First: in[f.At].Run, Before: f.Before, After: f.After,
			RunsIn: [2]int{f.At - f.From, f.To - f.At}, P: f.P, Gradual: f.Gradual}
		if f.Gradual {
			c.Last, c.First = in[0].Run, in[len(in)-1].Run
		}
		if f.CI != nil {
			c.Lo, c.Hi = &f.CI.Lo, &f.CI.Hi
		}
		s.Changes = append(s.Changes, c)
	}
}
