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

// Recorded is a target whose responses were produced before: by another tool,
// by a run that is scored again, or by a search engine that wrote a TREC run. It
// finds them by the case's id, else by its question, in which white space does
// not matter. A case without a response is an error of kind [Missing], so that
// it scores 0 and is counted. It is never changed once it is made.
type Recorded struct {
	entries    []*entry
	byID       map[string]*entry
	byQuestion map[string]*entry
	warnings   []string
}

// An entry is one recorded response, or the failure that was recorded instead.
type entry struct {
	// id and question name the case; one of them may be empty.
	id, question string
	response     assay.Response
	failure      string
	at           assay.Origin
}

// name is how a message calls the entry.
func (e *entry) name() string {
	if e.id != "" {
		return e.id
	}
	return e.question
}

// NewRecorded returns a target that gives each case the response under its id.
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
		// Asking again would find the same record.
		return assay.Response{}, &Error{Kind: Failed, Err: errors.New(e.failure)}
	}
	resp := e.response
	resp.Passages = slices.Clone(resp.Passages)
	return resp, nil
}

// ReportsLatency tells the engine that the time of a look-up is no latency: a
// response without one has none.
func (r *Recorded) ReportsLatency() bool { return true }

func (r *Recorded) find(c *assay.Case) *entry {
	if e := r.byID[c.ID]; e != nil {
		return e
	}
	return r.byQuestion[squeeze(c.Question)]
}

// squeeze makes one space of each run of white space.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// Len counts the recorded responses.
func (r *Recorded) Len() int { return len(r.entries) }

// ReportsPassages is whether any response says what was retrieved, be it
// nothing: else metrics over passages do not apply.
func (r *Recorded) ReportsPassages() bool {
	return slices.ContainsFunc(r.entries, func(e *entry) bool { return e.response.Passages != nil })
}

// ReportsTrace is whether any response says what the stages did: else metrics over
// the trace do not apply.
func (r *Recorded) ReportsTrace() bool {
	return slices.ContainsFunc(r.entries, func(e *entry) bool { return e.response.Trace != nil && len(e.response.Trace.Stages) > 0 })
}

// Warnings compares the records with the cases to be asked: what was odd in the
// file, cases without a response, responses without a case, and responses to
// another question than that of the case with their id.
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
		{unused, "recorded responses are of no case of this run", r.Len()},
		{other, "recorded responses have a case's id but another question", r.Len()},
	} {
		if w.names != nil {
			out = append(out, fmt.Sprintf("%d of %d %s: %s", len(w.names), w.of, w.says, list(w.names)))
		}
	}
	return out
}

// list quotes the first three.
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
