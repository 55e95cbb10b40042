package convert

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/checks"
	"github.com/assay-eval/assay/internal/pattern"
	"github.com/assay-eval/assay/internal/process"
)

//go:embed deepeval.py
var deepevalRecorder string

// maxRecord bounds what the recorder writes.
const maxRecord = 256 << 20

// A recordedMetric is a metric of a test case, as the recorder describes it.
type recordedMetric struct {
	Type       string          `json:"type"`
	Custom     bool            `json:"custom"`
	Threshold  *float64        `json:"threshold"`
	Pattern    string          `json:"pattern"`
	IgnoreCase bool            `json:"ignore_case"`
	Name       string          `json:"name"`
	Schema     json.RawMessage `json:"schema"`
}

// A recordedCase is a test case with its metrics.
type recordedCase struct {
	Test     string           `json:"test"`
	Line     int              `json:"line"`
	Input    *string          `json:"input"`
	Actual   *string          `json:"actual_output"`
	Expected *string          `json:"expected_output"`
	Name     string           `json:"name"`
	Context  []string         `json:"context"`
	Found    *[]string        `json:"retrieval_context"`
	Tags     []string         `json:"tags"`
	Metadata map[string]any   `json:"metadata"`
	Metrics  []recordedMetric `json:"metrics"`
}

// A recording is what the recorder writes.
type recording struct {
	Fatal  string         `json:"fatal"`
	Cases  []recordedCase `json:"cases"`
	Errors []struct {
		Test    string `json:"test"`
		Line    int    `json:"line"`
		Message string `json:"message"`
	} `json:"errors"`
	Others []string `json:"others"`
}

// deepevalMetrics maps metrics of DeepEval to those that measure the same.
var deepevalMetrics = map[string]string{
	"AnswerRelevancyMetric": "answer_relevance", "ContextualPrecisionMetric": "context_precision", "ContextualRecallMetric": "context_recall",
	"ContextualRelevancyMetric": "context_relevance", "FaithfulnessMetric": "faithfulness", "ToxicityMetric": "toxicity",
}

// deepevalChecks are the metrics of DeepEval that become checks, with the kind of check.
var deepevalChecks = map[string]string{
	"ExactMatchMetric": assay.CheckEquals, "PatternMatchMetric": assay.CheckRegex, "JsonCorrectnessMetric": assay.CheckIsJSON,
}

// lowerBetter are the metrics whose threshold is the largest value that passes.
var lowerBetter = []string{"toxicity"}

// A deepEval converts tests of DeepEval.
type deepEval struct {
	o            Options
	folder, name string
	out          *Converted
	cases        []assay.Case
	answers      strings.Builder
	answered     int
	measures     []measure
}

// DeepEval converts tests of DeepEval: files below a folder, which messages call by name.
func DeepEval(ctx context.Context, folder, name string, files []string, o Options) (*Converted, error) {
	rec, err := record(ctx, folder, files, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	d := &deepEval{o: o, folder: folder, name: name, out: &Converted{Tool: "DeepEval"}}
	for _, e := range rec.Errors {
		d.out.leave(place(e.Test, e.Line), "test", e.Message)
	}
	if len(rec.Cases) == 0 {
		message := "no test case"
		for _, n := range d.out.Left {
			message += fmt.Sprintf("; %s: %s", n.Where, n.Says)
		}
		return nil, fmt.Errorf("%s: %s: want tests that call assert_test or evaluate with an LLMTestCase", name, message)
	}
	for _, c := range rec.Cases {
		d.add(c)
	}
	for _, other := range rec.Others {
		d.out.leave(strings.Join(files, ", "), other, "is not run when tests are recorded")
	}
	return d.out, d.finish(files)
}

// record runs the tests with the names of DeepEval replaced.
func record(ctx context.Context, folder string, files []string, o Options) (rec recording, err error) {
	args := append([]string{o.Python, "-c", deepevalRecorder, folder}, files...)
	said, err := process.Once{Args: args, Most: maxRecord}.Run(ctx)
	if err != nil {
		var failed *process.OnceError
		if errors.As(err, &failed) {
			return rec, fmt.Errorf("%s: %w: want a Python that runs the tests (--python)", o.Python, err)
		}
		return rec, err
	}
	if err := json.Unmarshal([]byte(said), &rec); err != nil {
		return rec, fmt.Errorf("%s ended before it had recorded the tests: %w", o.Python, err)
	}
	if rec.Fatal != "" {
		return rec, errors.New(rec.Fatal)
	}
	return rec, nil
}

func place(test string, line int) string {
	file, _, _ := strings.Cut(test, "::")
	if line > 0 {
		return fmt.Sprintf("%s:%d", file, line)
	}
	return file
}

// add adds a test case.
func (d *deepEval) add(r recordedCase) {
	at := place(r.Test, r.Line)
	if r.Input == nil || strings.TrimSpace(*r.Input) == "" {
		d.out.leave(at, "test case", "it has no input")
		return
	}
	c := assay.Case{ID: d.id(r), Question: *r.Input, Tags: r.Tags, Metadata: r.Metadata}
	if r.Expected != nil && strings.TrimSpace(*r.Expected) != "" {
		c.Want.Answers = []string{*r.Expected}
	}
	c.Want.Passages = slices.DeleteFunc(r.Context, func(s string) bool { return strings.TrimSpace(s) == "" })
	for _, m := range r.Metrics {
		d.metric(&c, r, m, at)
	}
	d.cases = append(d.cases, c)
	if r.Actual == nil {
		return
	}
	answer := map[string]any{"id": c.ID, "answer": *r.Actual}
	if r.Found != nil {
		contexts := []any{}
		for _, text := range *r.Found {
			contexts = append(contexts, map[string]any{"text": text})
		}
		answer["contexts"] = contexts
	}
	d.answers.WriteString(inline(answer) + "\n")
	d.answered++
}

// id names a case after its test.
func (d *deepEval) id(r recordedCase) string {
	base := r.Name
	if base == "" {
		base = path.Base(r.Test)
	}
	base = strings.NewReplacer(",", ";", "#", "-").Replace(oneLine(base))
	id := base
	for i := 2; slices.ContainsFunc(d.cases, func(c assay.Case) bool { return c.ID == id }); i++ {
		id = fmt.Sprintf("%s-%d", base, i)
	}
	return id
}

// metric makes a metric of a test case a check, or one of the run.
func (d *deepEval) metric(c *assay.Case, r recordedCase, m recordedMetric, at string) {
	if _, known := deepevalChecks[m.Type]; known && !m.Custom {
		check, err := checkOf(r, m)
		if err == nil {
			err = checks.Valid(check)
		}
		if err != nil {
			d.out.leave(at, m.Type, err.Error())
			return
		}
		c.Want.Checks = append(c.Want.Checks, check)
		return
	}
	name := deepevalMetrics[m.Type]
	switch {
	case m.Custom:
		d.out.leave(at, m.Type, "a metric of your own is code: run it on the results that assay run writes")
	case name == "":
		says := notCarried
		if m.Type == "GEval" {
			says += ": describe its criteria in a rubric, see assay metrics rubric"
		}
		d.out.leave(at, m.Type, says)
	default:
		i := slices.IndexFunc(d.measures, func(x measure) bool { return x.metric == name })
		if i < 0 {
			i = len(d.measures)
			d.measures = append(d.measures, measure{metric: name, from: fmt.Sprintf("%s: %s: the metric %s", at, m.Type, name), judged: true})
		}
		one := &d.measures[i]
		lower := slices.Contains(lowerBetter, name)
		if m.Threshold != nil && (one.threshold == nil || lower == (*m.Threshold < *one.threshold)) {
			one.threshold = m.Threshold
		}
	}
}

// checkOf returns the check that a metric without a model becomes.
func checkOf(r recordedCase, m recordedMetric) (assay.Check, error) {
	c := assay.Check{Kind: deepevalChecks[m.Type], Name: m.Type}
	switch m.Type {
	case "ExactMatchMetric":
		if r.Expected == nil {
			return c, errors.New("the test case has no expected_output")
		}
		c.Value, c.Trim = strings.TrimSpace(*r.Expected), true
	case "PatternMatchMetric":
		// The pattern must match the whole answer without the white space around it.
		re, err := pattern.FromPython("(?:" + strings.TrimSpace(m.Pattern) + ")")
		if err != nil {
			return c, err
		}
		c.Value, c.Trim, c.IgnoreCase = `\A`+re+`\z`, true, m.IgnoreCase
	case "JsonCorrectnessMetric":
		if m.Schema == nil {
			return c, errors.New("its schema is no model of pydantic")
		}
		var schema any
		if err := json.Unmarshal(m.Schema, &schema); err != nil {
			return c, err
		}
		c.Value = schema
	}
	return c, nil
}

// finish writes the files.
func (d *deepEval) finish(files []string) error {
	set := &dataset.Dataset{Cases: assay.CasesOf(d.cases...)}
	set.Info.Name = filepath.Base(d.folder)
	if err := d.out.cases(set); err != nil {
		return err
	}
	from := strings.Join(files, ", ")
	d.out.carry(from, counted(d.out.Cases, "test case"), casesFile)
	n := 0
	for _, c := range d.cases {
		n += len(c.Want.Checks)
	}
	if n > 0 {
		d.out.carry(from, "metrics without a model", counted(n, "check")+", measured by checks_passed")
	}
	for _, m := range d.measures {
		where, what, _ := strings.Cut(strings.TrimSuffix(m.from, ": the metric "+m.metric), ": ")
		says := "metric " + m.metric
		if d.o.Judge == "" {
			says += ", a comment in eval-config.yaml: it needs a judge"
		}
		d.out.carry(where, what, says+"; its threshold holds for the mean of the run")
	}
	d.out.Files = append([]File{{"eval-config.yaml", d.config(n > 0)}}, d.out.Files...)
	return nil
}

// config writes eval-config.yaml.
func (d *deepEval) config(checked bool) []byte {
	var f settingsFile
	f.comment(fmt.Sprintf("Converted from tests of DeepEval in %s.", d.o.relative(d.folder)))
	f.blank()
	f.set(setting{key: "dataset", value: casesFile, from: "the test cases of assert_test and evaluate"})
	f.blank()
	switch {
	case d.o.Call != "":
		file, function, _ := strings.Cut(d.o.Call, ":")
		f.set(setting{key: "adapter", value: "langchain", from: "the function that --call names; it is asked for every case"})
		f.set(setting{key: "chain-path", value: d.o.relative(filepath.Join(d.folder, file)) + ":" + function})
		f.set(setting{key: "python", value: d.o.python()})
		d.out.carry(d.o.Call, "the function", "adapter langchain, which asks any function of Python")
	case d.answered > 0:
		const name = "answers.jsonl"
		d.out.Files = append(d.out.Files, File{name, []byte(d.answers.String())})
		f.set(setting{key: "adapter", value: "recorded", from: "the answers that your application gave when the tests were recorded"})
		f.set(setting{key: "responses", value: name})
		f.comment("To ask it again at every run, convert with --call FILE.py:FUNCTION, or set adapter and endpoint.")
		d.out.carry(d.name, counted(d.answered, "answer"), name)
		if missing := len(d.cases) - d.answered; missing > 0 {
			d.out.leave(d.name, counted(missing, "test case"), "without actual_output: a run counts them as failed")
		}
	default:
		d.out.Incomplete = true
		f.comment("No test case has an answer. Set your system here, or convert with --call FILE.py:FUNCTION:")
		f.comment("  adapter: http")
		f.comment("  endpoint: http://localhost:8000/query")
	}
	f.blank()
	f.metrics(d.measures, checked, d.o.Judge)
	return []byte(f.b.String())
}
