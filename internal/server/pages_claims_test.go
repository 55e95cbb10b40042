package server

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"github.com/assay-eval/assay"
)

const (
	surfAnswer  = "Surfboards up to 2.5 m travel free. Longer ones are freight [1]. Ask on board. They float."
	surfPassage = "Boards up to 1.8 m travel free; longer ones go as freight."
)

// spanOf finds words in a text of a response; passage 0 is the answer.
func spanOf(passage int, text, words string) assay.Span {
	at := strings.Index(text, words)
	return assay.Span{Passage: passage, Start: at, End: at + len(words)}
}

// claimed stores a run with one case, whose answer makes five claims.
func (b *bench) claimed(id string, change func(*assay.Record)) {
	b.t.Helper()
	h := assay.Header{ID: id, Name: "run " + id, State: stateFinished, Started: time.Unix(1, 0), Finished: time.Unix(2, 0),
		Dataset: assay.DatasetInfo{Name: "d", Hash: "h", Cases: 1},
		Metrics: []assay.MetricInfo{{Name: "faithfulness", Title: "Faithfulness", Better: "higher", Range: [2]float64{0, 1}, Version: 1,
			Judged: true}}}
	if err := b.store.CreateRun(b.t.Context(), h); err != nil {
		b.t.Fatal(err)
	}
	s := assay.Value(0.4)
	s.Evidence = []assay.Evidence{
		{Kind: "contradicted", Text: "Boards up to 2.5 m travel free. — 1.8 m", Where: "sentence 1, against passage 1", Spans: []assay.Span{
			spanOf(0, surfAnswer, "Surfboards up to 2.5 m travel free"), spanOf(1, surfPassage, "up to 1.8 m travel free")}},
		{Kind: assay.KindSupported, Text: "Longer ones are freight.", Spans: []assay.Span{
			spanOf(0, surfAnswer, "Longer ones are freight [1]"), spanOf(1, surfPassage, "travel free; longer ones go as freight")}},
		{Kind: "unknown", Text: "Staff know.", Spans: []assay.Span{spanOf(0, surfAnswer, "Ask on board")}},
		{Kind: "unsupported", Text: "Boards float."},
		{Kind: assay.KindSupported, Text: "There are boards."},
	}
	rec := assay.Record{Attempts: 1, Case: assay.Case{ID: "c", Question: "Can I take a surfboard?"}, Scores: map[string]assay.Score{"faithfulness": s},
		Response: &assay.Response{Answer: surfAnswer, Passages: []assay.Passage{{ID: "p1", Text: surfPassage}, {ID: "p2", Text: "x"}}}}
	if change != nil {
		change(&rec)
	}
	if err := b.store.Put(b.t.Context(), id, rec); err != nil {
		b.t.Fatal(err)
	}
}

// TestPagesMarkClaims: the words of a claim in the answer, in the list and in the passage lead
// to each other, and a claim without a place says so.
func TestPagesMarkClaims(t *testing.T) {
	b := start(t)
	b.claimed("a", nil)
	text := b.see("/runs/a/cases/c")
	for _, want := range []string{
		`id="said-1" data-claims="1" href="#claim-1" title="Claim 1: contradicted by passage 1"`,
		`<span class="claimed contradicted" data-claims="1">Surfboards up to 2.5 m travel free</span>. `,
		`data-claims="2">Longer ones are freight <button type="button" class="cite" data-rank="1">[1]</button></span>`,
		`<span class="claimed unknown" data-claims="3">Ask on board</span>`,
		// Two claims rest on "travel free".
		`<span class="place" id="words-1-1"></span><mark class="claimed contradicted" data-claims="1">up to 1.8 m </mark>`,
		`<span class="place" id="words-2-1"></span><mark class="claimed contradicted" data-claims="1 2">travel free</mark>` +
			`<mark class="claimed supported" data-claims="2">; longer ones go as freight</mark>.`,
		`<p><a href="#words-1-1">passage 1</a> <q dir="auto">up to 1.8 m travel free</q></p>`,
		"2 supported, 1 not supported, 1 contradicted, 1 no ruling",
		`href="#claim-4" title="Claim 4: not supported"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	if n := strings.Count(text, "The place of this claim in the answer is not known."); n != 2 {
		t.Errorf("%d claims say that their place is not known, want 2", n)
	}
	if n := strings.Count(text, "The words of a passage that this ruling rests on are not known."); n != 1 {
		t.Errorf("%d rulings say that their words are not known, want 1", n)
	}
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if ids[m[1]] {
			t.Errorf("the id %q is there twice", m[1])
		}
		ids[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if !ids[m[1]] {
			t.Errorf("a link to %q, which is not there", m[1])
		}
	}
}

// TestPagesOfEarlierRecords: without places, or with places that a response does not have, the
// page has the claims that there are and marks nothing.
func TestPagesOfEarlierRecords(t *testing.T) {
	b := start(t)
	evidence := func(list ...assay.Evidence) func(*assay.Record) {
		return func(r *assay.Record) {
			s := assay.Value(0.5)
			s.Evidence = list
			r.Scores["faithfulness"] = s
		}
	}
	b.claimed("old", evidence(assay.Evidence{Kind: "unsupported", Text: "Boards float."}))
	b.claimed("odd", evidence(assay.Evidence{Kind: assay.KindSupported, Text: "Boards.", Spans: []assay.Span{{Passage: 9, Start: 0, End: 1},
		{Passage: -1, Start: 0, End: 1}, {Passage: 1, Start: 5, End: 5000}, {Passage: 2, Start: 1, End: 0}, {Start: -3, End: 2}, {Passage: 3, End: 1}}},
	))
	b.claimed("cut", func(r *assay.Record) {
		r.Response.Passages[0].Text = "" // the texts of lower ranks may be left out of a record
	})
	some := "The answer may make more; supported ones are not recorded."
	for id, says := range map[string]bool{"old": true, "odd": false, "cut": false} {
		text := b.see("/runs/" + id + "/cases/c")
		if strings.Contains(text, "<mark class=\"claimed") || strings.Contains(text, some) != says || !strings.Contains(text, `id="claim-1"`) {
			t.Errorf("%s: marks words, or says what it lists wrongly: %s", id, text)
		}
	}
	b.claimed("hostile", func(r *assay.Record) {
		r.Response.Answer, r.Response.Passages[0].Text = attack, attack
		s := r.Scores["faithfulness"]
		s.Evidence = nil
		for i := 0; i+7 < len(attack); i += 5 {
			for p := range 2 {
				// The control character of two bytes is not split.
				e := assay.Evidence{Kind: assay.KindSupported, Text: attack, Where: attack, Spans: []assay.Span{{Passage: p, Start: i, End: i + 7}}}
				s.Evidence = append(s.Evidence, e)
			}
		}
		r.Scores["faithfulness"] = s
	})
	text := b.see("/runs/hostile/cases/c")
	for _, bad := range []string{"<script>", "<img", "\x1b", "\u202e"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q in the page", bad)
		}
	}
	if !strings.Contains(text, `<mark class="claimed supported"`) {
		t.Error("nothing is marked")
	}
}

// TestPagesWalkClaims: the keys go from claim to claim, and the focus lights the words of a
// claim wherever they are.
func TestPagesWalkClaims(t *testing.T) {
	b := start(t)
	b.claimed("a", nil)
	v := b.visit()
	v.open("/runs/a/cases/c")
	lit := func(want string) {
		t.Helper()
		v.Until(`[...document.querySelectorAll(".claimed.lit")].map((e) => e.textContent).join("|") === "` + want + `"`)
	}
	v.keys("]")
	v.Until(`document.activeElement.id === "said-1"`)
	lit("Surfboards up to 2.5 m travel free|up to 1.8 m |travel free")
	v.keys("]")
	lit("Longer ones are freight [1]|travel free|; longer ones go as freight")
	v.keys("]", "]")
	// The fourth has no place in the answer: the focus is on its number in the list.
	v.Until(`document.activeElement.closest("li")?.id === "claim-4"`)
	lit("")
	v.keys("[")
	v.Until(`document.activeElement.id === "said-3"`)
	// From the number to the list, and from there to the words.
	v.keys("[", kb.Enter)
	v.Until(`location.hash === "#claim-2"`)
	v.Click(`#claim-2 p a`)
	v.Until(`location.hash === "#words-2-1"`)
	// The pointer lights what it is over.
	v.Until(`document.querySelector(".claimed.unknown").dispatchEvent(new PointerEvent("pointerover", {bubbles: true})) && ` +
		`document.querySelector("#claim-3.lit") && document.querySelectorAll(".claimed.lit").length === 1`)
	v.Clean()
}
