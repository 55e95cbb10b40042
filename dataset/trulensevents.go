package dataset

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
)

// Attributes of events, as the conventions of TruLens 2 name them
// (trulens.otel.semconv.trace.SpanAttributes).
const (
	trulensScope     = "ai.observability."
	trulensKind      = trulensScope + "span_type"
	trulensRecord    = trulensScope + "record_id"
	trulensInput     = trulensScope + "record_root.input"
	trulensOutput    = trulensScope + "record_root.output"
	trulensTruth     = trulensScope + "record_root.ground_truth_output"
	trulensError     = trulensScope + "record_root.error"
	trulensRetrieved = trulensScope + "retrieval.retrieved_contexts"
	trulensMetric    = trulensScope + "eval_root.metric_name"
	trulensScore     = trulensScope + "eval_root.score"
)

// isTrulensEvents reports whether a file is the data frame of events.
func isTrulensEvents(names []string) bool {
	return slices.Contains(names, "record_attributes") && slices.Contains(names, "event_id")
}

// trulensRecords are the events of records, by the id of the record.
type trulensRecords struct {
	roots     []*trulensRoot
	retrieved map[string][]assay.Passage
	scores    map[string][]field
}

// A trulensRoot is the event of the call of an app.
type trulensRoot struct {
	*record
	id         string
	attributes *node
}

// loadTrulensEvents makes a case of every call of an app, with what was retrieved in it.
func loadTrulensEvents(l *loader) error {
	if l.excerpt.layout == layoutTable {
		return &Error{
			File: l.src.name, Index: -1, Field: "record_attributes",
			Problem: "events as CSV, in which objects are as Python prints them", Want: `JSON, as to_json(orient="records") writes`,
		}
	}
	all := &trulensRecords{retrieved: map[string][]assay.Passage{}, scores: map[string][]field{}}
	if err := l.records(all.event, nil); err != nil {
		return err
	}
	for _, root := range all.roots {
		all.done(root)
		if len(l.errs) > maxErrors {
			break
		}
	}
	return nil
}

// event keeps what an event says of its record.
func (t *trulensRecords) event(r *record) {
	attributes := r.get("record_attributes")
	if attributes == nil {
		r.fail(nil, "record_attributes", "missing", "the attributes of an event")
		return
	}
	if attributes.kind != object {
		r.fail(attributes, "record_attributes", attributes.what(), "the attributes of an event")
		return
	}
	text := func(name string) string {
		if n := attributes.get(name); !n.absent() && n.kind == str {
			return n.text
		}
		return ""
	}
	id := text(trulensRecord)
	switch text(trulensKind) {
	case "record_root":
		if id == "" {
			r.fail(attributes, trulensRecord, "missing", "the id of a record")
			return
		}
		r.id = id
		t.roots = append(t.roots, &trulensRoot{r, id, attributes})
	case "retrieval":
		if n := attributes.get(trulensRetrieved); !n.absent() {
			t.retrieved[id] = append(t.retrieved[id], r.retrieved(n, trulensRetrieved)...)
			if t.retrieved[id] == nil {
				t.retrieved[id] = []assay.Passage{}
			}
		}
	case "eval_root":
		if name, n := text(trulensMetric), attributes.get(trulensScore); name != "" && !n.absent() {
			t.scores[id] = append(t.scores[id], field{name, n})
		}
	}
}

// done makes a case of a call.
func (t *trulensRecords) done(r *trulensRoot) {
	get := func(name string) *node {
		if n := r.attributes.get(name); !n.absent() {
			return n
		}
		return nil
	}
	c := assay.Case{ID: r.id}
	c.Question = unquoted(r.required(get(trulensInput), trulensInput, "a question"))
	if truth := get(trulensTruth); !truth.isEmpty() {
		c.Want.Answers = []string{r.text(truth, trulensTruth, "an answer, or no field")}
	}
	for _, f := range []string{"app_name", "app_version"} {
		if n := get(trulensScope + f); n != nil {
			note(&c, f, n.value())
		}
	}
	for _, f := range t.scores[r.id] {
		note(&c, f.name, f.value.value())
	}
	output, failure := get(trulensOutput), get(trulensError)
	switch {
	case output != nil && output.kind != str:
		r.fail(output, trulensOutput, output.what(), "text")
	case output != nil:
		r.respond(assay.Response{Answer: unquoted(output.text), Passages: t.retrieved[r.id], Latency: r.between("start_timestamp", "timestamp")})
	case failure != nil:
		r.l.warn(r.origin(), trulensError, "calls that failed have no response")
	}
	record := r.record
	record.done(c)
}

// between returns the time between two moments of a record; 0 if they are not both known.
func (r *record) between(from, to string) time.Duration {
	start, ok := r.moment(from)
	end, ok2 := r.moment(to)
	if !ok || !ok2 || end.Before(start) {
		return 0
	}
	return end.Sub(start)
}

// moment reads a time as a data frame writes it: milliseconds since 1970, or text.
func (r *record) moment(name string) (time.Time, bool) {
	n := r.get(name)
	if n == nil {
		return time.Time{}, false
	}
	if ms, ok := n.float(); ok && math.Abs(ms) < 1e15 {
		return time.UnixMilli(int64(ms)), true
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if at, err := time.Parse(layout, strings.Replace(n.text, " ", "T", 1)); err == nil && n.kind == str {
			return at, true
		}
	}
	r.fail(n, name, n.what(), "milliseconds since 1970, or a time such as 2026-01-15T12:30:00Z")
	return time.Time{}, false
}
