package target

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// Recorded is a target with recorded responses: from another tool, from a run that is
// scored again, or from a search engine's TREC run. It finds a response by the case's
// id, else by its question, ignoring differences in white space. A case without a
// response is an error of kind [Missing], so that it scores 0 and is counted. A
// Recorded is immutable.
type Recorded struct {
	entries    []*entry
	byID       map[string]*entry
	byQuestion map[string]*entry
	warnings   []string
}

// An entry is one recorded response or recorded failure.
type entry struct {
	// id and question identify the case; one of them may be empty.
	id, question string
	response     assay.Response
	failure      string
	at           assay.Origin
}

// name identifies the entry in messages.
func (e *entry) name() string {
	if e.id != "" {
		return e.id
	}
	return e.question
}

// NewRecorded returns a target with a response for each case id.
func NewRecorded(byCase map[string]assay.Response) *Recorded {
	r := newRecorded()
	for _, id := range slices.Sorted(maps.Keys(byCase)) {
		e := &entry{id: id, response: byCase[id]}
		r.entries, r.byID[id] = append(r.entries, e), e
	}
	return r
}

func newRecorded() *Recorded {
	return &Recorded{byID: map[string]*entry{}, byQuestion: map[string]*entry{}}
}

// Ask returns the recorded response.
func (r *Recorded) Ask(ctx context.Context, c *assay.Case) (assay.Response, error) {
	if err := cancelled(ctx); err != nil {
		return assay.Response{}, err
	}
	e := r.find(c)
	if e == nil {
		return assay.Response{}, Errorf(Missing, "no response is recorded for case %q", c.ID)
	}
	if e.failure != "" {
		// A retry would find the same record.
		return assay.Response{}, &Error{Kind: Failed, Err: errors.New(e.failure)}
	}
	resp := e.response
	resp.Passages = slices.Clone(resp.Passages)
	return resp, nil
}

// ReportsLatency tells the engine not to measure look-ups: a response without a
// recorded latency has none.
func (r *Recorded) ReportsLatency() bool { return true }

func (r *Recorded) find(c *assay.Case) *entry {
	if e := r.byID[c.ID]; e != nil {
		return e
	}
	return r.byQuestion[squeeze(c.Question)]
}

// squeeze replaces each run of white space by one space.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// Len returns the number of recorded responses.
func (r *Recorded) Len() int { return len(r.entries) }

// ReportsPassages reports whether any response has a list of passages, even an empty
// one. Otherwise passage metrics do not apply.
func (r *Recorded) ReportsPassages() bool {
	return slices.ContainsFunc(r.entries, func(e *entry) bool { return e.response.Passages != nil })
}

// ReportsTrace reports whether any response has a trace. Otherwise trace metrics do not
// apply.
func (r *Recorded) ReportsTrace() bool {
	return slices.ContainsFunc(r.entries, func(e *entry) bool { return e.response.Trace != nil && len(e.response.Trace.Stages) > 0 })
}

// Warnings compares the records with the cases to be asked: oddities of the file, cases
// without a response, responses without a case, and responses whose question differs
// from that of the case with the same id.
func (r *Recorded) Warnings(cases []assay.Case) []string {
	used := map[*entry]bool{}
	var missing, unused, other []string
	for i := range cases {
		c := &cases[i]
		e := r.find(c)
		if e == nil {
			missing = append(missing, c.ID)
			continue
		}
		used[e] = true
		if e.question != "" && e.question != squeeze(c.Question) {
			other = append(other, c.ID)
		}
	}
	for _, e := range r.entries {
		if !used[e] {
			unused = append(unused, e.name())
		}
	}
	out := slices.Clone(r.warnings)
	for _, w := range []struct {
		names []string
		says  string
		of    int
	}{
		{missing, "cases have no recorded response and score 0", len(cases)},
		{unused, "recorded responses match no case of this run", r.Len()},
		{other, "recorded responses have the id of a case but a different question", r.Len()},
	} {
		if w.names != nil {
			out = append(out, fmt.Sprintf("%d of %d %s: %s", len(w.names), w.of, w.says, list(w.names)))
		}
	}
	return out
}

// list quotes the first three strings.
func list(s []string) string {
	var out []string
	for _, v := range s[:min(len(s), 3)] {
		out = append(out, fmt.Sprintf("%q", v))
	}
	if len(s) > 3 {
		out = append(out, "…")
	}
	return strings.Join(out, ", ")
}
