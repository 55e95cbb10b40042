package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/draw"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// A Stage holds how long one stage of the target took.
type Stage struct {
	Name string
	// N is how often the stage ran.
	N              int
	Mean, P50, P95 time.Duration
}

// stageTimes are the times of the stages, by name.
type stageTimes map[string]*stageTime

type stageTime struct {
	// seq and place are where the stage first ran: the record and the place in its trace.
	seq, place int
	times      []time.Duration
}

func (t stageTimes) add(r *assay.Record) {
	if r.Response == nil || r.Response.Trace == nil {
		return
	}
	for i, s := range r.Response.Trace.Stages {
		x := t[s.Name]
		if x == nil {
			x = &stageTime{seq: r.Seq, place: i}
			t[s.Name] = x
		}
		if r.Seq < x.seq {
			x.seq, x.place = r.Seq, i
		}
		x.times = append(x.times, s.Latency)
	}
}

// clone returns the times so far, to which others are appended apart.
func (t stageTimes) clone() stageTimes {
	out := make(stageTimes, len(t))
	for name, x := range t {
		out[name] = &stageTime{x.seq, x.place, slices.Clip(x.times)}
	}
	return out
}

// stages returns the stages in the order in which they first ran; nil if no response has a
// trace.
func (t stageTimes) stages() []Stage {
	var out []Stage
	for name := range t {
		out = append(out, Stage{Name: name})
	}
	slices.SortFunc(out, func(a, b Stage) int {
		return cmp.Or(t[a.Name].seq-t[b.Name].seq, t[a.Name].place-t[b.Name].place, strings.Compare(a.Name, b.Name))
	})
	for i, s := range out {
		l := summary.LatencyOf(slices.Clone(t[s.Name].times))
		out[i] = Stage{s.Name, l.N, l.Mean, l.P50, l.P95}
	}
	return out
}

// time shows how long the target and each of its stages took.
func (c *content) time() []document.Section {
	s := document.Section{ID: "time", Title: c.w.Names().TimeTitle, Views: document.Reading | document.Page}
	if text := c.latencyLine(); text != "" {
		s.Blocks = append(s.Blocks, document.Labelled{Label: c.w.Names().TimeHeads.Latency, Text: document.T(text)})
	}
	if len(c.r.Stages) > 0 {
		s.Blocks = append(s.Blocks, c.stageTable())
	}
	return []document.Section{s}
}

func (c *content) stageTable() document.Table {
	h := c.w.Names().TimeHeads
	t := document.Table{ID: "stages", Columns: []document.Column{
		{Head: h.Stage, Words: true}, {Head: h.Mean}, {Head: "p50"}, {Head: "p95"}, {Head: "n"}, {Head: h.Plot, Plot: 1, Views: document.Page},
	}}
	longest := 1.0
	for _, s := range c.r.Stages {
		longest = max(longest, float64(s.P95))
	}
	for _, s := range c.r.Stages {
		p95 := float64(s.P95)
		bar := draw.Bar{Full: float64(s.Mean), Of: longest, Mark: &p95, Thin: true, FullTitle: c.w.Say("MeanTime", words.V{"mean": duration(s.Mean)}),
			Label: c.w.Say("MeanTime", words.V{"mean": duration(s.Mean)}) + ", p95 " + duration(s.P95)}
		t.Add(s.Name, duration(s.Mean), duration(s.P50), duration(s.P95), s.N, bar)
	}
	return t
}
