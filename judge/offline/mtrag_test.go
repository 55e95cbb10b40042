//go:build results

package offline

import (
	"fmt"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

func (p *page) mtrag(t *testing.T) {
	all, hash := rows(t, "mtrag")
	test := half(all)
	n := len(test)
	conversations := map[string]bool{}
	questions, faithful, complete := make([]string, n), make([]float64, n), make([]float64, n)
	groups := make([]string, n)
	own, words, covers, recall := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	declined, models := make([]bool, n), make([]bool, n)
	auto := map[string][]float64{}
	features := map[string][]float64{}
	for i := range test {
		r := &test[i]
		questions[i], groups[i] = r.Question, r.group()
		conversations[r.group()] = true
		faithful[i], complete[i] = r.mean("faithfulness"), r.mean("completeness")
		models[i] = r.Model != "reference"
		c, res := r.caseOf(t, p.judge)
		s := scored(t, p.judge, "faithfulness", c, res)
		own[i], declined[i] = value(s, declinedScore), s.State != assay.Scored
		words[i] = value(scored(t, p.words, "faithfulness", c, res), declinedScore)
		covers[i] = value(scored(t, p.judge, "completeness", c, res), 0)
		recall[i] = value(scored(t, p.judge, "factual_correctness(stat=recall)", c, res), 0)
		for _, k := range []string{"RougeL", "Bert-KPrec", "rl_f"} {
			auto[k] = append(auto[k], number64(r.Auto[k]))
		}
		x := exampleOf(t, p.judge, "mtrag", r)
		for _, k := range []string{"cosine", "all words", "pairs", "run", "numbers", "names"} {
			features[k] = append(features[k], x.feature(k, false))
		}
	}
	fmt.Fprintf(p, "\n## MT-RAG: faithfulness\n\nData `answers/mtrag.jsonl` `%s`. Test half: %d answers (the reference and two models) to "+
		"%d questions of %d conversations; the split is by conversation, as its questions share passages. "+
		"Two or three people rated each answer from 1 to 4; the figures are against their mean. An answer that declines has no faithfulness; "+
		"in the first table it counts %.1f.\n\nAll answers:\n", hash, n, count2(questions), len(conversations), declinedScore)
	list := []scorer{
		{"**offline judge** (`faithfulness`)", own}, {"offline judge without an embedder", words},
		{"RAGAS faithfulness (in the data: `rl_f`)", auto["rl_f"]}, {"BERTScore precision with the passages (`Bert-KPrec`)", auto["Bert-KPrec"]},
		{"ROUGE-L with the reference (`RougeL`)", auto["RougeL"]},
	}
	p.table(questions, list, spearman(faithful))
	rho, _ := stats.Spearman(own, faithful)
	p.reach("mtrag faithfulness", rho)
	for _, k := range []string{"rl_f", "RougeL"} {
		rho, _ := stats.Spearman(auto[k], faithful)
		p.reach(k, rho)
	}
	difference := func(other []float64) func(items []int) (float64, bool) {
		return func(items []int) (float64, bool) {
			a, okA := stats.Spearman(pick(own, items), pick(faithful, items))
			b, okB := stats.Spearman(pick(other, items), pick(faithful, items))
			return a - b, okA && okB
		}
	}
	for _, by := range []struct {
		name     string
		clusters []string
	}{{"question", questions}, {"conversation", groups}} {
		x := stats.Bootstrap(by.clusters, 0.95, 1, difference(auto["rl_f"]), difference(auto["RougeL"]), func(items []int) (float64, bool) {
			return stats.Spearman(pick(own, items), pick(faithful, items))
		})
		fmt.Fprintf(p, "\nOffline judge, resampled by %s: Spearman %.3f…%.3f; minus RAGAS %.3f…%.3f; minus ROUGE-L %.3f…%.3f.\n", by.name,
			x[2].Lo, x[2].Hi, x[0].Lo, x[0].Hi, x[1].Lo, x[1].Hi)
	}
	fmt.Fprint(p, "\nThe two models alone, as the references are nearer to the passages and ROUGE-L compares a reference with itself:\n")
	p.table(questions, only(list, models), spearman(faithful))
	fmt.Fprint(p, "\nWithout the answers that decline, with single features to show what the combination adds:\n")
	answered := not(declined)
	singles := only(list, answered)
	for _, k := range []string{"cosine", "all words", "pairs", "run", "numbers", "names"} {
		singles = append(singles, only([]scorer{{"feature: " + described[k], features[k]}}, answered)...)
	}
	p.table(questions, singles, spearman(faithful))
	p.swapped(t, all)
	fmt.Fprint(p, "\n## MT-RAG: completeness\n\nThe same answers, against the mean rating of completeness. The points are the sentences of "+
		"the reference answer; an answer that declines scores 0. The references score nearly 1 by identity, so the second table, of the two "+
		"models alone, is the one to read.\n")
	list = []scorer{
		{"**offline judge** (`completeness`)", covers}, {"offline judge (`factual_correctness(stat=recall)`)", recall},
		{"offline judge (`faithfulness`)", own},
		{"RAGAS faithfulness", auto["rl_f"]}, {"ROUGE-L with the reference", auto["RougeL"]},
	}
	p.table(questions, list, spearman(complete))
	p.table(questions, only(list, models), spearman(complete))
}

// swapped scores all answers, those of the training half by weights that were
// fitted to the test half: every figure is of weights that have not seen the
// answer, on as many answers as the figures that others published.
func (p *page) swapped(t *testing.T, all []row) {
	other := *p.judge
	other.support = &swapped
	own, ragas, rouge, bert, people := make([]float64, len(all)), make([]float64, len(all)), make([]float64, len(all)),
		make([]float64, len(all)), make([]float64, len(all))
	questions := make([]string, len(all))
	var one, others []float64
	for i := range all {
		r := &all[i]
		j := p.judge
		if r.train() {
			j = &other
		}
		c, res := r.caseOf(t, j)
		own[i], people[i], questions[i] = value(scored(t, j, "faithfulness", c, res), declinedScore), r.mean("faithfulness"), r.Question
		ragas[i], rouge[i], bert[i] = number64(r.Auto["rl_f"]), number64(r.Auto["RougeL"]), number64(r.Auto["Bert-KPrec"])
		ratings := r.Labels["faithfulness"].([]any)
		if len(ratings) == 3 {
			for k, x := range ratings {
				one = append(one, x.(float64))
				others = append(others, (ratings[(k+1)%3].(float64)+ratings[(k+2)%3].(float64))/2)
			}
		}
	}
	rho, _ := stats.Spearman(one, others)
	fmt.Fprintf(p, "\nBoth halves: those of the training half scored by weights fitted to the test half, so that no answer is scored by "+
		"weights that have seen it. "+
		"Which features there are, and the constants beside the weights, were chosen on the training half, so this is a little kind to "+
		"the method. "+
		"For comparison, one person against the mean of the other two reaches %.3f.\n", rho)
	p.table(questions, []scorer{{"offline judge (`faithfulness`), halves swapped", own}, {"RAGAS faithfulness", ragas},
		{"BERTScore precision with the passages", bert}, {"ROUGE-L with the reference", rouge}}, spearman(people))
	x := stats.Bootstrap(questions, 0.95, 1, func(items []int) (float64, bool) {
		a, okA := stats.Spearman(pick(own, items), pick(people, items))
		b, okB := stats.Spearman(pick(ragas, items), pick(people, items))
		return a - b, okA && okB
	})
	fmt.Fprintf(p, "\nOffline judge minus RAGAS: %.3f…%.3f, resampled by question.\n", x[0].Lo, x[0].Hi)
	for name, scores := range map[string][]float64{"swapped": own, "swapped ragas": ragas, "swapped rouge": rouge} {
		rho, _ := stats.Spearman(scores, people)
		p.reach(name, rho)
	}
}

var described = map[string]string{
	"cosine": "largest cosine with a sentence, mean over the claims", "all words": "share of words in the passages",
	"pairs": "share of pairs of words (ROUGE-2 precision)",
	"run":   "longest run of words", "numbers": "share of numbers found, 1 without any", "names": "share of names found, 1 without any",
}
