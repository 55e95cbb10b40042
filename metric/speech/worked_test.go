package speech

import (
	"math"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
)

// expected are the counts of a worked case; Rate is nil where it is no number.
type expected struct {
	H, S, D, I    int
	Rate          *float64
	MER, WIP, WIL float64
}

func (e expected) check(t *testing.T, what string, c Counts) {
	t.Helper()
	if want := (Counts{e.H, e.S, e.D, e.I}); c != want {
		t.Errorf("%s: %+v: want %+v", what, c, want)
	}
	rate, ok := c.Rate()
	if ok != (e.Rate != nil) || ok && math.Abs(rate-*e.Rate) > 1e-9 {
		t.Errorf("%s: rate %v, %v: want %v", what, rate, ok, e.Rate)
	}
	for name, v := range map[string][2]float64{
		"match error rate": {c.MatchErrorRate(), e.MER}, "preserved": {c.InformationPreserved(), e.WIP}, "lost": {c.InformationLost(), e.WIL},
	} {
		if math.Abs(v[0]-v[1]) > 1e-9 {
			t.Errorf("%s: %s %v: want %v", what, name, v[0], v[1])
		}
	}
}

func TestWordErrorRateWorked(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"wer_basic", "wer_tiebreak"} {
		var in struct{ Ref, Hyp string }
		var want expected
		requiretest.Worked(t, id, &in, &want)
		want.check(t, id, Compare(in.Ref, in.Hyp, Options{}).Strict.Words)
	}
	var in struct{ Cases [][2]string }
	var want []expected
	requiretest.Worked(t, "wer_empty_reference", &in, &want)
	if len(in.Cases) != 4 || len(want) != 4 {
		t.Fatalf("%d pairs and %d results: want 4", len(in.Cases), len(want))
	}
	for i, p := range in.Cases {
		want[i].check(t, p[0]+"|"+p[1], Compare(p[0], p[1], Options{}).Strict.Words)
	}
}

func TestPoolingWorked(t *testing.T) {
	t.Parallel()
	var in struct{ Refs, Hyps []string }
	var want expected
	requiretest.Worked(t, "wer_corpus_pooling", &in, &want)
	var sum Rates
	for i := range in.Refs {
		sum = sum.Add(Compare(in.Refs[i], in.Hyps[i], Options{}).Strict)
	}
	want.check(t, "pooled", sum.Words)
}

func TestNormaliseWorked(t *testing.T) {
	t.Parallel()
	var in struct{ Text []string }
	var want []string
	requiretest.Worked(t, "normalise", &in, &want)
	for i, s := range in.Text {
		if got := (Profile{}).Normalise(s); got != want[i] {
			t.Errorf("%q is %q: want %q", s, got, want[i])
		}
	}
}

func TestMixedErrorRateWorked(t *testing.T) {
	t.Parallel()
	var in struct{ Ref, Hyp string }
	var want struct {
		Strict    expected
		Folded    expected `json:"script_folded"`
		CER       float64  `json:"cer_strict"`
		CERFolded float64  `json:"cer_folded"`
	}
	requiretest.Worked(t, "mixed_error_rate", &in, &want)
	c := Compare(in.Ref, in.Hyp, Options{})
	want.Strict.check(t, "strict", c.Strict.Mixed)
	want.Folded.check(t, "folded", c.Folded.Mixed)
	for what, v := range map[string][2]float64{"strict": {rate(t, c.Strict.Characters), want.CER},
		"folded": {rate(t, c.Folded.Characters), want.CERFolded}} {
		if math.Abs(v[0]-v[1]) > 1e-9 {
			t.Errorf("%s CER %v: want %v", what, v[0], v[1])
		}
	}
	// 開 is there as 开, which folding forgives, and 唔 as 不, which it does not.
	if m, ok := c.ScriptMismatch(); !ok || math.Abs(m-(want.CER-want.CERFolded)) > 1e-9 {
		t.Errorf("script mismatch %v, %v", m, ok)
	}
	if c.Of(Strict).Mixed != c.Strict.Mixed || c.Of(Folded).Mixed != c.Folded.Mixed {
		t.Errorf("%+v strict and %+v folded", c.Of(Strict), c.Of(Folded))
	}
	if w := c.WrittenChinese; len(w) != 1 || w[0] != (Rewording{"唔", "不", 1}) {
		t.Errorf("rewordings %+v: want one of 唔 as 不", w)
	}
	// Ten characters and one English word were said.
	if s := c.Strict.Scripts; s.CJK != (Counts{Hits: 8, Substitutions: 2}) || s.Latin != (Counts{Hits: 1}) || s.Other != (Counts{}) {
		t.Errorf("by script %+v", s)
	}
}

func TestCharacterErrorRateWorked(t *testing.T) {
	t.Parallel()
	var in struct{ Ref, Hyp string }
	var want struct {
		CER       float64
		Words     float64 `json:"wer_unsegmented"`
		Segmented float64 `json:"wer_if_segmented"`
	}
	requiretest.Worked(t, "cer_chinese", &in, &want)
	c := Compare(in.Ref, in.Hyp, Options{Segment: true})
	for what, v := range map[string][2]float64{
		"cer": {rate(t, c.Strict.Characters), want.CER}, "wer": {rate(t, c.Strict.Words), want.Words},
		"segmented": {rate(t, *c.Strict.Segmented), want.Segmented},
	} {
		if math.Abs(v[0]-v[1]) > 1e-9 {
			t.Errorf("%s %v: want %v", what, v[0], v[1])
		}
	}
}

func rate(t *testing.T, c Counts) float64 {
	t.Helper()
	v, ok := c.Rate()
	if !ok {
		t.Fatalf("%+v has no rate", c)
	}
	return v
}
