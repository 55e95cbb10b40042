package stage_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
)

// Messages show the passages that they have, whether they have the question or not.
func TestMessagesWithoutTheQuestion(t *testing.T) {
	t.Parallel()
	evidence := assay.Passage{ID: "trial#4", Document: "trial", Text: "Levels of homocysteine rose in patients with a deficiency of vitamin B12."}
	other := assay.Passage{ID: "bone#1", Document: "bone", Text: "Bone density was measured in 200 women after the menopause."}
	for body, want := range map[string]string{
		other.Text: assay.LostPack,
		"Levels of homocysteine\n\n" + other.Text:                       assay.LostPack,
		"Check the claim.\n" + other.Text:                               assay.LostPack,
		"Check the claim.\n" + evidence.Text + "\n\n" + other.Text:      assay.StageGenerate,
		evidence.Text + "\n\n" + other.Text + "\n\nClaim: B12 matters.": assay.StageGenerate,
	} {
		c := assay.Case{Question: "A deficiency of vitamin B12 increases homocysteine.", Want: assay.Want{Documents: map[string]int{"trial#4": 1}}}
		at := tracedAs(t, c, "No.", stages(list{evidence, other}, list{evidence, other}, []map[string]string{{"text": body}}))
		if at == nil || at.Stage != want || at.Unknown != "" {
			t.Errorf("%q: %+v, want %s", body, at, want)
		}
	}
}

// A prompt that is reported by ids alone may have been cut, even if earlier stages report texts.
func TestPromptOfIdsMayBeCut(t *testing.T) {
	t.Parallel()
	evidence := assay.Passage{ID: "trial#4", Document: "trial", Text: "Levels of homocysteine rose in patients with a deficiency of vitamin B12."}
	for _, want := range []assay.Want{{Documents: map[string]int{"trial#4": 1}}, {Passages: []string{evidence.Text}}} {
		c := assay.Case{Question: "Which levels rose in patients?", Want: want}
		messages := []map[string]any{{"role": "user", "content": c.Question}, {"role": "tool", "tool_call_id": "t1", "content": evidence.Text}}
		for name, test := range map[string]struct {
			prompt any
			merged string
		}{"ids": {list{{ID: "trial#4"}}, assay.StageGenerate}, "texts": {list{evidence}, ""}, "messages": {messages, ""}} {
			at := tracedAs(t, c, "No.", stages(list{evidence}, nil, test.prompt))
			if at == nil || at.Stage != assay.StageGenerate || at.Merged[assay.LostPack] != test.merged ||
				!strings.Contains(at.Evidence, "the prompt had it") {
				t.Errorf("%s, %+v: %+v", name, want, at)
			}
		}
	}
}

// Of a passage without a text, only the id is known to be in the prompt.
func TestPromptOfIdsWithoutTexts(t *testing.T) {
	t.Parallel()
	ids := list{{ID: "trial#4", Document: "trial"}}
	c := assay.Case{Question: "Which levels rose in patients?", Want: assay.Want{Documents: map[string]int{"trial#4": 1}}}
	at := tracedAs(t, c, "No.", stages(ids, nil, ids))
	if want := "the prompt lists its id (trial#4) and may have only part of its text, the answer does not have it"; at == nil || at.Evidence != want {
		t.Errorf("%+v, want %q", at, want)
	}
}

// The first chunk of a document is not the document.
func TestFirstChunkIsNotTheDocument(t *testing.T) {
	t.Parallel()
	c := assay.Case{Question: "Which levels rose in patients?", Want: assay.Want{Documents: map[string]int{"trial": 1}}}
	ids := list{{ID: "trial#0", Document: "trial"}, {ID: "bone#0", Document: "bone"}}
	if at := tracedAs(t, c, "No.", stages(ids, nil, ids)); at == nil || at.Stage != "" || at.Unknown != assay.UnknownChunk {
		t.Errorf("%+v", at)
	}
	// Five documents, each with its first chunk alone, have no other chunks.
	for _, name := range []string{"skin", "eye", "ear"} {
		ids = append(ids, assay.Passage{ID: name + "#0", Document: name})
	}
	if at := tracedAs(t, c, "No.", stages(ids, nil, ids)); at == nil || at.Stage != assay.StageGenerate {
		t.Errorf("%+v", at)
	}
	ids = append(ids, assay.Passage{ID: "ear#2", Document: "ear"})
	if at := tracedAs(t, c, "No.", stages(ids, nil, ids)); at == nil || at.Stage != "" {
		t.Errorf("%+v", at)
	}
}

// What only the prompt has beside the passages leaves the stage open, whatever the label and the form of the prompt.
func TestFactInThePromptBesideThePassages(t *testing.T) {
	t.Parallel()
	const question, fact = "How long can I undo the deletion of a vault?", "Deleting a vault starts a grace period of 14 days. An owner can undo the deletion of it then."
	titles := list{{ID: "c3", Document: "keep.md", Text: "Retention"}, {ID: "c9", Document: "bill.md", Text: "Billing and invoices"}}
	others := list{{ID: "c9", Document: "bill.md", Text: "Invoices are payable within thirty days of the date on them."}}
	said := func(texts ...string) (out []map[string]string) {
		for _, s := range texts {
			out = append(out, map[string]string{"role": "user", "content": s})
		}
		return out
	}
	for _, label := range []assay.Want{{Documents: map[string]int{"keep.md": 1}}, {Documents: map[string]int{"c3": 1}}, {Passages: []string{fact}}, {}} {
		label.Keywords, label.Answers = []string{"14 days"}, []string{"14 days"}
		for name, test := range map[string]struct {
			retrieved list
			prompt    func(fact string) any
		}{
			"titles, a text":     {titles, func(s string) any { return "Answer.\n\n" + s + "\n\nQuestion: " + question }},
			"titles, messages":   {titles, func(s string) any { return said("Answer.", s+"\n\nQuestion: "+question) }},
			"a system message":   {others, func(s string) any { return said("You know: "+s, others[0].Text+"\n\nQuestion: "+question) }},
			"an earlier message": {others, func(s string) any { return said("Hi", s, others[0].Text, question) }},
		} {
			if label.Documents["c3"] > 0 && test.retrieved[0].ID == "c3" {
				continue // the id shows it
			}
			c := assay.Case{Question: question, Want: label}
			if at := tracedAs(t, c, "30 days", stages(test.retrieved, nil, test.prompt(fact))); at == nil || at.Stage != "" || at.Unknown == "" {
				t.Errorf("%s, %+v: %+v", name, label, at)
			}
			if at := tracedAs(t, c, "30 days", stages(test.retrieved, nil, test.prompt("Be brief."))); at == nil || at.Stage != assay.StageRetrieve {
				t.Errorf("%s without it, %+v: %+v", name, label, at)
			}
		}
	}
}

// A labelled passage that the prompt has in the file around a retrieved chunk was not lost before it for sure.
func TestPromptOfTheFilesOfChunks(t *testing.T) {
	t.Parallel()
	const question, first, second = "How many balls did Josh Norman intercept?", "Josh Norman, a cornerback, became a star of the season.", " He intercepted four balls, and two of them were touchdowns."
	c := assay.Case{Question: question, Want: assay.Want{Passages: []string{first + second}, Answers: []string{"four balls"}}}
	for prompt, want := range map[string]string{"Context: " + first + second + " It was in May.\n\nQuestion: " + question: "", "Context: " + first + "\n\nQuestion: " + question: assay.StageRetrieve} {
		at := tracedAs(t, c, "four balls", stages(list{{ID: "c1", Source: "a.txt", Text: first}}, nil, prompt))
		if at == nil || at.Stage != want || (want == "") == slices.ContainsFunc(at.Facts, func(f assay.Fact) bool { return f.SelfKnowledge }) {
			t.Errorf("%q: %+v, want %q", prompt, at, want)
		}
	}
}

// The text of a prompt shows which chunks of a document it has where the filter names only the document.
func TestPromptOfAFilterThatNamesDocuments(t *testing.T) {
	t.Parallel()
	const question = "What is the annual fee of the Osprey card?"
	fee := assay.Passage{ID: "cards.md#3", Document: "cards.md", Text: "The annual fee of the Osprey card is 45 euros."}
	post := assay.Passage{ID: "post.md#1", Document: "post.md", Text: "Cards are sent by post within a week."}
	order := assay.Passage{ID: "cards.md#4", Document: "cards.md", Text: "The Osprey card is ordered at the counter."}
	c := assay.Case{Question: question, Want: assay.Want{Documents: map[string]int{fee.ID: 1}}}
	at := tracedAs(t, c, "60 euros", stages(list{fee, order, post}, list{{Document: "cards.md"}, post}, "Context:\n"+fee.Text+"\n"+post.Text+"\n\nQuestion: "+question))
	if at == nil || at.Stage != assay.StageGenerate {
		t.Errorf("%+v", at)
	}
}

// A passage whose answer or values only the rest of the prompt has, as in a table of another form or a summary, was not left
// out for sure. One that was dropped before was.
func TestPassageRewrittenInThePrompt(t *testing.T) {
	t.Parallel()
	const question = "What does the Premium plan cost per month?"
	plans := assay.Passage{ID: "plans.md#1", Document: "plans.md", Text: "| Plan | Price | Seats |\n|---|---|---|\n| Basic | 12 € | 3 |\n| Premium | 49 € | 25 |"}
	post := assay.Passage{ID: "post.md#1", Document: "post.md", Text: "Cards are sent by post within a week."}
	for _, test := range []struct {
		kept         list
		prompt, want string
	}{
		{nil, "Plan,Price,Seats\nBasic,12 €,3\nPremium,49 €,25", ""},
		{list{plans, post}, "Plan,Price,Seats\nBasic,12 €,3\nPremium,49 €,25", ""},
		{nil, "In short: Premium is 49 € with 25 seats, Basic 12 € with 3.", ""},
		{list{post}, "Plan,Price,Seats\nBasic,12 €,3\nPremium,49 €,25", assay.StageFilter},
		{nil, "Prices are listed elsewhere.", assay.LostPack},
	} {
		for _, w := range []assay.Want{
			{Documents: map[string]int{plans.ID: 1}, Answers: []string{"49 €"}}, {Documents: map[string]int{"plans.md": 1}, Keywords: []string{"49 €"}},
			{Documents: map[string]int{plans.ID: 1}}, {Passages: []string{plans.Text}, Answers: []string{"49 €"}},
		} {
			at := tracedAs(t, assay.Case{Question: question, Want: w}, "12 €", stages(list{plans, post}, test.kept, "Context:\n"+test.prompt+"\n"+post.Text+"\n\nQuestion: "+question))
			if at == nil || at.Stage != test.want && (at.Stage != "" || test.kept == nil) {
				t.Errorf("%+v, %q: %+v, want %q", w, test.prompt, at, test.want)
			}
		}
	}
}

// What a log cut was not cut by the system: a mark at the end says so.
func TestWhatALogCutWasNotLostThere(t *testing.T) {
	t.Parallel()
	evidence := assay.Passage{ID: "r#2", Text: "Goods may be returned within 30 days of delivery, in their original box and with the receipt."}
	other := assay.Passage{ID: "s#1", Text: "Shipping to Europe takes three working days, and to other places of the world it takes ten working days."}
	c := assay.Case{Question: "Within how many days may goods be returned?", Want: assay.Want{Documents: map[string]int{"r#2": 1}, Answers: []string{"30 days"}}}
	const begun = " Goods may be returned"
	for prompt, want := range map[string]string{
		"Answer. " + other.Text + begun + " w...":                          "",
		c.Question + " " + other.Text + begun + " [truncated 143 chars]\n": "",
		"Answer. " + other.Text + begun + "… (143 more characters)":        "",
		"Answer. " + other.Text + begun + " [truncated]":                   "",
		strings.Repeat("Be kind. ", 8) + other.Text + begun + " w":         assay.LostPack, // the system may have cut it
		"Answer. " + other.Text + begun:                                    assay.LostPack,
		"Answer. " + other.Text + begun + " w...\n\n" + c.Question:         assay.LostPack,
		strings.Repeat("Be kind. ", 8) + other.Text + "\n" + c.Question:    assay.LostPack,
	} {
		for form, input := range map[string]any{"text": prompt, "messages": []map[string]string{{"role": "user", "content": prompt}}} {
			at := tracedAs(t, c, "No.", stages(list{other, evidence}, list{other, evidence}, input))
			if at == nil || at.Stage != want || (want == "") != (at.Unknown == assay.UnknownCut) {
				t.Errorf("%s %q: %+v, want %q", form, prompt, at, want)
			}
		}
	}
	for end, want := range map[string]string{" <truncated>": "", " (+52 chars)": "", "": assay.StageFilter} {
		kept := list{other, {ID: "r#2", Text: begun[1:] + end}}
		if at := tracedAs(t, c, "No.", stages(list{other, evidence}, kept, nil)); at == nil || at.Stage != want {
			t.Errorf("filter %q: %+v, want %q", end, at, want)
		}
	}
}
