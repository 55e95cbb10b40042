package dataset

import "github.com/assay-eval/assay"

var langfuse = format{
	name:  "langfuse",
	title: "items of a Langfuse dataset",
	doc: `Dataset items as JSON Lines, a JSON list, {"data": [item, …]} as the API answers, or CSV, with names in either style (expectedOutput,
expected_output):

  input           the question, required: a text, or an object or messages, as in langsmith
  expectedOutput  the reference answer, in the same way
  id              the id of the case
  metadata, and all other members of input and expectedOutput, go to the case's metadata

Archived items are left out, and counted. Times and the ids of the dataset, trace and observation are not carried over. The JSON Lines
are tested on items that the SDK of Langfuse (5.0.4) serialises, CSV and answers of the API only on files made by hand.`,
	extensions: []string{".jsonl", ".json", ".csv"},
	claim: func(s *excerpt) claim {
		if s.layout == layoutTable {
			if !s.column("input") {
				return noClaim
			}
			// Headers are compared in lower case.
			return s.columns(particular, "expectedoutput").or(s.columns(certain, langfuseColumns...))
		}
		if !s.isRecords() {
			return noClaim
		}
		if s.has("data") && s.has("meta") {
			return claim{particular, `fields "data" and "meta"`}
		}
		if !s.has("input") || s.has("actualOutput", "retrievalContext") {
			return noClaim
		}
		return s.fields(particular, "expectedOutput").or(s.fields(certain, langfuseFields...))
	},
	load: func(l *loader) error {
		if l.excerpt.layout == layoutTable || l.excerpt.layout == layoutRows {
			return l.table(langfuseCells, langfuseCase)
		}
		if l.excerpt.has("data") {
			root, err := l.document()
			if err != nil {
				return err
			}
			data := root.get("data")
			if data.absent() || data.kind != list {
				return &Error{File: l.src.name, Line: root.line, Index: -1, Field: "data", Problem: "no list", Want: "a list of items"}
			}
			return l.items(data, langfuseCase)
		}
		return l.records(langfuseCase, nil)
	},
	optional: []optional{{"expectedOutput", hasAnswers, true}},
}

// langfuseFields are the fields that only an item has.
var (
	langfuseFields = []string{
		"datasetId", "datasetName", "sourceTraceId", "sourceObservationId", "dataset_name", "source_trace_id", "source_observation_id",
	}
	langfuseColumns = []string{
		"datasetid", "datasetname", "sourcetraceid", "sourceobservationid", "dataset_name", "source_trace_id", "source_observation_id",
	}
)

// langfuseCells says how to convert the cells of a CSV file.
var langfuseCells = map[string]cell{
	"id": cellText, "input": cellValue, "expectedoutput": cellValue, "expected_output": cellValue, "metadata": cellValue, "status": cellText,
}

func langfuseCase(r *record) {
	if status := r.get("status"); status != nil && status.kind == str && status.text == "ARCHIVED" {
		r.l.warn(r.origin(), "status", "archived items are left out")
		return
	}
	c := assay.Case{ID: r.identity(r.get("id"), "id")}
	r.questionIn(&c, r.get("input"), "input")
	name, expected := r.alias("expectedOutput", "expected_output", "expectedoutput")
	if a := r.answerIn(&c, expected, name); a != "" {
		c.Want.Answers = []string{a}
	}
	r.metadata(&c)
	for _, name := range append([]string{"createdAt", "updatedAt", "created_at", "updated_at", "dataset_id", "projectId"}, langfuseFields...) {
		r.get(name)
	}
	keep(&c, "item", r.rest())
	r.done(c)
}
