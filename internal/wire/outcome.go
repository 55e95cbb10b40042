package wire

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strings"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/store"
)

// kindOutcome is the kind of the outcome of a run's gate: the baseline that decided it may be
// another by now, or gone.
const kindOutcome = store.OfRun + "gate"

// A keptOutcome is the outcome of a gate as it is stored.
type keptOutcome struct {
	// Records is the number of records that it is of.
	Records int           `json:"records"`
	Gate    *gate.Outcome `json:"gate"`
	// Said has each of the findings in every language.
	Said []map[string]string `json:"said,omitempty"`
}

// KeepOutcome stores the outcome of a report's gate, if it has one.
func KeepOutcome(ctx context.Context, s *store.Store, rep *report.Report) error {
	if rep.Gate == nil {
		return nil
	}
	out := keptOutcome{Records: rep.Cases.Len(), Gate: rep.Gate}
	for _, f := range findings(rep.Gate) {
		in := map[string]string{}
		for _, w := range words.All {
			in[w.Code] = (*f).In(w)
		}
		out.Said = append(out.Said, in)
	}
	body, err := json.Marshal(out)
	if err != nil {
		return err
	}
	h := rep.Header
	return s.PutItem(ctx, store.Item{Kind: kindOutcome, ID: h.ID, Parent: h.ID, Created: h.Finished, Updated: h.Finished, Body: body})
}

// findings lists the findings of an outcome, always in the same order.
func findings(o *gate.Outcome) (out []*gate.Finding) {
	for _, results := range [][]gate.Result{o.Results, o.Tracked} {
		for i := range results {
			out = append(out, &results[i].Reason)
		}
	}
	for _, list := range [][]gate.Finding{o.Refused, o.Warnings} {
		for i := range list {
			out = append(out, &list[i])
		}
	}
	return out
}

// decide gives the report of a stored run the outcome of its gate. A run that is not over has
// none. Where none is stored, because an earlier version executed the run or the process was
// killed, the rules are evaluated now. A baseline and labels may have changed since: with these,
// the run has a warning in place of a verdict.
func decide(ctx context.Context, s *store.Store, rep *report.Report) error {
	h := rep.Header
	if h.State == "running" || h.State == "queued" {
		rep.Gate = nil
		return nil
	}
	var kept keptOutcome
	it, err := s.Item(ctx, kindOutcome, h.ID)
	if err == nil {
		err = json.Unmarshal(it.Body, &kept)
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if kept.Gate != nil && kept.Records == rep.Cases.Len() {
		for i, f := range findings(kept.Gate) {
			if *f != nil {
				*f = message.New("Kept", "said", kept.Said[i])
			}
		}
		rep.Decided(kept.Gate)
		return nil
	}
	if h.Config["baseline"] != "" || h.Config["gate.labels"] != "" || judgeAgain(rep) != nil {
		rep.Gate = nil
		rep.Summary.Warnings = append(rep.Summary.Warnings, "gate not evaluated: its verdict was not stored; assay gate evaluates it again")
	}
	return nil
}

// judgeAgain judges the report of a stored run by the rules in its settings.
func judgeAgain(rep *report.Report) error {
	h := rep.Header
	saved := maps.Clone(h.Config)
	maps.DeleteFunc(saved, func(key, _ string) bool { return !strings.HasPrefix(key, "gate.") })
	r, err := config.Restore(saved, config.Default(), "run "+h.ID)
	if err != nil {
		return err
	}
	policy, err := Policy(r, nil)
	if err != nil {
		return err
	}
	return Hold(rep, policy)
}
