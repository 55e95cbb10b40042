package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

var correct = assay.MetricInfo{Name: "answer_correctness", Title: "Answer correctness", Better: "higher", Range: ratio, Version: 1}

var lostAtFilter = assay.MetricInfo{Name: "lost_at.filter", Title: "Lost at the filter", Better: "lower", Range: ratio, Pooled: true,
	Version: 1}

// pipeline is the trace of one question through all stages: the filter drops
// the second passage of each sub-question.
func pipeline(heard, answer string) *assay.Response {
	p := passages("fees.md", "The fee for a late return is 5 dollars a day.", "hours.md", "The desk is open from 9 to 5 on weekdays.",
		"cards.md", "A card is free for residents.", "fees.md", "A lost card costs 10 dollars.")
	kept := []assay.Passage{p[0], p[2]}
	kept[0].Score, kept[1].Score = 9, 7.5
	low := func(i int, score float64) assay.Passage { x := p[i]; x.Score = score; return x }
	bare := func(list ...assay.Passage) json.RawMessage {
		for i := range list {
			if list[i].ID == p[0].ID || list[i].ID == p[2].ID {
				list[i].Text = ""
			}
		}
		return raw(list)
	}
	return &assay.Response{Answer: answer, Passages: kept, Latency: 40 * time.Millisecond, Trace: &assay.Trace{Stages: []assay.Stage{
		{Name: assay.StageTranscribe, Model: "recogniser", Latency: 9 * time.Millisecond, Input: raw("q1.wav"), Output: raw(heard)},
		{Name: assay.StageDecompose, Model: "rule", Output: raw([]string{"What is the late fee?", "What does a card cost?"})},
		{Name: assay.StageRetrieve, SubQuestion: 1, Model: "hybrid", Output: bare(p[0], p[1])},
		{Name: assay.StageRetrieve, SubQuestion: 2, Model: "hybrid", Output: bare(p[2], p[3])},
		{Name: assay.StageFilter, SubQuestion: 1, Model: "model", Input: bare(low(0, 9), low(1, 2)), Output: bare(low(0, 9))},
		{Name: assay.StageFilter, SubQuestion: 2, Model: "model", Input: bare(low(2, 7.5), low(3, 4)), Output: bare(low(2, 7.5))},
		{Name: assay.StageGenerate, Model: "extractive", Input: bare(p[0], p[2]), Output: raw(answer)},
	}}}
}

// lost is a run of n cases, of which two thirds fail, most of them at retrieve.
func lost(t testing.TB, n int, name string, shift int) *report.Report {
	t.Helper()
	said := "What is the late fee, and what does a card cost?"
	half := 0.5
	m := correct
	m.Threshold = &half
	var records []assay.Record
	verdicts := []string{"", assay.StageRetrieve, assay.StageFilter, "", assay.StageRetrieve, assay.StageGenerate, assay.StageRetrieve, "",
		assay.LostUnresolved}
	for i := range n {
		verdict := verdicts[(i+shift)%len(verdicts)]
		a := &assay.Attribution{Merged: map[string]string{assay.StageTranscribe: assay.StageDecompose}}
		for k, text := range []string{"A late return costs 5 dollars a day.", "A lost card costs 10 dollars.", "A card is free for residents."} {
			f := assay.Fact{ID: fmt.Sprintf("p%d", k+1), Text: text, Match: "text"}
			if verdict != "" && verdict != assay.LostUnresolved && k == 1 {
				f.Lost = verdict
			}
			if i%10 == 4 && k == 2 {
				f.Lost, f.SelfKnowledge = assay.StageRetrieve, true
			}
			a.Facts = append(a.Facts, f)
		}
		score, answer := assay.Value(1), assay.AnswerRight
		if verdict != "" {
			score, answer = assay.Value(0), assay.AnswerWrong
			a.Failed, a.Stage, a.Outcome = true, verdict, "answer_correctness >= 0.5"
			a.Evidence = "with its right output the case is right"
			order := []string{"", assay.StageDecompose, assay.StageRetrieve, assay.StageFilter, assay.StageGenerate}
			a.Ladder = &assay.Ladder{}
			for _, s := range order {
				rung := assay.Rung{Stage: s, Runs: 3, Answer: "It is free."}
				if s == verdict {
					rung.Right = 1
				}
				a.Ladder.Rungs = append(a.Ladder.Rungs, rung)
				if s == verdict {
					break
				}
			}
		}
		r := assay.Record{
			Seq: i, Attempts: 1, Started: start, Attribution: a, Answer: answer,
			Case: assay.Case{ID: fmt.Sprintf("q%03d", i+1), Question: "What is the late fee, and what does a card cost?", Audio: "q1.wav",
				Want: assay.Want{Transcript: &said, Passages: []string{"A lost card costs 10 dollars."}}},
			Response: pipeline("what is the late tree and what does a card cost", "The late fee is 5 dollars a day [1]. A card is free [2]."),
			Scores:   map[string]assay.Score{"answer_correctness": score, "lost_at.filter": lostScore(a, assay.StageFilter)},
		}
		records = append(records, r)
	}
	h := header(name, m, lostAtFilter)
	h.Dataset.Cases, h.Dataset.Total, h.Dataset.Critical = n, n, 0
	return report.New(h, records)
}

func lostScore(a *assay.Attribution, stage string) assay.Score {
	n := 0
	for _, f := range a.Facts {
		if f.Lost == stage {
			n++
		}
	}
	return assay.Ratio(float64(n), float64(len(a.Facts)))
}

// hostileLost is a run whose attributions say what must never act.
func hostileLost(t testing.TB) *report.Report {
	t.Helper()
	r := lost(t, 2, attack, 1)
	a := held(r)[0].Attribution
	a.Evidence, a.Outcome, a.Stage = attack, attack, attack
	a.Facts = append(a.Facts, assay.Fact{ID: attack, Text: attack, Lost: attack})
	a.Ladder.Error, a.Ladder.NonMonotone = attack, true
	a.Ladder.Rungs[0].Answer, a.Ladder.Rungs[1].Stage = attack, attack
	said := attack
	held(r)[0].Case.Want.Transcript = &said
	held(r)[0].Response = pipeline(attack+" "+attack, attack)
	held(r)[0].Response.Trace.Stages[1].Output = raw([]string{attack, attack})
	return report.New(r.Header, held(r))
}

func TestLostGolden(t *testing.T) {
	t.Parallel()
	r := lost(t, 60, "library", 0)
	golden(t, "lost100.txt", render(t, lookup(t, "terminal"), r, report.Options{}))
	golden(t, "lost60.txt", render(t, lookup(t, "terminal"), r, report.Options{Width: 60}))
	golden(t, "lost.md", render(t, lookup(t, "markdown"), r, report.Options{Cases: 1}))
	small := lost(t, 3, "library", 0)
	golden(t, "lost.csv", render(t, lookup(t, "csv"), small, report.Options{}))
	golden(t, "lost.xml", render(t, lookup(t, "junit"), small, report.Options{}))
	golden(t, "lost.comment.md", render(t, lookup(t, "comment"), r, report.Options{}))
}

func TestLostFitsTheTerminal(t *testing.T) {
	t.Parallel()
	for _, r := range []*report.Report{lost(t, 60, "library", 0), hostileLost(t)} {
		for _, w := range []int{60, 80, 100, 140} {
			for l := range strings.Lines(render(t, lookup(t, "terminal"), r, report.Options{Width: w})) {
				if n := len([]rune(strings.TrimRight(l, "\n"))); n > w {
					t.Errorf("width %d: %d columns: %s", w, n, l)
				}
			}
		}
	}
}

func TestLostIsReadBack(t *testing.T) {
	t.Parallel()
	for _, r := range []*report.Report{lost(t, 12, "library", 0), hostileLost(t)} {
		sameAfterReading(t, r)
		var b bytes.Buffer
		if err := report.JSON(&b, r, report.Options{}); err != nil {
			t.Fatal(err)
		}
		again, err := report.Read(&b)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(shown(t, r), again, sameReport); d != "" {
			t.Errorf("the report that was read differs (-written +read):\n%s", d)
		}
	}
}

// What nobody followed has no section, in any format, and no member.
func TestNothingLostNothingShown(t *testing.T) {
	t.Parallel()
	for _, f := range report.Formats {
		got := render(t, f, sample(t), report.Options{})
		for _, word := range []string{`id="lost"`, "answers are lost\n", "Where answers are lost\n", `"waterfall"`, `"attribution"`,
			`"sub_question"`} {
			if strings.Contains(got, word) {
				t.Errorf("%s: %q in a run that was not followed", f.Name, word)
			}
		}
	}
}

// A case whose scores are all full and whose facts are not is shown with the
// stage that lost it.
func TestFailedByFactsIsShown(t *testing.T) {
	t.Parallel()
	r := lost(t, 2, "library", 0)
	held(r)[1].Scores["answer_correctness"] = assay.Value(1)
	held(r)[1].Scores["lost_at.filter"] = assay.Value(0)
	r = report.New(r.Header, held(r))
	if got := render(t, lookup(t, "terminal"), r, report.Options{}); !strings.Contains(got,
		" q002  wrong, fails at retrieve  What is") ||
		!strings.Contains(got, "lowest cases, wrong first, then by the mean of their scores") {
		t.Error(got)
	}
}

func TestTranscript(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ said, heard, want string }{
		{"Where is the desk?", "where is the desk", "> where is the desk"},
		{"Where is the desk?", "where the dusk is", "> where ~~is~~ the ~~desk?~~ **dusk is**"},
		{"請問 圖書館 幾點開門", "請問圖書館幾天開門", "> 請問圖書館幾 ~~點~~ **天** 開門"},
		{"a", "", "> ~~a~~"},
		{"", "b c", "> **b c**"},
		{"late fee - 5 dollars", "late fee 5 dollars", "> late fee 5 dollars"},
		{"late, - 5 dollars", "late 6 - dollars !", "> late ~~5~~ **6** - dollars !"},
	} {
		r := lost(t, 1, "library", 1)
		held(r)[0].Case.Want.Transcript = &c.said
		held(r)[0].Response = pipeline(c.heard, "?")
		got := render(t, lookup(t, "markdown"), report.New(r.Header, held(r)), report.Options{})
		if !strings.Contains(got, "\n"+c.want+"\n") {
			t.Errorf("%q as %q: want %q in\n%s", c.said, c.heard, c.want, got)
		}
	}
}

// The stretches of a transcript, put together, are what was said and what was
// heard, and as many edits as the plain recurrence of the edit distance.
func TestTranscriptIsAnAlignment(t *testing.T) {
	t.Parallel()
	word := rapid.SampledFrom([]string{"a", "b", "c", "d"})
	rapid.Check(t, func(t *rapid.T) {
		said, heard := rapid.SliceOfN(word, 1, 9).Draw(t, "said"), rapid.SliceOfN(word, 1, 9).Draw(t, "heard")
		pieces, edits := report.Align(said, heard)
		var a, b []string
		for _, p := range pieces {
			a, b = append(a, strings.Fields(p.Ref)...), append(b, strings.Fields(p.Hyp)...)
			if p.Same != (p.Ref == p.Hyp) {
				t.Fatalf("%+v", p)
			}
		}
		if !cmp.Equal(a, said) || !cmp.Equal(b, heard) {
			t.Fatalf("%v and %v became %v and %v", said, heard, a, b)
		}
		if want := distance(said, heard); edits != want {
			t.Fatalf("%d edits, want %d", edits, want)
		}
	})
}

func distance(a, b []string) int {
	switch {
	case len(a) == 0 || len(b) == 0:
		return len(a) + len(b)
	case a[0] == b[0]:
		return distance(a[1:], b[1:])
	}
	return 1 + min(distance(a[1:], b), distance(a, b[1:]), distance(a[1:], b[1:]))
}

// TestLostPages writes the samples where -pages says, to be looked at; every format
// can be written in any case.
func TestLostPages(t *testing.T) {
	dir := *pages
	if dir == "" {
		dir = t.TempDir()
	}
	for name, r := range map[string]*report.Report{"lost": lost(t, 60, "library", 0), "hostile": hostileLost(t)} {
		for _, f := range report.Formats {
			if err := r.WriteFile(filepath.Join(dir, name+f.Ext), f, report.Options{}); err != nil {
				t.Error(err)
			}
		}
	}
	c := comparison(t, []*report.Report{lost(t, 60, "dense", 0), lost(t, 60, "hybrid", 3)})
	for _, f := range report.Formats {
		if f.Compare != nil {
			if err := os.WriteFile(filepath.Join(dir, "lost_compare"+f.Ext), []byte(renderComparison(t, f, c, report.Options{})),
				0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestCompareLostGolden(t *testing.T) {
	t.Parallel()
	better := lost(t, 60, "better", 3)
	for i := range held(better) {
		for k := range held(better)[i].Attribution.Facts {
			held(better)[i].Attribution.Facts[k].Lost = ""
		}
	}
	runs := []*report.Report{lost(t, 60, "dense", 0), lost(t, 60, "hybrid", 3), report.New(better.Header, held(better))}
	for i := range runs {
		runs[i].Header.ID += fmt.Sprint(i)
	}
	c := comparison(t, runs)
	for _, f := range report.Formats {
		if f.Compare == nil || f.Name == "html" || f.Name == "json" {
			continue
		}
		golden(t, "lost_compare"+f.Ext, renderComparison(t, f, c, report.Options{Width: 80, Cases: 1}))
	}
	page := renderComparison(t, lookup(t, "html"), c, report.Options{})
	if !strings.Contains(page, "<b>▲ +22 %</b>") || !strings.Contains(page, "<b>▲ −14 %</b>") {
		t.Error("more answered and less lost are not marked as better")
	}
	// A run that was not followed is not set beside one that was.
	plain := lost(t, 60, "plain", 0)
	for i := range held(plain) {
		held(plain)[i].Attribution = nil
	}
	if c := comparison(t, []*report.Report{lost(t, 60, "dense", 0), report.New(plain.Header, held(plain))}); c.Lost != nil {
		t.Errorf("got %v", c.Lost)
	}
}
