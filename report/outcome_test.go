package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/summary"
)

// mixed are cases whose evidence points to different outcomes. Each value of a metric
// contradicts the outcome, so that nothing that reads the metric alone can agree.
var mixed = []struct {
	id       string
	critical bool
	answer   assay.Correctness
	no       bool // the target gave no response
	found    *assay.Retrieved
	mrr      float64
	checks   assay.Score
	want     assay.Correctness
}{
	{id: "right", answer: assay.AnswerRight, mrr: 0.6, want: assay.AnswerRight},
	{id: "wrong", answer: assay.AnswerWrong, mrr: 1, want: assay.AnswerWrong},
	{id: "unknown", answer: assay.AnswerUnknown, mrr: 0.6, want: assay.AnswerUnknown},
	{id: "silent", no: true, want: assay.AnswerWrong},
	{id: "right_missed", answer: assay.AnswerRight, found: &assay.Retrieved{K: 5, Of: 2, Missed: 2}, mrr: 0.7, want: assay.AnswerRight},
	{id: "unknown_missed", answer: assay.AnswerUnknown, found: &assay.Retrieved{K: 5, Of: 2, Missed: 2}, mrr: 1, want: assay.AnswerWrong},
	{id: "unknown_part", answer: assay.AnswerUnknown, found: &assay.Retrieved{K: 5, Found: 1, Of: 2, Missed: 1}, mrr: 1,
		want: assay.AnswerUnknown},
	{id: "critical_part", critical: true, answer: assay.AnswerUnknown, found: &assay.Retrieved{K: 5, Found: 1, Of: 2, Missed: 1}, mrr: 1,
		want: assay.AnswerWrong},
	{id: "critical_wrong", critical: true, answer: assay.AnswerWrong, mrr: 1, want: assay.AnswerWrong},
	{id: "breaks_a_rule", answer: assay.AnswerRight, mrr: 0.2, want: assay.AnswerWrong},
	{id: "fails_a_check", answer: assay.AnswerUnknown, mrr: 1, checks: assay.Value(0.5), want: assay.AnswerWrong},
	{id: "fails_beside_none", answer: assay.AnswerUnknown, mrr: 1, checks: assay.Score{State: assay.JudgeError, Upper: 0.5, Reason: "no result"},
		want: assay.AnswerWrong},
	{id: "critical_beside_none", critical: true, answer: assay.AnswerUnknown, mrr: 1,
		checks: assay.Score{State: assay.JudgeError, Upper: 0.5, Reason: "no result"}, want: assay.AnswerWrong},
	{id: "passes_beside_none", answer: assay.AnswerUnknown, mrr: 0.6,
		checks: assay.Score{State: assay.JudgeError, Lower: 0.5, Upper: 1, Reason: "no result"}, want: assay.AnswerUnknown},
	{id: "passes_checks", answer: assay.AnswerUnknown, mrr: 0.6, checks: assay.Value(1), want: assay.AnswerRight},
}

// mixedRun returns a run of the cases of mixed, and other, whose outcomes are the opposite.
func mixedRun(t *testing.T, other bool) *report.Report {
	t.Helper()
	h := header("mixed", assay.MetricInfo{Name: "mrr", Title: "MRR", Better: "higher", Range: ratio, Version: 1},
		assay.MetricInfo{Name: "checks_passed", Title: "Checks", Better: "higher", Range: ratio, Version: 1})
	h.Dataset.Cases = len(mixed)
	h.Config["gate.rules"] = "mrr.min >= 0.5,errors <= 1"
	if other {
		h.ID, h.Name = "other", "other"
	}
	var records []assay.Record
	for i, m := range mixed {
		r := assay.Record{Seq: i, Attempts: 1, Answer: m.answer, Retrieved: m.found,
			Case:     assay.Case{ID: m.id, Question: "What is " + m.id + "?", Critical: m.critical, Want: assay.Want{Answers: []string{"24"}}},
			Response: &assay.Response{Answer: "x"}, Scores: map[string]assay.Score{"mrr": assay.Value(m.mrr), "checks_passed": m.checks}}
		if m.checks.State == assay.Unset {
			r.Scores["checks_passed"] = assay.None("the case has no check")
		}
		switch {
		case other:
			r.Answer, r.Retrieved, r.Scores["mrr"] = map[assay.Correctness]assay.Correctness{assay.AnswerRight: assay.AnswerWrong,
				assay.AnswerWrong: assay.AnswerRight, assay.AnswerUnknown: assay.AnswerUnknown}[m.want], nil, assay.Value(0.6)
			r.Scores["checks_passed"] = assay.None("the case has no check")
		case m.no:
			r.Response, r.Failure = nil, &assay.Failure{Kind: "timeout", Message: "no reply"}
			r.Scores = map[string]assay.Score{"mrr": {State: assay.TargetError}, "checks_passed": {State: assay.TargetError}}
		}
		records = append(records, r)
	}
	return report.New(h, records)
}

// TestEverySurfaceSaysTheSameOfACase: the page of a run, its table of cases, comparisons, the
// doubts about a dataset, the gate, and the files all have one outcome of a case.
func TestEverySurfaceSaysTheSameOfACase(t *testing.T) {
	t.Parallel()
	r, other := mixedRun(t, false), mixedRun(t, true)
	rule, err := gate.ParseRule("mrr.min >= 0.5")
	if err != nil {
		t.Fatal(err)
	}
	judged := mixedRun(t, false)
	judged.Judge(gate.Policy{Rules: []gate.Rule{rule}})
	c, err := report.Compare([]*report.Report{other, r}, 1)
	if err != nil {
		t.Fatal(err)
	}
	write := func(f func(w *bytes.Buffer) error) string {
		var b bytes.Buffer
		if err := f(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	said := map[string]map[string]string{} // by surface and case
	say := func(surface, id string, outcome any) {
		if said[surface] == nil {
			said[surface] = map[string]string{}
		}
		said[surface][id] = fmt.Sprint(outcome)
	}

	var file struct {
		Counts struct{ Answers summary.Answers }
		Cases  []struct{ ID, Outcome string }
	}
	text := write(func(b *bytes.Buffer) error { return report.JSON(b, r, report.Options{}) })
	if err := json.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	for _, x := range file.Cases {
		say("JSON", x.ID, x.Outcome)
	}
	back, err := report.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(write(func(b *bytes.Buffer) error { return report.CSV(b, r, report.Options{}) }))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		say("CSV", row[0], row[slices.Index(rows[0], "outcome")])
	}
	var suites struct {
		Suites []struct {
			Cases []struct {
				Name string `xml:"name,attr"`
				Out  string `xml:"system-out"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(write(func(b *bytes.Buffer) error { return report.JUnit(b, r, report.Options{}) })), &suites); err != nil {
		t.Fatal(err)
	}
	for _, x := range suites.Suites[0].Cases {
		id, _, _ := strings.Cut(x.Name, ":")
		outcome, _, _ := strings.Cut(x.Out, " · ")
		say("JUnit", id, outcome)
	}
	comment := write(func(b *bytes.Buffer) error { return report.Comment(b, r, report.Options{Cases: 100}) })
	annotations := write(func(b *bytes.Buffer) error { return report.Annotations(b, r, report.Options{}, nil) })
	words := map[string]assay.Correctness{"ok": assay.AnswerRight, "passed": assay.AnswerRight, "failed": assay.AnswerWrong,
		"error": assay.AnswerWrong, "unchecked": assay.AnswerUnknown, "wrong": assay.AnswerWrong, "unknown": assay.AnswerUnknown}
	word := func(text string) assay.Correctness {
		first, _, _ := strings.Cut(text, " · ")
		return words[first]
	}
	table := report.CaseTable{Header: r.Header, Check: report.Checks(r.Header, r.Cases)}
	opposite := map[report.Class]assay.Correctness{report.NewlyRight: assay.AnswerRight, report.NewlyWrong: assay.AnswerWrong,
		report.Unknown: assay.AnswerUnknown}
	doubts := report.NewDoubts([]report.DoubtRun{{Header: r.Header, Cases: r.Cases}, {Header: r.Header, Cases: r.Cases, System: 1},
		{Header: r.Header, Cases: r.Cases, System: 2}})
	for i := range r.Cases.Len() {
		rec, err := r.Source.At([]int{i}, []int{i})
		if err != nil {
			t.Fatal(err)
		}
		id := rec[0].Case.ID
		say("report", id, r.Check(rec[0]).Outcome())
		say("report read back", id, back.Check(rec[0]).Outcome())
		say("gate", id, judged.Gate.Checks()(rec[0]).Outcome())
		say("table of cases", id, word(table.Row(rec[0]).Cells[1].Text[0].Text))
		say("page of a case", id, word(report.Inspect(r.Header, rec[0], table.Check, report.Options{}).Word))
		say("matrix", id, c.Matrix().Outcome(1, c.Matrix().Index(id)))
		say("class of a comparison", id, opposite[c.Matrix().Class(1, c.Matrix().Index(id))])
		doubted := slices.ContainsFunc(doubts.Unsolved, func(d report.DoubtedCase) bool { return d.Case == id })
		say("dataset", id, map[bool]assay.Correctness{true: assay.AnswerWrong}[doubted])
		say("GitHub comment", id, map[bool]assay.Correctness{true: assay.AnswerWrong}[strings.Contains(comment, "`"+id+"`")])
		say("GitHub annotations", id, map[bool]assay.Correctness{true: assay.AnswerWrong}[strings.Contains(annotations, " "+id+"::")])
	}
	var counts summary.Answers
	for _, m := range mixed {
		switch m.want {
		case assay.AnswerRight:
			counts.Right++
		case assay.AnswerWrong:
			counts.Wrong++
		default:
			counts.Unknown++
		}
		for surface, by := range said {
			want := string(m.want)
			switch surface {
			case "GitHub comment", "GitHub annotations": // these list what is wrong
				if m.want != assay.AnswerWrong {
					want = ""
				}
			case "dataset": // and this without what a failing target says
				if m.want != assay.AnswerWrong || m.no {
					want = ""
				}
			}
			if by[m.id] != want {
				t.Errorf("%s: %s is %q, want %q", surface, m.id, by[m.id], want)
			}
		}
	}
	if r.Summary.Answers != counts || file.Counts.Answers != counts {
		t.Errorf("%+v and %+v, want %+v", r.Summary.Answers, file.Counts.Answers, counts)
	}
	if s := r.Summary; s.Critical != 3 || s.CriticalFailed != 3 {
		t.Errorf("%d of %d critical cases fail, want 3 of 3", s.CriticalFailed, s.Critical)
	}
	for _, f := range []func() string{
		func() string {
			return write(func(b *bytes.Buffer) error { return report.HTML.Write(b, r, report.Options{}) })
		},
		func() string {
			return write(func(b *bytes.Buffer) error { return report.HTML.Compare(b, c, report.Options{}) })
		},
	} {
		if text := f(); !strings.Contains(text, "A case is right or wrong by its answer: a judge decides, else the labels.") {
			t.Error("a page does not say what makes a case right or wrong")
		}
	}
}

// TestEstimatedOutcomeIsMarked: an outcome that names the metric of an estimate is one, also of critical cases.
func TestEstimatedOutcomeIsMarked(t *testing.T) {
	t.Parallel()
	for outcome, marked := range map[string]bool{"hit@1 >= 0.5": true, "hit@1>=0.5": true, "": false} {
		m := hit
		m.Estimate = true
		h := header("a", m)
		h.Dataset.Cases, h.Config = 1, map[string]string{"outcome": outcome}
		r := report.New(h, []assay.Record{{Attempts: 1, Case: assay.Case{ID: "q", Critical: true}, Answer: assay.AnswerRight,
			Response: &assay.Response{Answer: "x"}, Scores: map[string]assay.Score{"hit@1": assay.Value(1)}}})
		var b bytes.Buffer
		if err := report.Markdown.Write(&b, r, report.Options{}); err != nil {
			t.Fatal(err)
		}
		if text := b.String(); strings.Contains(text, "1 of 1 passed ≈") != marked || strings.Contains(text, "1 right, 0 wrong, 0 below threshold, 0 errors ≈") != marked {
			t.Errorf("%q: marked must be %v: %s", outcome, marked, text)
		}
	}
}

// TestDrawsOfACaseMustAgree: of several draws all must be right for the case to be right; a
// critical case of which one is wrong is wrong, as in the gate.
func TestDrawsOfACaseMustAgree(t *testing.T) {
	t.Parallel()
	run := func(name string, critical bool, answers ...assay.Correctness) *report.Report {
		h := header(name, hit)
		h.ID, h.Dataset.Cases, h.Repeat = name, 1, len(answers)
		var records []assay.Record
		for draw, answer := range answers {
			records = append(records, assay.Record{Seq: draw, Attempts: 1, Case: assay.Case{ID: "q", Critical: critical}.Repeated(draw), Answer: answer,
				Response: &assay.Response{Answer: "x"}, Scores: map[string]assay.Score{"hit@1": assay.Value(1)}})
		}
		return report.New(h, records)
	}
	right, wrong := assay.AnswerRight, assay.AnswerWrong
	for _, test := range []struct {
		critical bool
		draws    []assay.Correctness
		want     report.Class
	}{
		{false, []assay.Correctness{right, right}, report.NewlyRight},
		{false, []assay.Correctness{right, wrong}, report.Unknown},
		{true, []assay.Correctness{right, wrong}, report.BothWrong},
		{true, []assay.Correctness{wrong, right}, report.BothWrong},
		{false, []assay.Correctness{wrong, wrong}, report.BothWrong},
	} {
		c, err := report.Compare([]*report.Report{run("a", test.critical, wrong), run("b", test.critical, test.draws...)}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Matrix().Class(1, 0); got != test.want {
			t.Errorf("draws %v, critical %v: %s, want %s", test.draws, test.critical, got, test.want)
		}
	}
}

// TestUnnamedDocumentsDecideNothing: where no passage of a run has a name of the labels, missed
// documents make no case wrong, and passages that were found by their texts still count.
func TestUnnamedDocumentsDecideNothing(t *testing.T) {
	t.Parallel()
	for _, h := range []assay.Header{header("unnamed"), header("unnamed", assay.MetricInfo{
		Name: "hit@5", Title: "Hit", Better: "higher", Range: ratio, Version: 1, Documents: assay.ByDocuments})} {
		h.Corpus = nil
		var records []assay.Record
		for i := range 6 {
			r := assay.Record{Seq: i, Attempts: 1,
				Case:     assay.Case{ID: fmt.Sprint(i), Critical: i == 0, Want: assay.Want{Documents: map[string]int{"a.txt": 1}}},
				Response: &assay.Response{NoAnswer: true, Passages: []assay.Passage{{Source: "A.TXT", Text: "The ferry takes forty minutes."}}},
				Scores:   map[string]assay.Score{"hit@5": assay.Value(0)}, Retrieved: &assay.Retrieved{Of: 1, Missed: 1}}
			if i == 1 {
				r.Retrieved = nil // as in records of earlier versions
			}
			if i == 5 {
				r.Case.Want.Passages = []string{"The ferry takes forty minutes."}
				r.Retrieved = &assay.Retrieved{Found: 1, Of: 2, Missed: 1}
			}
			records = append(records, r)
		}
		for _, r := range []*report.Report{report.New(h, records), live(t, h, records)} {
			if s := r.Summary; s.Answers != (summary.Answers{Right: 1, Unknown: 5}) || s.CriticalFailed != 0 || s.CriticalUnchecked != 1 {
				t.Errorf("%+v, critical: %d failed, %d unchecked", s.Answers, s.CriticalFailed, s.CriticalUnchecked)
			}
		}
	}
}

// live is the report of records that came one by one.
func live(t *testing.T, h assay.Header, records []assay.Record) *report.Report {
	t.Helper()
	b := report.NewBuilder()
	for _, r := range records {
		b.Add(&r)
	}
	r, err := b.Report(h, report.Loaded(records))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestFailedCheckOfARightAnswer: the case fails, and is not listed as wrong.
func TestFailedCheckOfARightAnswer(t *testing.T) {
	t.Parallel()
	h := header("a", hit)
	h.Dataset.Cases = 1
	r := report.New(h, []assay.Record{{Attempts: 1, Case: assay.Case{ID: "q", Question: "Who?", Critical: true}, Answer: assay.AnswerRight, Response: &assay.Response{Answer: "x"},
		Scores: map[string]assay.Score{"hit@1": assay.Value(1), "checks_passed": {State: assay.Scored, Evidence: []assay.Evidence{{Kind: "failed", Text: "cites"}}}}}})
	var b bytes.Buffer
	if err := report.Markdown.Write(&b, r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	for text, has := range map[string]bool{"0 of 1 passed, 1 failed": true, "1 right, 0 wrong": true, "breaks ": true, "### wrong": false} {
		if strings.Contains(b.String(), text) != has {
			t.Errorf("%q: expected %v: %s", text, has, b.String())
		}
	}
}
