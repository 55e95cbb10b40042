package judge_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// byLetter is a judge that rules as the nth letter of what it is asked about.
func byLetter(n int) *script {
	return &script{
		info:    assay.JudgeInfo{Provider: "p", Model: fmt.Sprintf("m%d", n)},
		support: func(c string) judge.Finding { return finding(word(c[n]), fmt.Sprintf("m%d", n)) },
		relevance: func(p string) judge.Grade {
			level := int(p[n] - '0')
			return judge.Grade{Known: p[n] != 'x', Level: level, Degree: float64(level) / 3}
		},
		assign: func(p string) judge.Assignment {
			return judge.Assignment{Known: p[n] != 'x', Credit: map[byte]float64{'5': 0.5, '1': 1}[p[n]]}
		},
	}
}

// panelOf sits judges that rule as the letters of what they are asked about; the
// third, if any, by the letter after theirs.
func panelOf(judges int, third, all bool) (judge.Judge, *script) {
	c := judge.PanelConfig{RequireAll: all}
	for n := range judges {
		c.Judges = append(c.Judges, byLetter(n))
	}
	extra := byLetter(judges)
	if third {
		c.Third = extra
	}
	return judge.NewPanel(c), extra
}

func metered(t *testing.T) (context.Context, func() []string) {
	var m judge.Meter
	return judge.WithMeter(t.Context(), &m), func() []string {
		_, warnings := m.Total()
		return warnings
	}
}

func TestPanelSupport(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		judges     int
		third, all bool
		claim      string
		want       string
		warns      bool
	}{
		{2, false, false, "ss", "supported 2:0 m0", false},
		{2, false, false, "sc", "unknown 0:2 the judges are divided", true},
		{2, true, false, "scc", "contradicted 2:1 m1", false},
		{2, true, false, "scn", "unknown 0:3 the judges are divided", false},
		{2, true, false, "scx", "unknown 0:2 the judges are divided", false},
		{2, false, false, "sx", "supported 1:0 m0", false},
		{2, false, true, "sx", "unknown 0:0 1 of 2 judges gave a ruling", false},
		{2, false, false, "xx", "unknown 0:0 0 of 2 judges gave a ruling", false},
		{3, false, false, "ncn", "not_found 2:1 m0", false},
		{3, false, false, "scn", "unknown 0:3 the judges are divided", true},
		// Two of four are not more than half.
		{4, false, false, "sscn", "unknown 0:4 the judges are divided", true},
		{4, false, false, "sssn", "supported 3:1 m0", false},
	} {
		j, _ := panelOf(c.judges, c.third, c.all)
		ctx, warnings := metered(t)
		got, err := question.Support.Ask(ctx, j, judge.Subject{}, question.SupportInput{Claims: claims(c.claim), Sources: nil})
		if err != nil {
			t.Fatal(err)
		}
		f := got[0]
		if s := fmt.Sprintf("%v %d:%d %s", f.Verdict, f.For, f.Against, f.Why); s != c.want || (len(warnings()) > 0) != c.warns {
			t.Errorf("%d judges, third %v, all %v, %s: %s (warnings %q), want %s", c.judges, c.third, c.all, c.claim, s, warnings(), c.want)
		}
	}
}

// The third judge is asked only about what divides the others.
func TestThirdJudgeIsAskedOnlyWhatDivides(t *testing.T) {
	t.Parallel()
	j, third := panelOf(2, true, false)
	if _, err := question.Support.Ask(
		t.Context(), j, judge.Subject{}, question.SupportInput{Claims: claims("sss", "scs", "ccs", "nss"), Sources: nil},
	); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]string{{"scs", "nss"}}, third.asked); diff != "" {
		t.Error(diff)
	}
}

func TestPanelRelevance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		judges int
		third  bool
		grades string
		level  int
		degree float64
		warns  bool
	}{
		{2, false, "22", 2, 2. / 3, false},
		{2, false, "12", 1, 0.5, false},
		{2, false, "31", 1, 2. / 3, true},
		{2, true, "313", 3, 1, false},
		{2, true, "310", 1, 1. / 3, false},
		{3, false, "031", 1, 1. / 3, false},
		{2, false, "x2", 2, 2. / 3, false},
	} {
		j, _ := panelOf(c.judges, c.third, false)
		ctx, warnings := metered(t)
		got, err := question.Grade.Ask(ctx, j, judge.Subject{}, []judge.Source{{Text: c.grades}})
		if err != nil {
			t.Fatal(err)
		}
		if g := got[0]; !g.Known || g.Level != c.level || math.Abs(g.Degree-c.degree) > 1e-12 || (len(warnings()) > 0) != c.warns {
			t.Errorf("%s: %+v with warnings %q, want level %d and degree %v", c.grades, g, warnings(), c.level, c.degree)
		}
	}
}

func TestPanelAssign(t *testing.T) {
	t.Parallel()
	j, third := panelOf(2, true, false)
	got, err := question.Assign.Ask(
		t.Context(), j, judge.Subject{}, question.AssignInput{Points: []string{"110", "51x", "101", "xx1"}, Answer: "answer"},
	)
	if err != nil {
		t.Fatal(err)
	}
	want := []judge.Assignment{
		{Known: true, Credit: 1, Votes: judge.Votes{For: 2}},
		{Known: true, Credit: 0.75, Votes: judge.Votes{For: 1, Against: 1}},
		{Known: true, Credit: 1, Votes: judge.Votes{For: 2, Against: 1}},
		{Why: "0 of 2 judges gave a ruling"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]string{{"101"}}, third.asked); diff != "" {
		t.Error(diff)
	}
}

func TestPanelEquivalent(t *testing.T) {
	t.Parallel()
	says := func(holds bool, err error) *script {
		return &script{info: assay.JudgeInfo{Provider: "p"}, equivalent: func() (judge.Ruling, error) { return judge.Ruling{Holds: holds}, err }}
	}
	broken := &judge.Error{Operation: "equivalence", Message: "not JSON"}
	yes, no, fails := says(true, nil), says(false, nil), says(false, broken)
	dies := says(false, &judge.FatalError{Err: errors.New("the key is refused")})
	for _, c := range []struct {
		config judge.PanelConfig
		want   string
	}{
		{judge.PanelConfig{Judges: []judge.Judge{yes, yes}}, "true 2:0 0"},
		{judge.PanelConfig{Judges: []judge.Judge{yes, no}}, "judge: equivalence: the judges are divided 1"},
		{judge.PanelConfig{Judges: []judge.Judge{yes, no}, Third: no}, "false 2:1 0"},
		{judge.PanelConfig{Judges: []judge.Judge{yes, no}, Third: fails}, "judge: equivalence: the judges are divided 1"},
		{judge.PanelConfig{Judges: []judge.Judge{yes, fails}}, "true 1:0 1"},
		{judge.PanelConfig{Judges: []judge.Judge{yes, fails}, RequireAll: true}, "judge: equivalence: p failed: not JSON 0"},
		{judge.PanelConfig{Judges: []judge.Judge{fails, fails}}, "judge: equivalence: p and p failed: not JSON 0"},
		{judge.PanelConfig{Judges: []judge.Judge{yes, dies}}, "judge: the key is refused 0"},
		{judge.PanelConfig{Judges: []judge.Judge{yes, no}, Third: dies}, "judge: the key is refused 0"},
	} {
		ctx, warnings := metered(t)
		r, err := question.Compare.Ask(
			ctx, judge.NewPanel(c.config), judge.Subject{}, question.CompareInput{Answer: "a", References: []string{"b"}},
		)
		got := fmt.Sprintf("%v %d:%d", r.Holds, r.For, r.Against)
		if err != nil {
			got = err.Error()
		}
		if got += fmt.Sprintf(" %d", len(warnings())); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestPanelReads(t *testing.T) {
	t.Parallel()
	reads := func(text string, err error) *script {
		return &script{read: func() (judge.Reading, error) { return judge.Reading{Claims: claims(text)}, err }}
	}
	broken := &judge.Error{Operation: "read", Message: "not JSON"}
	second := reads("second", nil)
	ctx, warnings := metered(t)
	got, err := question.Read.Ask(
		ctx, judge.NewPanel(judge.PanelConfig{Judges: []judge.Judge{reads("first", nil), second}}), judge.Subject{}, "",
	)
	if err != nil || got.Claims[0].Text != "first" || len(second.asked) != 0 || len(warnings()) != 0 {
		t.Errorf("got %+v (%v), want the claims of the first judge, asked alone", got, err)
	}
	got, err = question.Read.Ask(ctx, judge.NewPanel(judge.PanelConfig{Judges: []judge.Judge{reads("", broken), second}}), judge.Subject{}, "")
	if err != nil || got.Claims[0].Text != "second" || len(warnings()) != 1 {
		t.Errorf("got %+v (%v), warnings %q, want the claims of the second judge with a warning", got, err, warnings())
	}
	_, err = question.Read.Ask(
		ctx, judge.NewPanel(judge.PanelConfig{Judges: []judge.Judge{reads("", broken), second}, RequireAll: true}), judge.Subject{}, "",
	)
	if !errors.Is(err, broken) {
		t.Errorf("got %v, want the error of the first judge: all are required", err)
	}
}

func TestPanelInfo(t *testing.T) {
	t.Parallel()
	a := &script{info: assay.JudgeInfo{Provider: "x", Model: "a", PromptHash: "h", Passes: 3}}
	b := &script{info: assay.JudgeInfo{Provider: "y", Model: "b", PromptHash: "h"}}
	c := &script{info: assay.JudgeInfo{Provider: "z", PromptHash: "h"}}
	got := judge.NewPanel(judge.PanelConfig{Judges: []judge.Judge{a, b}, RequireAll: true, Third: c}).Info()
	want := assay.JudgeInfo{
		Provider: "panel", Model: "x:a + y:b", PromptHash: "h", Passes: 3,
		Parameters: map[string]string{"third_judge": "z", "require_all": "true"},
		Panel:      []assay.JudgeInfo{a.info, b.info, c.info},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	b.info.PromptHash = "other"
	if got := judge.NewPanel(judge.PanelConfig{Judges: []judge.Judge{a, b}}).Info(); got.PromptHash != "" {
		t.Errorf("got hash %q of two different ones, want none", got.PromptHash)
	}
	if judge.NewPanel(judge.PanelConfig{Judges: []judge.Judge{a}}) != judge.Judge(a) {
		t.Error("a panel of one is not the judge itself")
	}
	offline := &script{info: assay.JudgeInfo{Provider: "offline", Estimate: true}}
	for want, c := range map[string]judge.PanelConfig{
		"no judges":                      {},
		"either estimates or judgements": {Judges: []judge.Judge{a, offline}},
		"x:a and offline":                {Judges: []judge.Judge{a, b}, Third: offline},
	} {
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}

// rubricCase is how the worked examples write a rubric and its marks.
type rubricCase struct {
	Weights, Max []float64
	Judges       [][]float64
}

func (c rubricCase) rubric() judge.Rubric {
	var r judge.Rubric
	for i, w := range c.Weights {
		r.Dimensions = append(r.Dimensions, judge.Dimension{Name: fmt.Sprint(i), Weight: w, Anchors: make([]string, int(c.Max[i])+1)})
	}
	return r
}

func (c rubricCase) panel(third judge.Judge) judge.Judge {
	p := judge.PanelConfig{Third: third}
	for _, levels := range c.Judges {
		p.Judges = append(p.Judges, marker(levels))
	}
	return judge.NewPanel(p)
}

func marksOf(levels []float64) []judge.Mark {
	var out []judge.Mark
	for _, l := range levels {
		out = append(out, judge.Mark{Level: l, Quote: fmt.Sprint(l)})
	}
	return out
}

// marker gives these marks; without any it fails.
func marker(levels []float64) *script {
	return &script{mark: func() ([]judge.Mark, error) {
		if levels == nil {
			return nil, &judge.Error{Operation: "mark", Message: "not JSON"}
		}
		return marksOf(levels), nil
	}}
}

func TestRubricWorked(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"rubric_two_judges", "rubric_judge_failed"} {
		var in rubricCase
		var want struct {
			PerJudge   []*float64 `json:"per_judge"`
			Score      *float64
			NeedsThird *bool `json:"needs_third"`
			Status     string
		}
		requiretest.Worked(t, id, &in, &want)
		r := in.rubric()
		for i, levels := range in.Judges {
			got, ok := rubricScore(r, marksOf(levels))
			if ok != (want.PerJudge[i] != nil) || ok && math.Abs(got-*want.PerJudge[i]) > 1e-9 {
				t.Errorf("%s: judge %d: %v %v, want %v", id, i, got, ok, want.PerJudge[i])
			}
		}
		needs, ok := judge.NeedsThird(r, marksOf(in.Judges[0]), marksOf(in.Judges[1]))
		if ok != (want.NeedsThird != nil) || ok && needs != *want.NeedsThird {
			t.Errorf("%s: needs third: %v %v, want %v", id, needs, ok, want.NeedsThird)
		}
		marks, err := question.Mark.Ask(t.Context(), in.panel(nil), judge.Subject{}, question.MarkInput{Rubric: r, Work: judge.Work{}})
		if (err != nil) != (want.Status == "judge_error") {
			t.Errorf("%s: %v, want status %s", id, err, want.Status)
		}
		if err != nil {
			continue
		}
		if got, ok := rubricScore(r, marks); !ok || math.Abs(got-*want.Score) > 1e-9 {
			t.Errorf("%s: score %v %v, want %v", id, got, ok, *want.Score)
		}
	}
}

// A third judge is wanted where scores are more than 0.25 apart, though no level
// is more than one: 1/2 against 1 of a scale to 2, but 3/4 against 1 is not.
func TestNeedsThirdByScore(t *testing.T) {
	t.Parallel()
	for top, want := range map[float64]bool{2: true, 3: true, 4: false} {
		r := rubricCase{Weights: []float64{1, 2}, Max: []float64{top, top}}.rubric()
		needs, ok := judge.NeedsThird(r, marksOf([]float64{top, top}), marksOf([]float64{top - 1, top - 1}))
		if !ok || needs != want {
			t.Errorf("scale to %v: %v %v, want %v", top, needs, ok, want)
		}
	}
}

func TestPanelMarks(t *testing.T) {
	t.Parallel()
	two := rubricCase{Weights: []float64{3, 2, 1}, Max: []float64{4, 4, 4}, Judges: [][]float64{{4, 3, 2}, {3, 3, 4}}}
	ctx, warnings := metered(t)
	// The third dimension is two levels apart, so that the third judge decides
	// by the median of each: of 4, 3, 1; of 3, 3, 0; of 2, 4, 3.
	got, err := question.Mark.Ask(
		ctx, two.panel(marker([]float64{1, 0, 3})), judge.Subject{}, question.MarkInput{Rubric: two.rubric(), Work: judge.Work{}},
	)
	want := []judge.Mark{
		{Level: 3, Levels: []int{4, 3, 1}, Quote: "3", Votes: judge.Votes{For: 1, Against: 2}},
		{Level: 3, Levels: []int{3, 3, 0}, Quote: "3", Votes: judge.Votes{For: 2, Against: 1}},
		{Level: 3, Levels: []int{2, 4, 3}, Quote: "3", Votes: judge.Votes{For: 1, Against: 2}},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil || len(warnings()) != 0 {
		t.Error(diff, err, warnings())
	}
	// The mean stands without a third judge, and with one that fails.
	for _, extra := range []judge.Judge{nil, marker(nil)} {
		ctx, warnings := metered(t)
		got, err := question.Mark.Ask(ctx, two.panel(extra), judge.Subject{}, question.MarkInput{Rubric: two.rubric(), Work: judge.Work{}})
		if err != nil || got[0].Level != 3.5 || got[2].Level != 3 || len(warnings()) != 1 {
			t.Errorf("got %+v (%v) with warnings %q, want the means with one", got, err, warnings())
		}
	}
	// One of two judges is enough only where the rubric says so.
	one := rubricCase{Weights: []float64{1}, Max: []float64{2}, Judges: [][]float64{nil, {2}}}
	r := one.rubric()
	if _, err := question.Mark.Ask(
		t.Context(), one.panel(nil), judge.Subject{}, question.MarkInput{Rubric: r, Work: judge.Work{}},
	); err == nil || !strings.Contains(err.Error(), "does not allow a single judge") {
		t.Errorf("got %v, want an error", err)
	}
	r.AllowSingleJudge = true
	ctx, warnings = metered(t)
	got, err = question.Mark.Ask(ctx, one.panel(nil), judge.Subject{}, question.MarkInput{Rubric: r, Work: judge.Work{}})
	if err != nil || got[0].Level != 2 || len(warnings()) != 1 {
		t.Errorf("got %+v (%v) with warnings %q, want level 2 with a warning", got, err, warnings())
	}
	if diff := cmp.Diff([]int{judge.NoLevel, 2}, got[0].Levels); diff != "" {
		t.Error(diff)
	}
	// With all required there is no partial mark, whatever the rubric allows.
	strict := judge.NewPanel(judge.PanelConfig{Judges: []judge.Judge{marker(nil), marker([]float64{2})}, RequireAll: true})
	if _, err := question.Mark.Ask(t.Context(), strict, judge.Subject{}, question.MarkInput{Rubric: r, Work: judge.Work{}}); err == nil {
		t.Error("marks without one of the required judges")
	}
}

// rubricScore is the score of a rubric, and whether there is one.
func rubricScore(r judge.Rubric, marks []judge.Mark) (score float64, ok bool) {
	score, err := judge.RubricScore(r, marks)
	return score, err == nil
}

func TestRubricScoreRefuses(t *testing.T) {
	t.Parallel()
	r := rubricCase{Weights: []float64{1, 1}, Max: []float64{2, 2}}.rubric()
	for _, levels := range [][]float64{nil, {1}, {1, 1, 1}, {1, 3}, {1, -1}, {1, math.NaN()}} {
		if s, ok := rubricScore(r, marksOf(levels)); ok {
			t.Errorf("%v: %v, want no score", levels, s)
		}
	}
	if _, ok := rubricScore(judge.Rubric{}, nil); ok {
		t.Error("a rubric without dimensions gives a score")
	}
	// A dimension with one level has no scale.
	if _, ok := rubricScore(rubricCase{Weights: []float64{1}, Max: []float64{0}}.rubric(), marksOf([]float64{0})); ok {
		t.Error("a dimension with one level gives a score")
	}
}

// The marks of a panel lie between those of its judges, and its score is the
// mean of theirs.
func TestMeanOfMarksIsMeanOfScores(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "dimensions")
		c := rubricCase{}
		for range n {
			c.Weights = append(c.Weights, rapid.Float64Range(0.1, 9).Draw(t, "weight"))
			c.Max = append(c.Max, float64(rapid.IntRange(1, 5).Draw(t, "max")))
		}
		judges := rapid.IntRange(1, 4).Draw(t, "judges")
		var lists [][]judge.Mark
		mean := 0.0
		for range judges {
			var levels []float64
			for _, top := range c.Max {
				levels = append(levels, float64(rapid.IntRange(0, int(top)).Draw(t, "level")))
			}
			lists = append(lists, marksOf(levels))
			s, ok := rubricScore(c.rubric(), marksOf(levels))
			if !ok {
				t.Fatal("no score")
			}
			mean += s / float64(judges)
		}
		got, ok := rubricScore(c.rubric(), judge.CombineMarks(c.rubric(), false, lists...))
		if !ok || math.Abs(got-mean) > 1e-9 {
			t.Fatalf("the score of the mean marks is %v %v, the mean score %v", got, ok, mean)
		}
	})
}

// holds is a judge that rules the same of every chunk.
type holds bool

func (holds) Info() assay.JudgeInfo { return assay.JudgeInfo{Provider: "p"} }

func (h holds) Ask(_ context.Context, _ judge.AnyTask, _ judge.Subject, given any) (any, error) {
	out := make([]judge.Ruling, len(given.([]judge.Chunk)))
	for i := range out {
		out[i].Holds = bool(h)
	}
	return out, nil
}

// A ruling without an unknown that is left undecided fails the list.
func TestPanelDividedOnChunks(t *testing.T) {
	t.Parallel()
	j := judge.NewPanel(judge.PanelConfig{Judges: []judge.Judge{holds(true), holds(false)}})
	_, err := question.ChunkRelevance.Ask(t.Context(), j, judge.Subject{}, make([]judge.Chunk, 2))
	if err == nil || !strings.Contains(err.Error(), "the judges are divided") {
		t.Errorf("%v: want that the judges are divided", err)
	}
}
