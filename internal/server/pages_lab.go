package server

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/store"
)

const (
	// labRuns is the number of runs that the judge lab lists, among the latest labLook.
	labRuns = 20
	labLook = 200
)

// LabRuns implements [web.LabBackend].
func (b pageBackend) LabRuns(ctx context.Context) ([]web.LabRun, error) {
	hs, _, err := b.s.store.RunPage(ctx, store.RunQuery{Limit: labLook})
	if err != nil {
		return nil, err
	}
	var out []web.LabRun
	for _, h := range hs {
		if !slices.ContainsFunc(h.Metrics, func(m assay.MetricInfo) bool { return m.Judged }) {
			continue
		}
		labels, err := b.s.labelsOfRun(ctx, h)
		if err != nil {
			return nil, err
		}
		one := web.LabRun{Header: h, Labels: map[string]int{}}
		for _, l := range labels {
			one.Labels[l.Metric]++
		}
		if out = append(out, one); len(out) == labRuns {
			break
		}
	}
	return out, nil
}

// Calibration implements [web.LabBackend].
func (b pageBackend) Calibration(ctx context.Context, h assay.Header, m assay.MetricInfo) (web.Calibration, error) {
	all, err := b.s.calibrationLabels(ctx, h, m)
	if err != nil {
		return web.Calibration{}, err
	}
	o := calibrateOptions(h, m)
	out := web.Calibration{People: all.people, LabelCounts: all.LabelCounts, Ruled: all.ruled(), Threshold: o.Threshold}
	if out.Ruled != nil {
		out.CalibrationReport, err = judge.Calibrate(all.items, o)
	}
	return out, err
}

// ruled returns the cases with a score and a label of the person with the most.
func (c *calibrated) ruled() (out []judge.Rated) {
	for _, r := range c.items {
		if r.Labels != nil && r.Labels[0] != nil && r.Score != nil {
			out = append(out, r)
		}
	}
	return out
}

// LabelTask implements [web.LabBackend].
func (b pageBackend) LabelTask(ctx context.Context, h assay.Header, m assay.MetricInfo, q web.LabelQueue) (web.LabelTask, error) {
	who, err := b.s.labeller(ctx, "")
	if err != nil {
		return web.LabelTask{}, err
	}
	queue, err := b.s.labelQueue(ctx, h, m, who, q.How, q.Seed)
	if err != nil {
		return web.LabelTask{}, err
	}
	out := web.LabelTask{Done: queue.done, Left: queue.left}
	if err := b.correctedSoFar(ctx, h, m, &out); err != nil {
		return out, err
	}
	id := cmp.Or(q.Case, queue.next(q.After))
	if id == "" {
		return out, nil
	}
	rec, err := b.Record(ctx, h, id)
	if err != nil {
		return out, err
	}
	out.Record, out.Next = &rec, queue.next(id)
	return out, b.labelsOfCase(ctx, h, m, who, &out)
}

// correctedSoFar fills in the mean as people would have it.
func (b pageBackend) correctedSoFar(ctx context.Context, h assay.Header, m assay.MetricInfo, out *web.LabelTask) error {
	all, err := b.s.calibrationLabels(ctx, h, m)
	if err != nil {
		return err
	}
	if out.Counted = len(all.ruled()); out.Counted > 0 {
		out.Corrected, err = judge.Correct(all.items, calibrateOptions(h, m))
	}
	return err
}

// labelsOfCase fills in the reader's label of a case, and if there is one, those of others.
func (b pageBackend) labelsOfCase(ctx context.Context, h assay.Header, m assay.MetricInfo, who string, out *web.LabelTask) error {
	id := out.Record.Case.ID
	own, err := b.s.keptLabels(ctx, store.ItemQuery{Parent: h.ID})
	if err != nil {
		return err
	}
	own = slices.DeleteFunc(own, func(k keptLabel) bool { return k.Case != id || k.Metric != m.Name })
	carried, err := b.s.carriedTo(ctx, h, []assay.Record{*out.Record})
	if err != nil {
		return err
	}
	for _, k := range append(own, slices.DeleteFunc(carried[id], func(k keptLabel) bool { return k.Metric != m.Name })...) {
		state := stateOf(k, h)
		switch {
		case k.Annotator != who && !k.Withdrawn:
			out.Others = append(out.Others, state)
		case k.Annotator == who && out.Mine == nil:
			out.Mine = &state
		}
	}
	if out.Mine == nil || out.Mine.Withdrawn {
		out.Others = nil
	}
	return nil
}

func stateOf(k keptLabel, h assay.Header) web.LabelState {
	out := web.LabelState{LabelView: k.view(), Withdrawn: k.Withdrawn}
	if k.Run != h.ID {
		out.From = k.Run
	}
	return out
}

// SaveLabel implements [web.LabBackend].
func (b pageBackend) SaveLabel(ctx context.Context, l Label, version int) error {
	_, err := b.s.keepLabel(ctx, l, version)
	var refused huma.StatusError
	if errors.As(err, &refused) && refused.GetStatus() == http.StatusPreconditionFailed {
		k, gone := b.ownLabel(ctx, l.Run, l.Metric, l.Case)
		if gone != nil {
			return gone
		}
		return &web.LabelConflict{Is: stateOf(k, assay.Header{ID: l.Run})}
	}
	return err
}

// ownLabel returns the label of the caller on a case; one without an id if there is none.
func (b pageBackend) ownLabel(ctx context.Context, run, metric, id string) (keptLabel, error) {
	who, err := b.s.labeller(ctx, "")
	if err != nil {
		return keptLabel{}, err
	}
	all, err := b.s.keptLabels(ctx, store.ItemQuery{Parent: run})
	for _, k := range all {
		if k.Case == id && k.Metric == metric && k.Annotator == who {
			return k, nil
		}
	}
	return keptLabel{Withdrawn: true}, err
}

// MayLabel implements [web.LabBackend].
func (b pageBackend) MayLabel(ctx context.Context) bool { return b.s.may(ctx, ScopeLabel) }

// UndoLabel implements [web.LabBackend].
func (b pageBackend) UndoLabel(ctx context.Context, h assay.Header, m assay.MetricInfo, caseID string) error {
	k, err := b.ownLabel(ctx, h.ID, m.Name, caseID)
	if err != nil {
		return err
	}
	if k.id == "" {
		return absent("label of case", caseID)
	}
	_, err = b.s.changeLabel(ctx, k.id, k.Version, undo)
	return err
}
