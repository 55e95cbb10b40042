package words_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/report/words"
)

func figure(v, lo, hi float64) assay.Figure { return assay.Figure{Value: &v, CI: &[2]float64{lo, hi}} }

func TestFigure(t *testing.T) {
	t.Parallel()
	bare := figure(0.5, 0, 0)
	bare.CI = nil
	for want, f := range map[string]assay.Figure{
		"0.83 ± 0.02":       figure(0.83, 0.81, 0.85),
		"0.83 (0.81…0.86)":  figure(0.834, 0.806, 0.861),
		"0.97 (0.91…0.99)":  figure(0.97, 0.91, 0.99),
		"1.00 (0.98…1.00)":  figure(1, 0.98, 1),
		"-0.10 ± 0.05":      figure(-0.1, -0.15, -0.05),
		"0.50":              bare,
		"":                  {Why: "no item"},
		"0.90 ± 0.00":       figure(0.9, 0.9, 0.9),
		"0.05 (-0.10…0.10)": figure(0.05, -0.1, 0.1),
	} {
		if got := message.Figure(f); got != want {
			t.Errorf("%+v: %q, want %q", f, got, want)
		}
	}
}

func TestCertified(t *testing.T) {
	t.Parallel()
	en := assay.Measured{Question: "support", Language: "en", Certificate: &assay.Certificate{Usable: 1480,
		BalancedAccuracy: figure(0.83, 0.81, 0.85), Unusable: figure(0.01, 0, 0.02)}}
	often := assay.Measured{Question: "support", Language: "zh", Certificate: &assay.Certificate{Usable: 1, Unusable: figure(0.032, 0, 0.1)}}
	none := assay.Measured{Question: "support", Language: "zh"}
	worse := assay.Measured{Question: "support", Language: "en", Certificate: &assay.Certificate{Usable: 100, BalancedAccuracy: figure(0.3, 0.2, 0.4)}}
	near := assay.Measured{Question: "support", Language: "en", Certificate: &assay.Certificate{Usable: 100, BalancedAccuracy: figure(0.5, 0.4, 0.6)}}
	unknown := assay.Measured{Question: "support"}
	for _, test := range []struct {
		of       []assay.Measured
		want, zh string
	}{
		{[]assay.Measured{en, none}, "support: 0.83 ± 0.02 on 1,480 items, en; zh: not measured",
			"support：en：0.83 ± 0.02，1,480 個項目；zh：未量測"},
		{[]assay.Measured{often}, "support: undefined on 1 item, zh, 3.2 % of the replies unusable",
			"support：zh：無定義，1 個項目，3.2 % 的回覆無法使用"},
		{[]assay.Measured{worse}, "support: worse than chance, 0.30 ± 0.10 on 100 items, en", "support：比隨機差，en：0.30 ± 0.10，100 個項目"},
		{[]assay.Measured{near}, "support: not shown to be better than chance, 0.50 ± 0.10 on 100 items, en",
			"support：未能證明優於隨機，en：0.50 ± 0.10，100 個項目"},
		{[]assay.Measured{unknown}, "support: not measured", "support：未量測"},
		{nil, "", ""},
	} {
		if got := words.English.Say("Certified", words.V{"of": test.of}); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
		if got := words.TraditionalChinese.Say("Certified", words.V{"of": test.of}); got != test.zh {
			t.Errorf("%q, want %q", got, test.zh)
		}
	}
}
