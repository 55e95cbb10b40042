package summary_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// followed is a record whose facts were lost at the given places.
func followed(seq int, lost ...string) assay.Record {
	a := &assay.Attribution{}
	for i, at := range lost {
		a.Facts = append(a.Facts, assay.Fact{ID: fmt.Sprint(i), Lost: at})
	}
	stages := []assay.Stage{{Name: assay.StageRetrieve}, {Name: assay.StageFilter, Output: []byte(`[]`)},
		{Name: assay.StageGenerate, Input: []byte(`[]`)}}
	return assay.Record{
		Seq: seq, Case: assay.Case{ID: fmt.Sprintf("q%03d", seq+1)}, Attribution: a,
		Response: &assay.Response{Trace: &assay.Trace{Stages: stages}},
	}
}

// failing is a case that is attributed to a stage.
func failing(seq int, stage string, rungs ...assay.Rung) assay.Record {
	r := followed(seq)
	r.Attribution.Failed, r.Attribution.Stage = true, stage
	if rungs != nil {
		r.Attribution.Ladder = &assay.Ladder{Rungs: rungs}
	}
	return r
}

func rungs(right ...float64) []assay.Rung {
	stages := []string{"", assay.StageTranscribe, assay.StageDecompose, assay.StageRetrieve, assay.StageFilter, assay.StageGenerate}
	var out []assay.Rung
	for i, v := range right {
		out = append(out, assay.Rung{Stage: stages[i], Right: v, Runs: 3})
	}
	return out
}

// The worked case counts 40 facts of which 34, 30, 29 and 24 get beyond each
// stage: its retrieved, kept_by_filter, in_prompt and in_answer are our
// retrieve, filter, pack and generate.
func TestFunnelIsTheWorkedCase(t *testing.T) {
	t.Parallel()
	var in struct{ Counts []int }
	var want struct {
		Stages []struct {
			Lost   int
			Hazard float64
		}
		Survival           float64
		ProductOfSurvivals float64 `json:"product_of_survivals"`
	}
	requiretest.Worked(t, "nugget_funnel", &in, &want)
	var lost []string
	for i, stage := range []string{assay.StageRetrieve, assay.StageFilter, assay.LostPack, assay.StageGenerate} {
		lost = append(lost, slices.Repeat([]string{stage}, in.Counts[i]-in.Counts[i+1])...)
	}
	lost = append(lost, slices.Repeat([]string{""}, in.Counts[4])...)
	var records []assay.Record
	for i := 0; i < len(lost); i += 4 { // ten cases of four facts
		records = append(records, followed(i/4, lost[i:i+4]...))
	}
	w := waterfall(records, 0.95)
	product := 1.0
	for i, s := range w.Stages {
		if s.Entering != in.Counts[i] || s.Lost != want.Stages[i].Lost {
			t.Errorf("%s: %d of %d lost, want %d of %d", s.Stage, s.Lost, s.Entering, want.Stages[i].Lost, in.Counts[i])
		}
		near(t, s.Stage+" hazard", s.Hazard, want.Stages[i].Hazard)
		near(t, s.Stage+" share", s.Share, float64(want.Stages[i].Lost)/40)
		product *= s.Survival
	}
	near(t, "survival", w.Survival, want.Survival)
	near(t, "product", product, want.ProductOfSurvivals)
	if len(w.Stages) != 4 || w.Facts != 40 || w.Answered != 24 || w.Cases != 10 {
		t.Errorf("got %d stages, %d of %d facts, %d cases", len(w.Stages), w.Answered, w.Facts, w.Cases)
	}
}

// The worked ladder's shares of right outcomes, in repetitions of one case: a
// hundred of each.
func TestLadderIsTheWorkedCase(t *testing.T) {
	t.Parallel()
	var in struct {
		P []float64 `json:"p_correct"`
	}
	var want struct {
		Gain            []float64
		Total, Residual float64
	}
	requiretest.Worked(t, "oracle_ladder", &in, &want)
	w := waterfall([]assay.Record{failing(0, "retrieve", rungs(in.P...)...)}, 0.95)
	for i, g := range w.Ladder.Stages {
		near(t, g.Stage, g.Gain, want.Gain[i])
		near(t, g.Stage+" right", g.Right, in.P[i+1])
	}
	near(t, "actual", w.Ladder.Actual, in.P[0])
	near(t, "total", w.Ladder.Total, want.Total)
	near(t, "residual", w.Ladder.Residual, want.Residual)
}

// A ladder that ends with the first success stays right on the rungs that were
// not climbed, and one that skips a stage stays what it was there.
func TestLaddersOfUnequalLength(t *testing.T) {
	t.Parallel()
	skipping := []assay.Rung{{Right: 0}, {Stage: assay.StageRetrieve, Right: 0}, {Stage: assay.StageGenerate, Right: 1}}
	broken := failing(3, "", rungs(0, 0)...)
	broken.Attribution.Ladder.Error = "the target gave no response"
	turned := failing(4, assay.StageTranscribe, rungs(0, 1, 0, 0, 1, 1)...)
	turned.Attribution.Ladder.NonMonotone = true
	w := waterfall([]assay.Record{
		failing(0, assay.StageTranscribe, rungs(0, 1)...),
		failing(1, assay.StageGenerate, skipping...),
		failing(2, assay.LostUnresolved, rungs(0, 0, 0, 0, 0, 0)...),
		broken, turned,
		failing(5, ""), // never asked again
	}, 0.95)
	g := w.Ladder
	// transcribe: 1 0 0 1, decompose and retrieve: 1 0 0 0, filter: 1 0 0 1,
	// generate: 1 1 0 1.
	for i, want := range []float64{0.5, 0.25, 0.25, 0.5, 0.75} {
		near(t, g.Stages[i].Stage, g.Stages[i].Right, want)
	}
	near(t, "total", g.Total, 0.75)
	near(t, "residual", g.Residual, 0.25)
	if g.Cases != 4 || g.Broken != 1 || g.NonMonotone != 1 || w.Failed != 6 {
		t.Errorf("got %+v of %d failed cases", g, w.Failed)
	}
	for _, s := range g.Stages {
		if s.CI != nil {
			t.Errorf("%s: an interval %v from four cases, of which no sign-flip test tells anything", s.Stage, s.CI)
		}
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	var records []assay.Record
	for _, v := range []struct {
		stage string
		n     int
	}{{"generate", 9}, {"retrieve", 31}, {"unresolved", 3}, {"filter", 14}} {
		for range v.n {
			records = append(records, failing(len(records), v.stage))
		}
	}
	w := waterfall(records, 0.95)
	var got []string
	for _, v := range w.Verdicts {
		got = append(got, fmt.Sprintf("%s %d %d", v.Stage, v.Cases, len(v.IDs)))
	}
	if d := cmp.Diff([]string{"retrieve 31 31", "filter 14 14", "generate 9 9", "unresolved 3 3"}, got); d != "" {
		t.Error(d)
	}
	if ci := stats.Wilson(31, 57, 0.95); *w.Verdicts[0].ShareCI != ci {
		t.Errorf("interval %v, want Wilson's %v", w.Verdicts[0].ShareCI, ci)
	}
	want := "Of 57 wrong answers, 31 are attributed to retrieve (54 %, 95 % CI 42…67 %), 14 to filter, " +
		"9 to generate, and 3 are unresolved; fixing retrieve first could recover at most 31."
	if english.Lost(w, 0) != want {
		t.Errorf("got  %s\nwant %s", english.Lost(w, 0), want)
	}
}

func TestSentences(t *testing.T) {
	t.Parallel()
	some := followed(0, "", "", assay.StageFilter, assay.StageGenerate, "")
	draw := failing(1, assay.StageFilter)
	draw.Case = draw.Case.Repeated(1)
	search := followed(0, "", "", assay.StageRetrieve)
	search.Response = &assay.Response{NoAnswer: true}
	for _, c := range []struct {
		name           string
		records        []assay.Record
		lost, followed string
	}{
		{"a search engine", []assay.Record{search}, "Of 3 facts, 2 were found (67 %), 1 was lost at retrieve.", ""},
		{"a search engine that answers at times", []assay.Record{search, followed(1, "")},
			"No answer is wrong; of 4 facts, 3 reached the answer (75 %), 1 was lost at retrieve.", ""},
		{"nothing to follow", []assay.Record{followed(0)}, "No answer is wrong, and there was no evidence to follow.", ""},
		{"no case failed", []assay.Record{some},
			"No answer is wrong; of 5 facts, 3 reached the answer (60 %), 1 was lost at filter, 1 at generate.", ""},
		{"a case without a response", []assay.Record{some, record(1, failed)},
			"No answer is wrong of the 1 that was followed; of 5 facts, 3 reached the answer (60 %), 1 was lost at filter, 1 at generate.", ""},
		{"all unresolved", []assay.Record{failing(0, assay.LostUnresolved), failing(1, assay.LostUnresolved)},
			"Of 2 wrong answers, 2 are unresolved.", ""},
		{"nothing known", []assay.Record{failing(0, "")}, "Of 1 wrong answer, for 1 the stage is unknown.", ""},
		{"the index", []assay.Record{failing(0, assay.LostNotInIndex), failing(1, ""), some},
			"Of 2 wrong answers, 1 is attributed to an index that lacks the evidence (50 %, 95 % CI 9…91 %), " +
				"and for 1 the stage is unknown; filling the index first could recover at most 1; " +
				"at most 2 with the 1 answer whose outcome or stage is unknown.",
			"Of 5 facts, 3 reached the answer (60 %), 1 was lost at filter, 1 at generate."},
		{"draws", []assay.Record{failing(0, assay.StageFilter), draw},
			"Of 2 wrong answers, 2 are attributed to filter (100 %, 95 % CI 34…100 %); fixing filter first could recover at most 2.", ""},
	} {
		w := waterfall(c.records, 0.95)
		if english.Lost(w, 0) != c.lost || english.Followed(w) != c.followed {
			t.Errorf("%s:\ngot  %q\n     %q\nwant %q\n     %q", c.name, english.Lost(w, 0), english.Followed(w), c.lost, c.followed)
		}
	}
}

// TestLostSaysWhatElseIsWrong: a case can be wrong though no answer is.
func TestLostSaysWhatElseIsWrong(t *testing.T) {
	t.Parallel()
	unknown := followed(0, "", "", assay.StageFilter)
	unknown.Answer = assay.AnswerUnknown
	for _, c := range []struct {
		records []assay.Record
		wrong   int
		want    string
	}{
		{[]assay.Record{unknown}, 0, "No answer is known to be wrong; of 3 facts, "},
		{[]assay.Record{unknown}, 1, "No answer is wrong by its labels or a judge, but 1 outcome is wrong because of missing evidence, a check or " +
			"a rule; of 3 facts, "},
		{[]assay.Record{unknown, record(1, failed)}, 2, "No answer is wrong by its labels or a judge of the 1 that was followed, but 2 outcomes are wrong " +
			"because of missing evidence, a check or a rule; of 3 facts, "},
		{[]assay.Record{failing(0, assay.LostUnresolved)}, 1, "Of 1 wrong answer, 1 is unresolved."},
		{[]assay.Record{failing(0, assay.LostUnresolved)}, 3, "Of 1 wrong answer, 1 is unresolved; 2 more outcomes are wrong because of missing evidence, " +
			"a check or a rule."},
	} {
		if got := english.Lost(waterfall(c.records, 0.95), c.wrong); !strings.HasPrefix(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestWithoutAttributionThereIsNoWaterfall(t *testing.T) {
	t.Parallel()
	if s := of([]assay.MetricInfo{ndcg}, []assay.Record{record(0, assay.Value(1))}, 0.95); s.Waterfall != nil {
		t.Errorf("got %+v", s.Waterfall)
	}
	s := of([]assay.MetricInfo{ndcg}, []assay.Record{record(0, assay.Value(1)), followed(1, "")}, 0.95)
	if w := s.Waterfall; w == nil || w.Cases != 1 || w.Unfollowed != 1 {
		t.Errorf("got %+v, want one case followed and one not", w)
	}
}

// A case that could not be followed counts under what it lacks, as far as that is known.
func TestUnclearNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	bare := func(seq int, w assay.Want) assay.Record {
		r := record(seq, assay.Value(0))
		r.Answer, r.Case.Want = assay.AnswerWrong, w
		return r
	}
	missing, right := bare(1, assay.Want{Answers: []string{"a"}}), bare(4, assay.Want{})
	missing.Response, right.Answer = nil, assay.AnswerRight
	// A named stage is known, and what cannot be answered has no evidence.
	no, named := false, followed(6, assay.StageRetrieve)
	named.Attribution.Stage, named.Attribution.Unknown, named.Answer = assay.StageRetrieve, assay.UnknownChunk, assay.AnswerWrong
	w := waterfall([]assay.Record{
		named, bare(5, assay.Want{Answerable: &no, Documents: map[string]int{}}),
		followed(0, ""), missing, bare(2, assay.Want{Documents: map[string]int{"d": 1}}), bare(3, assay.Want{Answers: []string{"a"}}), right,
	}, 0.95)
	want := []summary.Unclear{{Reason: "label", Cases: 1}, {Reason: "passages", Cases: 1}, {Reason: "response", Cases: 1}}
	if !slices.Equal(w.Unclear, want) {
		t.Errorf("%+v, want %+v", w.Unclear, want)
	}
	if got := english.Unclear(w); got[2] != "stage unknown in 1 case: the target gave no response" {
		t.Error(got)
	}
}

// Wrong answers that short labels alone attribute are counted: not lost where nothing was found, nor by ids and passages.
func TestShortLabelsAreCounted(t *testing.T) {
	t.Parallel()
	of := func(seq int, stage string, f assay.Fact, w assay.Want) assay.Record {
		r := followed(seq, stage)
		f.Lost = stage
		r.Answer, r.Case.Want, r.Attribution.Failed, r.Attribution.Stage, r.Attribution.Facts = assay.AnswerWrong, w, true, stage, []assay.Fact{f}
		return r
	}
	answer := assay.Want{Answers: []string{"1943"}, Passages: []string{"Founded in 1943."}, Keywords: []string{"dome"}}
	w := waterfall([]assay.Record{
		of(0, assay.StageGenerate, assay.Fact{Text: "1943", Match: "text"}, answer), of(1, assay.LostPack, assay.Fact{ID: "a.md", Match: "text"}, answer),
		of(2, assay.StageFilter, assay.Fact{Text: "dome", Match: "text"}, answer),
		of(3, assay.StageRetrieve, assay.Fact{Text: "1943"}, answer), of(4, assay.StageGenerate, assay.Fact{ID: "a.md#1", Match: "id"}, answer),
		of(5, assay.StageGenerate, assay.Fact{Text: "Founded in 1943.", Match: "text"}, answer),
	}, 0.95)
	if w.Short != 3 {
		t.Errorf("%d are counted", w.Short)
	}
	want := "3 wrong answers are attributed by a short reference answer or keyword, which another passage may have by chance; labeled passages or ids of chunks are surer"
	if got := english.LostNotes(w); !slices.Contains(got, want) {
		t.Errorf("%q", got)
	}
}

// What cannot be told apart is said, but not of stages that nobody has.
func TestMerged(t *testing.T) {
	t.Parallel()
	a, b := followed(0, assay.StageRetrieve), followed(1, "")
	merged := map[string]string{assay.LostNotInIndex: assay.StageRetrieve, assay.StageTranscribe: assay.StageRetrieve,
		assay.StageFilter: assay.StageGenerate}
	a.Attribution.Merged, b.Attribution.Merged = merged, merged
	w := waterfall([]assay.Record{a, b}, 0.95)
	want := []summary.Merge{{Stage: assay.LostNotInIndex, Into: assay.StageRetrieve, Cases: 2},
		{Stage: assay.StageFilter, Into: assay.StageGenerate, Cases: 2}}
	if d := cmp.Diff(want, w.Merged); d != "" {
		t.Error(d)
	}
	if _, ok := w.Stage(assay.StageFilter); ok {
		t.Error("filter is shown although it could be told apart in no case")
	}
	// A filter whose output no response shows was there.
	c := followed(0, assay.LostPack)
	c.Response = &assay.Response{Trace: &assay.Trace{Stages: []assay.Stage{{Name: assay.StageFilter}}}}
	c.Attribution.Merged = map[string]string{assay.StageFilter: assay.LostPack, assay.StageDecompose: assay.StageRetrieve}
	want = []summary.Merge{{Stage: assay.StageFilter, Into: assay.LostPack, Cases: 1}}
	c.Attribution.Failed, c.Attribution.Stage, c.Answer = true, assay.LostPack, assay.AnswerWrong
	w = waterfall([]assay.Record{c}, 0.95)
	if d := cmp.Diff(want, w.Merged); d != "" {
		t.Error(d)
	}
	if got := english.Lost(w, 1); !strings.Contains(got, "1 is attributed to pack or filter (") {
		t.Error(got)
	}
}

// Draws of a case say nothing of other cases: the interval over two draws each
// is no narrower than over one.
func TestDrawsAreOneClusterOfFacts(t *testing.T) {
	t.Parallel()
	var once, twice []assay.Record
	for i := range 30 {
		lost := []string{"", assay.StageFilter}
		if i%3 == 0 {
			lost = []string{assay.StageFilter, assay.StageFilter}
		}
		r := followed(i, lost...)
		once = append(once, r)
		for draw := range 2 {
			d := r
			d.Case = r.Case.Repeated(draw)
			twice = append(twice, d)
		}
	}
	a, _ := waterfall(once, 0.95).Stage(assay.StageFilter)
	b, _ := waterfall(twice, 0.95).Stage(assay.StageFilter)
	near(t, "share", a.Share, b.Share)
	if *a.ShareCI != *b.ShareCI {
		t.Errorf("interval %v over one draw, %v over two of the same", a.ShareCI, b.ShareCI)
	}
}

// A run that drew each case three times is compared as if it had drawn it once: 11
// of 100 answers are gained and none is lost, which chance does once in 1024.
func TestCompareWaterfallsOfDraws(t *testing.T) {
	t.Parallel()
	var old, once, thrice []assay.Record
	for i := range 100 {
		before, after := assay.StageFilter, assay.StageGenerate
		switch {
		case i < 15:
			before, after = "", ""
		case i < 26:
			after = ""
		}
		old = append(old, followed(i, before))
		r := followed(i, after)
		once = append(once, r)
		for draw := range 3 {
			d := r
			d.Case = r.Case.Repeated(draw)
			thrice = append(thrice, d)
		}
	}
	want := compareWaterfalls(old, once, 0.95, 1)
	got := compareWaterfalls(old, thrice, 0.95, 1)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("three draws of the same (-once +thrice):\n%s", d)
	}
	if answered := got[len(got)-1]; answered.P > 0.002 {
		t.Errorf("answered: %+v: want a p of about 1/1024", answered)
	}
}

// generated draws records with any facts, verdicts and ladders.
func generated(t *rapid.T) []assay.Record {
	places := append(assay.LossStages(), "", "", "", "rerank")
	verdicts := append(assay.LossStages(), "", assay.LostUnresolved)
	var records []assay.Record
	for i := range rapid.IntRange(1, 25).Draw(t, "cases") {
		r := followed(i, rapid.SliceOfN(rapid.SampledFrom(places), 0, 6).Draw(t, "lost")...)
		r.Case.Group = rapid.SampledFrom([]string{"", "", "a", "b"}).Draw(t, "group")
		if rapid.Bool().Draw(t, "failed") {
			r.Attribution.Failed, r.Attribution.Stage = true, rapid.SampledFrom(verdicts).Draw(t, "stage")
			right := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1. / 3, 2. / 3, 1}), 0, 6).Draw(t, "right")
			r.Attribution.Ladder = &assay.Ladder{Rungs: rungs(right...)}
		}
		records = append(records, r)
	}
	return records
}

func TestWaterfallAddsUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		records := generated(t)
		w := waterfall(records, 0.95)
		shares, product, entering := w.Survival, 1.0, w.Facts
		for _, s := range w.Stages {
			if s.Entering != entering {
				t.Fatalf("%s: %d enter, %d are left", s.Stage, s.Entering, entering)
			}
			if hazard := float64(s.Lost) / max(float64(entering), 1); math.Abs(s.Hazard-hazard) > 1e-12 {
				t.Fatalf("%s: hazard %v, want %v", s.Stage, s.Hazard, hazard)
			}
			entering -= s.Lost
			shares += s.Share
			product *= s.Survival
			if ci := s.ShareCI; ci != nil && (ci.Lo < 0 || ci.Hi > 1 || ci.Lo > ci.Hi) {
				t.Fatalf("%s: interval %v", s.Stage, ci)
			}
		}
		if w.Facts > 0 && (math.Abs(shares-1) > 1e-9 || math.Abs(product-w.Survival) > 1e-9 || entering != w.Answered) {
			t.Fatalf("shares add up to %v, survivals multiply to %v, want 1 and %v", shares, product, w.Survival)
		}
		failed := 0
		for _, v := range w.Verdicts {
			failed += v.Cases
		}
		if failed != w.Failed {
			t.Fatalf("%d verdicts on %d failed cases", failed, w.Failed)
		}
		if g := w.Ladder; g != nil && g.Cases > 0 {
			sum := 0.0
			for _, s := range g.Stages {
				sum += s.Gain
			}
			if math.Abs(sum-g.Total) > 1e-9 || math.Abs(g.Actual+g.Total+g.Residual-1) > 1e-9 {
				t.Fatalf("gains add up to %v: %+v", sum, g)
			}
		}
		slices.Reverse(records)
		if d := cmp.Diff(w, waterfall(records, 0.95)); d != "" {
			t.Fatalf("the order of the records matters: %s", d)
		}
		if s := english.Lost(w, 0) + english.Followed(w); strings.Contains(s, "NaN") || strings.Contains(s, "%!") {
			t.Fatal(s)
		}
	})
}

func TestCompareWaterfalls(t *testing.T) {
	t.Parallel()
	var old, new []assay.Record
	for i := range 40 {
		o, n := followed(i, "", assay.StageFilter), followed(i, "", "")
		if i%4 == 0 {
			n = followed(i, assay.StageGenerate, "")
		}
		old, new = append(old, o), append(new, n)
	}
	new = append(new, followed(99, assay.StageRetrieve)) // in one run only
	got := compareWaterfalls(old, new, 0.95, 1)
	var stages []string
	for _, d := range got {
		stages = append(stages, d.Stage)
	}
	if d := cmp.Diff([]string{"retrieve", "filter", "pack", "generate", ""}, stages); d != "" {
		t.Fatal(d)
	}
	// filter: 40 of 80 facts, then none; generate: none, then 10 of 80; answered:
	// 40, then 70.
	for i, want := range map[int][3]float64{0: {0, 0, 0}, 1: {0.5, 0, -0.5}, 3: {0, 0.125, 0.125}, 4: {0.5, 0.875, 0.375}} {
		near(t, got[i].Stage+" old", got[i].Old, want[0])
		near(t, got[i].Stage+" new", got[i].New, want[1])
		near(t, got[i].Stage+" diff", got[i].Diff, want[2])
	}
	if got[1].P > 0.001 || got[0].P != 1 || got[1].Cases != 40 {
		t.Errorf("p = %v at filter, %v at retrieve over %d cases", got[1].P, got[0].P, got[1].Cases)
	}
	if d := compareWaterfalls(old, []assay.Record{followed(99, "")}, 0.95, 1); d != nil {
		t.Errorf("no case is shared, and there is %v", d)
	}
}

// Draws that all lose the same are as many clusters as there are cases, for an
// interval and for a test; cases of one group stay one.
func TestEqualDrawsAndGroups(t *testing.T) {
	t.Parallel()
	var none, all, grouped []assay.Record
	for i := range 12 {
		for draw := range 2 {
			r := followed(i, "")
			r.Case = r.Case.Repeated(draw)
			none = append(none, r)
			r = followed(i, assay.StageFilter)
			r.Case = r.Case.Repeated(draw)
			all = append(all, r)
		}
		r := followed(i, "")
		r.Case.Group = []string{"a", "b"}[i%2]
		grouped = append(grouped, r)
	}
	s, _ := waterfall(none, 0.95).Stage(assay.StageFilter)
	hits := func(n, clusters int) stats.Interval {
		var none []stats.Sample
		for i := range n {
			none = append(none, stats.Sample{Cluster: fmt.Sprint(i % clusters)})
		}
		return *stats.Mean(none, 0.95).CI
	}
	if want := hits(24, 12); *s.ShareCI != want {
		t.Errorf("interval %v, want that of 0 in 24 draws of 12 cases %v", s.ShareCI, want)
	}
	s, _ = waterfall(grouped, 0.95).Stage(assay.StageFilter)
	if want := hits(12, 2); *s.ShareCI != want {
		t.Errorf("interval %v, want that of 0 in 12 cases of 2 groups %v", s.ShareCI, want)
	}
	// All of one group: no swap of two clusters or fewer shows anything.
	other := slices.Clone(grouped)
	for i := range other {
		lost := followed(i, assay.StageFilter)
		lost.Case.Group = other[i].Case.Group
		other[i] = lost
	}
	if d := compareWaterfalls(grouped, other, 0.95, 1); d[1].Stage != assay.StageFilter || d[1].P != 0.25 {
		t.Errorf("two groups show %+v", d[1])
	}
	if d := compareWaterfalls(none, all, 0.95, 1); d[1].P > 0.001 {
		t.Errorf("twelve cases show %+v", d[1])
	}
}

func TestPercent(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{0: "0 %", 1: "100 %", 0.004: "0.4 %", 0.996: "99.6 %", 0.545: "55 %",
		0.0004: "0.04 %", 0.00002: "0.002 %", 0.9996: "99.96 %", 0.9949: "99 %", 1 - 1e-12: "100 %", 1e-12: "0 %", 31. / 57: "54 %"} {
		if got := summary.Percent(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}
