package dataset

import (
	"encoding/json"
	"strings"

	"github.com/assay-eval/assay"
)

var trulens = format{
	name:  "trulens",
	title: "records of TruLens with their feedback",
	doc: `The data frame of get_records_and_feedback, as CSV, JSON Lines, a JSON list or Parquet:

  input         the question, required
  output        the recorded answer
  latency, total_cost
                seconds and dollars of the recorded response
  tags          "-", or names separated by commas
  record_id     the id of the case

Feedback, the app and its version, and the time go to the case's metadata. A record has no reference answer, and does not say what
the app retrieved. The details of feedback (columns that end in "_calls") are not carried over, and are counted.

The data frame of get_events, as JSON Lines or a JSON list, has what was retrieved, if the function that retrieves is instrumented
as SpanType.RETRIEVAL with RETRIEVED_CONTEXTS. A case is a call of the app, of the attributes of its events:

  record_root.input, record_root.output
                the question, required, and the recorded answer; a call with an error has no response, and is counted
  record_root.ground_truth_output
                the reference answer
  retrieval.retrieved_contexts
                texts that the app retrieved, of all retrievals in the order of the events
  start_timestamp, timestamp
                the latency
  eval_root.metric_name, eval_root.score
                feedback, which goes to the case's metadata, as do the app and its version

What else events hold is not read: assay import traces makes stages of the spans of other tools.`,
	answers:    "output",
	extensions: []string{".csv", ".json", ".jsonl", ".parquet"},
	claim: func(s *excerpt) claim {
		if isTrulensEvents(s.keys) || isTrulensEvents(s.header) {
			return claim{certain, `fields "record_attributes" and "event_id"`}
		}
		if s.layout == layoutTable {
			if !s.column("record_id") || !s.column("input") {
				return noClaim
			}
			return s.columns(certain, trulensFields...)
		}
		if !s.isRecords() || !s.has("record_id") || !s.has("input") {
			return noClaim
		}
		return s.fields(certain, trulensFields...)
	},
	load: func(l *loader) error {
		if isTrulensEvents(l.excerpt.keys) || isTrulensEvents(l.excerpt.header) {
			return loadTrulensEvents(l)
		}
		if l.excerpt.layout == layoutTable || l.excerpt.layout == layoutRows {
			return l.table(trulensColumns, trulensCase)
		}
		return l.records(trulensCase, nil)
	},
	optional: []optional{{"output", hasResponse, true}, {"retrieved_contexts", hasRetrieved, false}},
}

// trulensFields are the fields that only a record of an app has.
var trulensFields = []string{"app_id", "app_name", "app_json", "record_json", "perf_json"}

// trulensColumns says how to convert the cells of a CSV file.
var trulensColumns = map[string]cell{
	"record_id": cellText, "input": cellText, "output": cellText, "tags": cellText, "latency": cellValue, "total_cost": cellValue,
}

func trulensCase(r *record) {
	c := assay.Case{ID: r.identity(r.get("record_id"), "record_id")}
	c.Question = unquoted(r.required(r.get("input"), "input", "a question"))
	if tags := r.exported(r.get("tags"), "tags", "names"); tags != "" && tags != "-" {
		for tag := range strings.SplitSeq(tags, ",") {
			if tag = strings.TrimSpace(tag); tag != "" {
				c.Tags = append(c.Tags, tag)
			}
		}
	}
	output := r.get("output")
	if output != nil {
		if output.kind != str {
			r.fail(output, "output", output.what(), "text")
		}
		resp := assay.Response{Answer: unquoted(output.text), Latency: r.seconds("latency")}
		if currency := r.get("cost_currency"); currency == nil || currency.text == "USD" {
			resp.Usage.Cost = r.dollars("total_cost")
		} else {
			r.l.warn(r.origin(), "total_cost", "not in dollars, and "+notCarried)
		}
		r.respond(resp)
	}
	r.drop("record_json")
	// They tell how it was recorded, or again what stands elsewhere.
	for _, name := range []string{
		"app_json", "cost_json", "perf_json", "type", "total_tokens", "input_id", "num_events", "sampled", "sample_rate", "is_match",
	} {
		r.get(name)
	}
	for _, f := range r.rest() {
		if strings.HasSuffix(f.name, "_calls") {
			r.drop(f.name)
		}
	}
	keep(&c, "record", r.rest())
	r.done(c)
}

// unquoted returns the text of a JSON string; a text that is none as it is.
func unquoted(s string) string {
	var inner string
	if strings.HasPrefix(s, `"`) && json.Unmarshal([]byte(s), &inner) == nil && strings.TrimSpace(inner) != "" {
		return inner
	}
	return s
}
