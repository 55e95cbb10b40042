package dataset_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

// promptfooTests holds every kind of assertion and of variable.
const promptfooTests = `# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json
description: Reimbursement
prompts:
  - file://prompt.txt
providers: [openai:gpt-5-mini]
defaultTest:
  vars:
    company: Acme
  assert:
    - type: factuality
      value: '{{reference_answer}}'
    - type: latency
      threshold: 5000
  options:
    provider: openai:gpt-5
tests:
  - description: the limit
    vars:
      query: What can be bought without approval at {{company}}?
      context: Purchases above $500 require the approval of a manager.
      reference_answer: '{{ company }} lets anybody spend up to $500.'
    assert:
      - type: contains
        value: $500
      - type: icontains-all
        value: [approval, manager]
      - type: contains-any
        value: [may, can]
      - type: context-recall
        threshold: 0.9
        value: the limit is $500
      - type: llm-rubric
        value: Is polite
      - type: context-faithfulness
      - type: not-contains
        value: sorry
    metadata:
      category: money
  - vars:
      question: Who pays for a taxi?
      context: file://docs/travel.md
      language: en
    assert:
      - type: assert-set
        assert:
          - type: equals
            value: 42
          - type: javascript
            value: output.length < 5
    threshold: 0.5
  - vars:
      input: [Who is the king?, Who is the queen?]
    assert:
      - type: is-refusal
`

// notRun is the check in place of an assertion that is none.
func notRun(name string) assay.Check {
	return assay.Check{Kind: assay.CheckExpression, Name: name + " (not run)", Value: `answer == "" ? nil : nil`}
}

func TestPromptfoo(t *testing.T) {
	t.Parallel()
	d := load(t, "promptfooconfig.yaml", promptfooTests, dataset.Options{})
	diff(t, "format", d.Info.Format, "promptfoo")
	diff(t, "metadata", d.Metadata, map[string]any{"description": "Reimbursement"})
	no, five, half := false, 5.0, 0.5
	latency := assay.Check{Kind: assay.CheckLatency, Threshold: &five}
	diff(t, "cases", noOrigin(d.Cases.List()), []assay.Case{
		{
			ID: d.Cases.At(0).ID, Question: "What can be bought without approval at Acme?",
			Want: assay.Want{
				Answers:  []string{"Acme lets anybody spend up to $500.", "the limit is $500"},
				Passages: []string{"Purchases above $500 require the approval of a manager."},
				Keywords: []string{"$500", "approval", "manager", "may|can"},
				Checks: []assay.Check{
					notRun("factuality"), latency, {Kind: assay.CheckContains, Value: "$500"},
					{Kind: assay.CheckContains, Value: []string{"approval", "manager"}, IgnoreCase: true},
					{Kind: assay.CheckContainsAny, Value: []string{"may", "can"}},
					notRun("context-recall"), notRun("llm-rubric"), notRun("context-faithfulness"),
					{Kind: assay.CheckContains, Value: "sorry", Not: true},
				},
			},
			Metadata: map[string]any{"company": "Acme", "category": "money", "description": "the limit"},
		},
		{
			ID: d.Cases.At(1).ID, Question: "Who pays for a taxi?",
			Want: assay.Want{
				Answers: []string{"42"}, Documents: map[string]int{"docs/travel.md": 1},
				Checks: []assay.Check{{Kind: assay.CheckSet, Threshold: &half, Checks: []assay.Check{
					notRun("factuality"), latency,
					{Kind: assay.CheckSet, Checks: []assay.Check{{Kind: assay.CheckEquals, Value: "42"}, notRun("javascript")}},
				}}},
			},
			Metadata: map[string]any{"company": "Acme", "language": "en"},
		},
		{ID: d.Cases.At(2).ID, Question: "Who is the king?", Want: assay.Want{Answerable: &no, Checks: []assay.Check{notRun("factuality"), latency, notRun("is-refusal")}},
			Metadata: map[string]any{"company": "Acme"}},
		{ID: d.Cases.At(3).ID, Question: "Who is the queen?", Want: assay.Want{Answerable: &no, Checks: []assay.Check{notRun("factuality"), latency, notRun("is-refusal")}},
			Metadata: map[string]any{"company": "Acme"}},
	})
	// Each once, with its first line.
	diff(t, "warnings", warnings(d), []string{
		"promptfooconfig.yaml:3: prompts: not carried over",
		"promptfooconfig.yaml:5: providers: not carried over",
		"promptfooconfig.yaml:14: defaultTest.options: not carried over",
		"promptfooconfig.yaml:17: assert.threshold: not carried over (1 of 4 cases)",
		"promptfooconfig.yaml:17: assert llm-rubric: not carried over; the metric rubric measures this (1 of 4 cases)",
		"promptfooconfig.yaml:17: assert context-faithfulness: not carried over; the metric faithfulness measures this (1 of 4 cases)",
		"promptfooconfig.yaml:39: assert factuality: not carried over: it contains a template without a matching variable (3 of 4 cases)",
		"promptfooconfig.yaml:39: assert javascript: not carried over (1 of 4 cases)",
	})
}

// Tests may be a list, in YAML or JSON, or a line each.
func TestPromptfooLayouts(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"list.yaml": "- vars:\n    question: a\n  assert:\n    - type: equals\n      value: b\n",
		"list.json": `[{"vars": {"question": "a"}, "assert": [{"type": "equals", "value": "b"}]}]`,
		"x.jsonl":   `{"vars": {"question": "a"}, "assert": [{"type": "equals", "value": "b"}]}`,
		"x.json":    `{"tests": [{"vars": {"question": "a"}}], "defaultTest": {"assert": [{"type": "equals", "value": "b"}]}}`,
		"one.yaml":  "vars:\n  question: a\nassert:\n  - type: similar\n    value: [b, b]\n",
	} {
		d := load(t, name, content, dataset.Options{})
		diff(t, name, []string{d.Info.Format, d.Cases.At(0).Question, d.Cases.At(0).Want.Answers[0]}, []string{"promptfoo", "a", "b"})
		diff(t, name+" warnings", warnings(d), []string(nil))
	}
}

func TestPromptfooRecorded(t *testing.T) {
	t.Parallel()
	const content = `[{"vars": {"topic": "the weather", "contexts": ["It is sunny in all of the south."]}, "providerOutput": "Sunny."}]`
	d := load(t, "x.json", content,
		dataset.Options{Columns: map[string]string{"question": "topic"}})
	diff(t, "question", d.Cases.At(0).Question, "the weather")
	diff(t, "response", d.Responses[d.Cases.At(0).ID], assay.Response{
		Answer: "Sunny.", Passages: []assay.Passage{{Text: "It is sunny in all of the south."}},
	})
}

func TestPromptfooProblems(t *testing.T) {
	t.Parallel()
	diff(t, "problems", refuse(t, "x.yaml", `- vars:
    topic: a
- vars:
    question: file://q.txt
- vars: file://vars.yaml
- vars: {question: 'what is {{it}}?'}
- vars: {question: ''}
  assert: {type: equals}
- vars: {question: a}
  assert: [equals]
- file://more.yaml
`, dataset.Options{}), []string{
		`x.yaml:1: case 1: vars: no question among "topic": expected a variable "question", "query" or "input", or --map question=NAME`,
		`x.yaml:4: case 2: vars.question: "file://q.txt" refers to a file: expected a question`,
		`x.yaml:5: case 3: vars: string "file://vars.yaml": expected an object with variables`,
		`x.yaml:6: case 4: vars.question: it contains a template without a matching variable: expected a question`,
		`x.yaml:7: case 5: vars.question: empty string: expected text`,
		`x.yaml:8: case 5: assert: an object: expected a list of assertions`,
		`x.yaml:10: case 6: assert: string "equals": expected an object with a "type"`,
		`x.yaml:11: case 7: string "file://more.yaml": expected an object with the fields of a case`,
	})
	diff(t, "elsewhere", refuse(t, "x.yaml", "tests: file://tests.yaml\n", dataset.Options{}), []string{
		`x.yaml:1: tests: string "file://tests.yaml": expected a list of cases`,
	})
	_, err := dataset.Load(t.Context(), put(t, "x.yaml", "tests: []\n"), dataset.Options{Columns: map[string]string{"id": "x"}})
	if err == nil || err.Error() != `map id=x: unknown field "id": expected question, for the variable that holds it` {
		t.Errorf("error %v", err)
	}
	// What cannot be a label is warned of.
	d := load(t, "x.json", `[{"vars": {"question": "a", "x": {"y": 1}}, "assert": [{"type": "contains", "value": "a|b"},
{"type": "equals", "value": {"a": 1}}, {"type": "equals", "value": "{{ x | upper }}"}, {"type": "similar", "value": "file://a.txt"}]},
{"vars": {"question": "b"}}]`, dataset.Options{})
	diff(t, "warnings", warnings(d), []string{
		`x.json:1: assert contains: not carried over: a keyword cannot hold "|" (1 of 2 cases)`,
		`x.json:1: assert equals: not carried over: it contains a template without a matching variable (1 of 2 cases)`,
		`x.json:1: assert similar: not carried over: it refers to a file (1 of 2 cases)`,
	})
}
