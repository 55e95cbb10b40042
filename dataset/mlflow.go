package dataset

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

var mlflow = format{
	name:  "mlflow",
	title: "evaluation tables and evaluation data of MLflow",
	doc: `eval_results_table.json, {"columns": [name, …], "data": [[value, …], …]}, as mlflow.evaluate logs it; or rows as JSON Lines, a JSON
list, CSV or Parquet:

  inputs        the question, required: a text, or an object or messages, as in langsmith; also question, query and input
  outputs       what the system answered, in the same way; also predictions, prediction, output, response and answer
  expectations  an object: expected_response is the reference answer, expected_retrieved_context a list of texts that should be
                retrieved, as objects with content and doc_uri; expected_facts and guidelines go to the case's metadata
  ground_truth  the reference answer; also targets and target
  retrieved_context, retrieved_contexts, contexts, context
                texts that the system retrieved, best first
  latency       seconds

All other columns, such as scores and their justifications, go to the case's metadata. A record with nothing but inputs and outputs
may be an example of langsmith, too, whose outputs are the reference: then --format is needed.`,
	answers:    "outputs",
	extensions: []string{".json", ".jsonl", ".csv", ".parquet"},
	claim: func(s *excerpt) claim {
		if s.layout == layoutTable {
			c := claim{}
			if s.column("inputs") {
				c = s.columns(usual, "outputs").or(s.columns(certain, "expectations"))
			}
			for _, h := range s.header {
				if strings.HasSuffix(h, "/score") {
					c = c.or(claim{particular, fmt.Sprintf("column %q", h)})
				}
			}
			return c
		}
		switch {
		case !s.isRecords(), s.has("dataset_id", "source_run_id"):
			return noClaim
		case s.has("columns") && s.has("data"):
			return claim{certain, `fields "columns" and "data"`}
		case !s.has("inputs"):
			return noClaim
		}
		return s.fields(usual, "outputs").or(s.fields(certain, "expectations"))
	},
	load: loadMLflow,
	optional: []optional{
		{"ground_truth", hasAnswers, true},
		{"outputs", hasResponse, false},
		{"retrieved_context", hasRetrieved, false},
	},
}

// Names of columns with the same meaning.
var (
	mlflowQuestions  = []string{"inputs", "question", "query", "input"}
	mlflowAnswers    = []string{"outputs", "predictions", "prediction", "output", "response", "answer"}
	mlflowReferences = []string{"ground_truth", "targets", "target"}
	mlflowContexts   = []string{"retrieved_context", "retrieved_contexts", "contexts", "context"}
)

// mlflowColumns says how to convert the cells of a CSV file.
var mlflowColumns = func() map[string]cell {
	out := map[string]cell{"id": cellText, "expectations": cellValue, "ground_truth": cellText, "targets": cellText, "target": cellText}
	for _, names := range [][]string{mlflowQuestions, mlflowAnswers} {
		for _, name := range names {
			out[name] = cellValue
		}
	}
	for _, name := range mlflowContexts {
		out[name] = cellList
	}
	return out
}()

func loadMLflow(l *loader) error {
	switch {
	case l.excerpt.layout == layoutTable, l.excerpt.layout == layoutRows:
		return l.table(mlflowColumns, mlflowCase)
	case !l.excerpt.has("columns"):
		return l.records(mlflowCase, nil)
	}
	root, err := l.document()
	if err != nil {
		return err
	}
	rows, err := l.unsplit(root)
	if err != nil {
		return err
	}
	return l.items(rows, mlflowCase)
}

// unsplit makes objects of a table that is written as the names of its columns and its
// rows.
func (l *loader) unsplit(root *node) (*node, error) {
	bad := func(n *node, field, problem, want string) error {
		line := root.line
		if n != nil {
			line = n.line
		}
		return &Error{File: l.src.name, Line: line, Index: -1, Field: field, Problem: problem, Want: want}
	}
	columns, data := root.get("columns"), root.get("data")
	if columns.absent() || columns.kind != list {
		return nil, bad(columns, "columns", "no list", "a list of names")
	}
	if data.absent() || data.kind != list {
		return nil, bad(data, "data", "no list", "a list of rows")
	}
	seen := map[string]bool{}
	for i, c := range columns.items {
		if c.kind != str || seen[c.text] {
			return nil, bad(c, fmt.Sprintf("columns[%d]", i), c.what(), "names, each once")
		}
		seen[c.text] = true
	}
	out := &node{kind: list, line: data.line}
	for i, row := range data.items {
		if row.kind != list || len(row.items) != len(columns.items) {
			return nil, bad(row, fmt.Sprintf("data[%d]", i), fmt.Sprintf("%d values", len(row.items)),
				fmt.Sprintf("a list of %d, as there are columns", len(columns.items)))
		}
		one := &node{kind: object, line: row.line}
		for k, value := range row.items {
			one.fields = append(one.fields, field{columns.items[k].text, value})
		}
		out.items = append(out.items, one)
	}
	return out, nil
}

// first returns the first of several fields that is there and not empty, and its name.
func (r *record) first(names []string) (string, *node) {
	for _, name := range names {
		if n := r.get(name); n != nil && !n.isEmpty() {
			return name, n
		}
	}
	return names[0], nil
}

func mlflowCase(r *record) {
	c := assay.Case{ID: r.identity(r.get("id"), "id")}
	name, question := r.first(mlflowQuestions)
	r.questionIn(&c, question, name)
	for _, name := range mlflowReferences {
		r.answer(&c, r.get(name), name)
	}
	r.expectations(&c)
	var resp assay.Response
	name, output := r.first(mlflowAnswers)
	resp.Answer = r.answerIn(&c, output, name)
	name, contexts := r.first(mlflowContexts)
	resp.Passages = r.retrieved(contexts, name)
	resp.Latency = r.seconds("latency")
	keep(&c, "row", r.rest())
	if output != nil || resp.Passages != nil {
		r.respond(resp)
	}
	r.done(c)
}

// expectations reads what a row expects of the response.
func (r *record) expectations(c *assay.Case) {
	n := r.get("expectations")
	if n == nil {
		return
	}
	if n.kind != object {
		r.fail(n, "expectations", n.what(), "an object")
		return
	}
	var rest []field
	for _, f := range n.fields {
		at := "expectations." + f.name
		switch f.name {
		case "expected_response":
			if !f.value.isEmpty() {
				r.answer(c, f.value, at)
			}
		case "expected_retrieved_context":
			r.expectedContext(c, f.value, at)
		default:
			rest = append(rest, f)
		}
	}
	keep(c, "expectations", rest)
}

// expectedContext reads texts and documents that should be retrieved.
func (r *record) expectedContext(c *assay.Case, n *node, at string) {
	if n.absent() {
		return
	}
	if n.kind != list {
		r.fail(n, at, n.what(), "a list of objects with content and doc_uri")
		return
	}
	for i, item := range n.items {
		at := fmt.Sprintf("%s[%d]", at, i)
		text := item
		if item.kind == object {
			text = item.get("content")
			if uri := item.get("doc_uri"); !uri.isEmpty() {
				if id, ok := idOf(uri); ok {
					if c.Want.Documents == nil {
						c.Want.Documents = map[string]int{}
					}
					c.Want.Documents[id] = 1
				}
			}
		}
		if !text.isEmpty() {
			if t := r.text(text, at, "a text that should be retrieved"); t != "" {
				c.Want.Passages = append(c.Want.Passages, t)
			}
		}
	}
}
