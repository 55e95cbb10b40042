package certify_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/certify"
	"github.com/assay-eval/assay/judge/question"
)

// A planted is a stand-in judge with known rates.
type planted struct {
	name                               string
	sensitivity, specificity, unusable float64
	// apart is how far the rates of a cluster are from these, up or down alike; sizes of
	// clusters are 1 to biggest.
	apart   float64
	biggest int
	items   int
}

var plantedJudges = []planted{
	{name: "independent items", sensitivity: 0.9, specificity: 0.8, unusable: 0.05, biggest: 1, items: 300},
	{name: "clustered items", sensitivity: 0.85, specificity: 0.7, unusable: 0.1, apart: 0.1, biggest: 6, items: 300},
	{name: "nearly perfect", sensitivity: 0.98, specificity: 0.97, unusable: 0.01, apart: 0.01, biggest: 4, items: 300},
	{name: "few items", sensitivity: 0.75, specificity: 0.6, unusable: 0.2, apart: 0.15, biggest: 3, items: 60},
}

// scripted is a judge of functions.
type scripted struct {
	judge.Answers
	info assay.JudgeInfo
}

func (s scripted) Info() assay.JudgeInfo { return s.info }

// certify asks the stand-in about items of a seed and returns its certificate.
func (p planted) certify(t testing.TB, seed uint64) assay.Certificate {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 11))
	set := &certify.Set{}
	said := map[string]judge.Finding{}
	happens := func(rate, shift float64) bool { return rng.Float64() < min(1, max(0, rate+shift)) }
	for n := 0; n < p.items; {
		cluster := fmt.Sprint("cluster ", n)
		// The cluster moves all rates, each by its own sign.
		var shift [3]float64
		for k := range shift {
			shift[k] = p.apart * float64(2*rng.IntN(2)-1)
		}
		for range min(1+rng.IntN(p.biggest), p.items-n) {
			x := certify.Item{
				ID: fmt.Sprint(n), Dataset: "planted", Kind: certify.Claim, Language: judge.English, Cluster: cluster,
				Text: fmt.Sprint("claim ", n), Sources: []string{cluster}, Label: certify.No,
			}
			var f judge.Finding
			hit := happens(p.specificity, shift[1])
			if rng.IntN(2) == 0 {
				x.Label = certify.Yes
				hit = happens(p.sensitivity, shift[0])
			}
			f.Verdict = judge.NotFound
			if hit == (x.Label == certify.Yes) {
				f.Verdict, f.Degree = judge.Supported, 1
			}
			if happens(p.unusable, shift[2]) {
				f = judge.Finding{Why: "unknown"}
			}
			said[x.Text] = f
			set.Items = append(set.Items, x)
			n++
		}
	}
	j := scripted{info: assay.JudgeInfo{Provider: "planted", Model: p.name}, Answers: judge.NewAnswers(
		question.Support.By(func(_ context.Context, _ judge.Subject, in question.SupportInput) ([]judge.Finding, error) {
			var out []judge.Finding
			for _, c := range in.Claims {
				out = append(out, said[c.Text])
			}
			return out, nil
		}))}
	r, err := certify.Run(t.Context(), j, set, certify.Options{Questions: []string{"support"}, Seed: seed})
	if err != nil || len(r.Certificates) != 1 {
		t.Fatalf("%d certificates, error %v", len(r.Certificates), err)
	}
	return r.Certificates[0]
}

// coverage counts in how many seeds the interval of each rate holds what was planted, and in
// how many all three do.
func (p planted) coverage(t testing.TB, seeds int) (held [3]int, all int, width [3]float64) {
	var mu sync.Mutex
	var group sync.WaitGroup
	limit := make(chan struct{}, 4)
	for seed := range seeds {
		limit <- struct{}{}
		group.Go(func() {
			defer func() { <-limit }()
			c := p.certify(t, uint64(seed))
			mu.Lock()
			defer mu.Unlock()
			every := true
			for i, f := range []assay.Figure{c.Sensitivity, c.Specificity, c.Unusable} {
				rate := []float64{p.sensitivity, p.specificity, p.unusable}[i]
				if f.CI != nil && f.CI[0] <= rate && rate <= f.CI[1] {
					held[i]++
				} else {
					every = false
				}
				if f.CI != nil {
					width[i] += (f.CI[1] - f.CI[0]) / float64(seeds)
				}
			}
			if every {
				all++
			}
		})
	}
	group.Wait()
	return held, all, width
}

// Each planted rate is within its interval in at least 95 of 100 seeds.
func TestPlantedRatesAreFound(t *testing.T) {
	t.Parallel()
	for _, p := range plantedJudges {
		held, all, width := p.coverage(t, 100)
		t.Logf("%s: held %v of 100, all three in %d, mean width %.3f", p.name, held, all, width)
		for i, name := range []string{"sensitivity", "specificity", "unusable"} {
			if held[i] < 95 {
				t.Errorf("%s: %s is within its interval in %d of 100 seeds, want 95", p.name, name, held[i])
			}
		}
	}
}
