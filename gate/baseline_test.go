package gate_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/summary"
)

// saved is a small run with all that a baseline remembers.
func saved() recorded {
	metrics := []assay.MetricInfo{ratio("hit@3"), ratio("mrr@10"),
		{Name: "bleu", Title: "BLEU", Better: "higher", Unit: "points", Range: [2]float64{0, 100}, Version: 2}, ratio("never")}
	run := several(metrics, []any{1, 1. / 3, 12.5, assay.None("")}, []any{0, unread, assay.None("no reference"), assay.None("")})
	run.Header.Name = "hybrid <b>"
	run.Header.Corpus = &assay.CorpusInfo{Hash: "sha256:c"}
	run.Header.Embedder = "minilm"
	run.Header.Judge = &assay.JudgeInfo{Provider: "panel", PromptHash: "sha256:p",
		Parameters: map[string]string{"b": "2", "a": "1"}, Panel: []assay.JudgeInfo{{Provider: "x"}, {Provider: "y"}}}
	return run
}

const savedFile = `{
  "schema": "assay.baseline/1",
  "run": "20260101-run",
  "name": "hybrid <b>",
  "created": "2026-02-17T12:30:15Z",
  "assay": "test",
  "reason": "because",
  "dataset": {"name": "gold", "hash": "sha256:d", "cases": 2},
  "corpus": "sha256:c",
  "judge": {"provider": "panel", "prompt_hash": "sha256:p", "parameters": {"a": "1", "b": "2"}, "panel": [{"provider": "x"}, {"provider": "y"}]},
  "embedder": "minilm",
  "metrics": {
    "bleu": {"mean": 12.5, "n": 1, "better": "higher", "unit": "points", "range": [0, 100], "version": 2},
    "hit@3": {"mean": 0.5, "n": 2, "better": "higher", "range": [0, 1], "version": 1},
    "mrr@10": {"mean": 0.3333333333333, "n": 1, "failed": 1, "better": "higher", "range": [0, 1], "version": 1}
  },
  "cases": {
    "q1": {"bleu": 12.5, "hit@3": 1, "mrr@10": 0.3333333333333},
    "q2": {"hit@3": 0}
  },
  "groups": {
  }
}
`

func written(t testing.TB, b *gate.Baseline) string {
	t.Helper()
	var out bytes.Buffer
	if err := b.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestBaselineFile(t *testing.T) {
	t.Parallel()
	b := baseline(t, saved())
	if diff := cmp.Diff(savedFile, written(t, b)); diff != "" {
		t.Fatalf("(-want +got)\n%s", diff)
	}
	again, err := gate.ReadBaseline(strings.NewReader("\ufeff" + savedFile))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b, again); diff != "" {
		t.Errorf("read back (-want +got)\n%s", diff)
	}
	if written(t, again) != savedFile {
		t.Error("written again it is another file")
	}
}

// TestBaselineOfAnyRunIsRead: what a run's mean is made of is what the file has of
// its cases: of draws of which some could not be scored, of counts that are
// pooled, of a target that failed.
func TestBaselineOfAnyRunIsRead(t *testing.T) {
	t.Parallel()
	pooled := ratio("abstention_f1")
	pooled.Pooled = true
	var draws []assay.Record
	for i, s := range []assay.Score{assay.Value(1), unread, assay.Value(0.25), assay.Value(0.5), unread, unread} {
		c := assay.Case{ID: []string{"a", "b", "c"}[i/2]}.Repeated(i % 2)
		draws = append(draws, assay.Record{Seq: i, Case: c, Response: &assay.Response{}, Scores: map[string]assay.Score{"m": s}})
	}
	for name, run := range map[string]recorded{
		// 2·2/(2+3) is not the mean of 1 and 0.
		"pooled": one(pooled, assay.Ratio(2, 2), assay.Ratio(0, 1)),
		"draws":  of([]assay.MetricInfo{ratio("m")}, draws),
		"failed": several([]assay.MetricInfo{ratio("m"), less("l")}, []any{0.5, 0.5}, []any{failed, failed}, []any{0.75, unread}),
	} {
		b := baseline(t, run)
		if again, err := gate.ReadBaseline(strings.NewReader(written(t, b))); err != nil || !cmp.Equal(b, again) {
			t.Errorf("%s: %v\n%s", name, err, written(t, b))
		}
	}
}

// A baseline beside the run that it was taken from: nothing differs, and all that
// is remembered is there.
func TestBaselineAsRecords(t *testing.T) {
	t.Parallel()
	run := saved()
	b := baseline(t, run)
	for _, m := range run.Header.Metrics[:3] { // the fourth was never measured
		var was []summary.Value
		for _, v := range summary.Values(m, columns.Of(run.Records)) {
			if v.Known > 0 {
				was = append(was, v)
			}
		}
		is := summary.Values(m, columns.Of(b.Records()))
		if diff := cmp.Diff(was, is, cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })); diff != "" {
			t.Errorf("%s: (-run +baseline)\n%s", m.Name, diff)
		}
	}
	h := b.Header()
	var names []string
	for _, m := range h.Metrics {
		names = append(names, m.Name)
	}
	if !slices.Equal(names, []string{"bleu", "hit@3", "mrr@10"}) || h.Metrics[0].Unit != "points" || h.Metrics[0].Version != 2 ||
		h.ID != "20260101-run" || h.Name != "hybrid <b>" || h.Dataset.Hash != "sha256:d" || h.Dataset.Cases != 2 ||
		h.Corpus.Hash != "sha256:c" || h.Embedder != "minilm" ||
		h.Judge.Provider != "panel" || h.State != "finished" || h.Started.IsZero() {
		t.Errorf("%+v", h)
	}
	if reasons := english(b.Refuses(run.Header)); reasons != nil {
		t.Errorf("its own run is refused: %q", reasons)
	}
	if reasons := english(b.Refuses(h)); reasons != nil {
		t.Errorf("its own header is refused: %q", reasons)
	}
}

// A comparison with the file is that with the run: failed cases stay failed, of which people say nothing, and cases of a
// group stay together.
func TestBaselineKeepsFailuresAndGroups(t *testing.T) {
	t.Parallel()
	run := one(ratio("m"), 1, failed, 0.5, 0, failed)
	for i := range 4 {
		run.Records[i].Case.Group = fmt.Sprint("g", i/2)
	}
	b, err := gate.ReadBaseline(strings.NewReader(written(t, baseline(t, run))))
	if err != nil {
		t.Fatal(err)
	}
	m := run.Header.Metrics[0]
	if diff := cmp.Diff(summary.Values(m, columns.Of(run.Records)), summary.Values(m, columns.Of(b.Records()))); diff != "" {
		t.Errorf("(-run +baseline)\n%s", diff)
	}
}

// Rounding never makes an unchanged run fail, whatever its values are, and two
// values that differ in nothing but rounding stay a tie.
func TestRoundedBaselineKeepsAnUnchangedRun(t *testing.T) {
	t.Parallel()
	m := assay.MetricInfo{Name: "m", Better: "higher", Range: [2]float64{-math.MaxFloat64, math.MaxFloat64}, Version: 1}
	var scores []any
	for i := range 200 {
		scores = append(scores, float64(i+1)/7, 1/float64(i+3), math.Sqrt(float64(i)), float64(i)*1e9/3)
	}
	scores = append(scores, 1e300, -1e-300, math.Copysign(0, -1))
	run := one(m, scores...)
	r := judge(t, gate.Policy{Baseline: baseline(t, run)}, run, "m vs baseline >= 0")
	if r.Verdict != gate.Pass || r.Cases != nil {
		t.Errorf("%+v", r)
	}
	small := one(ratio("m"), scores[1], scores[5], scores[9], scores[13])
	c := judge(t, gate.Policy{Baseline: baseline(t, small)}, small, "m vs baseline > -0.0000001")
	if c.Verdict != gate.Pass || math.Abs(*c.Diff) > 1e-12 {
		t.Errorf("%+v", c)
	}
	if text := written(t, baseline(t, one(m, math.Copysign(0, -1)))); !strings.Contains(text, `{"m": 0}`) {
		t.Errorf("a negative 0 is written as such: %s", text)
	}
}

func TestNewBaselineErrors(t *testing.T) {
	t.Parallel()
	m := ratio("m")
	header := func(r recorded, change func(*assay.Header)) recorded {
		change(&r.Header)
		return r
	}
	for want, run := range map[string]recorded{
		`run "20260101-run" is interrupted; finish it with assay run --resume`: header(one(m, 1),
			func(h *assay.Header) { h.State = "interrupted" }),
		`run "20260101-run" is running`: header(one(m, 1),
			func(h *assay.Header) { h.State = "running" }),
		`run "20260101-run" has no cases`: one(m),
		`run "20260101-run" has 1 of its 3 records: expected a run that is complete`: header(one(m, 1),
			func(h *assay.Header) { h.Dataset.Cases = 3 }),
		`run "20260101-run" has 1 of its 2 records`:           header(one(m, 1), func(h *assay.Header) { h.Repeat = 2 }),
		`the target failed all 2 cases of run "20260101-run"`: one(m, failed, failed),
		`run "20260101-run" measured nothing`:                 one(m, assay.None(""), unread),
	} {
		if _, err := gate.NewBaseline(run.run(), "", day); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestReadBaselineErrors(t *testing.T) {
	t.Parallel()
	edit := func(old, new string) string {
		if !strings.Contains(savedFile, old) {
			t.Fatalf("the file has no %q", old)
		}
		return strings.Replace(savedFile, old, new, 1)
	}
	for text, want := range map[string]string{
		"":               "not a baseline: the file is empty",
		"\n \n":          "not a baseline: the file is empty",
		"{":              "not a baseline: line 1: unexpected end of JSON input",
		"[]":             "not a baseline: line 1: a JSON array: expected an object",
		"{}":             `not a baseline: it has no "schema": expected "assay.baseline/1"`,
		`{"schema": 1}`:  "schema: a number",
		savedFile + "{}": "line 24: invalid character",
		edit(`"q2": {"hit@3": 0}`, `"q2": {"hit@3": 0},`):     "line 20: invalid character",
		edit("assay.baseline/1", "assay.baseline/2"):          `is newer than this version of assay`,
		edit("assay.baseline/1", "assay.report/1"):            `schema "assay.report/1": expected "assay.baseline/1"`,
		edit(`"q2": {"hit@3": 0}`, `"q2": {"hit@3": null}`):   "line 19: null: what is not known is left out",
		edit(`"q2": {"hit@3": 0}`, `"q1": {"hit@3": 0}`):      `line 19: "q1" is there twice, first in line 18`,
		edit(`"q2": {"hit@3": 0}`, `"q2": {"hit@3": "high"}`): "line 19: ",
		edit(`"q2": {"hit@3": 0}`, `"q2": {"hit@3": 1.5}`):    `line 19: case "q2": hit@3 1.5: expected a number from 0 to 1`,
		edit(`"q2": {"hit@3": 0}`, `"q2": {"hit@4": 1}`):      `line 19: case "q2": "hit@4" is none of the metrics`,
		edit(`"q2": {"hit@3": 0}`, `"": {"hit@3": 0}`):        "line 19: a case without an id",
		edit(`"cases": 2}`, `"cases": 3}`):                    `line 8: 3 cases of the data set, but 2 under "cases": expected as many`,
		edit(`"reason": "because"`, `"raeson": "because"`):    `"raeson" is no member of a baseline`,
		edit(`"better": "higher", "range": [0, 1], "version": 1},`,
			`"range": [0, 1], "version": 1},`): `line 14: metric "hit@3": better "": expected "higher" or "lower"`,
		edit(`"range": [0, 1], "version": 1},`, `"range": [1, 0], "version": 1},`): `line 14: metric "hit@3": range [1 0]`,
		edit(`"n": 2,`, `"n": -2,`):                    `line 14: metric "hit@3": n -2, failed 0: expected numbers from 0`,
		edit("    \"q2\"", "<<<<<<< HEAD\n    \"q2\""): "line 19: a merge that git left unfinished",
		edit(`"q2": {"hit@3": 0}`,
			`"q2": {"hit@3": 1}`): `line 14: metric "hit@3": mean 0.5, but that under "cases" is 1: save the baseline again`,
		edit(`"q2": {"hit@3": 0}`,
			`"q2": {}`): `line 14: metric "hit@3": n 2, but under "cases" it has 1: save the baseline again`,
		edit(`"hash"`, `"Hash"`):                                     `line 8: "Hash" is no member of a baseline: did you mean "hash"?`,
		edit(`"mean"`, `"Mean"`):                                     `line 13: "Mean" is no member of a baseline`,
		edit(`"corpus"`, `"Metrics": {}, "corpus"`):                  `"Metrics" is no member of a baseline: did you mean "metrics"?`,
		`{"schema": "assay.baseline/1"}`:                             "no metrics: expected at least one",
		`{"schema": "assay.baseline/1", "metrics": {}, "cases": {}}`: "no cases: expected the value of each",
	} {
		if _, err := gate.ReadBaseline(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.300s\n%v, want %q", text, err, want)
		}
	}
	if err := (&gate.Baseline{}).Write(&bytes.Buffer{}); err == nil {
		t.Error("an empty baseline is written")
	}
}

func TestRefuses(t *testing.T) {
	t.Parallel()
	m := ratio("faithfulness")
	m.Judged = true
	run := func() recorded {
		r := several([]assay.MetricInfo{ratio("mrr"), m}, []any{1, 1}, []any{1, 1})
		r.Header.Judge = &assay.JudgeInfo{Provider: "anthropic", Model: "haiku", PromptHash: "sha256:1", Passes: 1,
			Parameters: map[string]string{"temperature": "0"}}
		return r
	}
	b := baseline(t, run())
	for _, test := range []struct {
		name   string
		change func(*assay.Header)
		want   []string
	}{
		{"the same", func(*assay.Header) {}, nil},
		{"another name and path of the data set", func(h *assay.Header) { h.Dataset.Name, h.Dataset.Path = "other", "/x" }, nil},
		{"another data set", func(h *assay.Header) { h.Dataset.Hash = "sha256:e" },
			[]string{`the dataset differs: the baseline was saved on "gold" (sha256:d), the run is on "gold" (sha256:e)`}},
		{"more cases", func(h *assay.Header) { h.Dataset.Cases, h.Dataset.Total = 3, 3 },
			[]string{"the gold set has 3 cases, the baseline was saved on 2"}},
		{"a part of the cases", func(h *assay.Header) { h.Dataset.Cases = 1 },
			[]string{"the run is on 1 of 2 cases, the baseline was saved on all"}},
		{"another model", func(h *assay.Header) { h.Judge.Model = "opus" },
			[]string{`the judge differs: "anthropic:haiku" → "anthropic:opus"`}},
		{"another model and what comes with it",
			func(h *assay.Header) {
				h.Judge = &assay.JudgeInfo{Provider: "offline",
					PromptHash: "sha256:2"}
			}, []string{`the judge differs: "anthropic:haiku" → "offline"`}},
		{"other prompts", func(h *assay.Header) { h.Judge.PromptHash = "sha256:2" },
			[]string{`judge "anthropic:haiku": prompts sha256:1 → sha256:2`}},
		{"more passes", func(h *assay.Header) { h.Judge.Passes = 3 }, []string{`judge "anthropic:haiku": passes 1 → 3`}},
		{"a parameter", func(h *assay.Header) { h.Judge.Parameters = map[string]string{"seed": "1"} },
			[]string{`judge "anthropic:haiku": seed none → 1`, `judge "anthropic:haiku": temperature 0 → none`}},
		{"a panel", func(h *assay.Header) { h.Judge.Panel = []assay.JudgeInfo{{Provider: "x"}} }, []string{`parts {`}},
		{"no judge", func(h *assay.Header) { h.Judge = nil }, []string{`the judge differs: "anthropic:haiku" → none`}},
		{"another judge of nothing that both have", func(h *assay.Header) { h.Judge.Model, h.Metrics = "opus", h.Metrics[:1] }, nil},
		{"all at once", func(h *assay.Header) { h.Dataset.Hash, h.Dataset.Cases, h.Judge.PromptHash = "", 5, "" },
			[]string{"the run is on \"gold\" (?)", "the gold set has 5 cases", "prompts sha256:1 → none"}},
	} {
		h := run().Header
		test.change(&h)
		got := english(b.Refuses(h))
		ok := len(got) == len(test.want)
		for i := range min(len(got), len(test.want)) {
			ok = ok && strings.Contains(got[i], test.want[i])
		}
		if !ok {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	// A prompt that no metric of both rests on may be another.
	recorded := run()
	recorded.Header.Judge.Prompts = map[string]string{"claims": "1", "support": "1"}
	recorded.Header.Metrics[1].Prompts, recorded.Summary.Metrics[1].Prompts = []string{"claims", "support"}, []string{"claims", "support"}
	later := recorded.Header
	prompts := map[string]string{"claims": "1", "support": "1", "toxicity": "1"}
	info := *later.Judge
	info.Prompts = prompts
	later.Judge = &info
	if got := english(baseline(t, recorded).Refuses(later)); got != nil {
		t.Errorf("a new prompt: %q", got)
	}
	prompts["support"] = "2"
	if got := english(baseline(t, recorded).Refuses(later)); len(got) != 1 || got[0] != `judge "anthropic:haiku": prompt support 1 → 2` {
		t.Errorf("another prompt: %q", got)
	}
	// As many cases, but others: a sample with another seed.
	other := run()
	other.Records = slices.Clone(other.Records)
	other.Records[0].Case.ID = "q9"
	o, _ := gate.Policy{Baseline: b}.Judge(other.run())
	if want := []string{"the run lacks 1 case of the baseline: q1"}; !slices.Equal(english(o.Refused), want) || o.Verdict != gate.Fail {
		t.Errorf("%s, refused %q, want %q", o.Verdict, english(o.Refused), want)
	}
	// No parameters and an empty list of them are the same.
	bare := run()
	bare.Header.Judge.Parameters = nil
	empty := run().Header
	empty.Judge.Parameters = map[string]string{}
	if got := english(baseline(t, bare).Refuses(empty)); got != nil {
		t.Errorf("%q", got)
	}
}

// A repeated run is held to a baseline of a plain one: it has as many cases.
func TestRepeatedRunAgainstPlainBaseline(t *testing.T) {
	t.Parallel()
	m := ratio("mrr")
	var records []assay.Record
	for i, c := range []assay.Case{{ID: "q1"}, {ID: "q1"}, {ID: "q2"}, {ID: "q2"}} {
		records = append(records, assay.Record{Seq: i, Case: c.Repeated(i % 2), Response: &assay.Response{},
			Scores: map[string]assay.Score{"mrr": assay.Value(1)}})
	}
	run := of([]assay.MetricInfo{m}, records)
	plain := one(m, 1, 1)
	o, _ := gate.Policy{Baseline: baseline(t, plain)}.Judge(run.run())
	if o.Verdict != gate.Pass || o.Results[0].N != 2 {
		t.Errorf("%+v", o)
	}
	if b := baseline(t, run); b.Dataset.Cases != 2 || len(b.Cases) != 2 || b.Refuses(plain.Header) != nil {
		t.Errorf("%+v refuses %q", b, english(b.Refuses(plain.Header)))
	}
}

func FuzzReadBaseline(f *testing.F) {
	f.Add([]byte(savedFile))
	f.Add([]byte(`{"schema": "assay.baseline/1", "metrics": {"m": {"range": [0, 1], "better": "lower"}}, "dataset": {"cases": 1}, "cases": {"a": {}}}`))
	f.Add([]byte(`{"schema": "assay.baseline/1", "judge": {"panel": [{}, {"panel": [[]]}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := gate.ReadBaseline(bytes.NewReader(data))
		if err != nil {
			return
		}
		text := written(t, b)
		again, err := gate.ReadBaseline(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%v in what was written:\n%s", err, text)
		}
		if second := written(t, again); second != text {
			t.Fatalf("written twice:\n%s\n%s", text, second)
		}
		b.Records()
		if reasons := english(b.Refuses(b.Header())); reasons != nil {
			t.Fatalf("it refuses itself: %q", reasons)
		}
		_ = fmt.Sprint(b.Header())
	})
}

// A baseline that was approved under the former name of a metric gates the metric under
// its present one. One whose definition has changed is missing, which fails.
func TestBaselineOfAFormerName(t *testing.T) {
	t.Parallel()
	old := written(t, baseline(t, one(ratio("umbrela_mrr@5"), 1, 1, 1, 1)))
	b, err := gate.ReadBaseline(strings.NewReader(old))
	if err != nil {
		t.Fatal(err)
	}
	p := gate.Policy{Baseline: b, Tolerances: map[string]float64{"graded_mrr@5": 0.1}}
	for worse, want := range map[float64]gate.Verdict{1: gate.Pass, 0: gate.Fail} {
		o, _ := p.Judge(one(ratio("graded_mrr@5"), worse, worse, worse, worse).run())
		if r := named(t, o, "graded_mrr@5 vs baseline >= -0.1"); r.Verdict != want || r.N != 4 {
			t.Errorf("%v for 1 in %d cases: %s because %q, want %s in 4", worse, r.N, r.Verdict, because(r), want)
		}
	}
	p = gate.Policy{Baseline: baseline(t, one(ratio("ideal_f1"), 1, 1)), Tolerances: map[string]float64{"grounded_f1": 0.1}}
	o, _ := p.Judge(one(ratio("grounded_f1"), 1, 1).run())
	if r := named(t, o, "grounded_f1 vs baseline >= -0.1"); r.Verdict != gate.Fail || o.Verdict != gate.Fail {
		t.Errorf("a metric that the baseline lacks: %s because %q", r.Verdict, because(r))
	}
}
