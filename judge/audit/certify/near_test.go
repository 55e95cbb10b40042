package certify_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge/audit/certify"
)

// The first line of a certificate says that the judge is not shown to be better than chance, and its terms have the
// interval of the threshold or say why there is none.
func TestTitleAndTermsOfACertificate(t *testing.T) {
	t.Parallel()
	value, at, free := 0.52, 0.4, 0.0
	c := assay.Certificate{Question: "support", Language: "en", BalancedAccuracy: assay.Figure{Value: &value, CI: &[2]float64{0.48, 0.56}},
		Threshold: &at, ThresholdCI: &[2]float64{0.31, 0.47}, Cost: &free}
	if title, terms := certify.Title(c), certify.Terms(c); title != "support, en: not shown to be better than chance" ||
		terms != "; yes from a degree of 0.40 (0.31…0.47)" {
		t.Errorf("%q, %q", title, terms)
	}
	c.BalancedAccuracy.CI = &[2]float64{0.31, 0.49}
	if title := certify.Title(c); title != "support, en: worse than chance" {
		t.Errorf("%q", title)
	}
	// All items of one group: right on all of them, and nothing is shown.
	one := 1.0
	c.BalancedAccuracy = assay.Figure{Value: &one}
	if title := certify.Title(c); title != "support, en: not shown to be better than chance" {
		t.Errorf("%q", title)
	}
	c.BalancedAccuracy.CI, c.Threshold = &[2]float64{0.51, 0.56}, nil
	if title, terms := certify.Title(c), certify.Terms(c); title != "support, en" ||
		terms != "; too few items to choose the degree from which it says yes: 0.31…0.47" {
		t.Errorf("%q, %q", title, terms)
	}
}
