package certify_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/certify"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/stats"
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
	table judge.Answers
	info  assay.JudgeInfo
}

func (s scripted) Answers(t judge.AnyTask) bool { return s.table.Has(t) }

func (s scripted) Ask(ctx context.Context, t judge.AnyTask, about judge.Subject, given any) (any, error) {
	return s.table.Ask(ctx, t, about, given)
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
				Tags: []string{[]string{"part a", "part b", "part c"}[rng.IntN(3)]},
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
	j := scripted{info: assay.JudgeInfo{Provider: "planted", Model: p.name}, table: judge.NewAnswers(
		question.Support.By(func(_ context.Context, _ judge.Subject, in question.SupportInput) ([]judge.Finding, error) {
			var out []judge.Finding
			for _, c := range in.Claims {
				out = append(out, said[c.Text])
			}
			return out, nil
		}))}
	r, err := certify.Run(t.Context(), j, set, certify.Options{Questions: []string{"support"}, Seed: seed, Now: time.Now})
	if err != nil || len(r.Certificates) != 1 {
		t.Fatalf("%d certificates, error %v", len(r.Certificates), err)
	}
	return r.Certificates[0]
}

// A tally counts over seeds how many intervals hold what was planted.
type tally struct {
	// held is of sensitivity, specificity and the share without a ruling, all of the seeds in
	// which all three hold; narrow is of intervals narrowed to four fifths.
	held, narrow [3]int
	all          int
	// width is the mean width of the intervals.
	width [3]float64
	// worse counts the seeds in which a part of the items is called worse, though none is.
	worse int
}

var plantedRates = [3]string{"sensitivity", "specificity", "no ruling"}

func (p planted) rates() [3]float64 { return [3]float64{p.sensitivity, p.specificity, p.unusable} }

// tally certifies the stand-in with many seeds.
func (p planted) tally(t testing.TB, seeds int) (out tally) {
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
			out.add(c, p.rates())
		})
	}
	group.Wait()
	for i := range out.width {
		out.width[i] /= float64(seeds)
	}
	return out
}

func (t *tally) add(c assay.Certificate, rates [3]float64) {
	every := true
	for i, f := range []assay.Figure{c.Sensitivity, c.Specificity, c.Unusable} {
		if f.CI == nil {
			every = false
			continue
		}
		t.width[i] += f.CI[1] - f.CI[0]
		ci := stats.Interval{Lo: f.CI[0], Hi: f.CI[1]}
		if ci.Contains(rates[i]) {
			t.held[i]++
		} else {
			every = false
		}
		narrow := stats.Interval{Lo: *f.Value - 0.8*(*f.Value-ci.Lo), Hi: *f.Value + 0.8*(ci.Hi-*f.Value)}
		if narrow.Contains(rates[i]) {
			t.narrow[i]++
		}
	}
	if every {
		t.all++
	}
	if slices.ContainsFunc(c.Slices, func(s assay.CertifiedSlice) bool { return s.Worse }) {
		t.worse++
	}
}

// Each planted rate, of independent and of clustered items, is within its interval in 91 of 100
// seeds or more, two standard errors below 95, and all together in 95 %. Narrower intervals hold
// less often, all together.
func TestPlantedRatesAreFound(t *testing.T) {
	t.Parallel()
	const seeds = 100
	narrow, held, all := 0, 0, 0
	for _, p := range plantedJudges {
		got := p.tally(t, seeds)
		t.Logf("%s: %+v", p.name, got)
		for i, name := range plantedRates {
			narrow, held, all = narrow+got.narrow[i], held+got.held[i], all+seeds
			if 100*got.held[i] < 91*seeds {
				t.Errorf("%s: %s is within its interval in %d of %d seeds, want 91 %%", p.name, name, got.held[i], seeds)
			}
		}
		if got.worse > 10 {
			t.Errorf("%s: a part that is no worse is called so in %d of %d seeds, want 5 or so", p.name, got.worse, seeds)
		}
	}
	if 100*held < 95*all {
		t.Errorf("%d of %d intervals hold what was planted, want 95 %%", held, all)
	}
	if 100*narrow >= 95*all {
		t.Errorf("%d of %d intervals hold what was planted when they are narrowed to four fifths: the test cannot see it", narrow, all)
	}
}
