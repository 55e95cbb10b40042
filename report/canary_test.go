package report_test

import (
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
)

// canaryOf is what the canaries of the judge of a run have shown.
func canaryOf(changed int, p float64) assay.Canary {
	return assay.Canary{Provider: "openai", Model: "gpt-4.1", Since: time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC), Items: 20, Changed: changed, Noise: 1,
		Likeness: 0.314, Usual: 0.92, P: &p, Differs: p < 0.01}
}

// Every report tells at the judge what its canaries have shown, and warns of a change and of
// canaries that were left out, in its language.
func TestCanariesStandInReports(t *testing.T) {
	t.Parallel()
	left := assay.Canary{Provider: "openai", Model: "gpt-4.1", Why: "the budget has no room for them"}
	first := canaryOf(0, 1)
	first.First, first.P = true, nil
	few := canaryOf(2, 1)
	few.P, few.Items = nil, 4
	for name, test := range map[string]struct {
		canary        assay.Canary
		fact, zh      string
		warns, notice string
	}{
		"changed": {canaryOf(5, 0.00041), "the rulings of the judge changed: 5 of 20 canaries are ruled otherwise than on 2026-11-03 (1 by its own variation), and 31 % of " +
			"the words are the same, usually 92 % (chance alone: p = 0.00041)", "20 題金絲雀題中有 5 題的裁定與 2026-11-03 不同",
			"certificates and calibrations of that judge may no longer hold", "此評審的認證與校準可能不再適用"},
		"in words": {canaryOf(0, 0.00041), "the words of the judge changed: all 20 canaries are ruled as on 2026-11-03, but 31 % of " +
			"the words are the same, usually 92 % (chance alone: p = 0.00041)", "評審的用詞已改變：20 題金絲雀題的裁定皆與 2026-11-03 相同，但用詞相同的比例為",
			"the words of the judge changed", "此評審的認證與校準可能不再適用"},
		"as it was": {canaryOf(0, 0.62), "canaries: no change seen since 2026-11-03, 0 of 20 ruled otherwise (p = 0.62)", "自 2026-11-03 起未見改變", "", ""},
		"first":     {first, "canaries: 20 answers frozen for later runs", "凍結 20 個回答", "", ""},
		"few":       {few, "canaries: 4 with a ruling are too few to tell whether the judge is that of 2026-11-03", "只有 4 題有裁定", "", ""},
		"left out": {left, "canaries left out: the budget has no room for them", "未詢問金絲雀題：the budget has no room for them",
			"whether the judge has changed is not known", "無法得知評審是否改變"},
	} {
		r := certifiedRun("run", 0.9)
		h := r.Header
		h.Canaries = []assay.Canary{test.canary}
		for range 2 { // the header may come more than once
			r.Finished(h)
		}
		for _, format := range []string{"terminal", "markdown", "html", "comment"} {
			f := lookup(t, format)
			for _, short := range []bool{false, true} {
				got := strings.Join(strings.Fields(render(t, f, r, report.Options{Short: short, Width: 400})), " ")
				warned := test.warns != "" && strings.Contains(got, test.warns)
				if !strings.Contains(got, test.fact) || (test.warns != "") != warned {
					t.Errorf("%s, %s, short %v: want %q and %q:\n%.1500s", name, format, short, test.fact, test.warns, got)
				}
				zh := render(t, f, r, report.Options{Short: short, Width: 400, Language: "zh-Hant"})
				if !strings.Contains(zh, test.zh) || !strings.Contains(zh, test.notice) || test.warns != "" && strings.Contains(zh, test.warns) {
					t.Errorf("%s, %s, short %v, in Chinese: want %q and %q:\n%.1500s", name, format, short, test.zh, test.notice, zh)
				}
			}
		}
		n := 0
		for _, w := range r.Summary.Warnings {
			if test.warns != "" && strings.Contains(w, test.warns) {
				n++
			}
		}
		if want := map[bool]int{true: 1}[test.warns != ""]; n != want {
			t.Errorf("%s: warned %d times, want %d: %q", name, n, want, r.Summary.Warnings)
		}
	}
}

// A comparison warns once of a judge that changed between its runs.
func TestCanariesInComparisons(t *testing.T) {
	t.Parallel()
	with := func(name string, c assay.Canary) *report.Report {
		r := certifiedRun(name, 0.9)
		r.Header.Canaries = []assay.Canary{c}
		return r
	}
	for name, c := range map[string]struct {
		a, b assay.Canary
		want int
	}{
		"changed": {canaryOf(0, 0.5), canaryOf(5, 0.0004), 1}, "the same": {canaryOf(0, 0.5), canaryOf(1, 0.3), 0},
	} {
		x := comparison(t, []*report.Report{with("a", c.a), with("b", c.b)})
		for language, w := range map[string]words.Words{"en": words.English, "zh-Hant": words.TraditionalChinese} {
			text := x.Warnings(w)
			n := 0
			for _, w := range text {
				if strings.Contains(w, "openai gpt-4.1") {
					n++
				}
			}
			if n != c.want {
				t.Errorf("%s, %s: %q", name, language, text)
			}
		}
	}
}
