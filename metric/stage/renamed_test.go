package stage_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric/stage"
)

// Stages that name one chunk differently do not show at which of them it was lost.
func TestStagesThatNamePassagesOtherwise(t *testing.T) {
	t.Parallel()
	const evidence = "The annual fee of the Osprey card is 45 euros."
	all := list{{ID: "cards.md#3", Document: "cards.md", Text: evidence}, {ID: "cards.md#4", Document: "cards.md", Text: "The Osprey card is ordered at the counter."},
		{ID: "post.md#1", Document: "post.md", Text: "Cards are sent by post within a week."}}
	ids := func(names ...string) (out list) {
		for _, name := range names {
			out = append(out, assay.Passage{ID: name})
		}
		return out
	}
	for name, test := range map[string]struct {
		retrieved, kept, prompt list
		at, unknown             string
	}{
		"dropped by the filter":           {all, ids("cards.md#4", "post.md#1"), ids("cards.md#4"), assay.StageFilter, ""},
		"left out of the prompt":          {all, ids("cards.md#3", "post.md#1"), ids("post.md#1"), assay.LostPack, ""},
		"a new name in the prompt":        {all, ids("cards.md#3", "cards.md#4"), ids("node-77f0", "cards.md#4"), "", assay.UnknownNames},
		"a new name after the reranker":   {all, ids("doc_0", "cards.md#4"), ids("doc_0", "cards.md#4"), "", assay.UnknownNames},
		"the document in the prompt":      {all, ids("cards.md#3", "cards.md#4"), ids("cards.md"), "", assay.UnknownNames},
		"only its document":               {all, list{{Document: "cards.md"}}, nil, "", assay.UnknownNames},
		"only another document":           {all, list{{Document: "post.md"}}, nil, assay.StageFilter, ""},
		"another document in the prompt":  {all, ids("cards.md#3", "post.md#1"), ids("post.md"), assay.LostPack, ""},
		"a new name with a known text":    {all, list{{ID: "n1", Text: all[1].Text}}, list{{ID: "n1", Text: all[1].Text}}, assay.StageFilter, ""},
		"other names by the retriever":    {ids("9b1d", "0c2e", "77f0"), ids("cards.md#4", "post.md#1"), ids("cards.md#4"), "", assay.UnknownNames},
		"other names, kept by the filter": {ids("9b1d", "0c2e", "77f0"), ids("cards.md#3", "post.md#1"), ids("post.md#1"), assay.LostPack, ""},
		"not retrieved":                   {all[1:], ids("cards.md#4", "post.md#1"), ids("cards.md#4"), assay.StageRetrieve, ""},
	} {
		c := &assay.Case{ID: "c", Question: "What is the annual fee of the Osprey card?", Want: assay.Want{Documents: map[string]int{"cards.md#3": 1}}}
		at := explained(t, c, replied(nil, test.retrieved, test.kept, test.prompt, "60 euros"), stage.Options{}, judgedWrong)
		if at == nil || at.Stage != test.at || at.Unknown != test.unknown {
			t.Errorf("%s: %+v, want %q, unknown for %q", name, at, test.at, test.unknown)
		}
	}
}

// What a filter kept that cannot be read counts with the prompt, and what a search found leaves the stage open.
func TestStagesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	c := &assay.Case{ID: "c", Question: "What is the annual fee of the Osprey card?", Want: assay.Want{Answers: []string{"45 euros"}}}
	fee := assay.Passage{ID: "e", Text: "The annual fee of the Osprey card is 45 euros."}
	post := assay.Passage{ID: "p", Text: "Letters are sent within a week."}
	prompt := "Context:\n" + post.Text + "\n\nQuestion: " + c.Question
	for _, unread := range []any{[]float64{.9, .1}, []int{0, 2}, "e, p", []map[string]any{{"index": 1, "relevance_score": .9}}, nil} {
		for _, used := range []list{nil, {fee, post}} { // as traces and as replies have it
			r := replied(used, list{fee, post}, nil, nil, "60 euros")
			r.Trace.Stages = append(r.Trace.Stages, assay.Stage{Name: assay.StageFilter, Output: raw(unread)},
				assay.Stage{Name: assay.StageGenerate, Input: raw(prompt), Output: raw("60 euros")})
			if at := explained(t, c, r, stage.Options{}, judgedWrong); at == nil || at.Stage != assay.LostPack || at.Merged[assay.StageFilter] != assay.LostPack {
				t.Errorf("%v, %d used: %+v, want pack, which answers for filter", unread, len(used), at)
			}
			r.Trace.Stages = r.Trace.Stages[:2]
			if at := explained(t, c, r, stage.Options{}, judgedWrong); at == nil || at.Stage != "" || at.Unknown != assay.UnknownOutput {
				t.Errorf("%v, %d used, no prompt: %+v, want unknown", unread, len(used), at)
			}
		}
	}
	r := replied(nil, list{post}, nil, nil, "60 euros")
	r.Trace.Stages = append(r.Trace.Stages, assay.Stage{Name: assay.StageRetrieve, Output: raw(map[string]any{"hits": fee.Text})},
		assay.Stage{Name: assay.StageGenerate, Input: raw(prompt), Output: raw("60 euros")})
	if at := explained(t, c, r, stage.Options{}, judgedWrong); at == nil || at.Stage != "" || at.Unknown != assay.UnknownOutput {
		t.Errorf("one of two searches: %+v, want unknown", at)
	}
}

// The prompt is read from whatever form it has.
func TestPromptOfVariablesAndParts(t *testing.T) {
	t.Parallel()
	const question, fee, post = "What is the annual fee of the Osprey card?", "The annual fee of the Osprey card is 45 euros.", "Letters are sent within a week."
	type o = map[string]any
	for name, prompt := range map[string]func(context string) any{
		"variables": func(s string) any { return o{"context": s, "question": question} },
		"messages": func(s string) any {
			return o{"messages": []o{{"role": "system", "content": s}, {"role": "user", "content": question}}}
		},
		"parts": func(s string) any {
			return []o{{"role": "user", "content": []o{{"type": "text", "text": s}, {"type": "text", "text": question}}}}
		},
		"contents": func(s string) any {
			return o{"contents": []o{{"role": "user", "parts": []o{{"text": s}, {"text": question}}}}}
		},
	} {
		for context, want := range map[string]string{post: assay.LostPack, fee + "\n" + post: assay.StageGenerate} {
			c := assay.Case{Question: question, Want: assay.Want{Answers: []string{"45 euros"}}}
			at := tracedAs(t, c, "60 euros", stages(list{{ID: "e", Text: fee}, {ID: "p", Text: post}}, nil, prompt(context)))
			if at == nil || at.Stage != want || len(at.Merged) > 0 {
				t.Errorf("%s: %+v, want %s alone", name, at, want)
			}
		}
	}
}

// A retrieved text may say what a labelled passage says: with its answer in another form, as markup or an edit that
// splits it. More labels do not make that sure.
func TestAnswerOfALabelledPassageInAnotherForm(t *testing.T) {
	t.Parallel()
	const fee, owner = "The annual fee of the Osprey card is 45 euros and covers two people.", "The brand Kelpie is owned by Norfin."
	for _, test := range []struct{ question, passage, answer, text, at string }{
		{"Which company owns the brand Kelpie?", owner, "Norfin", "(Kelpie, owned_by, Norfin)", ""},
		{"Which company owns the brand Kelpie?", owner, "Norfin", "(Kelpie, founded_in, 1987)", assay.StageRetrieve},
		{"Which company owns the brand Kelpie?", owner, "Norfin", "(Cafeteria, opens_at, 12:00)", assay.StageRetrieve},
		{"Who leads purchasing at Orvane?", "Since 2019 the purchasing department of Orvane has been led by Maria Falk.", "Maria Falk", "(Maria Falk, head_of, purchasing)", ""},
		{"What is the annual fee of the Osprey card?", fee, "45 euros", "The annual fee of the Osprey card is 45[1] euros and covers two people.", ""},
		{"What is the annual fee of the Osprey card?", fee, "45 euros", "[00:01:20] The annual fee of the Osprey card is 45 [00:01:23] euros and covers two people.", ""},
		{"What is the annual fee of the Osprey card?", fee, "45 euros", "> The annual fee of the Osprey card is 45\n> euros and covers two people.", ""},
		{"What is the annual fee of the Osprey card?", fee, "45 euros", "The annual fee of the Osprey card is", assay.StageRetrieve},
		{"Who may open the vault of the Norfin branch?", "The vault of the Norfin branch may only be opened by the branch manager.", "the branch manager",
			"The vault of the Norfin branch may only be opened by the acting branch manager.", ""},
	} {
		for _, want := range []assay.Want{{Passages: []string{test.passage}, Answers: []string{test.answer}}, {Passages: []string{test.passage}, Keywords: []string{test.answer}}} {
			c := assay.Case{Question: test.question, Want: want}
			may := []string{test.at}
			if test.at == "" {
				may = append(may, assay.StageGenerate)
			}
			if at := tracedAs(t, c, "Ask the office.", found(test.text, "Soup is served on Fridays.")); at == nil || !slices.Contains(may, at.Stage) {
				t.Errorf("%q, %+v: %+v, want one of %q", test.text, want, at, may)
			}
		}
	}
}

// A stage that names its passages 1, 2, … without texts, after a retriever that did, may count them anew.
func TestStagesThatCountPassagesAnew(t *testing.T) {
	t.Parallel()
	const fee, post, desk = "The annual fee of the Osprey card is 45 euros.", "Letters are sent within a week.", "The desk opens at nine."
	counted := func(first int, texts ...string) (out list) {
		for i, s := range texts {
			out = append(out, assay.Passage{ID: strconv.Itoa(first + i), Text: s})
		}
		return out
	}
	for _, want := range []assay.Want{{Keywords: []string{"45 euros"}}, {Passages: []string{fee}}} {
		for name, test := range map[string]struct {
			retrieved, kept list
			prompt          any
			at, unknown     string
		}{
			"the last of three":     {counted(1, post, desk, fee), counted(1, "", ""), counted(1, "", ""), "", assay.UnknownNames},
			"the first of three":    {counted(0, fee, post, desk), counted(0, "", ""), counted(0, "", ""), "", assay.UnknownNames},
			"none of them":          {counted(1, post, desk, post+desk), counted(1, "", ""), counted(1, "", ""), assay.StageRetrieve, ""},
			"as many":               {counted(1, fee, post), counted(1, "", ""), counted(1, "", ""), assay.StageGenerate, ""},
			"another order":         {counted(1, post, desk, fee), list{{ID: "3"}, {ID: "1"}}, list{{ID: "3"}}, assay.StageGenerate, ""},
			"not the first":         {counted(1, fee, post, desk), list{{ID: "2"}, {ID: "3"}}, list{{ID: "2"}}, assay.StageFilter, ""},
			"a prompt that has it":  {counted(1, post, desk, fee), counted(1, "", ""), "Context: " + fee, assay.StageGenerate, ""},
			"a filter with its own": {counted(1, post, desk, fee), counted(1, post, desk), list{{Text: post}, {Text: desk}}, assay.StageFilter, ""},
		} {
			c := assay.Case{Question: "What is the annual fee of the Osprey card?", Want: want}
			if at := tracedAs(t, c, "60 euros", stages(test.retrieved, test.kept, test.prompt)); at == nil || at.Stage != test.at || at.Unknown != test.unknown {
				t.Errorf("%s, %+v: %+v, want %q, unknown for %q", name, want, at, test.at, test.unknown)
			}
		}
	}
}
