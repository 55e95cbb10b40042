package generate_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset/generate"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/llm"
)

var asked, about = judge.Subject{Question: "Who?"}, judge.Subject{Question: "What?"}

func documents(n int) []assay.Document {
	var out []assay.Document
	for i := range n {
		id := string(rune('a' + i))
		out = append(out, assay.Document{ID: "docs/" + id + ".md", Source: "corpus/docs/" + id + ".md", Title: "Title " + id, Text: "Text " + id})
	}
	return out
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	w, s := writer(t, func(d data, _ int) (any, error) {
		if d.Task != "reference_answer" || d.Question != "Who?" || len(d.Documents) != 3 || d.Documents[1].Text != "Title b\nText b" {
			t.Errorf("the model was shown %+v", d)
		}
		return object{"documents": []int{3, 1}, "answer": "  Somebody. "}, nil
	})
	var m judge.Meter
	a, err := w.Answer(judge.WithMeter(t.Context(), &m), asked, documents(3))
	if err != nil {
		t.Fatal(err)
	}
	if spent, _ := m.Total(); spent.Calls != 1 || spent.Usage.InputTokens != 10 || spent.Failed != 0 {
		t.Errorf("spent %+v", spent)
	}
	if s.limit != generate.MaxAnswer+100 {
		t.Errorf("the reply is limited to %d tokens", s.limit)
	}
	if a.Text != "Somebody." || a.Provider != "scripted" || a.Model != "m" || !a.Made.Equal(day) ||
		!strings.HasPrefix(a.PromptHash, "sha256:") ||
		!reflect.DeepEqual(a.Documents, []string{"docs/a.md", "docs/c.md"}) || !reflect.DeepEqual(a.Shown, []string{"docs/b.md"}) {
		t.Errorf("got %+v", a)
	}
	shared := map[string]any{"keep": 1, "written": map[string]any{"question": "q"}}
	c := assay.Case{Metadata: shared, Want: assay.Want{Answers: []string{"old", "older"}}}
	a.Apply(&c)
	if d := cmp.Diff([]string{"Somebody."}, c.Want.Answers); d != "" {
		t.Error(d)
	}
	written := c.Metadata["written"].(map[string]any)
	if c.Metadata["keep"] != 1 || written["question"] != "q" || !reflect.DeepEqual(written["ground_truth"], a.Provenance) {
		t.Errorf("metadata %+v", c.Metadata)
	}
	if len(shared) != 2 || len(shared["written"].(map[string]any)) != 1 {
		t.Errorf("the metadata that were there before are changed: %+v", shared)
	}
}

func TestAnswerThatIsMended(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]object{
		"unknown document": {"documents": []int{4}, "answer": "x"},
		"blank":            {"documents": []int{1}, "answer": " "},
		"no field":         {"answer": "x"},
	} {
		w, s := writer(t, func(_ data, turn int) (any, error) {
			if turn == 1 {
				return first, nil
			}
			return object{"documents": []int{1}, "answer": "Mended."}, nil
		})
		a, err := w.Answer(t.Context(), asked, documents(3))
		if err != nil || a.Text != "Mended." || s.calls != 2 {
			t.Errorf("%s: %q, %v after %d calls; want it mended in 2", name, a.Text, err, s.calls)
		}
		w, s = writer(t, func(data, int) (any, error) { return first, nil })
		var m judge.Meter
		if _, err := w.Answer(judge.WithMeter(t.Context(), &m), asked, documents(3)); err == nil || generate.Fatal(err) || s.calls != 2 {
			t.Errorf("%s: %v after %d calls; want an error after 2", name, err, s.calls)
		}
		if spent, _ := m.Total(); spent.Failed != 1 || spent.Calls != 2 {
			t.Errorf("%s: spent %+v", name, spent)
		}
	}
}

func TestAnswerThatIsNone(t *testing.T) {
	t.Parallel()
	w, _ := writer(t, func(data, int) (any, error) { return object{"documents": []int{}, "answer": ""}, nil })
	if _, err := w.Answer(t.Context(), asked, documents(1)); !errors.Is(err, generate.ErrUnanswered) {
		t.Errorf("got %v, want that the documents do not answer", err)
	}
	w, _ = writer(t, func(data, int) (any, error) { return nil, &llm.Error{Kind: llm.KindBudget, Message: "spent"} })
	var m judge.Meter
	if _, err := w.Answer(judge.WithMeter(t.Context(), &m), asked, documents(1)); !generate.Fatal(err) {
		t.Errorf("got %v, want it fatal", err)
	}
	if s, _ := m.Total(); s.Failed != 0 {
		t.Errorf("%d without a usable reply: want none, as it was never asked", s.Failed)
	}
	w, _ = writer(t, func(data, int) (any, error) { return nil, &llm.Error{Kind: llm.KindServer, Message: "down"} })
	if _, err := w.Answer(judge.WithMeter(t.Context(), &m), asked, documents(1)); err == nil || generate.Fatal(err) {
		t.Errorf("got %v, want an error that ends nothing else", err)
	}
	if s, _ := m.Total(); s.Failed != 1 {
		t.Errorf("%d without a usable reply: want 1", s.Failed)
	}
}

func TestNewChecks(t *testing.T) {
	t.Parallel()
	if _, err := generate.New(generate.Config{}); err == nil {
		t.Error("want an error without a provider")
	}
}

func TestSources(t *testing.T) {
	t.Parallel()
	c := generate.NewCorpus(append(documents(9), assay.Document{ID: "other/a.md", Text: "Another a"}, assay.Document{ID: "blank"}))
	for _, k := range []struct {
		name string
		want assay.Want
		ids  string
		warn string
		err  string
	}{
		// Five of the highest grade at most, by id.
		{"many of a grade", assay.Want{Documents: map[string]int{
			"docs/b.md": 1, "docs/c.md": 1, "docs/d.md": 1, "docs/e.md": 1, "docs/f.md": 1, "docs/g.md": 1, "docs/h.md": 0,
		}}, "docs/b.md docs/c.md docs/d.md docs/e.md docs/f.md", "", ""},
		// Three of the highest are enough.
		{
			"grades", assay.Want{Documents: map[string]int{"docs/b.md": 1, "docs/c.md": 2, "docs/d.md": 2, "docs/e.md": 2}},
			"docs/c.md docs/d.md docs/e.md", "", "",
		},
		// Two are not: the next grade fills up to three.
		{
			"few of the highest", assay.Want{Documents: map[string]int{"docs/b.md": 1, "docs/c.md": 2, "docs/d.md": 2, "docs/e.md": 1}},
			"docs/c.md docs/d.md docs/b.md", "", "",
		},
		{"file names", assay.Want{Documents: map[string]int{"b.md": 1, "corpus/docs/c.md": 1}}, "b.md corpus/docs/c.md", "", ""},
		{
			"a name of two documents", assay.Want{Documents: map[string]int{"a.md": 1}}, "", "",
			"none of its expected documents is in the corpus: a.md",
		},
		{"some are missing", assay.Want{Documents: map[string]int{"docs/b.md": 1, "gone": 2, "blank": 1}}, "docs/b.md", "gone, blank", ""},
		{
			"passages in their place", assay.Want{Documents: map[string]int{"gone": 1}, Passages: []string{"p", "q"}}, "passage 1 passage 2",
			"gone", "",
		},
		{"none is relevant", assay.Want{Documents: map[string]int{"docs/b.md": 0, "docs/c.md": -1}}, "", "", "no expected documents"},
		{"nothing", assay.Want{}, "", "", "no expected documents"},
	} {
		got, warnings, err := c.Sources(&assay.Case{Want: k.want})
		var ids []string
		for _, d := range got {
			ids = append(ids, d.ID)
		}
		if strings.Join(ids, " ") != k.ids {
			t.Errorf("%s: %q, want %q", k.name, ids, k.ids)
		}
		if k.err == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), k.err) {
			t.Errorf("%s: error %v, want %q", k.name, err, k.err)
		}
		if warned := strings.Join(warnings, " "); !strings.Contains(warned, k.warn) || k.warn == "" && warned != "" {
			t.Errorf("%s: warnings %q, want %q", k.name, warnings, k.warn)
		}
	}
}

func TestPassages(t *testing.T) {
	t.Parallel()
	c := generate.NewCorpus(documents(2))
	got, _, err := c.Passages(&assay.Case{Want: assay.Want{Documents: map[string]int{"docs/a.md": 1}, Passages: []string{" ", "p"}}})
	if d := cmp.Diff([]assay.Passage{{ID: "passage 2", Text: "p"}}, got); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
	got, _, err = c.Passages(&assay.Case{Want: assay.Want{Documents: map[string]int{"docs/b.md": 1}}})
	if d := cmp.Diff([]assay.Passage{{ID: "docs/b.md", Document: "docs/b.md", Title: "Title b", Text: "Text b"}}, got); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
}

// The language of a case or a pinned one goes before that of its question.
func TestLanguageOfAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		subject judge.Subject
		chinese bool
	}{
		{judge.Subject{Question: "Who?"}, false},
		{judge.Subject{Question: "Who?", Language: judge.Chinese}, true},
		{judge.Subject{Question: "邊個？"}, true},
		{judge.Subject{Question: "邊個？", Language: judge.English}, false},
	} {
		w, s := writer(t, func(data, int) (any, error) { return object{"documents": []int{1}, "answer": "She."}, nil })
		if _, err := w.Answer(t.Context(), c.subject, documents(1)); err != nil {
			t.Fatal(err)
		}
		if got := text.ShareCJK(s.system) > 0.2; got != c.chinese {
			t.Errorf("%+v: Chinese prompt %v: want %v", c.subject, got, c.chinese)
		}
	}
}
