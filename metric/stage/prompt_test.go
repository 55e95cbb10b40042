package stage_test

import (
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
