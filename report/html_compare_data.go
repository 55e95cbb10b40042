package report

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// compareData is what the script of the comparison reads.
type compareData struct {
	Metrics []pageMetric  `json:"metrics"`
	Runs    []string      `json:"runs"`
	Cases   []compareCase `json:"cases"`
}

type compareCase struct {
	ID       string          `json:"id"`
	Tags     []string        `json:"tags,omitempty"`
	Question string          `json:"question"`
	Want     []pageLabel     `json:"want,omitempty"`
	Missed   bool            `json:"missed,omitempty"` // by every run
	Runs     []*compareEntry `json:"runs"`
}

// A compareEntry is a case in one run. Values are those that enter the
// comparison: means over the draws. The answer and what else is told is that of
// the first draw.
type compareEntry struct {
	Status   assay.Status  `json:"status,omitempty"`
	Draws    int           `json:"draws,omitempty"` // when there are several
	Answer   *string       `json:"answer"`
	NoAnswer bool          `json:"no_answer,omitempty"`
	Failure  string        `json:"failure,omitempty"`
	Latency  *milliseconds `json:"latency"`
	Values   []*float64    `json:"values"`
	States   []assay.State `json:"states"`
	Passages []pagePassage `json:"passages,omitempty"`
}

func newCompareData(c *Comparison, o Options) *compareData {
	d := &compareData{Metrics: []pageMetric{}, Cases: []compareCase{}}
	var metrics []assay.MetricInfo
	for _, row := range c.Rows {
		metrics = append(metrics, row.MetricInfo)
	}
	d.Metrics = pageMetrics(metrics)
	var all []assay.Record
	for _, r := range c.Reports {
		all = append(all, r.Records...)
	}
	pk := &packer{content: newContent(c.Reports[0], o), limit: textLimit(all)}
	asked := c.questions()
	at := map[string]int{}
	for i, r := range c.Reports {
		d.Runs = append(d.Runs, line(c.Runs[i]))
		values := valuesOf(metrics, r.Records)
		for _, rec := range r.Records {
			id := rec.Case.Base()
			k, ok := at[id]
			if !ok {
				k = len(d.Cases)
				at[id] = k
				d.Cases = append(d.Cases, compareCase{ID: line(id), Question: pk.cut(asked[id]), Runs: make([]*compareEntry, len(c.Runs))})
			}
			d.Cases[k].describe(pk, rec.Case)
			if e := d.Cases[k].Runs[i]; e != nil {
				e.Draws = max(e.Draws, 1) + 1
				continue
			}
			d.Cases[k].Runs[i] = pk.entry(r.Header.Metrics, metrics, values[id], rec)
		}
	}
	for _, id := range c.missed().ids {
		d.Cases[at[id]].Missed = true
	}
	return d
}

// valuesOf gives what each case contributes, by metric; nil where it has no
// value.
func valuesOf(metrics []assay.MetricInfo, records []assay.Record) map[string][]*float64 {
	out := map[string][]*float64{}
	for _, r := range records {
		out[r.Case.Base()] = make([]*float64, len(metrics))
	}
	for i, m := range metrics {
		for _, v := range summary.Values(m, records) {
			if v.Known > 0 {
				out[v.Case][i] = &v.Mean
			}
		}
	}
	return out
}

// describe takes in what the first run that tells it says of the case.
func (c *compareCase) describe(p *packer, from assay.Case) {
	if c.Tags == nil {
		for _, t := range from.Tags {
			c.Tags = append(c.Tags, line(t))
		}
	}
	if c.Want == nil {
		c.Want = p.labels(from.Want)
	}
}

// entry takes in a case of one run: its status by the run's own thresholds, its
// values on the metrics that are compared.
func (p *packer) entry(own, metrics []assay.MetricInfo, values []*float64, r assay.Record) *compareEntry {
	e := &compareEntry{Values: values, States: []assay.State{}}
	if !remembered(r) {
		e.Status = summary.Status(own, r)
	}
	for _, m := range metrics {
		e.States = append(e.States, r.Scores[m.Name].State)
	}
	if r.Failure != nil {
		e.Failure = p.cut(r.Failure.Kind + ": " + r.Failure.Message)
	}
	if r.Response != nil {
		answer := p.cut(r.Response.Answer)
		e.Answer, e.NoAnswer, e.Latency = &answer, r.Response.NoAnswer, took(r.Response)
		for _, x := range r.Response.Passages[:min(len(r.Response.Passages), 10)] {
			q := pagePassage{Name: line(passageName(x))}
			if g, ok := judged(r.Case.Want, x); ok {
				q.Grade = &g
			}
			e.Passages = append(e.Passages, q)
		}
	}
	return e
}
