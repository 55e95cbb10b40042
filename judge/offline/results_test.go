//go:build results

package offline

import (
	"context"
	"flag"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/stats"
)

var update = flag.Bool("update", false, "write docs/results/offline-judge.md anew")

// TestResults measures the agreement with people on the half of the data that
// no weight was fitted to, and compares with docs/results/offline-judge.md.
func TestResults(t *testing.T) {
	m, err := embed.New("minilm")
	check(t, err)
	p := &page{judge: New(embed.Memo(m)), words: New(nil)}
	for _, section := range []func(*testing.T){p.mtrag, p.begin, p.corrupted, p.nomiracl, p.clapnq, p.nq301, p.ragchecker, p.questions} {
		section(t)
	}
	p.foot()
	got := p.head() + p.String()
	// Kernels for different processors add in different orders.
	requiretest.ResultsPage(t, "offline-judge.md", got, *update, decimal, 0.005)
	// The goal of the project: more than ROUGE-L reaches on all answers.
	const goal = 0.40
	if rho := p.reached["mtrag faithfulness"]; rho <= goal {
		t.Errorf("faithfulness on MT-RAG: %.3f, want more than %.2f", rho, goal)
	}
}

// A page is docs/results/offline-judge.md as it is measured.
type page struct {
	strings.Builder
	judge, words *Judge
	// reached are the figures that the summary repeats.
	reached map[string]float64
}

func (p *page) reach(name string, v float64) {
	if p.reached == nil {
		p.reached = map[string]float64{}
	}
	p.reached[name] = v
}

// measure is one column of figures: how well scores agree with people.
type measure struct {
	name string
	of   func(scores []float64, items []int) (float64, bool)
}

// A scorer is one row of a table: a name and a score for every item. NaN leaves
// an item out, of this row alone.
type scorer struct {
	name   string
	scores []float64
}

// table writes how each scorer agrees by each measure, with intervals that
// resample whole clusters. The first scorer is the judge's.
func (p *page) table(clusters []string, scorers []scorer, measures ...measure) {
	fmt.Fprint(p, "\n| score | n |")
	for _, m := range measures {
		fmt.Fprintf(p, " %s | 95 %% interval |", m.name)
	}
	fmt.Fprint(p, "\n|---|---|", strings.Repeat("---|---|", len(measures)), "\n")
	for _, s := range scorers {
		var at []int
		var in []string
		for i, v := range s.scores {
			if !math.IsNaN(v) {
				at, in = append(at, i), append(in, clusters[i])
			}
		}
		fmt.Fprintf(p, "| %s | %d |", s.name, len(at))
		for _, m := range measures {
			on := func(items []int) (float64, bool) {
				real := make([]int, len(items))
				for k, i := range items {
					real[k] = at[i]
				}
				return m.of(s.scores, real)
			}
			all := make([]int, len(at))
			for i := range all {
				all[i] = i
			}
			v, ok := on(all)
			interval := stats.Bootstrap(in, 0.95, 1, on)[0]
			switch {
			case !ok:
				fmt.Fprint(p, " | |")
			case interval == nil:
				fmt.Fprintf(p, " %.3f | |", v)
			default:
				fmt.Fprintf(p, " %.3f | %.3f…%.3f |", v, interval.Lo, interval.Hi)
			}
		}
		fmt.Fprintln(p)
	}
}

// spearman correlates scores with what people said.
func spearman(people []float64) measure {
	return measure{"Spearman", func(scores []float64, items []int) (float64, bool) {
		return stats.Spearman(pick(scores, items), pick(people, items))
	}}
}

// auroc tells how well scores separate two labels.
func auroc(labels []bool) measure {
	return measure{"AUROC", func(scores []float64, items []int) (float64, bool) {
		return stats.AUROC(pick(scores, items), pickLabels(labels, items))
	}}
}

// balanced is the balanced accuracy of "score ≥ threshold".
func balanced(labels []bool, threshold float64) measure {
	return measure{"balanced accuracy", func(scores []float64, items []int) (float64, bool) {
		return stats.Confuse(pick(scores, items), pickLabels(labels, items), threshold).BalancedAccuracy()
	}}
}

// agreement is the share of items on which "score ≥ threshold" is the label.
func agreement(labels []bool, threshold float64) measure {
	return measure{"agreement", func(scores []float64, items []int) (float64, bool) {
		return stats.Confuse(pick(scores, items), pickLabels(labels, items), threshold).Accuracy()
	}}
}

func pick(v []float64, at []int) []float64 {
	out := make([]float64, len(at))
	for i, k := range at {
		out[i] = v[k]
	}
	return out
}

func pickLabels(v []bool, at []int) []bool {
	out := make([]bool, len(at))
	for i, k := range at {
		out[i] = v[k]
	}
	return out
}

// feature gives the mean of one feature over the rows of an example, or its
// best; NaN without rows.
func (x example) feature(name string, best bool) float64 {
	for k, f := range x.Features {
		if f != name {
			continue
		}
		sum, top := 0.0, math.Inf(-1)
		for _, r := range x.Rows {
			sum += r[k]
			top = math.Max(top, r[k])
		}
		if best {
			return top
		}
		return sum / float64(len(x.Rows))
	}
	return math.NaN()
}

var decimal = regexp.MustCompile(`-?\d+\.\d+`)

// info names the judge.
func (p *page) info() string { return p.judge.Info().Model + ", " + p.judge.Info().PromptHash[:19] }

func half(all []row) []row {
	var out []row
	for _, r := range all {
		if !r.train() {
			out = append(out, r)
		}
	}
	return out
}

func background() context.Context { return context.Background() }
