package generate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset/generate"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/llm"
)

// topics are words that two passages each share.
var topics = []string{"copper", "basalt", "heron", "quartz", "saffron", "walnut", "otter", "granite", "lichen", "amber"}

// corpus makes 20 passages of 20 documents, two of each topic, long enough to be
// asked about, and one that is too short.
func corpus() []assay.Passage {
	var out []assay.Passage
	for i := range 20 {
		filler := ""
		for k := range 30 {
			filler += fmt.Sprintf(" filler%dx%d", i, k)
		}
		out = append(
			out, assay.Passage{ID: fmt.Sprintf("d%d", i), Document: fmt.Sprintf("d%d", i), Text: "About " + topics[i/2] + "." + filler + "."},
		)
	}
	return append(out, assay.Passage{ID: "short", Document: "short", Text: "Too short."})
}

// topicOf finds the topic of a text.
func topicOf(s string) string {
	for _, topic := range topics {
		if strings.Contains(s, topic) {
			return topic
		}
	}
	return "nothing"
}

// asking writes a good draft of every kind.
func asking(d data, _ int) (any, error) {
	topic := topicOf(d.Passages[0].Text)
	number := d.Passages[0].Text[strings.Index(d.Passages[0].Text, "filler")+6:]
	number = number[:strings.Index(number, "x")]
	item := object{
		"id": 1, "passages": []int{1}, "question": fmt.Sprintf("Where does number %s find its %s nowadays?", number, topic),
		"answer": "In the north-east of it.",
	}
	switch d.Kind {
	case "multi_hop":
		if len(d.Passages) < 2 || topicOf(d.Passages[1].Text) != topic {
			return nil, fmt.Errorf("the passages beside it are of other topics: %+v", d.Passages)
		}
		item["passages"], item["question"] = []int{1, 2}, fmt.Sprintf("How do both makers of %s differ, %s among them?", topic, number)
	case "unanswerable":
		item["answer"], item["question"] = "", fmt.Sprintf("Which year saw the first price of %s, said %s?", topic, number)
	}
	return object{"items": []object{item}}, nil
}

// fair is a judge that finds nothing wrong.
func fair() ruling {
	return ruling{
		support: func(_ string, sources []judge.Source) judge.Finding {
			if len(sources) > 1 {
				return together()
			}
			return alone(0)
		},
		grade: func(string, string) judge.Grade { return judge.Grade{Known: true, Level: 1} },
	}
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	w, _ := writer(t, asking)
	last := 0
	plan := generate.Plan{SingleHop: 6, MultiHop: 3, Unanswerable: 4, Seed: 7, Judge: fair(), Done: func(done, total int) {
		if last = done; total != 13 {
			t.Errorf("total %d, want 13", total)
		}
	}}
	got, err := w.Questions(t.Context(), corpus(), plan)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Cases) != 13 || last != 13 || len(got.Dropped) != 0 || len(got.Short) != 0 || got.Problems != nil {
		t.Fatalf("%d cases, told of %d; dropped %v, short %v, problems %v", len(got.Cases), last, got.Dropped, got.Short, got.Problems)
	}
	kinds := map[string]int{}
	ids := map[string]bool{}
	for _, c := range got.Cases {
		kind := c.Tags[0]
		kinds[kind]++
		documents := map[string]int{"single_hop": 1, "multi_hop": 2, "unanswerable": 0}[kind]
		answerable := kind != "unanswerable"
		if len(c.Want.Documents) != documents || c.Want.Documents == nil || len(c.Want.Passages) != documents ||
			*c.Want.Answerable != answerable || (len(c.Want.Answers) == 1) != answerable {
			t.Errorf("%s: %+v", kind, c.Want)
		}
		if c.Group == "" || !strings.HasPrefix(c.ID, "q-") || len(c.ID) != 14 || ids[c.ID] || c.Group == "short" {
			t.Errorf("id %q, group %q", c.ID, c.Group)
		}
		ids[c.ID] = true
		p := c.Metadata["written"].(map[string]any)["question"].(generate.Provenance)
		if p.Model != "m" || len(p.Warnings) != 0 || (len(p.Documents) == 0) == answerable && answerable ||
			kind == "multi_hop" && len(p.Shown) == 0 && len(p.Documents) != 2 {
			t.Errorf("%s: provenance %+v", kind, p)
		}
	}
	if kinds["single_hop"] != 6 || kinds["multi_hop"] != 3 || kinds["unanswerable"] != 4 {
		t.Errorf("kinds %v", kinds)
	}
	// The same whatever the concurrency; others with another seed.
	plan.Concurrency, plan.Done = 1, nil
	again, err := w.Questions(t.Context(), corpus(), plan)
	if d := cmp.Diff(got.Cases, again.Cases); err != nil || d != "" {
		t.Errorf("another concurrency: %v %s", err, d)
	}
	plan.Seed = 8
	other, err := w.Questions(t.Context(), corpus(), plan)
	if err != nil || cmp.Equal(got.Cases, other.Cases) {
		t.Errorf("another seed gives the same cases (%v)", err)
	}
}

func TestQuestionsThatAreDropped(t *testing.T) {
	t.Parallel()
	with := func(question, answer string) func(data, int) (any, error) {
		return func(data, int) (any, error) {
			return object{"items": []object{{"id": 1, "passages": []int{1}, "question": question, "answer": answer}}}, nil
		}
	}
	unsure := fair()
	unsure.support = func(string, []judge.Source) judge.Finding { return judge.Finding{} }
	refusing := fair()
	refusing.support = func(string, []judge.Source) judge.Finding { return judge.Finding{Verdict: judge.NotFound} }
	one := fair()
	one.support = func(string, []judge.Source) judge.Finding { return alone(0) }
	finding := fair()
	finding.grade = func(string, string) judge.Grade { return judge.Grade{Known: true, Level: 2} }
	failing := fair()
	failing.err = &judge.Error{Operation: "support", Message: "garbled"}
	for _, c := range []struct {
		name     string
		plan     generate.Plan
		answer   func(data, int) (any, error)
		judge    judge.Judge
		reason   string
		problems bool
	}{
		{
			"refers to the passage", generate.Plan{SingleHop: 1}, with("What does this study show about copper?", "Much."), fair(),
			"refers to the passage", false,
		},
		{"repeats its wording", generate.Plan{SingleHop: 1}, func(d data, _ int) (any, error) {
			words := strings.Join(strings.Fields(d.Passages[0].Text)[3:12], " ")
			return object{
				"items": []object{{"id": 1, "passages": []int{1}, "question": "Why do people say that " + words + "?", "answer": "Much."}},
			}, nil
		}, fair(), "repeats the wording", false},
		{
			"gives the answer away", generate.Plan{SingleHop: 1}, with("Is it true that copper is found in the north?", "found in the north."),
			fair(), "gives the answer away", false,
		},
		{"asks the same each time", generate.Plan{SingleHop: 2}, with("Where is copper found?", "In the north."), fair(), "a duplicate", false},
		{
			"asks what is asked already", generate.Plan{SingleHop: 1, Known: []assay.Case{{Question: "where is copper FOUND"}}},
			with("Where is copper found?", "In the north."), fair(), "a duplicate", false,
		},
		{
			"says nothing", generate.Plan{MultiHop: 1}, func(data, int) (any, error) { return object{"items": []object{}}, nil }, fair(),
			"wrote no question", false,
		},
		{"answers wrongly", generate.Plan{SingleHop: 1}, asking, refusing, "do not support", false},
		{"needs one passage", generate.Plan{MultiHop: 1}, asking, one, "alone", false},
		{"is answered elsewhere", generate.Plan{Unanswerable: 1}, asking, finding, "corpus may answer", false},
		{"is not ruled on", generate.Plan{SingleHop: 1}, asking, unsure, "could not be checked", false},
		{"fails to be checked", generate.Plan{SingleHop: 1}, asking, failing, "could not be checked", true},
		{"cannot be read", generate.Plan{SingleHop: 1}, with(" ", "x"), fair(), "could not be read", true},
		{"of one passage, named twice", generate.Plan{MultiHop: 1}, func(data, int) (any, error) {
			return object{"items": []object{{"id": 1, "passages": []int{2, 2}, "question": "How?", "answer": "So."}}}, nil
		}, fair(), "could not be read", true},
		{"has an answer although it should not", generate.Plan{Unanswerable: 1}, with("How?", "So."), fair(), "could not be read", true},
		{
			"server is down", generate.Plan{SingleHop: 1},
			func(data, int) (any, error) { return nil, &llm.Error{Kind: llm.KindServer, Message: "down"} }, fair(), "could not be read", true,
		},
	} {
		w, _ := writer(t, c.answer)
		c.plan.Judge = c.judge
		got, err := w.Questions(t.Context(), corpus(), c.plan)
		if err != nil {
			t.Errorf("a draft that %s: %v", c.name, err)
			continue
		}
		wanted := c.plan.SingleHop + c.plan.MultiHop + c.plan.Unanswerable
		short := 0
		for _, n := range got.Short {
			short += n
		}
		for reason, n := range got.Dropped {
			if !strings.Contains(reason, c.reason) || n == 0 {
				t.Errorf("a draft that %s: dropped %v, want %q", c.name, got.Dropped, c.reason)
			}
		}
		if len(got.Dropped) != 1 || short != 1 || len(got.Cases) != wanted-1 || (len(got.Problems) > 0) != c.problems {
			t.Errorf("a draft that %s: dropped %v, %d short, %d cases, problems %v", c.name, got.Dropped, short, len(got.Cases), got.Problems)
		}
	}
}

func TestQuestionsWithoutAJudge(t *testing.T) {
	t.Parallel()
	w, _ := writer(t, asking)
	got, err := w.Questions(t.Context(), corpus(), generate.Plan{SingleHop: 1})
	if err != nil || len(got.Cases) != 1 {
		t.Fatal(got, err)
	}
	p := got.Cases[0].Metadata["written"].(map[string]any)["question"].(generate.Provenance)
	if d := cmp.Diff([]string{"not checked by a judge"}, p.Warnings); d != "" {
		t.Error(d)
	}
}

func TestQuestionsEnd(t *testing.T) {
	t.Parallel()
	w, _ := writer(t, asking)
	if _, err := w.Questions(t.Context(), corpus()[20:], generate.Plan{SingleHop: 1}); err == nil ||
		!strings.Contains(err.Error(), "30 words") {
		t.Errorf("got %v, want that no passage is long enough", err)
	}
	// The fourth call finds the budget spent: what came before is there.
	calls := 0
	w, _ = writer(t, func(d data, turn int) (any, error) {
		if calls++; calls > 3 {
			return nil, &llm.Error{Kind: llm.KindBudget, Message: "spent"}
		}
		return asking(d, turn)
	})
	got, err := w.Questions(t.Context(), corpus(), generate.Plan{SingleHop: 5, Concurrency: 1})
	if !generate.Fatal(err) || len(got.Cases) != 3 {
		t.Errorf("%d cases, %v; want 3 and a fatal error", len(got.Cases), err)
	}
}
