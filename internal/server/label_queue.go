package server

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/store"
)

type labelQueueInput struct {
	Run       string `query:"run_id" required:"true" maxLength:"128" doc:"id of a run"`
	Metric    string `query:"metric" required:"true" maxLength:"256" doc:"a metric of the run"`
	How       string `query:"how" enum:"random,unsure" default:"random" doc:"at random, or those first on which the judge is least sure"`
	Seed      uint64 `query:"seed" default:"0" doc:"seed of the random order; the same seed gives the same order, also in other runs"`
	After     string `query:"after" maxLength:"1000" doc:"a case: those after it in the order come first"`
	Annotator string `query:"annotator" maxLength:"128" doc:"whose labels count as done; default: the caller's"`
}

// A labelNext is the next case to label.
type labelNext struct {
	Case string `json:"case_id,omitempty" doc:"the case; absent if none is left" example:"q-17"`
	Left int    `json:"left" doc:"how many cases the person has not labelled" example:"380"`
	Done int    `json:"done" doc:"how many the person has labelled, with those of other runs with the same answer" example:"60"`
}

func (s *Server) labelNext() {
	registerOne(s, "next-label", func(ctx context.Context, in *labelQueueInput) (next labelNext, err error) {
		h, m, err := s.metricOfRun(ctx, in.Run, in.Metric, "query.metric")
		if err != nil {
			return next, err
		}
		who, err := s.labeller(ctx, in.Annotator)
		if err != nil {
			return next, err
		}
		q, err := s.labelQueue(ctx, h, m, who, in.How, in.Seed)
		if err != nil {
			return next, err
		}
		return labelNext{q.next(in.After), q.left, q.done}, nil
	})
}

// A labelQueue is the order in which a person labels the cases of a run.
type labelQueue struct {
	cases *columns.Table
	// order has the rows of the cases that can be labelled, and labelled the ids of those that
	// are.
	order      []int
	labelled   map[string]bool
	left, done int
}

// next returns the first case without a label after a case in the order, or else from the
// beginning; "" if there is none.
func (q *labelQueue) next(after string) string {
	from := 0
	if after != "" {
		from = 1 + slices.IndexFunc(q.order, func(row int) bool { return q.cases.ID(row) == after })
	}
	for i := range q.order {
		if id := q.cases.ID(q.order[(from+i)%len(q.order)]); !q.labelled[id] && id != after {
			return id
		}
	}
	return ""
}

// casesOf returns the columns of the cases of a run. The error is a problem, or one of the
// store.
func (s *Server) casesOf(ctx context.Context, h assay.Header) (*columns.Table, error) {
	if h.State == stateRunning {
		return nil, conflict("the run goes on: its cases are labelled when it has ended, so that all of them can be drawn")
	}
	index, err := s.index(ctx, h)
	if err != nil {
		return nil, err
	}
	return index.Table(), nil
}

// labelQueue returns the order of the cases that have a score of a metric.
func (s *Server) labelQueue(ctx context.Context, h assay.Header, m assay.MetricInfo, who, how string, seed uint64) (*labelQueue, error) {
	cases, err := s.casesOf(ctx, h)
	if err != nil {
		return nil, err
	}
	q := &labelQueue{cases: cases, labelled: map[string]bool{}, order: randomOrder(cases, m.Name, seed)}
	labels, err := s.labelsFor(ctx, h, m, who, cases, q.order)
	if err != nil {
		return nil, err
	}
	for _, l := range labels {
		q.labelled[l.Case] = true
	}
	for _, row := range q.order {
		if q.labelled[cases.ID(row)] {
			q.done++
		}
	}
	q.left = len(q.order) - q.done
	if how == judge.Unsure {
		leastSure(cases, m, q.order)
	}
	return q, nil
}

// randomOrder returns the rows of the cases that have a score of a metric in an order that
// depends on the seed and on their ids alone: the same cases come first in another run, so
// that its labels can be those that are given already.
func randomOrder(cases *columns.Table, metric string, seed uint64) []int {
	column := cases.Metric(metric)
	type place struct {
		key uint64
		row int
	}
	places := make([]place, 0, cases.Len())
	for row := range cases.Len() {
		if n, ok := column.Numbers(row); ok && n.State == assay.Scored {
			places = append(places, place{orderKey(seed, cases.ID(row)), row})
		}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.row, b.row)) })
	order := make([]int, len(places))
	for i, p := range places {
		order[i] = p.row
	}
	return order
}

// leastSure orders rows by how little a score decides: first those whose interval of
// unknown rulings holds the threshold, the widest first, then by the distance from it. Ties
// stay as they are.
func leastSure(cases *columns.Table, m assay.MetricInfo, rows []int) {
	column, threshold := cases.Metric(m.Name), thresholdOf(m)
	doubt := func(row int) (distance, width, far float64) {
		n, _ := column.Numbers(row)
		return max(n.Lower-threshold, threshold-n.Upper, 0), n.Upper - n.Lower, math.Abs(n.Value - threshold)
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		da, wa, fa := doubt(a)
		db, wb, fb := doubt(b)
		return cmp.Or(cmp.Compare(da, db), cmp.Compare(wb, wa), cmp.Compare(fa, fb))
	})
}

// thresholdOf is the score from which a judge counts as saying yes.
func thresholdOf(m assay.MetricInfo) float64 {
	if m.Threshold != nil {
		return *m.Threshold
	}
	return 0.5
}

// carriedBatch is how many cases are looked at together for labels of other runs.
const carriedBatch = 64

// carriedLabels returns the labels of cases with the same subject in other runs that hold
// for the cases of a run, in the order of a random sample, up to the first case that has no
// label at all: beyond it, those with labels are no random sample, but those whose answer
// stayed the same. wanted selects labels; of several for one case by one person, the latest
// holds.
func (s *Server) carriedLabels(
	ctx context.Context, h assay.Header, cases *columns.Table, order []int, labelled map[string]bool, wanted func(Label) bool,
) (out []LabelView, err error) {
	from := wire.RecordsOf(s.store, h)
	for batch := range slices.Chunk(order, carriedBatch) {
		var seqs []int
		for _, row := range batch {
			if !labelled[cases.ID(row)] {
				seqs = append(seqs, cases.Seq(row))
			}
		}
		records, err := from.RecordsAt(ctx, h.ID, seqs)
		if err != nil {
			return nil, err
		}
		found, err := s.carriedTo(ctx, h, records)
		if err != nil {
			return nil, err
		}
		for _, row := range batch {
			id := cases.ID(row)
			if labelled[id] {
				continue
			}
			before := len(out)
			for _, l := range found[id] {
				if wanted(l.Label) && !slices.ContainsFunc(out[before:], func(o LabelView) bool { return o.Annotator == l.Annotator }) {
					v := l.view()
					v.From, v.Run, v.Case = l.Run, h.ID, id
					out = append(out, v)
				}
			}
			if len(out) == before {
				return out, nil
			}
		}
	}
	return out, nil
}

// carriedTo returns the labels of other runs that hold for records of a run, by the ids of
// their cases, latest first. It is one query.
func (s *Server) carriedTo(ctx context.Context, h assay.Header, records []assay.Record) (map[string][]keptLabel, error) {
	ids := map[string][]string{}
	var names []string
	for _, r := range records {
		subject := assay.Subject(r)
		if ids[subject] == nil {
			names = append(names, subject)
		}
		ids[subject] = append(ids[subject], r.Case.ID)
	}
	found := map[string][]keptLabel{}
	if names == nil {
		return found, nil
	}
	kept, err := s.keptLabels(ctx, store.ItemQuery{Names: names})
	if err != nil {
		return nil, err
	}
	for _, k := range kept {
		if k.Run == h.ID || k.Withdrawn {
			continue
		}
		for _, id := range ids[k.Subject] {
			found[id] = append(found[id], k)
		}
	}
	return found, nil
}

// orderKey is the place of a case in the random order of a seed: the first eight bytes of the SHA-256 of both. It
// depends on nothing else, so that the same cases come first in every run that has them.
func orderKey(seed uint64, id string) uint64 {
	buf := make([]byte, 8, 8+len(id))
	binary.BigEndian.PutUint64(buf, seed)
	sum := sha256.Sum256(append(buf, id...))
	return binary.BigEndian.Uint64(sum[:8])
}
