package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/report"
)

// doubtRun returns a run whose cases are q0, q1, …: 1 is right, 0 wrong by hit@1, x has no
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
			case 'j':
				r.Scores = map[string]assay.Score{"hit@1": assay.Value(1), "support": {State: assay.JudgeError}}
			default:
				r.Scores = map[string]assay.Score{"hit@1": assay.Value(float64(hit - '0')), "support": assay.Value(0.5)}
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
		if got := namesOf(d.Unsolved); got != tc.unsolved || d.Decided != tc.decided || d.Yardstick == nil || d.Yardstick.Name != "hit@1" {
			t.Errorf("%s: %q of %d by %v, want %q of %d", tc.name, got, d.Decided, d.Yardstick, tc.unsolved, tc.decided)
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
	d := report.NewDoubts([]report.DoubtRun{doubtRun(0, 0, "jj1jx"), doubtRun(1, 1, "j1111"), doubtRun(2, 2, "11j11"),
		doubtRun(3, 3, "111jj")})
	if got := namesOf(d.Unruled); got != "q0 q3" || d.Judged != 5 {
		t.Errorf("unruled %q of %d", got, d.Judged)
	}
	if c := d.Unruled[0]; c.Unruled != 2 || c.Asked != 4 {
		t.Errorf("q0: %+v", c)
	}
}

// TestDoubtsWithoutAYardstick: a threshold decides, else the answer of the record.
func TestDoubtsWithoutAYardstick(t *testing.T) {
	least := 0.6
	run := func(system int, answer assay.Correctness, values ...float64) report.DoubtRun {
		m := assay.MetricInfo{Name: "wer", Better: "lower", Range: [2]float64{0, 1}, Version: 1}
		if system == 9 {
			m.Better, m.Threshold = "higher", &least
		}
		var records []assay.Record
		for i, v := range values {
			records = append(records, assay.Record{Seq: i, Case: assay.Case{ID: fmt.Sprint("q", i)}, Response: &assay.Response{Answer: "a"},
				Answer: answer, Scores: map[string]assay.Score{"wer": assay.Value(v)}})
		}
		return report.DoubtRun{Header: assay.Header{Metrics: []assay.MetricInfo{m}}, Cases: columns.Of(records), System: system, Setup: system}
	}
	d := report.NewDoubts([]report.DoubtRun{run(0, assay.AnswerWrong, 0.5), run(1, assay.AnswerWrong, 0.25), run(2, assay.AnswerUnknown, 0.5)})
	if d.Yardstick != nil || d.Decided != 0 {
		t.Errorf("an unknown answer decides: %+v", d)
	}
	d = report.NewDoubts([]report.DoubtRun{run(0, assay.AnswerWrong, 0.5), run(1, assay.AnswerWrong, 0.25), run(9, assay.AnswerRight, 0.5)})
	if !slices.Equal([]string{namesOf(d.Unsolved)}, []string{"q0"}) {
		t.Errorf("want q0: two answers are wrong, and a score missed its threshold: %+v", d)
	}
	if d = report.NewDoubts(nil); d.Runs != 0 || d.Unsolved != nil {
		t.Errorf("no runs: %+v", d)
	}
}
