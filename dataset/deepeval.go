package dataset

import (
	"slices"

	"github.com/assay-eval/assay"
)

var deepeval = format{
	name:  "deepeval",
	title: "goldens, test cases and test runs of DeepEval",
	doc: `Goldens as EvaluationDataset.save_as writes them (JSON, JSON Lines, CSV), test cases in the same shape, and test runs as JSON,
with names in either style (actual_output, actualOutput):

  input                  the question, required
  expected_output        the reference answer
  context                texts that should be retrieved
  actual_output          what the system answered
  retrieval_context      texts that the system retrieved, best first; an empty list, which test runs leave out, means nothing
  completion_time, token_cost, input_token_count, output_token_count
                         seconds, dollars and tokens of the recorded response
  tags                   names to group and select cases by
  additional_metadata, metadata, custom_column_key_values
                         go to the case's metadata
  metricsData            of a test run: the scores go to the case's metadata, as "metrics"

An empty text is the same as none. In CSV and JSON Lines "|" separates the entries of context and retrieval_context, as
DeepEval writes them. Other fields, such as comments and source_file, go to the case's metadata. Goldens and test cases of several
turns, tools and traces are not carried over, and are counted.`,
	answers:    "actual_output",
	extensions: []string{".json", ".jsonl", ".csv"},
	claim: func(s *excerpt) claim {
		switch {
		case s.layout == layoutTable:
			if !s.column("input") {
				return noClaim
			}
			return s.columns(particular, "actual_output", "expected_output", "retrieval_context")
		case !s.isRecords():
			return noClaim
		case s.has("testRunData"), s.has("testCases") && s.has("conversationalTestCases", "metricsScores", "hyperparameters", "testPassed"):
			return s.fields(certain, "testRunData", "testCases")
		case s.has("input"):
			return s.fields(particular, "actual_output", "actualOutput", "expected_output", "retrieval_context", "retrievalContext")
		case s.has("scenario"):
			return s.fields(particular, "turns", "expected_outcome", "user_description")
		}
		return noClaim
	},
	load: loadDeepEval,
	optional: []optional{
		{"expected_output", hasAnswers, true},
		{"actual_output", hasResponse, false},
		{"retrieval_context", hasRetrieved, false},
		{"context", hasPassages, false},
	},
}

// deepevalColumns says how to convert the cells of a CSV file.
var deepevalColumns = map[string]cell{
	"input": cellText, "actual_output": cellText, "expected_output": cellText, "context": cellBars, "retrieval_context": cellBars,
	"additional_metadata": cellValue, "custom_column_key_values": cellValue, "tags": cellNames,
	"token_cost": cellValue, "completion_time": cellValue, "input_token_count": cellValue, "output_token_count": cellValue,
}

func loadDeepEval(l *loader) error {
	s := l.excerpt
	switch {
	case s.layout == layoutTable, s.layout == layoutRows:
		return l.table(deepevalColumns, deepevalCase)
	case s.has("testRunData", "testCases"):
		return loadTestRun(l)
	}
	// In JSON Lines DeepEval writes texts in the place of lists, as in CSV.
	return l.records(func(r *record) { r.cells(deepevalColumns); deepevalCase(r) }, nil)
}

// loadTestRun reads what DeepEval writes after a test run.
func loadTestRun(l *loader) error {
	root, err := l.document()
	if err != nil {
		return err
	}
	run := root
	if inner := root.get("testRunData"); !inner.absent() {
		run = inner
	}
	cases := run.get("testCases")
	if cases.absent() || cases.kind != list {
		return &Error{File: l.src.name, Line: run.line, Index: -1, Field: "testCases", Problem: "no list", Want: "a list of test cases"}
	}
	if other := run.get("conversationalTestCases"); !other.absent() && len(other.items) > 0 {
		for _, n := range other.items {
			l.warn(assay.Origin{File: l.src.name, Line: n.line}, "conversationalTestCases", "test cases of several turns are "+notCarried)
		}
	}
	return l.items(cases, deepevalCase)
}

func deepevalCase(r *record) {
	if r.get("input") == nil && (r.get("turns") != nil || r.get("scenario") != nil) {
		r.l.warn(r.origin(), "turns", "goldens and test cases of several turns are "+notCarried)
		return
	}
	var c assay.Case
	c.Question = r.required(r.get("input"), "input", "a question")
	name, expected := r.alias("expected_output", "expectedOutput")
	r.answer(&c, expected, name)
	if context := r.get("context"); context != nil && !context.isEmpty() {
		c.Want.Passages = r.texts(context, "context", "a text that should be retrieved")
		r.warnShort("context", c.Want.Passages)
	}
	c.Tags = r.texts(r.get("tags"), "tags", "a name")
	resp, ok := r.deepevalResponse()
	for _, field := range []string{
		"additional_metadata", "additionalMetadata", "metadata", "custom_column_key_values", "customColumnKeyValues",
	} {
		n := r.get(field)
		if n == nil {
			continue
		}
		if n.kind != object {
			note(&c, field, n.value())
		}
		for _, f := range n.fields {
			note(&c, f.name, f.value.value())
		}
	}
	r.deepevalScores(&c)
	r.drop("tools_called", "toolsCalled", "expected_tools", "expectedTools", "images_mapping", "imagesMapping", "trace", "turns",
		"expectations")
	// They tell how the test ran, not what was tested.
	for _, field := range []string{"success", "runDuration", "evaluationCost", "order", "flaky"} {
		r.get(field)
	}
	for _, field := range r.unread() {
		if n := r.n.get(field); !n.isEmpty() {
			note(&c, field, n.value())
		}
	}
	if ok {
		r.respond(resp)
	}
	r.done(c)
}

// deepevalResponse reads the recorded response, if there is one.
func (r *record) deepevalResponse() (assay.Response, bool) {
	var resp assay.Response
	name, answer := r.alias("actual_output", "actualOutput")
	if answer != nil && answer.kind != str {
		r.fail(answer, name, answer.what(), "text")
		answer = nil
	}
	if answer != nil {
		resp.Answer = answer.text
	}
	name, texts := r.alias("retrieval_context", "retrievalContext")
	resp.Passages = r.retrieved(texts, name)
	for _, field := range []string{"completion_time", "completionTime"} {
		resp.Latency += r.seconds(field)
	}
	for _, field := range []string{"token_cost", "tokenCost"} {
		resp.Usage.Cost += r.dollars(field)
	}
	resp.Usage.InputTokens = max(r.count("input_token_count"), r.count("inputTokenCount"))
	resp.Usage.OutputTokens = max(r.count("output_token_count"), r.count("outputTokenCount"))
	return resp, answer != nil || resp.Passages != nil
}

// deepevalScores keeps the scores of a test run.
func (r *record) deepevalScores(c *assay.Case) {
	name, metrics := r.alias("metricsData", "metrics_data")
	if metrics == nil {
		return
	}
	if metrics.kind != list {
		r.fail(metrics, name, metrics.what(), "a list")
		return
	}
	scores := map[string]any{}
	for _, m := range metrics.items {
		if of, score := m.get("name"), m.get("score"); !of.absent() && of.kind == str && !score.absent() {
			scores[of.text] = score.value()
		}
	}
	if len(scores) > 0 {
		note(c, "metrics", scores)
	}
	if slices.ContainsFunc(metrics.items, func(m *node) bool { return !m.get("reason").isEmpty() }) {
		r.l.warn(r.origin(), name, "reasons of scores are "+notCarried)
	}
}
