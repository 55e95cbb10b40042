package server

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/judge"
)

type calibrationInput struct {
	Run       string         `query:"run_id" required:"true" maxLength:"128" doc:"id of a run"`
	Metric    string         `query:"metric" required:"true" maxLength:"256" doc:"a metric of the run"`
	Threshold optionalNumber `query:"threshold" doc:"score from which the judge counts as positive; default: the metric's threshold, or 0.5"`
	Positive  optionalNumber `query:"positive" doc:"label from which people count as positive, for graded labels"`
	Level     float64        `query:"level" minimum:"0.5" maximum:"0.9999" default:"0.95" doc:"confidence level of intervals"`
}

func (s *Server) calibration() {
	register(s, "calibrate-judge", func(ctx context.Context, in *calibrationInput) (*file, error) {
		h, m, err := s.metricOfRun(ctx, in.Run, in.Metric, "query.metric")
		if err != nil {
			return nil, err
		}
		done, err := s.renders.take(ctx)
		if err != nil {
			return nil, err
		}
		defer done()
		all, err := s.calibrationLabels(ctx, h, m)
		if err != nil {
			return nil, err
		}
		o := calibrateOptions(h, m)
		o.Positive, o.Level = in.Positive.value(), in.Level
		if in.Threshold.Set {
			o.Threshold = in.Threshold.Value
		}
		r, err := judge.Calibrate(all.items, o)
		if err != nil {
			return nil, conflict(fmt.Sprintf("%v. Labels that do not count: %d of cases that were not drawn at random, %d given with sight of "+
				"the judge's score, %d unsure", err, all.NotRandom, all.Sighted, all.Unsure))
		}
		text, err := json.Marshal(struct {
			Run    string           `json:"run_id"`
			Metric string           `json:"metric"`
			Judge  *assay.JudgeInfo `json:"judge,omitempty"`
			Labels web.LabelCounts  `json:"labels"`
			*judge.CalibrationReport
		}{h.ID, in.Metric, h.Judge, all.LabelCounts, r})
		return &file{Type: "application/json", Body: text}, err
	}, gives(jsonFiles("calibration")))
}

// calibrateOptions are the options of a calibration unless others are asked for.
func calibrateOptions(h assay.Header, m assay.MetricInfo) judge.CalibrateOptions {
	return judge.CalibrateOptions{Threshold: thresholdOf(m), Seed: h.Seed}
}

// calibrated are the cases of a run with the labels that count.
type calibrated struct {
	web.LabelCounts
	// people are those who gave them, the one with the most first. items are in the order of
	// the cases' ids; those without a label have no Labels.
	people []string
	items  []judge.Rated
}

// count reports whether a label counts, and counts it.
func (c *calibrated) count(l LabelView) bool {
	switch {
	case l.Value == nil:
		c.Unsure++
		return false
	case l.Sighted:
		c.Sighted++
		return false
	case l.How != judge.Random && l.How != "":
		c.NotRandom++
		return false
	case l.How == "":
		c.Undeclared++
	}
	if l.From != "" {
		c.Carried++
	}
	c.Counted++
	return true
}

// calibrationLabels brings the scores and the labels of a metric together. The error is a
// problem, or one of the store.
func (s *Server) calibrationLabels(ctx context.Context, h assay.Header, m assay.MetricInfo) (*calibrated, error) {
	cases, err := s.casesOf(ctx, h)
	if err != nil {
		return nil, err
	}
	labels, err := s.labelsFor(ctx, h, m, "", cases, randomOrder(cases, m.Name, 0))
	if err != nil {
		return nil, err
	}
	out := &calibrated{}
	by := map[string]map[string]*float64{}
	given := map[string]int{}
	for _, l := range labels {
		if !out.count(l) {
			continue
		}
		if by[l.Case] == nil {
			by[l.Case] = map[string]*float64{}
		}
		by[l.Case][l.Annotator] = l.Value
		if given[l.Annotator]++; given[l.Annotator] == 1 {
			out.people = append(out.people, l.Annotator)
		}
	}
	slices.SortFunc(out.people, func(a, b string) int { return cmp.Or(given[b]-given[a], cmp.Compare(a, b)) })
	out.items = rated(cases, m.Name, out.people, by)
	return out, nil
}

// rated returns the cases with their scores and labels, in the order of their ids, so that
// sums are always of the same order.
func rated(cases *columns.Table, metric string, people []string, by map[string]map[string]*float64) []judge.Rated {
	column := cases.Metric(metric)
	ids, rows := make([]string, cases.Len()), make([]int, cases.Len())
	for row := range rows {
		ids[row], rows[row] = cases.ID(row), row
	}
	slices.SortFunc(rows, func(a, b int) int { return strings.Compare(ids[a], ids[b]) })
	out := make([]judge.Rated, 0, len(rows))
	values := make([]float64, len(rows))
	for _, row := range rows {
		item := judge.Rated{Case: ids[row], Base: cases.Base(row), Cluster: cases.Group(row)}
		if of := by[item.Case]; of != nil {
			for _, p := range people {
				item.Labels = append(item.Labels, of[p])
			}
		}
		if n, ok := column.Numbers(row); ok && n.State == assay.Scored {
			values[row] = n.Value
			item.Score = &values[row]
		} else if ok {
			r := cases.Record(row)
			item.Failed = r.Unruled(n.State)
		}
		out = append(out, item)
	}
	return out
}

// labelsFor returns the labels of a metric of a run by a person, or with "" by all people, and
// those of other runs that hold for it, the latter in an order of a random sample.
func (s *Server) labelsFor(
	ctx context.Context, h assay.Header, m assay.MetricInfo, who string, cases *columns.Table, order []int,
) ([]LabelView, error) {
	own, err := s.labelsOfRun(ctx, h)
	if err != nil {
		return nil, err
	}
	wanted := func(l Label) bool { return l.Metric == m.Name && (who == "" || l.Annotator == who) }
	own = slices.DeleteFunc(own, func(l LabelView) bool { return !wanted(l.Label) })
	labelled := map[string]bool{}
	for _, l := range own {
		labelled[l.Case] = true
	}
	carried, err := s.carriedLabels(ctx, h, cases, order, labelled, wanted)
	return append(own, carried...), err
}
