package check_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset/check"
	"github.com/assay-eval/assay/rag/embed"
)

// Thousands of cases and documents are no matter of hours: the words of a passage
// lead to the documents that can hold it, so that not each is asked for each case.
func TestManyCasesAndDocuments(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	var in check.Input
	for i := range 2000 {
		var b strings.Builder
		for range 200 {
			fmt.Fprintf(&b, "w%d ", random.IntN(8000))
		}
		in.Documents = append(in.Documents, assay.Document{ID: fmt.Sprintf("d%d", i), Text: b.String()})
	}
	for i := range 3000 {
		text := strings.Fields(in.Documents[i%2000].Text)
		c := assay.Case{ID: fmt.Sprintf("q%d", i), Question: fmt.Sprintf("what of %d", i)}
		c.Want.Documents = map[string]int{fmt.Sprintf("d%d", i%2000): 1}
		c.Want.Keywords = []string{"nowhere", "found"}
		c.Want.Passages = []string{strings.Join(text[20:40], " ")}
		in.Cases = append(in.Cases, c)
	}
	// One passage that stands nowhere, and one of which half does.
	in.Cases[5].Want.Passages = []string{"this is a passage that stands in no document at all"}
	in.Cases[6].Want.Passages = []string{strings.Join(strings.Fields(in.Documents[6].Text)[:12], " ") + " and a little beside"}
	r, err := check.Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	var missing []string
	for _, f := range r.Findings {
		if f.Check == "missing-passage" {
			missing = append(missing, f.Cases...)
		}
	}
	if !slices.Equal(missing, []string{"q5"}) {
		t.Errorf("missing passages in %q, want q5", missing)
	}
}

// A retriever that finds little is no evidence: it neither accuses labels nor
// names documents that nobody judged.
func TestBadRetrieversAreNotHeard(t *testing.T) {
	t.Parallel()
	in := check.Input{Rankings: []check.Ranking{
		{Name: "good", Passages: map[string][]assay.Passage{}},
		{Name: "bad", Passages: map[string][]assay.Passage{}},
	}}
	for i := range 20 {
		c := assay.Case{ID: fmt.Sprintf("q%d", i), Question: fmt.Sprintf("question %d", i)}
		c.Want.Documents = map[string]int{fmt.Sprintf("d%d", i): 1}
		in.Cases = append(in.Cases, c)
		// The good one has another document first, which the bad one never has.
		in.Rankings[0].Passages[c.ID] = []assay.Passage{{Document: fmt.Sprintf("x%d", i)}, {Document: fmt.Sprintf("d%d", i)}}
		for k := range 60 {
			in.Rankings[1].Passages[c.ID] = append(in.Rankings[1].Passages[c.ID], assay.Passage{Document: fmt.Sprintf("y%d", k)})
		}
	}
	r, err := check.Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 0 {
		t.Errorf("%d findings, the first %+v", len(r.Findings), r.Findings[0])
	}
	if len(r.Skipped) == 0 || !strings.Contains(strings.Join(r.Skipped, "\n"), "not by bad") {
		t.Errorf("skipped %q, want that bad was not heard", r.Skipped)
	}
	// With a second that agrees they are evidence.
	in.Rankings[1].Passages = in.Rankings[0].Passages
	if r, err = check.Run(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 20 || r.Findings[0].Check != "unjudged" {
		t.Errorf("two that agree: %d findings", len(r.Findings))
	}
}

// MiniLM takes Chinese questions of one form for the same, whoever they are
// about.
func TestNearDuplicatesInChinese(t *testing.T) {
	t.Parallel()
	embedder, err := embed.MiniLM()
	if err != nil {
		t.Fatal(err)
	}
	in := check.Input{Embedder: embedder}
	for i, q := range []string{
		"耶柔米在哪一年過世?",
		"周恩來於哪一年時逝世?",
		"渡輪碼頭的售票處在星期日什麼時候關門？",
		"渡輪碼頭的售票處在星期日什麼時候才關門？",
	} {
		in.Cases = append(in.Cases, assay.Case{ID: string(rune('a' + i)), Question: q})
	}
	r, err := check.Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	var near []string
	for _, f := range r.Findings {
		if f.Check == "near-duplicate" {
			near = append(near, strings.Join(f.Cases, "="))
		}
	}
	if !slices.Equal(near, []string{"d=c"}) {
		t.Errorf("near duplicates %q, want d=c", near)
	}
}
