package wire_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/certify"
	"github.com/assay-eval/assay/judge/offline"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/summary"
)

// sharing returns a passage of twelve words and a claim that has n of them.
func sharing(rng *rand.Rand, n int) (passage, claim string) {
	words := strings.Fields("harbour lantern meadow copper violin orchard granite falcon ribbon compass thunder walnut saddle marble " +
		"kettle pigeon velvet anchor barley cinder")
	rng.Shuffle(len(words), func(i, k int) { words[i], words[k] = words[k], words[i] })
	claimed := slices.Concat(words[:n], words[12:12+8-n])
	return "the " + strings.Join(words[:12], " ") + ".", "the " + strings.Join(claimed, " ") + "."
}

// Certificates on three samples of the same labelled claims have three thresholds. Whatever the sample,
// the same answers have intervals that hold the scores of the other two.
func TestThreeCertificatesOfTheSameAnswers(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 7))
	set := &certify.Set{}
	for i := range 6000 {
		n := rng.IntN(9)
		passage, claim := sharing(rng, n)
		x := certify.Item{ID: fmt.Sprint(i), Dataset: "d", Kind: certify.Claim, Language: judge.English, Cluster: fmt.Sprint(i), Text: claim,
			Sources: []string{passage}, Label: certify.No}
		if rng.Float64() < float64(n)/8 {
			x.Label = certify.Yes
		}
		set.Items = append(set.Items, x)
	}
	var cases, answers []string
	for i := range 40 {
		passage, first := sharing(rng, 4+rng.IntN(5))
		_, second := sharing(rng, 2)
		cases = append(cases, fmt.Sprintf(`{"id": "c%d", "question": "What of it?", "ground_truth": "x"}`, i))
		answers = append(answers, fmt.Sprintf(`{"id": "c%d", "answer": %q, "contexts": [%q]}`, i, first+" "+second, passage))
	}
	w := newJudgedWorld(t, map[string]string{"judge": "offline", "metrics": "faithfulness"}, cases...)
	w.write(t, "a.jsonl", strings.Join(answers, "\n"))
	db, err := store.Open(t.Context(), filepath.Join(w.dir, "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	var found []summary.Metric
	thresholds := map[float64]bool{}
	for seed := range uint64(3) {
		r, err := certify.Run(t.Context(), offline.New(nil), set, certify.Options{Questions: []string{"support"}, Items: 1500, Seed: seed,
			Now: func() time.Time { return time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC) }})
		if err != nil || len(r.Certificates) != 1 || r.Certificates[0].Threshold == nil {
			t.Fatalf("seed %d: %+v, %v: want a certificate with a threshold", seed, r, err)
		}
		c := r.Certificates[0]
		thresholds[*c.Threshold] = true
		info := w.header(t).Judge // of the embedder of the run
		c.Judge = info.For("support").About([]string{"support"})
		w.certify(t, c)
		p, err := w.prepare(t)
		if err != nil {
			t.Fatal(err)
		}
		rep, err := p.Run(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		m := rep.Summary.Metrics[0]
		if m.N != 40 || m.Failed != 0 || !m.OpenThreshold || m.CI == nil || m.CI.Lo > m.Bounds.Lo || m.CI.Hi < m.Bounds.Hi || m.Bounds.Lo == m.Bounds.Hi {
			t.Errorf("seed %d: %+v of %d, bounds %+v: want every score, in an interval that holds the bounds", seed, m.CI, m.N, m.Bounds)
		}
		open := 0
		for rec := range rep.Records() {
			s := rec.Scores["faithfulness"]
			if s.State != assay.Scored || (s.Lower < s.Upper) != strings.Contains(s.Reason, "the threshold of the judge has an interval") {
				t.Fatalf("%s: %+v: want a score whose bounds have their reason", rec.Case.ID, s)
			}
			if s.Lower < s.Upper {
				open++
			}
		}
		if open == 0 {
			t.Errorf("seed %d: no score depends on the threshold", seed)
		}
		said := render(t, rep)
		if !strings.Contains(said, "exact threshold of the judge") || strings.Contains(said, "in part") {
			t.Errorf("seed %d: want the reason of the bounds:\n%s", seed, said)
		}
		found = append(found, m)
	}
	if len(thresholds) < 2 {
		t.Fatalf("thresholds %v: want samples that differ", thresholds)
	}
	for i, a := range found {
		for k, b := range found {
			if !a.CI.Contains(b.Mean) || !a.Bounds.Contains(b.Mean) {
				t.Errorf("the interval %+v (bounds %+v) of sample %d leaves out %.3f of sample %d", a.CI, a.Bounds, i, b.Mean, k)
			}
		}
	}
}

func render(t *testing.T, r *report.Report) string {
	t.Helper()
	f, err := report.Lookup("terminal")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := f.Write(&b, r, report.Options{Width: 200}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A metric says that it rests on a judge near chance, or on a threshold with an interval.
func TestMetricsOfACertificate(t *testing.T) {
	t.Parallel()
	w := newJudgedWorld(t, map[string]string{"judge": "offline", "metrics": "faithfulness,answer_correctness,context_relevance"}, inEnglish)
	h := w.header(t)
	at := 0.4
	support, equivalence := certificateOf(h, "support", "en", 20), certificateOf(h, "equivalence", "en", 20)
	support.Threshold, support.ThresholdCI = &at, &[2]float64{0.35, 0.45}
	equivalence.BalancedAccuracy.CI = &[2]float64{0.48, 0.9}
	chinese := certificateOf(h, "relevance", "zh", 20) // no case is in Chinese
	chinese.BalancedAccuracy.CI = &[2]float64{0.48, 0.9}
	w.certify(t, support, equivalence, chinese)
	for i, want := range []assay.MetricInfo{{OpenThreshold: true}, {NearChance: "equivalence"}, {}} {
		if m := w.header(t).Metrics[i]; m.OpenThreshold != want.OpenThreshold || m.NearChance != want.NearChance {
			t.Errorf("%s: open threshold %v, near chance %q", m.Name, m.OpenThreshold, m.NearChance)
		}
	}
}
