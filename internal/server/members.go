package server

import (
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay/internal/accuracy"
)

// A member is a member of a JSON object whose format is that of a file, and is checked by
// what reads the file.
type member struct {
	name, doc string
	// example is JSON.
	example string
}

// membersOf describes an object of such members. It allows others: later versions may
// have more.
func membersOf(members []member) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{}, AdditionalProperties: true}
	for _, m := range members {
		s.Properties[m.name] = &huma.Schema{Description: m.doc, Examples: []any{json.RawMessage(m.example)}}
	}
	return s
}

// without returns the members but one.
func without(members []member, name string) (out []member) {
	for _, m := range members {
		if m.name != name {
			out = append(out, m)
		}
	}
	return out
}

// The members of a report, assay.report/1, as docs/format.md has them.
var reportMembers = []member{
	{"schema", "format and version", `"assay.report/1"`},
	{"run", "all that can affect a result", `{"id": "01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10", "state": "finished", "seed": 0}`},
	{"counts", "outcomes of the cases", `{"cases": 500, "ok": 480, "failed": 18, "errors": 2}`},
	{"summary", "estimate of each metric by its name", `{"recall@5": {"mean": 0.781, "ci": [0.743, 0.816], "n": 500}}`},
	{"by_tag", "number of cases and estimates by tag", `{"geography": {"cases": 120, "summary": {"mrr": {"mean": 0.7, "n": 120}}}}`},
	{"repeats", "how draws of a case differ; absent with one draw each", `{"draws": 3, "cases": 500, "metrics": {}, "flaky": []}`},
	{"waterfall", "where answers are lost; absent if no case was followed", `{"cases": 498, "facts": 800, "answered": 700}`},
	{"gate", "verdicts on thresholds, rules and a baseline; null without", `{"verdict": "pass", "rules": []}`},
	{"latency_ms", "milliseconds of the target; null if not known", `{"n": 498, "mean": 1650, "p50": 1500, "p95": 2900, "p99": 4100}`},
	{"cost", "tokens and US dollars of the target and of judging", `{"actual_usd": 0.42, "judging_usd": 1.3, "total_usd": 1.72}`},
	{"judging", "what judging consumed; null without a model", `{"cases": 498, "calls": 996, "cached": 0, "failed": 0}`},
	{"stages", "times of each stage by its name", `{"retrieve": {"n": 498, "mean_ms": 42, "p50_ms": 40, "p95_ms": 71}}`},
	{"warnings", "limitations of the results", `["2 cases have no response"]`},
	{"cases", "the cases, in the order of the dataset", `[{"id": "q-17", "status": "ok"}]`},
}

// The members of a baseline, assay.baseline/1.
var baselineMembers = []member{
	{"schema", "format and version", `"assay.baseline/1"`},
	{"run", "id of the run", `"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`},
	{"name", "name of the run; absent without one", `"nightly"`},
	{"created", "time when the baseline was made", `"2026-03-02T09:30:00Z"`},
	{"assay", "version of assay that made it", `"1.4.0"`},
	{"reason", "why this is the baseline; may be absent", `"new retriever approved"`},
	{"dataset", "what was measured: name, hash and number of cases", `{"name": "rivers.jsonl", "hash": "sha256:9f86d081", "cases": 500}`},
	{"corpus", "fingerprint of the documents; absent if not known", `"sha256:60303ae2"`},
	{"judge", "judge of the run; absent without one", `{"provider": "openai", "model": "gpt-4.1"}`},
	{"embedder", "embedder of the metrics; absent without one", `"openai:text-embedding-3-small"`},
	{"metrics", "mean of each metric by its name", `{"mrr": {"mean": 0.7, "n": 500, "better": "higher", "range": [0, 1]}}`},
	{"cases", "values of each case by its id and the metric", `{"q-17": {"mrr": 0.5}}`},
}

// The members of a comparison, assay.comparison/1.
var comparisonMembers = []member{
	{"schema", "format and version", `"assay.comparison/1"`},
	{"level", "confidence level of the intervals", `0.95`},
	{"tests", "number of differences that are tested together", `4`},
	{"primary", "the metric that is tested alone; absent without one", `"recall@5"`},
	{"primary_tests", "number of tests of the primary metric; absent without one", `1`},
	{"baseline", "name of the run that the others are compared with", `"main"`},
	{"runs", "all that can affect a result, by the name of the run", `{"main": {"id": "01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"}}`},
	{"summary", "estimates and differences of each metric", `{"mrr": {"title": "MRR", "estimates": {}, "differences": {}}}`},
	{"by_tag", "the same for the cases of each tag", `{"geography": {}}`},
	{"standings", "order of the runs by the primary metric; absent without one", `{"metric": "recall@5"}`},
	{"waterfall", "differences of what stages lost; absent if not followed", `{"new": {}}`},
	{"changes", "cases that changed most, by run", `{"new": []}`},
	{"both_wrong", "cases that every run misses", `{}`},
	{"settings", "settings that differ, by key and run", `{"top-k": {"main": "5", "new": "10"}}`},
	{"warnings", "limitations of the comparison", `["the corpora differ"]`},
	{"cases", "the cases with their values in each run", `[{"id": "q-17"}]`},
}

// The members of a calibration.
var calibrationMembers = []member{
	{"run_id", "id of the run", `"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`},
	{"metric", "name of the metric", `"faithfulness"`},
	{"judge", "judge of the run; absent without one", `{"provider": "openai", "model": "gpt-4.1"}`},
	{"labels", "labels that count, and why others do not", `{"counted": 120, "carried": 0, "unsure": 2, "sighted": 0, "not_random": 14}`},
	{"n", "cases with a label and a score", `120`},
	{"unscored", "labels without a score", `3`},
	{"judge_errors", "those of them where the judge failed", `1`},
	{"unlabelled", "scores without a label", `377`},
	{"level", "confidence level of the intervals", `0.95`},
	{"binary", "measures of right and wrong; absent for graded labels that are not split", `{"prevalence": 0.4, "threshold": 0.5}`},
	{"graded", "measures of grades; absent if labels are 0 and 1", `{"mean": 3.2}`},
	{"run", "mean of the run, corrected by the labels: ppi, labels_for_half", `{"why": ["too few labels"]}`},
	{"unlike", "how much more the judge gives the labelled cases; absent if it may be chance", `0.2`},
	{"validated", "whether the judge agrees with people about as well as people do", `false`},
	{"lacks", "what it lacks for that; absent if nothing", `["labels: 120 of 200"]`},
	{"warnings", "limitations of the calibration; may be absent", `["one annotator"]`},
}

// The members of a stored case.
var recordMembers = []member{
	{"seq", "position in the run, from 0", `16`},
	{"case", "question and labels", `{"id": "q-17", "question": "Which river?"}`},
	{"response", "answer, passages and trace; absent if the target failed", `{"answer": "The Rhine."}`},
	{"failure", "why there is no response: kind and message; absent if there is one", `{"kind": "timeout", "message": "no reply in 30s"}`},
	{"attempts", "calls to the target", `1`},
	{"retrieved", "the expected documents and passages that were retrieved: found of of, among the first k passages; absent without such labels",
		`{"k": 10, "found": 1, "of": 1}`},
	{"tries", "failed attempts, in order; absent without any", `[{"kind": "timeout", "message": "no reply in 30s"}]`},
	{"scores", "score of each metric by its name, with reason and evidence", `{"mrr": {"state": "scored", "value": 0.5}}`},
	{"answer", "right, wrong or unknown; absent without an answer", `"right"`},
	{"attribution", "stage that lost the evidence; absent if not followed", `{"stage": "retrieve"}`},
	{"judging", "what judging the case consumed; absent if nothing", `{"calls": 2}`},
	{"calls", "ledger keys of the calls of the judge; absent without any", `["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"]`},
	{"warnings", "remarks of the evaluator; absent without any", `["3 passages cut"]`},
	{"started", "time of the first attempt", `"2026-03-02T09:30:00Z"`},
	{"slow", "set if the response took longer than the slow threshold", `true`},
}

// A recordObject is a stored case as JSON.
type recordObject []byte

// Schema lists its members.
func (recordObject) Schema(huma.Registry) *huma.Schema { return membersOf(recordMembers) }

// MarshalJSON returns the JSON.
func (o recordObject) MarshalJSON() ([]byte, error) { return o, nil }

// A resultObject is a result in a request. [accuracy.ReadResult] checks it.
type resultObject map[string]any

// Schema is that of a result, or of any object.
func (resultObject) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{
		r.Schema(reflect.TypeFor[accuracy.Result](), true, ""),
		{Type: huma.TypeObject, AdditionalProperties: &huma.Schema{Description: "some fields of a result; others are ignored"}},
	}}
}

// UnmarshalJSON keeps numbers as written.
func (o *resultObject) UnmarshalJSON(text []byte) error {
	return (*settingsObject)(o).UnmarshalJSON(text)
}

// text returns the object as JSON.
func (o resultObject) text() ([]byte, error) { return settingsObject(o).text() }

// A baselineObject is a baseline in a request.
type baselineObject map[string]any

// Schema lists its members.
func (baselineObject) Schema(huma.Registry) *huma.Schema { return membersOf(baselineMembers) }

// UnmarshalJSON keeps numbers as written.
func (o *baselineObject) UnmarshalJSON(text []byte) error {
	return (*settingsObject)(o).UnmarshalJSON(text)
}

// text returns the object as JSON.
func (o baselineObject) text() ([]byte, error) { return settingsObject(o).text() }
