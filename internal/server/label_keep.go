package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/store"
)

// A keptLabel is a label as it is stored: its item has the run as parent, and the subject as
// name. Earlier versions stored a [Label] alone, under a name of its case, metric and person.
type keptLabel struct {
	Label
	// Version is 0 in what earlier versions stored.
	Version   int            `json:"version,omitempty"`
	Subject   string         `json:"subject,omitempty"`
	Withdrawn bool           `json:"withdrawn,omitempty"`
	History   []labelVersion `json:"history,omitempty"`

	id               string
	created, updated time.Time
}

// maxLabelHistory is the number of earlier versions that a label keeps.
const maxLabelHistory = 50

func (k keptLabel) view() LabelView {
	return LabelView{ID: k.id, Label: k.Label, Version: k.Version, Created: k.created, Updated: k.updated}
}

// saysAs reports whether a label has the value of another.
func (k keptLabel) saysAs(o keptLabel) bool {
	if k.Value != nil && o.Value != nil {
		return *k.Value == *o.Value
	}
	return k.Value == nil && o.Value == nil && k.Unsure == o.Unsure && k.Withdrawn == o.Withdrawn
}

// same reports whether a version would say nothing that another does not.
func (k keptLabel) same(o keptLabel) bool {
	return k.saysAs(o) && k.Comment == o.Comment && k.Sighted == o.Sighted
}

// was returns the version that a label is now, for its history.
func (k keptLabel) was() labelVersion {
	return labelVersion{Version: k.Version, Value: k.Value, Unsure: k.Unsure, Withdrawn: k.Withdrawn, Sighted: k.Sighted, How: k.How,
		Comment: k.Comment, At: k.updated}
}

// withdraw withdraws a label.
func withdraw(k *keptLabel) error {
	k.Value, k.Unsure, k.Withdrawn = nil, false, true
	return nil
}

// undo takes back the last version: the label is what it was before, or withdrawn.
func undo(k *keptLabel) error {
	if len(k.History) == 0 {
		return withdraw(k)
	}
	last := k.History[len(k.History)-1]
	k.Value, k.Unsure, k.Withdrawn, k.Sighted, k.How, k.Comment = last.Value, last.Unsure, last.Withdrawn, last.Sighted, last.How, last.Comment
	return nil
}

// keptLabels reads labels in one query, latest first.
func (s *Server) keptLabels(ctx context.Context, q store.ItemQuery) ([]keptLabel, error) {
	q.Bodies = true
	items, _, err := s.store.Items(ctx, store.KindLabel, q)
	if err != nil {
		return nil, err
	}
	out := make([]keptLabel, len(items))
	for i, it := range items {
		if out[i], err = readLabel(it); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func readLabel(it store.Item) (keptLabel, error) {
	k := keptLabel{id: it.ID, created: it.Created, updated: it.Updated}
	if err := json.Unmarshal(it.Body, &k); err != nil {
		return k, fmt.Errorf("label %q: %w", it.ID, err)
	}
	k.Metric, k.Version = assay.MetricName(k.Metric), max(k.Version, 1)
	return k, nil
}

// keptLabel reads a label by its id. The error is a problem.
func (s *Server) keptLabel(ctx context.Context, id string) (keptLabel, error) {
	if !isID(id) {
		return keptLabel{}, absent("label", id)
	}
	it, err := s.store.Item(ctx, store.KindLabel, id)
	if err != nil {
		return keptLabel{}, s.orAbsent(ctx, err, "label", id)
	}
	k, err := readLabel(it)
	return k, s.fail(ctx, err)
}

// keepLabel stores a label, as the next version of an earlier one of the same person. version
// is that of the earlier one, 0 if there is none, or -1 for whichever there is. The error is a
// problem, or one of the store.
func (s *Server) keepLabel(ctx context.Context, l Label, version int) (keptLabel, error) {
	h, _, err := s.metricOfRun(ctx, l.Run, l.Metric, "body.metric")
	if err != nil {
		return keptLabel{}, err
	}
	if (l.Value == nil) != l.Unsure {
		return keptLabel{}, wrong("body.value", "expected a value, or unsure: true", nil)
	}
	if l.Annotator, err = s.labeller(ctx, l.Annotator); err != nil {
		return keptLabel{}, err
	}
	rec, err := wire.RecordsOf(s.store, h).Record(ctx, h.ID, l.Case)
	if errors.Is(err, store.ErrNotFound) {
		return keptLabel{}, wrong("body.case_id", "the run has no such case", l.Case)
	} else if err != nil {
		return keptLabel{}, err
	}
	l.Run, l.How = h.ID, cmp.Or(l.How, judge.Chosen)
	k := keptLabel{Label: l, Subject: assay.Subject(rec)}
	release, err := s.claimLabel(ctx, h.ID, l)
	if err != nil {
		return keptLabel{}, err
	}
	defer release()
	return s.replaceLabel(ctx, k, version)
}

// replaceLabel stores a label while its claim is held.
func (s *Server) replaceLabel(ctx context.Context, k keptLabel, version int) (keptLabel, error) {
	// The name of labels of earlier versions.
	former := fmt.Sprintf("%q", []string{k.Case, k.Metric, k.Annotator})
	found, err := s.keptLabels(ctx, store.ItemQuery{Parent: k.Run, Names: []string{k.Subject, former}})
	if err != nil {
		return keptLabel{}, err
	}
	i := slices.IndexFunc(found, func(o keptLabel) bool { return o.Case == k.Case && o.Metric == k.Metric && o.Annotator == k.Annotator })
	if i < 0 {
		if version > 0 {
			return keptLabel{}, changedLabel(keptLabel{}, k, version)
		}
		if k.id, err = s.newID(); err != nil {
			return keptLabel{}, err
		}
		return s.putLabel(ctx, k)
	}
	old := found[i]
	if !old.Withdrawn {
		// The cases of a sample are still drawn at random if a person corrects a label, and one
		// that stays the same is not influenced.
		k.How = old.How
		k.Sighted = k.Sighted && !k.saysAs(old) || old.Sighted
	}
	if old.same(k) {
		return old, nil
	}
	return s.putVersion(ctx, old, k, version)
}

// putVersion stores the next version of a label.
func (s *Server) putVersion(ctx context.Context, old, next keptLabel, version int) (keptLabel, error) {
	if version >= 0 && version != old.Version {
		return keptLabel{}, changedLabel(old, next, version)
	}
	next.id, next.created, next.Version = old.id, old.created, old.Version
	next.History = append(slices.Clone(old.History), old.was())
	next.History = next.History[max(0, len(next.History)-maxLabelHistory):]
	return s.putLabel(ctx, next)
}

// putLabel stores the next version of a label.
func (s *Server) putLabel(ctx context.Context, k keptLabel) (keptLabel, error) {
	k.Version++
	k.updated = s.now()
	if k.created.IsZero() {
		k.created = k.updated
	}
	body, err := json.Marshal(k)
	if err != nil {
		return k, err
	}
	return k, s.store.PutItem(ctx, store.Item{
		Kind: store.KindLabel, ID: k.id, Name: k.Subject, Parent: k.Run, Created: k.created, Updated: k.updated, Body: body,
	})
}

// changeLabel changes a label of the caller; see [Server.keepLabel] for version.
func (s *Server) changeLabel(ctx context.Context, id string, version int, change func(*keptLabel) error) (keptLabel, error) {
	k, err := s.keptLabel(ctx, id)
	if err != nil {
		return k, err
	}
	if t := tokenOf(ctx); t != nil && !t.Scope.Covers(ScopeAdmin) {
		if me, _ := s.labeller(ctx, ""); me != k.Annotator {
			return k, huma.Error403Forbidden(fmt.Sprintf("the label is that of %q: only they, or an admin, may change it", k.Annotator))
		}
	}
	release, err := s.claimLabel(ctx, k.Run, k.Label)
	if err != nil {
		return k, err
	}
	defer release()
	old, err := s.keptLabel(ctx, id)
	if err != nil {
		return k, err
	}
	next := old
	if err := change(&next); err != nil {
		return k, err
	}
	if old.same(next) {
		return old, nil
	}
	return s.putVersion(ctx, old, next, version)
}

// claimLabel makes the caller the only one of all servers on the store who writes a label of
// a person.
func (s *Server) claimLabel(ctx context.Context, run string, l Label) (release func(), err error) {
	id := hashed(fmt.Sprintf("%q", []string{run, l.Case, l.Metric, l.Annotator}))
	return s.claim(ctx, store.KindLabel+"-"+id, "the label is being written")
}

// claim makes the caller the only one of all servers on the store who has the name. If another
// has it for too long, the error is a conflict with the message busy.
func (s *Server) claim(ctx context.Context, name, busy string) (release func(), err error) {
	const wait, patience = 5 * time.Millisecond, 2000
	for try := 0; ; try++ {
		free, err := s.store.Claim(ctx, name)
		if err == nil {
			// The claim ends with the connection or the process at the latest.
			return func() { _ = free() }, nil
		}
		if !errors.Is(err, store.ErrLocked) {
			return nil, err
		}
		if try == patience {
			return nil, conflict(busy)
		}
		if err := s.sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// changedLabel is a 412 that says what the label is, and what it was to be.
func changedLabel(is, wanted keptLabel, version int) error {
	said := func(k keptLabel) string {
		switch {
		case k.Withdrawn || k.Version == 0 && k.Value == nil && !k.Unsure:
			return "none"
		case k.Unsure:
			return "unsure"
		}
		return fmt.Sprint(*k.Value)
	}
	type state struct {
		Version int    `json:"version"`
		Label   string `json:"label"`
	}
	return huma.NewError(http.StatusPreconditionFailed, "the label was changed meanwhile",
		&huma.ErrorDetail{Location: "header.If-Match", Message: fmt.Sprintf("it is version %d: %s", is.Version, said(is)),
			Value: state{is.Version, said(is)}},
		&huma.ErrorDetail{Location: "body", Message: fmt.Sprintf("yours, of version %d: %s", version, said(wanted)),
			Value: state{version, said(wanted)}})
}

// metricOfRun finds a run and a metric of it. The error is a problem.
func (s *Server) metricOfRun(ctx context.Context, run, metric, at string) (h assay.Header, m assay.MetricInfo, err error) {
	if h, err = s.header(ctx, run); err == nil {
		m, err = runMetric(h, metric, at)
	}
	return h, m, err
}

// runMetric returns a metric of a run. The error is a problem about the value at a place.
func runMetric(h assay.Header, name, at string) (assay.MetricInfo, error) {
	m, ok := wire.MetricOf(h, name)
	if !ok {
		return m, wrong(at, "the run has no such metric: expected one of "+quoted(wire.MetricNames(h.Metrics)), name)
	}
	return m, nil
}
