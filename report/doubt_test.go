package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/report"
)

// doubtRun returns a run whose cases are q0, q1, …: 1 is right, 0 wrong, x has no
// response, j a judge that failed, - is not asked. Draws are separated by "/".
func doubtRun(system, setup int, hits string) report.DoubtRun {
	h := assay.Header{Metrics: []assay.MetricInfo{
		{Name: "hit@1", Better: "higher", Range: [2]float64{0, 1}, Version: 1},
		{Name: "support", Better: "higher", Range: [2]float64{0, 1}, Version: 1, Judged: true},
	}}
	var records []assay.Record
	for draw, list := range strings.Split(hits, "/") {
		for i, hit := range list {
			if hit == '-' {
				continue
			}
			c := assay.Case{ID: fmt.Sprint("q", i)}
			r := assay.Record{Seq: len(records), Case: c.Repeated(draw), Response: &assay.Response{Answer: "a"}}
			switch hit {
			case 'x':
				r.Response, r.Failure = nil, &assay.Failure{Kind: "timeout"}
				r.Scores = map[string]assay.Score{"hit@1": {State: assay.TargetError}, "support": {State: assay.TargetError}}
			case 'w':
				r.Response.Withheld = "content_filter"
				fallthrough
			case 'j':
				r.Answer = assay.AnswerRight
				r.Scores = map[string]assay.Score{"hit@1": assay.Value(1), "support": {State: assay.JudgeError}}
			default:
				r.Answer = map[rune]assay.Correctness{'0': assay.AnswerWrong, '1': assay.AnswerRight}[hit]
				r.Scores = map[string]assay.Score{"hit@1": assay.Value(0.5), "support": assay.Value(0.5)}
			}
			records = append(records, r)
		}
	}
	return report.DoubtRun{Header: h, Cases: columns.Of(records), System: system, Setup: setup}
}

func namesOf(list []report.DoubtedCase) string {
	var out []string
	for _, c := range list {
		out = append(out, c.Case)
	}
	return strings.Join(out, " ")
}

// TestDoubtsNeedSystems: a case that all get wrong is listed from three runs of two systems,
// each with a response; repeats of one system are not several systems.
func TestDoubtsNeedSystems(t *testing.T) {
	for _, tc := range []struct {
		name     string
		runs     []report.DoubtRun
		unsolved string
		decided  int
	}{
		{"two runs of two systems", []report.DoubtRun{doubtRun(0, 0, "01"), doubtRun(1, 1, "01")}, "", 0},
		{"three runs of one system", []report.DoubtRun{doubtRun(0, 0, "01"), doubtRun(0, 0, "01"), doubtRun(0, 1, "01")}, "", 0},
		{"three runs of two systems", []report.DoubtRun{doubtRun(0, 0, "01"), doubtRun(0, 0, "01"), doubtRun(1, 1, "01")}, "q0", 2},
		{"draws are not runs", []report.DoubtRun{doubtRun(0, 0, "01/01/01"), doubtRun(1, 1, "01/01")}, "", 0},
		{"one that fails says nothing", []report.DoubtRun{doubtRun(0, 0, "00"), doubtRun(1, 1, "0x"), doubtRun(2, 2, "00")}, "q0", 1},
		{"one that lacks the case says nothing", []report.DoubtRun{doubtRun(0, 0, "00"), doubtRun(1, 1, "0-"), doubtRun(2, 2, "00")}, "q0", 1},
		{"one of them is right", []report.DoubtRun{doubtRun(0, 0, "00"), doubtRun(1, 1, "01"), doubtRun(2, 2, "00")}, "q0", 2},
		{"a draw is right", []report.DoubtRun{doubtRun(0, 0, "00/01"), doubtRun(1, 1, "00"), doubtRun(2, 2, "00")}, "q0", 2},
	} {
		d := report.NewDoubts(tc.runs)
		if got := namesOf(d.Unsolved); got != tc.unsolved || d.Decided != tc.decided {
			t.Errorf("%s: %q of %d, want %q of %d", tc.name, got, d.Decided, tc.unsolved, tc.decided)
		}
	}
}

// TestDoubtsOfFlakyCases: draws and repeated runs of one setup that come out differently are
// flaky; those of two setups are not compared.
func TestDoubtsOfFlakyCases(t *testing.T) {
	d := report.NewDoubts([]report.DoubtRun{doubtRun(0, 0, "0011/0110"), doubtRun(1, 1, "1100"), doubtRun(1, 1, "1101"), doubtRun(2, 2, "0x")})
	if got := namesOf(d.Flaky); got != "q1 q3" || d.Repeated != 4 || d.Runs != 4 || d.Systems != 3 || d.Cases != 4 {
		t.Errorf("flaky %q of %d: %+v", got, d.Repeated, d)
	}
	if q3 := d.Flaky[1]; q3.Right != 1 || q3.Wrong != 1 || q3.Run != 0 {
		t.Errorf("q3: %+v", q3)
	}
	if d = report.NewDoubts([]report.DoubtRun{doubtRun(0, 0, "01"), doubtRun(0, 1, "10")}); len(d.Flaky) > 0 || d.Repeated > 0 {
		t.Errorf("two setups are compared: %+v", d)
	}
}

// TestDoubtsOfTheJudge: a case on which the judge failed once, or in fewer than half of the
// times, is not listed.
func TestDoubtsOfTheJudge(t *testing.T) {
	d := report.NewDoubts([]report.DoubtRun{doubtRun(0, 0, "jj1jxw"), doubtRun(1, 1, "j1111w"), doubtRun(2, 2, "11j11"),
		doubtRun(3, 3, "111jj")})
	if got := namesOf(d.Unruled); got != "q0 q3" || d.Judged != 5 {
		t.Errorf("unruled %q of %d", got, d.Judged)
	}
	if c := d.Unruled[0]; c.Unruled != 2 || c.Asked != 4 {
		t.Errorf("q0: %+v", c)
	}
}

// TestDoubtsComeFromDecidedCases: an unknown answer decides nothing, and neither does a score.
func TestDoubtsComeFromDecidedCases(t *testing.T) {
	least := 0.6
	run := func(system int, answer assay.Correctness, value float64) report.DoubtRun {
		m := assay.MetricInfo{Name: "mrr", Better: "higher", Range: [2]float64{0, 1}, Version: 1, Threshold: &least}
		return report.DoubtRun{Header: assay.Header{Metrics: []assay.MetricInfo{m}}, System: system, Setup: system,
			Cases: columns.Of([]assay.Record{{Case: assay.Case{ID: "q0"}, Response: &assay.Response{Answer: "a"}, Answer: answer,
				Scores: map[string]assay.Score{"mrr": assay.Value(value)}}})}
	}
	d := report.NewDoubts([]report.DoubtRun{run(0, assay.AnswerWrong, 1), run(1, assay.AnswerWrong, 1), run(2, assay.AnswerUnknown, 0)})
	if d.Decided != 0 {
		t.Errorf("an unknown answer decides: %+v", d)
	}
	d = report.NewDoubts([]report.DoubtRun{run(0, assay.AnswerWrong, 1), run(1, assay.AnswerWrong, 1), run(2, assay.AnswerRight, 0)})
	if d.Decided != 1 || d.Unsolved != nil {
		t.Errorf("a threshold on means makes a right answer wrong: %+v", d)
	}
	if d = report.NewDoubts(nil); d.Runs != 0 || d.Unsolved != nil {
		t.Errorf("no runs: %+v", d)
	}
}
