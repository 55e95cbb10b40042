package assay_test

import (
	"testing"

	"github.com/assay-eval/assay"
)

// A certificate is void for another model, prompt or parameter, and looked up by question
// and language.
func TestCertificateFits(t *testing.T) {
	t.Parallel()
	judge := func(model, support, temperature string) assay.JudgeInfo {
		return assay.JudgeInfo{
			Provider: "p", Model: model, Passes: 3, Parameters: map[string]string{"temperature": temperature},
			Prompts: map[string]string{"claims": "1", "support": support},
		}
	}
	ran := judge("m", "1", "0")
	of := func(j assay.JudgeInfo) assay.Certificate {
		return assay.Certificate{Question: "support", Language: "en", Judge: j.About([]string{"support"})}
	}
	for name, c := range map[string]struct {
		judge assay.JudgeInfo
		want  bool
	}{
		"the same judge":    {judge("m", "1", "0"), true},
		"another model":     {judge("n", "1", "0"), false},
		"another prompt":    {judge("m", "2", "0"), false},
		"another parameter": {judge("m", "1", "1"), false},
	} {
		if got := of(c.judge).Fits(&ran); got != c.want {
			t.Errorf("%s: fits %v, want %v", name, got, c.want)
		}
	}
	if of(ran).Fits(nil) {
		t.Error("a certificate fits a run without a judge")
	}

	routed := ran
	routed.Tasks = map[string]assay.JudgeInfo{"support": judge("nli", "7", "0")}
	if of(ran).Fits(&routed) || !of(judge("nli", "7", "0")).Fits(&routed) {
		t.Error("want the certificate of the judge that answers the question, and of no other")
	}

	h := assay.Header{Judge: &ran, Certificates: []assay.Certificate{of(judge("n", "1", "0")), of(ran)}}
	if c, ok := h.Certificate("support", "en"); !ok || c.Judge.Model != "m" {
		t.Errorf("found %+v, %v: want that of m", c.Judge, ok)
	}
	for _, key := range [][2]string{{"support", "zh"}, {"claims", "en"}} {
		if _, ok := h.Certificate(key[0], key[1]); ok {
			t.Errorf("found a certificate for %v", key)
		}
	}
}

// TestNearChance: a judge whose balanced accuracy may be that of a coin is said to be near
// chance, and so is one without an interval.
func TestNearChance(t *testing.T) {
	t.Parallel()
	v := 0.6
	for _, c := range []struct {
		figure assay.Figure
		near   bool
	}{
		{assay.Figure{Value: &v, CI: &[2]float64{0.51, 0.69}}, false},
		{assay.Figure{Value: &v, CI: &[2]float64{0.5, 0.7}}, true},
		{assay.Figure{Value: &v}, true},
		{assay.Figure{Why: "no usable ruling"}, false},
	} {
		if got := (&assay.Certificate{BalancedAccuracy: c.figure}).NearChance(); got != c.near {
			t.Errorf("%+v: %v", c.figure, got)
		}
	}
}
