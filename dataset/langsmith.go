package dataset

import (
	"strings"

	"github.com/assay-eval/assay"
)

var langsmith = format{
	name:  "langsmith",
	title: "examples of a LangSmith dataset",
	doc: `Examples as JSON Lines, a JSON list, or CSV:

  inputs    the question, required: a text, or an object with question, query, input, user_input, prompt or text, or with messages, of
            which the last of the user counts, or with only one text; --map question=NAME names another member
  outputs   the reference answer, in the same way: answer, reference_answer, expected_answer, ground_truth, reference, output, response,
            or the last message of the assistant
  id        the id of the case
  metadata, and all other members of inputs and outputs, go to the case's metadata

In CSV inputs and outputs are JSON, or a column each, such as inputs.question and outputs.answer. Times, attachments and the ids of
the dataset and of the run are not carried over. A record with nothing but inputs and outputs may be one of mlflow, too, whose
outputs are what the system answered: then --format is needed. LangSmith is a hosted service: the JSON is tested on examples that its
SDK (0.15.1) serialises, the CSV only on tables made by hand.`,
	extensions: []string{".jsonl", ".json", ".csv"},
	claim: func(s *excerpt) claim {
		if s.layout == layoutTable {
			if !s.dotted("inputs.") && !s.column("inputs") {
				return noClaim
			}
			if s.dotted("outputs.") {
				return claim{particular, "columns of inputs and outputs"}
			}
			return s.columns(usual, "outputs").or(s.columns(certain, "dataset_id", "source_run_id"))
		}
		if !s.isRecords() || !s.has("inputs") || s.has("expectations") {
			return noClaim
		}
		return s.fields(usual, "outputs").or(s.fields(certain, "dataset_id", "source_run_id"))
	},
	load: func(l *loader) error {
		if l.excerpt.layout == layoutTable {
			return l.rows(l.excerpt.comma, langsmithColumns(l.excerpt.header), langsmithCase)
		}
		return l.records(langsmithCase, nil)
	},
	optional: []optional{{"outputs", hasAnswers, true}},
}

// dotted reports whether a table has a column whose name begins so.
func (s *excerpt) dotted(prefix string) bool {
	for _, h := range s.header {
		if strings.HasPrefix(h, prefix) {
			return true
		}
	}
	return false
}

// langsmithColumns are the columns of a table with a header.
func langsmithColumns(header []string) map[string]cell {
	out := map[string]cell{"id": cellText, "metadata": cellValue}
	for _, h := range header {
		if before, _, ok := strings.Cut(h, "."); h == "inputs" || h == "outputs" || ok && (before == "inputs" || before == "outputs") {
			out[h] = cellValue
		}
	}
	return out
}

func langsmithCase(r *record) {
	c := assay.Case{ID: r.identity(r.get("id"), "id")}
	inputs, outputs := r.gathered("inputs"), r.gathered("outputs")
	r.questionIn(&c, inputs, "inputs")
	if a := r.answerIn(&c, outputs, "outputs"); a != "" {
		c.Want.Answers = []string{a}
	}
	r.metadata(&c)
	r.drop("attachments", "attachment_urls")
	for _, name := range []string{"dataset_id", "created_at", "modified_at", "source_run_id"} {
		r.get(name)
	}
	keep(&c, "example", r.rest())
	r.done(c)
}

// gathered returns a field, or an object of the columns whose names begin with that of
// the field and a dot; nil if there is neither.
func (r *record) gathered(name string) *node {
	if n := r.get(name); n != nil {
		return n
	}
	out := &node{kind: object, line: r.n.line}
	for _, f := range r.n.fields {
		if inner, ok := strings.CutPrefix(f.name, name+"."); ok && r.get(f.name) != nil {
			out.fields = append(out.fields, field{inner, f.value})
		}
	}
	if out.fields == nil {
		return nil
	}
	return out
}

// metadata adds the metadata of a record to that of its case.
func (r *record) metadata(c *assay.Case) {
	n := r.get("metadata")
	if n == nil {
		return
	}
	if n.kind != object {
		note(c, "metadata", n.value())
		return
	}
	keep(c, "metadata", n.fields)
}

// rest returns the fields that were not read.
func (r *record) rest() []field {
	var out []field
	for _, name := range r.unread() {
		out = append(out, field{name, r.n.get(name)})
	}
	return out
}
