package question

import (
	"context"
	"encoding/json"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/prompt"
)

type says string

func (says) Name() string { return "says" }

func (s says) Complete(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{Text: string(s), Nonce: "00", Stop: "end"}, nil
}

var example = regexp.MustCompile(`(?m)^(\{"task":.*)\n.+\n(\{"nonce":.*)$`)

// The examples in the prompts are what we ask for: material of the task, and a
// reply that follows the schema, rules on every item and quotes what is there.
func TestExamplesFollowTheRules(t *testing.T) {
	t.Parallel()
	for _, of := range Tasks() {
		if of.TakesElements() {
			continue // their prompts show the form of a reply alone
		}
		task := of.Operation()
		files, version, _ := of.Files()
		p, err := prompt.Load(files, task+"."+version)
		if err != nil {
			t.Fatal(err)
		}
		for _, lang := range []string{"en", "zh"} {
			raw, err := fs.ReadFile(files, task+"."+version+"."+lang+".md")
			if err != nil {
				t.Fatalf("a prompt in one language only: %v", err)
			}
			found := example.FindAllStringSubmatch(string(raw), -1)
			if len(found) == 0 {
				t.Errorf("%s %s: no example", task, lang)
			}
			for i, m := range found {
				var data material
				if err := json.Unmarshal([]byte(m[1]), &data); err != nil || data.Task != task {
					t.Fatalf("%s %s: example %d: material of %q (%v)", task, lang, i+1, data.Task, err)
				}
				reply := strings.Replace(m[2], `"nonce":"…"`, `"nonce":"00"`, 1)
				a, err := p.Ask(context.Background(), says(reply), llm.Request{}, lang, json.RawMessage(m[1]), nil)
				if err != nil {
					t.Errorf("%s %s: example %d: %v", task, lang, i+1, err)
				}
				data.check(t, task+" "+lang, a.Items)
			}
		}
	}
}

// material has the fields of all tasks.
type material struct {
	Task     string       `json:"task"`
	Answer   string       `json:"answer"`
	Count    int          `json:"count"`
	Sources  []sourceData `json:"sources"`
	Passages any          `json:"passages"`
	Claims   []claimData  `json:"claims"`
	Points   []pointData  `json:"points"`
	Rubric   rubricData   `json:"rubric"`
}

func (m material) check(t *testing.T, name string, items []json.RawMessage) {
	t.Helper()
	texts := map[int]quotable{}
	for _, s := range m.Sources {
		texts[s.ID] = newQuotable(s.Text)
	}
	if list, ok := m.Passages.([]any); ok {
		for _, v := range list {
			p, _ := v.(map[string]any)
			id, _ := p["id"].(float64)
			text, _ := p["text"].(string)
			texts[int(id)] = newQuotable(text)
		}
	}
	want := max(len(m.Claims), len(m.Points), m.Count, len(m.Rubric.Dimensions))
	if m.Task == "relevance" {
		want = len(texts)
	}
	if want > 0 && len(items) != want {
		t.Errorf("%s: %d items, want %d", name, len(items), want)
	}
	for i, raw := range items {
		var item struct {
			supportItem
			Source    int    `json:"source"`
			Quote     string `json:"quote"`
			Verdict   string `json:"verdict"`
			Score     int    `json:"score"`
			Dimension string `json:"dimension"`
			Level     int    `json:"level"`
		}
		if err := json.Unmarshal(raw, &item); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		switch m.Task {
		case "support":
			if (len(item.Quotes) == 0) != (item.Verdict == "not_found") {
				t.Errorf("%s: item %d: %q with %d quotes", name, i+1, item.Verdict, len(item.Quotes))
			}
			for _, q := range item.Quotes {
				if !texts[q.Source].has(q.Quote) {
					t.Errorf("%s: item %d: %q is not in source %d", name, i+1, q.Quote, q.Source)
				}
			}
		case "relevance":
			if (item.Quote != "") != (item.Score >= 2) || item.Quote != "" && !texts[item.ID].has(item.Quote) {
				t.Errorf("%s: item %d: score %d with the quote %q", name, i+1, item.Score, item.Quote)
			}
		case "points":
			if !texts[item.Source].has(item.Quote) {
				t.Errorf("%s: item %d: %q is not in source %d", name, i+1, item.Quote, item.Source)
			}
		case "assign":
			if (item.Quote != "") != (item.Verdict != "not_support") || item.Quote != "" && !newQuotable(m.Answer).has(item.Quote) {
				t.Errorf("%s: item %d: %q with the quote %q", name, i+1, item.Verdict, item.Quote)
			}
		case "mark":
			if d := m.Rubric.Dimensions[i]; d.Name != item.Dimension || item.Level >= len(d.Anchors) || !newQuotable(m.Answer).has(item.Quote) {
				t.Errorf("%s: item %d: %+v", name, i+1, item)
			}
		}
	}
}
