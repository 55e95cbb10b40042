package report_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// errorRates makes a run in which less is better; the values are error rates.
func errorRates(name string, values ...float64) *report.Report {
	m := assay.MetricInfo{Name: "cer", Title: "CER", Better: "lower", Range: [2]float64{0, 1}, Version: 1}
	h := header(name, m)
	h.ID = name
	var records []assay.Record
	for i, v := range values {
		records = append(records, assay.Record{
			Seq: i, Attempts: 1, Case: assay.Case{ID: fmt.Sprintf("c%d", i), Question: "?"},
			Response: &assay.Response{Answer: "an answer by " + name}, Scores: map[string]assay.Score{"cer": assay.Value(v)},
		})
	}
	return report.New(h, records)
}

func TestWhereLessIsBetter(t *testing.T) {
	t.Parallel()
	old := errorRates("old", 0.5, 0.1, 0.9, 0.2)
	// c2 has the highest error rate, then c0, c3, c1.
	got := render(t, lookup(t, "terminal"), old, report.Options{})
	last := -1
	for _, id := range []string{"c2  0.10", "c0  0.50", "c3  0.80", "c1  0.90"} {
		at := strings.Index(got, id)
		if at < last || at < 0 {
			t.Errorf("%s is not in its place:\n%s", id, got)
		}
		last = at
	}
	// Two cases have a lower rate, one the same, one a higher.
	c := comparison(t, []*report.Report{old, errorRates("new", 0.4, 0.1, 0.5, 0.3)})
	if got := renderComparison(t, lookup(t, "markdown"), c, report.Options{}); !strings.Contains(got, "| 2/1/1 |") {
		t.Errorf("better, same and worse are not 2, 1 and 1:\n%s", got)
	}
	page := renderComparison(t, lookup(t, "html"), c, report.Options{})
	if !strings.Contains(page, "2/1/1") {
		t.Error("the page does not count 2, 1 and 1")
	}
}

func TestCompareRefusesWhatCannotBeCompared(t *testing.T) {
	t.Parallel()
	a, b := errorRates("a", 0.1, 0.2), errorRates("b", 0.1, 0.3)
	if _, err := report.Compare([]*report.Report{a}, 1); err == nil || !strings.Contains(err.Error(), "fewer than two runs") {
		t.Errorf("one run: %v", err)
	}
	b.Header.Metrics[0].Version = 2
	if _, err := report.Compare([]*report.Report{a, b}, 1); err == nil || !strings.Contains(err.Error(), `"a" and "b" share no metric`) {
		t.Errorf("another version of the only metric: %v", err)
	}
	x, y := family(5, 0, "x")[0], family(5, 0, "x")[0]
	y.Header.Metrics[0].Version = 2
	y.Header.Dataset.Hash = "sha256:other"
	y.Header.ID = "second"
	c := comparison(t, []*report.Report{x, y})
	if len(c.Rows) != len(x.Header.Metrics)-1 || len(c.Cautions) != 2 || c.Cautions[0].Kind != words.MetricMissing ||
		c.Cautions[0].Metric != "hit@1" || c.Cautions[1].Kind != words.OtherDataset {
		t.Errorf("%d rows, cautions %+v", len(c.Rows), c.Cautions)
	}
	if c.Runs[0] != "x" || c.Runs[1] != "second" {
		t.Errorf("runs of one name are %q, want them told apart", c.Runs)
	}
}

// Cases that share an id and not the question are counted. A draw is no case, although one may have its id.
func TestCompareOtherQuestions(t *testing.T) {
	t.Parallel()
	a, b := family(6, 0, "a")[0], family(6, 0, "b")[0]
	var records, before []assay.Record
	for rec := range a.Records() {
		if rec.Seq == 5 {
			rec.Case.ID = before[0].Case.ID + "#2"
		}
		before = append(before, rec)
	}
	for rec := range b.Records() {
		if rec.Seq == 5 {
			rec.Case = records[0].Case.Repeated(1)
		}
		if rec.Seq < 2 {
			rec.Case.Question = fmt.Sprint("Another question ", rec.Seq)
		} else {
			rec.Case.Question = " " + rec.Case.Question
		}
		records = append(records, rec)
	}
	b.Header.Dataset.Hash, b.Header.ID = "sha256:other", "second"
	c := comparison(t, []*report.Report{report.New(a.Header, before), report.New(b.Header, records)})
	if len(c.Cautions) != 1 || !strings.HasSuffix(words.English.Caution(c.Cautions[0]), ". 2 of these 5 have another question, "+
		"and their differences say nothing") {
		t.Errorf("cautions %+v", c.Cautions)
	}
}

func TestComparisonJSON(t *testing.T) {
	t.Parallel()
	var d struct {
		Schema, Baseline string
		Runs             map[string]assay.Header
		Summary          map[string]struct {
			Estimates   map[string]struct{ Mean float64 }
			Differences map[string]struct {
				N                  int
				Diff               float64
				Wins, Ties, Losses int
				Shown              bool
				Sentence           string
			}
		}
		Cases []struct {
			ID   string
			Runs map[string]struct {
				Answer string
				Scores map[string]struct{ Value float64 }
			}
		}
	}
	c := comparison(t, []*report.Report{errorRates("old", 0.5, 0.1, 0.9, 0.2), errorRates("new", 0.4, 0.1, 0.5, 0.3, 0.7)})
	if err := json.Unmarshal([]byte(renderComparison(t, lookup(t, "json"), c, report.Options{})), &d); err != nil {
		t.Fatal(err)
	}
	if d.Schema != report.ComparisonSchema || d.Baseline != "old" || len(d.Runs) != 2 || d.Runs["new"].ID != "new" {
		t.Errorf("got %+v", d)
	}
	// Means over four cases 1.7/4 and over the shared ones 1.3/4.
	m := d.Summary["cer"]
	x := m.Differences["new"]
	if m.Estimates["old"].Mean != 0.425 || x.N != 4 || x.Wins != 1 || x.Losses != 2 || x.Ties != 1 || x.Shown ||
		!strings.HasPrefix(x.Sentence, "No difference") {
		t.Errorf("got %+v", m)
	}
	if len(d.Cases) != 5 || len(d.Cases[4].Runs) != 1 || d.Cases[2].Runs["new"].Scores["cer"].Value != 0.5 ||
		d.Cases[2].Runs["old"].Answer != "an answer by old" {
		t.Errorf("cases: %+v", d.Cases)
	}
}

// A difference between two judges must not pass for one between two runs: what
// was judged by different ones is left out, with both named; formulas stay.
func TestCompareLeavesOutWhatDifferentJudgesJudged(t *testing.T) {
	t.Parallel()
	faithfulness := assay.MetricInfo{Name: "faithfulness", Title: "Faithfulness", Better: "higher", Range: ratio, Judged: true, Version: 1}
	run := func(name string, j *assay.JudgeInfo, metrics ...assay.MetricInfo) *report.Report {
		h := header(name, metrics...)
		h.Judge = j
		return report.New(h, []assay.Record{{Case: assay.Case{ID: "a"}}})
	}
	a := &assay.JudgeInfo{Provider: "openai", Model: "m", PromptHash: "p1", Passes: 3}
	b := &assay.JudgeInfo{Provider: "openai", Model: "m", PromptHash: "p2", Passes: 3}
	c, err := report.Compare([]*report.Report{run("x", a, hit, faithfulness), run("y", b, hit, faithfulness)}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Rows) != 1 || c.Rows[0].Name != hit.Name {
		t.Errorf("rows %+v: want those of formulas alone", c.Rows)
	}
	w := words.English.Caution(c.Cautions[0])
	for _, part := range []string{"faithfulness is not compared", "p1", "p2"} {
		if !strings.Contains(w, part) {
			t.Errorf("%q: want %q", w, part)
		}
	}
	same := *a
	if c, err = report.Compare([]*report.Report{run("x", a, faithfulness), run("y", &same, faithfulness)}, 1); err != nil || len(c.Rows) != 1 {
		t.Errorf("one judge: %v, %v", c, err)
	}
	// Prompts that a metric does not rest on may differ.
	faithfulness.Prompts = []string{"claims", "support"}
	relevance := faithfulness
	relevance.Name, relevance.Prompts = "context_relevance", []string{"relevance"}
	recorded := func(relevance string) *assay.JudgeInfo {
		return &assay.JudgeInfo{Provider: "openai", Model: "m", Prompts: map[string]string{"claims": "1", "support": "1", "relevance": relevance}}
	}
	x, y := run("x", recorded("1"), faithfulness, relevance), run("y", recorded("2"), faithfulness, relevance)
	c, err = report.Compare([]*report.Report{x, y}, 1)
	if err != nil || len(c.Rows) != 1 || c.Rows[0].Name != "faithfulness" {
		t.Errorf("another prompt for one metric: %v, %+v", err, c.Rows)
	}
	offline := &assay.JudgeInfo{Provider: "offline", Estimate: true}
	if _, err = report.Compare([]*report.Report{run("x", a, faithfulness), run("y", offline, faithfulness)}, 1); err == nil {
		t.Error("an estimate was compared with a judge's rulings")
	} else if _, err = report.Compare([]*report.Report{run("x", a, faithfulness), run("y", nil, faithfulness)}, 1); err == nil ||
		!strings.Contains(err.Error(), "; none)") {
		t.Errorf("%v: want the judge of one and that the other had none", err)
	}
}

// Runs without a common case are no comparison, whoever asks for one.
func TestCompareWantsACommonCase(t *testing.T) {
	t.Parallel()
	run := func(name, id string) *report.Report {
		return report.New(header(name, hit), []assay.Record{{Case: assay.Case{ID: id}, Scores: map[string]assay.Score{hit.Name: assay.Value(1)}}})
	}
	if _, err := report.Compare([]*report.Report{run("x", "a"), run("y", "b")}, 1); err == nil ||
		!strings.Contains(err.Error(), `"x" and "y" share no case`) {
		t.Errorf("got %v", err)
	}
	if _, err := report.Compare(nil, 1); err == nil {
		t.Error("no run was compared with none")
	}
	c, err := report.CompareAs([]*report.Report{run("x", "a"), run("y", "a")}, summary.Plan{Level: 0.9, Seed: 1})
	if err != nil || c.Level != 0.9 {
		t.Errorf("%+v, %v: want the level 0.9", c, err)
	}
}

// The legend says how many differences are tested together.
func TestCompareSaysWhatIsTestedTogether(t *testing.T) {
	t.Parallel()
	run := func(name string, value float64, metrics int) *report.Report {
		infos := []assay.MetricInfo{hit, {Name: "hit@2", Title: "Hit@2", Better: "higher", Range: ratio, Version: 1},
			{Name: "hit@3", Title: "Hit@3", Better: "higher", Range: ratio, Version: 1},
			{Name: "hit@4", Title: "Hit@4", Better: "higher", Range: ratio, Version: 1}}[:metrics]
		var records []assay.Record
		for i := range 6 {
			scores := map[string]assay.Score{}
			for _, m := range infos {
				scores[m.Name] = assay.Value(value)
			}
			records = append(records, assay.Record{Seq: i, Case: assay.Case{ID: fmt.Sprint(i)}, Response: &assay.Response{}, Scores: scores})
		}
		return report.New(header(name, infos...), records)
	}
	for metrics, want := range map[int]string{
		1: "",
		3: "\np and the intervals of differences are corrected for 3 tests together (maxT)\n",
		4: "\np and the intervals of differences are corrected for 4 tests together (maxT)\n",
	} {
		c := comparison(t, []*report.Report{run("x", 0, metrics), run("y", 1, metrics)})
		got := renderComparison(t, lookup(t, "terminal"), c, report.Options{Width: 200})
		if !strings.Contains(got, want) || strings.Contains(got, "are corrected for") != (want != "") {
			t.Errorf("%d metrics: want %q:\n%s", metrics, want, got)
		}
	}
}

// Runs whose cases are decided by other rules are compared with a warning that names the rules.
func TestCompareRules(t *testing.T) {
	t.Parallel()
	for other, want := range map[string]string{
		"gate.rules=token_f1.min >= 0.9": "rules token_f1.min >= 0.9,", "outcome=token_f1 >= 0.2": "outcome token_f1 >= 0.2,", "gate.critical=all": "critical all", "gate.rules=token_f1 >= 0.9": "",
	} {
		x, y := errorRates("a", 0.1, 0.2), errorRates("b", 0.1, 0.3)
		key, value, _ := strings.Cut(other, "=")
		x.Header.Config, y.Header.Config = map[string]string{"seed": "1"}, map[string]string{key: value}
		got := strings.Join(comparison(t, []*report.Report{x, y}).Warnings(words.English), "\n")
		if warned := strings.Contains(got, "different rules for which cases are right"); warned != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", other, got, want)
		}
	}
}

// Metrics that embed are compared with a warning where the embedders differ.
func TestCompareEmbedders(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{{"minilm@1", "openai:m", true}, {"minilm@1", "minilm@1", false}, {"", "openai:m", false}} {
		x, y := errorRates("a", 0.1, 0.2), errorRates("b", 0.1, 0.3)
		x.Header.Embedder, y.Header.Embedder = c.a, c.b
		got := comparison(t, []*report.Report{x, y})
		warned := strings.Contains(strings.Join(got.Warnings(words.English), "\n"), "had different embedders (minilm@1; openai:m)")
		if warned != c.want {
			t.Errorf("%q and %q: warned %v: want %v", c.a, c.b, warned, c.want)
		}
	}
}
