package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
)

var certifiedJudge = assay.JudgeInfo{Provider: "openai", Model: "gpt-4.1", Passes: 3,
	Prompts: map[string]string{"claims": "sha256:c", "relevance": "sha256:r", "support": "sha256:s"}}

func figure(v, lo, hi float64) assay.Figure { return assay.Figure{Value: &v, CI: &[2]float64{lo, hi}} }

// certificate is that of support in English.
func certificate() assay.Certificate {
	cost := 0.00042
	return assay.Certificate{
		Question: "support", Language: "en", Judge: certifiedJudge.About([]string{"support"}), Level: 0.95, Version: "devel-1a18b70c0ffe",
		Date:  time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC),
		Data:  []assay.CertifiedData{{Name: "support/dev.jsonl", Hash: "sha256:0a1b", Items: 1500}},
		Items: 1500, Clusters: 320, Usable: 1480, BalancedAccuracy: figure(0.83, 0.81, 0.85),
		Sensitivity: figure(0.9, 0.88, 0.92), Specificity: figure(0.76, 0.73, 0.79), Kappa: figure(0.64, 0.6, 0.68),
		PeopleKappa: assay.Figure{Why: "no item has labels of two people"}, AUROC: assay.Figure{Why: "the judge gives no degree"},
		Brier: assay.Figure{Why: "the judge gives no degree"}, CalibrationError: assay.Figure{Why: "the judge gives no degree"},
		Unusable: figure(0.0133, 0.008, 0.02), Cost: &cost, Seconds: 1.25,
		Slices: []assay.CertifiedSlice{{Name: "negation", Items: 210, BalancedAccuracy: figure(0.71, 0.66, 0.76), Worse: true},
			{Name: "numbers", Items: 90, BalancedAccuracy: figure(0.82, 0.76, 0.88)}},
	}
}

// certifiedRun has 12 cases, 8 in English and 4 in Chinese, of a metric that rests on support
// and one that rests on relevance too.
func certifiedRun(name string, value float64, certificates ...assay.Certificate) *report.Report {
	faith := assay.MetricInfo{Name: "faithfulness", Title: "Faithfulness", Better: "higher", Range: ratio, Version: 1, Judged: true,
		Prompts: []string{"claims", "support"}, Rulings: []string{"support"}}
	context := assay.MetricInfo{Name: "context_use", Title: "Use of the context", Better: "higher", Range: ratio, Version: 1, Judged: true,
		Prompts: []string{"relevance", "support"}, Rulings: []string{"relevance", "support"}}
	h := header(name, faith, context, hit)
	judge := certifiedJudge
	h.Judge, h.Languages, h.Certificates = &judge, map[string]int{"en": 8, "zh": 4}, certificates
	h.Dataset.Cases = 12
	var records []assay.Record
	for i := range 12 {
		records = append(records, assay.Record{Seq: i, Case: assay.Case{ID: fmt.Sprintf("c%02d", i), Question: "?"},
			Response: &assay.Response{Answer: "yes"}, Scores: map[string]assay.Score{
				"faithfulness": assay.Value(value), "context_use": assay.Value(0.5), hit.Name: assay.Value(1)}})
	}
	return report.New(h, records)
}

// The word of the judge stands in every form of a report.
func TestCertificateStandsInReports(t *testing.T) {
	t.Parallel()
	const support, relevance = "support: 0.83 ± 0.02 on 1,480 items, en, 1.3 % of the replies unusable; zh: not measured",
		"relevance: en: not measured; zh: not measured"
	r := certifiedRun("certified", 0.9, certificate())
	policy := gate.Policy{MinCertificate: 0.8, Rules: []gate.Rule{mustRule(t, "faithfulness >= 0.5"), mustRule(t, "hit@1 >= 0.5")}}
	r.Judge(policy)
	plain := certifiedRun("plain", 0.9)
	for _, test := range []struct {
		format string
		o      report.Options
	}{
		{"terminal", report.Options{Width: 200, Short: true}}, {"terminal", report.Options{Width: 200}}, {"markdown", report.Options{}},
		{"html", report.Options{}}, {"comment", report.Options{}}, {"junit", report.Options{}},
	} {
		f := lookup(t, test.format)
		got := render(t, f, r, test.o)
		for _, want := range []string{support, relevance} {
			if !strings.Contains(got, want) {
				t.Errorf("%s (short: %v) lacks %q:\n%.2000s", test.format, test.o.Short, want, got)
			}
		}
		if strings.Contains(got, "not certified") {
			t.Errorf("%s: a certified judge is told as not certified", test.format)
		}
		if got := render(t, f, plain, test.o); !strings.Contains(got, "openai gpt-4.1 (not certified)") || strings.Contains(got, "not measured") {
			t.Errorf("%s (short: %v) does not tell that the judge is not certified:\n%.2000s", test.format, test.o.Short, got)
		}
	}
	object := render(t, lookup(t, "json"), r, report.Options{})
	if !strings.Contains(object, `"certificates": [`) || !strings.Contains(object, `"people_kappa"`) {
		t.Errorf("the report file lacks the certificate:\n%.1500s", object)
	}
	back, err := report.Read(strings.NewReader(object))
	if err != nil || len(back.Header.Certificates) != 1 {
		t.Errorf("read back: %v", err)
	}
	for _, f := range []string{"terminal", "markdown"} {
		var b strings.Builder
		if err := lookup(t, f).Gate(&b, r, report.Options{Width: 300}); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); !strings.Contains(got, support) || strings.Contains(got, relevance) ||
			!strings.Contains(got, "certified with a balanced accuracy of 0.8 or more") {
			t.Errorf("%s of the gate:\n%s", f, got)
		}
	}
}

// Wherever a score of a metric is shown whose judge is near chance, that is said in place of the
// interval, in the line of the score.
func TestNearChanceIsSaidWithTheScore(t *testing.T) {
	t.Parallel()
	near := func(name string, value float64) *report.Report {
		r := certifiedRun(name, value)
		r.Header.Metrics[0].NearChance = "support"
		return report.New(r.Header, slices.Collect(func(yield func(assay.Record) bool) {
			for rec := range r.Records() {
				rec.Scores["faithfulness"] = assay.Value(value + 0.03*float64(rec.Seq%3/2))
				yield(rec)
			}
		}))
	}
	r := near("x", 0.6)
	c, err := report.Compare([]*report.Report{certifiedRun("w", 0.5), r}, 1)
	if err != nil {
		t.Fatal(err)
	}
	r.Judge(gate.Policy{Rules: []gate.Rule{mustRule(t, "hit@1 >= 0.5"), mustRule(t, "faithfulness >= 0.7")}})
	for _, format := range []string{"terminal", "markdown", "html", "junit", "comment"} {
		for language, want := range map[string]string{"": "judge can be near chance", "zh-Hant": "評審可能近乎隨機"} {
			f, o := lookup(t, format), report.Options{Width: 120, Language: language}
			texts := map[string]string{"run": render(t, f, r, o)}
			if format == "comment" {
				texts["means"] = render(t, f, near("x", 0.6), o) // without a gate
			}
			if f.Gate != nil {
				var b strings.Builder
				if err := f.Gate(&b, r, o); err != nil {
					t.Fatal(err)
				}
				texts["gate"] = b.String()
			}
			if format != "junit" && format != "comment" {
				short := o
				short.Short = true
				texts["short"] = render(t, f, r, short)
				var b strings.Builder
				if err := f.Compare(&b, c, o); err != nil {
					t.Fatal(err)
				}
				texts["comparison"] = b.String()
			}
			for of, text := range texts {
				said := 0
				for _, line := range strings.FieldsFunc(strings.NewReplacer("<tr", "\v", "</tr>", "\v").Replace(text), func(r rune) bool {
					return r == '\v' || r == '\n' && format != "html"
				}) {
					if !strings.Contains(line, "0.610") {
						continue
					}
					if said++; !strings.Contains(line, want) {
						t.Errorf("%s of a %s (%q): a line with the score lacks %q:\n%.1500s", format, of, language, want, line)
					}
				}
				if said == 0 {
					t.Errorf("%s of a %s (%q) has no line with the score", format, of, language)
				}
			}
		}
	}
	object := render(t, lookup(t, "json"), r, report.Options{})
	back, err := report.Read(strings.NewReader(object))
	if err != nil || back.Header.Metrics[0].NearChance != "support" || strings.Count(object, `"near_chance": "support"`) != 2 {
		t.Errorf("report file, %v: want the question with the metric and with its mean", err)
	}
	if m := back.Summary.Metrics[0]; m.CI != nil || m.N != 12 {
		t.Errorf("%+v: want a mean without an interval", m)
	}
	if got := report.MeanText(words.English, r.Header.Metrics[0], &r.Summary.Metrics[0].Mean, nil, 12); got != "0.610 [judge can be near chance] (12)" {
		t.Errorf("lists have %q", got)
	}
}

// A comparison tells the judge once, or for each run if it differs, and which differences its
// errors could make.
func TestCertificateInComparisons(t *testing.T) {
	t.Parallel()
	zh, of := certificate(), certificate()
	zh.Language = "zh"
	of.Question, of.Judge = "relevance", certifiedJudge.About([]string{"relevance"})
	both := []assay.Certificate{certificate(), zh}
	const within = "faithfulness of b: the difference of +0.100 is smaller than the judge's share of wrong rulings on support, 0.17: "
	for name, test := range map[string]struct {
		a, b   *report.Report
		within bool
		once   bool
	}{
		"a small difference":     {certifiedRun("a", 0.8, both...), certifiedRun("b", 0.9, both...), true, true},
		"a large difference":     {certifiedRun("a", 0.5, both...), certifiedRun("b", 0.9, both...), false, true},
		"no difference":          {certifiedRun("a", 0.9, both...), certifiedRun("b", 0.9, both...), false, true},
		"not certified":          {certifiedRun("a", 0.8), certifiedRun("b", 0.9), false, true},
		"certified in part":      {certifiedRun("a", 0.8, certificate()), certifiedRun("b", 0.9, certificate()), false, true},
		"certified on one side":  {certifiedRun("a", 0.8, both...), certifiedRun("b", 0.9), false, false},
		"certified on the other": {certifiedRun("a", 0.8), certifiedRun("b", 0.9, append(both, of)...), false, false},
	} {
		c := comparison(t, []*report.Report{test.a, test.b})
		for _, format := range []string{"terminal", "markdown", "html"} {
			got := strings.ReplaceAll(renderComparison(t, lookup(t, format), c, report.Options{Width: 400}), "&#39;", "'")
			if strings.Contains(got, within) != test.within {
				t.Errorf("%s, %s: within the judge's error: want %v:\n%.3000s", name, format, test.within, got)
			}
			if n := strings.Count(got, "not certified"); !slices.Contains([]int{0, 1}, n) {
				t.Errorf("%s, %s: told %d times that the judge is not certified", name, format, n)
			}
			if format == "terminal" && strings.Contains(got, "judge    ") != test.once && !test.once {
				t.Errorf("%s: want the judges of both runs:\n%s", name, got)
			}
		}
	}
}

func mustRule(t *testing.T, text string) gate.Rule {
	t.Helper()
	r, err := gate.ParseRule(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
