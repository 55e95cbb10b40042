package dataset_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

func numbered(n int) []assay.Case {
	var out []assay.Case
	for i := range n {
		c := assay.Case{ID: fmt.Sprintf("case-%03d", i), Question: "q"}
		if i%2 == 0 {
			c.Tags = append(c.Tags, "even")
		}
		if i%3 == 0 {
			c.Tags = append(c.Tags, "third")
		}
		out = append(out, c)
	}
	return out
}

func idsOf(cases []assay.Case) string {
	var out []string
	for _, c := range cases {
		out = append(out, strings.TrimPrefix(c.ID, "case-"))
	}
	return strings.Join(out, " ")
}

func TestSelect(t *testing.T) {
	t.Parallel()
	cases := numbered(10)
	for _, c := range []struct {
		s    dataset.Selection
		want string
	}{
		{dataset.Selection{}, "000 001 002 003 004 005 006 007 008 009"},
		{dataset.Selection{Limit: 3}, "000 001 002"},
		{dataset.Selection{Limit: 30, Sample: 10}, "000 001 002 003 004 005 006 007 008 009"},
		{dataset.Selection{IDs: []string{"case-007", "case-002", "case-007"}}, "002 007"},
		{dataset.Selection{Tags: []string{"third"}}, "000 003 006 009"},
		{dataset.Selection{Tags: []string{"third", "even"}, Limit: 4}, "000 002 003 004"},
		{dataset.Selection{IDs: []string{"case-003", "case-002"}, Tags: []string{"even"}}, "002"},
	} {
		got, err := dataset.Select(assay.CasesOf(cases...), c.s)
		if err != nil {
			t.Fatal(err)
		}
		diff(t, fmt.Sprintf("%+v", c.s), idsOf(got.List()), c.want)
	}
	for _, c := range []struct {
		s    dataset.Selection
		want string
	}{
		{
			dataset.Selection{IDs: []string{"case-003", "cas-004", "x"}},
			"no case has the id \"cas-004\": did you mean \"case-004\"?\nno case has the id \"x\"",
		},
		{dataset.Selection{Tags: []string{"evn"}}, `no case has the tag "evn": did you mean "even"?`},
		{
			dataset.Selection{IDs: []string{"case-002"}, Tags: []string{"third"}},
			`no case has one of the ids "case-002" and one of the tags "third"`,
		},
		{dataset.Selection{IDs: []string{"case-002"}, Tags: []string{"thrd"}}, `no case has the tag "thrd": did you mean "third"?`},
		{
			dataset.Selection{IDs: []string{"case"}, Tags: []string{"thrd"}},
			"no case has the id \"case\"\nno case has the tag \"thrd\": did you mean \"third\"?",
		},
		{dataset.Selection{Sample: -1}, "sample -1: expected 0 or more"},
		{dataset.Selection{Limit: -1}, "limit -1: expected 0 or more"},
	} {
		if _, err := dataset.Select(assay.CasesOf(cases...), c.s); err == nil || err.Error() != c.want {
			t.Errorf("%+v: error %v, want %s", c.s, err, c.want)
		}
	}
}

// The draw is pinned: it must not change between versions.
func TestSampleIsPinned(t *testing.T) {
	t.Parallel()
	for seed, want := range map[uint64]string{0: "007 034 086 091 096", 1: "002 003 046 073 095"} {
		got, err := dataset.Select(assay.CasesOf(numbered(100)...), dataset.Selection{Sample: 5, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		diff(t, fmt.Sprintf("seed %d", seed), idsOf(got.List()), want)
	}
}

func TestSampleProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cases := numbered(rapid.IntRange(1, 60).Draw(t, "cases"))
		small := rapid.IntRange(1, len(cases)).Draw(t, "small")
		large := rapid.IntRange(small, len(cases)).Draw(t, "large")
		seed := rapid.Uint64().Draw(t, "seed")
		draw := func(cases []assay.Case, n int) []assay.Case {
			out, err := dataset.Select(assay.CasesOf(cases...), dataset.Selection{Sample: n, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			if out.Len() != n {
				t.Fatalf("%d cases, want %d", out.Len(), n)
			}
			return out.List()
		}
		few, many := draw(cases, small), draw(cases, large)
		in := map[string]bool{}
		for i, c := range many {
			in[c.ID] = true
			if i > 0 && many[i-1].ID >= c.ID {
				t.Fatalf("%q comes before %q", many[i-1].ID, c.ID)
			}
		}
		for _, c := range few {
			if !in[c.ID] {
				t.Fatalf("%q is in the sample of %d and not in that of %d", c.ID, small, large)
			}
		}
		// One case less displaces one at most.
		if small < len(cases) {
			kept := 0
			for _, c := range draw(cases[1:], small) {
				for _, was := range few {
					if c.ID == was.ID {
						kept++
					}
				}
			}
			if kept < small-1 {
				t.Fatalf("%d of %d cases stayed, want all but one", kept, small)
			}
		}
	})
}

// Every case is drawn about as often as any other: 1000 samples of 10 of 50
// take each 200 times on average, with a standard deviation of 12.6.
func TestSampleIsFair(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	for seed := range uint64(1000) {
		out, err := dataset.Select(assay.CasesOf(numbered(50)...), dataset.Selection{Sample: 10, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range out.All() {
			counts[c.ID]++
		}
	}
	for id, n := range counts {
		if n < 137 || n > 263 {
			t.Errorf("%q was drawn %d times, want 200 within 5 standard deviations", id, n)
		}
	}
}

func TestStats(t *testing.T) {
	t.Parallel()
	d := load(t, "x.json", `[
{"id": "a", "question": "12345", "ground_truth": "x", "expected_contexts": ["d1", {"id": "d2", "grade": 0}, {"id": "d3", "grade": 3}], "tags": ["b", "a", "a"], "critical": true, "group": "g"},
{"id": "b", "question": "什麼是貓？", "expected_contexts": [], "tags": ["b"], "answerable": false, "group": "g"},
{"id": "c", "question": "1234567890", "ground_truth": "x", "expected_contexts": ["d1"], "group": "h"},
{"id": "d", "question": "1"}]`, dataset.Options{})
	diff(t, "stats", d.Stats(), dataset.Stats{
		Cases: 4, Critical: 1, Unanswerable: 1, Groups: 2, CJK: 1, Documents: 3, Grades: map[int]int{0: 1, 1: 2, 3: 1},
		Labels: []dataset.Count{
			{Name: "ground_truth", Cases: 2}, {Name: "expected_contexts", Cases: 3}, {Name: "reference_contexts"}, {Name: "expected_keywords"},
			{Name: "sub_questions"}, {Name: "answerable", Cases: 1}, {Name: "audio"}, {Name: "reference_transcript"}, {Name: "ideal"},
			{Name: "checks"},
		},
		Tags: []dataset.Count{{Name: "b", Cases: 2}, {Name: "a", Cases: 1}},
		// Lengths 1 5 5 10: the second of four is the median. Relevant 0 1 2.
		Question: dataset.Lengths{Min: 1, Median: 5, P95: 10, Max: 10}, Relevant: dataset.Lengths{Min: 0, Median: 1, P95: 2, Max: 2},
	})
}

func TestHash(t *testing.T) {
	t.Parallel()
	cases := supportCases()
	was := dataset.Hash(assay.CasesOf(cases...))
	diff(t, "length", len(was), len("sha256:")+64)
	seen := map[string]string{was: "nothing"}
	for what, change := range map[string]func(c *assay.Case){
		"id":         func(c *assay.Case) { c.ID = "x" },
		"question":   func(c *assay.Case) { c.Question += "?" },
		"answer":     func(c *assay.Case) { c.Want.Answers = []string{"x"} },
		"no answer":  func(c *assay.Case) { c.Want.Answers = nil },
		"an answer":  func(c *assay.Case) { c.Want.Answers = []string{} },
		"grade":      func(c *assay.Case) { c.Want.Documents = map[string]int{"policy.md": 1, "faq.md": 1, "old.md": 0} },
		"passage":    func(c *assay.Case) { c.Want.Passages = append(c.Want.Passages, "x") },
		"keyword":    func(c *assay.Case) { c.Want.Keywords = c.Want.Keywords[:1] },
		"answerable": func(c *assay.Case) { c.Want.Answerable = ptr(false) },
		"critical":   func(c *assay.Case) { c.Critical = false },
		"tag":        func(c *assay.Case) { c.Tags = c.Tags[:1] },
		"group":      func(c *assay.Case) { c.Group = "" },
		"transcript": func(c *assay.Case) { c.Want.Transcript = nil },
		"ideal":      func(c *assay.Case) { c.Want.Ideal = &assay.Ideal{Answer: "x"} },
		"point":      func(c *assay.Case) { c.Want.Ideal = &assay.Ideal{Answer: "x", Points: []assay.Point{{Text: "y"}}} },
		"vital": func(c *assay.Case) {
			c.Want.Ideal = &assay.Ideal{Answer: "x", Points: []assay.Point{{Text: "y", Vital: true}}}
		},
	} {
		changed := supportCases()
		change(&changed[0])
		h := dataset.Hash(assay.CasesOf(changed...))
		if before, twice := seen[h]; twice {
			t.Errorf("the hash is the same after a change of %s as after one of %s", what, before)
		}
		seen[h] = what
	}
	moved := supportCases()
	moved[0], moved[1] = moved[1], moved[0]
	if dataset.Hash(assay.CasesOf(moved...)) == was {
		t.Error("the hash does not depend on the order")
	}
	cases[0].Origin.Line, cases[0].Metadata = 99, nil
	if dataset.Hash(assay.CasesOf(cases...)) != was {
		t.Error("the hash depends on the position or the metadata")
	}
}
