package dataset_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-eval/assay/dataset"
)

// project writes the files of a project and loads it.
func project(t testing.TB, files map[string]string) (*dataset.PromptfooProject, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dataset.LoadPromptfoo(t.Context(), filepath.Join(dir, "promptfooconfig.yaml"), dataset.Options{Name: "promptfooconfig.yaml"})
}

func TestPromptfooProject(t *testing.T) {
	t.Parallel()
	p, err := project(t, map[string]string{
		"promptfooconfig.yaml": `
prompts:
  - file://prompts.txt
  - file://chat.json
  - file://code.py
providers:
  - echo
  - {id: https, label: live, config: {url: 'https://rag.example'}}
  - openai:chat:m: {config: {temperature: 0}}
  - file://provider.yaml
defaultTest:
  vars: {tone: [short, long], about: file://about.txt}
tests:
  - vars: {topic: tax}
    assert: [{type: context-faithfulness, threshold: 0.7}, {type: similar, value: a, threshold: 0.9}]
  - vars: {topic: leave, tone: kind}
    options: {disableVarExpansion: true}
  - file://more.jsonl
`,
		"prompts.txt":   "Explain {{topic}} ({{tone}}){{unknown}}\n---\nTell of {{ topic }}",
		"chat.json":     `[{"role": "system", "content": "Be {{tone}}."}, {"role": "user", "content": "{{topic}}: {{about}}"}]`,
		"about.txt":     "money\n",
		"provider.yaml": "- {id: 'exec:a b'}\n",
		"more.jsonl":    `{"vars": {"question": "Why?", "tone": "short", "topic": 5}}` + "\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	var labels, ids []string
	for _, prompt := range p.Prompts {
		labels = append(labels, prompt.Label)
	}
	for _, of := range p.Providers {
		ids = append(ids, of.ID+" "+of.Name())
	}
	diff(t, "prompts", labels, []string{"prompts.txt:1", "prompts.txt:2", "chat.json"})
	diff(t, "providers", ids, []string{"echo echo", "https live", "openai:chat:m openai:chat:m", "exec:a b exec:a b"})
	limit, close := 0.7, 0.9
	for i := range p.Asserted {
		p.Asserted[i].Line = 0
	}
	diff(t, "asserted", p.Asserted, []dataset.PromptfooAsserted{
		{Type: "context-faithfulness", Metric: "faithfulness", Threshold: &limit, Count: 2},
		{Type: "similar", Metric: "semantic_similarity", Threshold: &close, Count: 2},
	})
	var questions []string
	for _, c := range p.Dataset.Cases.All() {
		questions = append(questions, c.ID+" "+c.Question)
	}
	diff(t, "questions", questions, []string{
		"test-1 Explain tax (short)", "test-2 Explain tax (long)", "test-3 Explain leave (kind)", "test-4 Why?",
	})
	diff(t, "metadata", p.Dataset.Cases.At(3).Metadata, map[string]any{
		"vars": map[string]any{"question": "Why?", "tone": "short", "topic": 5.0, "about": "money"},
		"prompts": []any{"Explain 5 (short)", "Tell of 5", []any{
			map[string]any{"role": "system", "content": "Be short."}, map[string]any{"role": "user", "content": "5: money"},
		}},
	})
}

func TestPromptfooProjectProblems(t *testing.T) {
	t.Parallel()
	_, err := project(t, map[string]string{"promptfooconfig.yaml": `
prompts: ['{{question | upper}}', 5]
providers: [{label: x}, 5]
tests:
  - vars: {question: a}
    assert: [{$ref: '#/assertionTemplates/none'}]
  - vars: {question: file://none.txt}
  - path: file://generate.py
  - 7
scenarios: [{tests: []}]
`})
	want := `promptfooconfig.yaml:2: prompts[1]: number 5: want the text of a prompt, or the name of a file with one
promptfooconfig.yaml:3: providers[0]: no id: want an object with an "id", such as "https" or "exec:python3 rag.py"
promptfooconfig.yaml:3: providers[1]: number 5: want the id of a provider, or an object with one
promptfooconfig.yaml:5: case 1: prompts[0]: "{{question | upper}}" uses more of the template language than variables: ` +
		`want placeholders such as {{question}}
promptfooconfig.yaml:6: $ref: "#/assertionTemplates/none" names nothing: want #/assertionTemplates/ and a name that is there
`
	if err == nil || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
}

// Any configuration is read or refused.
func FuzzPromptfooProject(f *testing.F) {
	f.Add("prompts: ['{{a}}']\nproviders: [echo]\ntests:\n  - vars: {a: [b, c]}\n    assert: [{type: regex, value: '\\d'}]\n")
	f.Add(`{"prompts": [{"raw": "[{\"role\": \"user\", \"content\": \"{{a}}\"}]"}], "tests": [{"vars": {"a": {"b": 1}}, "threshold": 0.5}]}`)
	f.Add("scenarios: [{config: [{vars: {question: a}}], tests: [{assert: [{$ref: '#/assertionTemplates/a'}]}]}]\nassertionTemplates: {a: {type: is-json}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := project(t, map[string]string{"promptfooconfig.yaml": text})
		if err == nil && p.Dataset.Cases.Len() == 0 {
			t.Error("neither cases nor an error")
		}
	})
}
