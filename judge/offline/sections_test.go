//go:build results

package offline

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// declinedScore stands for an answer that declines, where every answer must
// have a score: neither faithful nor not. It was set before any was measured.
const declinedScore = 0.5

// JudgedDefs returns the judged metrics. An external test sets it, because their package imports this one.
var JudgedDefs func() []*metric.Def

// scored runs a metric of the product on a row: what the product would print.
func scored(t *testing.T, j *Judge, name string, c *assay.Case, r *assay.Response) assay.Score {
	t.Helper()
	m, err := metric.NewCatalog(JudgedDefs()...).Parse(name)
	check(t, err)
	a, err := judge.Assess(background(), j, judge.Plan{Asks: m.Def.Asks}, c, r)
	check(t, err)
	s, err := m.Def.New(m.Params)(background(), metric.Input{Case: c, Response: r, Assessment: a, MaxGrade: 1})
	check(t, err)
	return s
}

// caseOf makes a case and a response of a row.
func (r *row) caseOf(t *testing.T, j *Judge) (*assay.Case, *assay.Response) {
	c := &assay.Case{ID: r.ID, Question: r.Question}
	if r.Reference != "" {
		c.Want.Answers = []string{r.Reference}
		reading, err := question.Read.Ask(background(), j, judge.Subject{Question: r.Question}, r.Reference)
		check(t, err)
		ideal := &assay.Ideal{Answer: r.Reference}
		for _, x := range reading.Claims {
			ideal.Points = append(ideal.Points, assay.Point{Text: x.Text, Vital: true})
		}
		c.Want.Ideal = ideal
	}
	res := &assay.Response{Answer: r.Answer, Passages: []assay.Passage{}}
	for _, x := range r.Contexts {
		res.Passages = append(res.Passages, assay.Passage{Text: x})
	}
	return c, res
}

// value is a score for a table: that of an answer that declines is given, and
// what has none is left out.
func value(s assay.Score, declined float64) float64 {
	switch s.State {
	case assay.Scored:
		return s.Value
	case assay.Abstained:
		return declined
	}
	return math.NaN()
}

func number64(v any) float64 {
	if f, ok := v.(float64); ok {
		return f
	}
	return math.NaN()
}

func (p *page) begin(t *testing.T) {
	all, hash := rows(t, "begin")
	test := half(all)
	n := len(test)
	labels, questions, own, words := make([]bool, n), make([]string, n), make([]float64, n), make([]float64, n)
	features := map[string][]float64{}
	for i := range test {
		r := &test[i]
		labels[i], questions[i] = r.Labels["begin"] == "Fully attributable", r.Question
		c, res := r.caseOf(t, p.judge)
		own[i] = value(scored(t, p.judge, "faithfulness", c, res), 0)
		words[i] = value(scored(t, p.words, "faithfulness", c, res), 0)
		own[i], words[i] = claimless(own[i]), claimless(words[i])
		x := exampleOf(t, p.judge, "begin", r)
		for _, k := range []string{"cosine", "all words", "pairs", "run"} {
			features[k] = append(features[k], claimless(x.feature(k, false)))
		}
	}
	fmt.Fprintf(p, "\n## BEGIN: attribution\n\nData `answers/begin.jsonl` `%s`. Test half: %d replies of four dialogue systems, each to be "+
		"borne out by one passage, %d of them fully attributable (the others not fully, or generic). A reply that claims nothing "+
		"counts 0.\n", hash, n, trues(labels))
	list := []scorer{{"**offline judge** (`faithfulness`)", own}, {"offline judge without an embedder", words}}
	p.table(questions, list, auroc(labels), balanced(labels, supportedFrom))
	fmt.Fprint(p, "\nSingle features:\n")
	var singles []scorer
	for _, k := range []string{"cosine", "all words", "pairs", "run"} {
		singles = append(singles, scorer{"feature: " + described[k], features[k]})
	}
	p.table(questions, singles, auroc(labels))
}

// corrupted changes one thing in sentences that people found attributable, and
// asks how often the judge no longer finds them supported.
func (p *page) corrupted(t *testing.T) {
	all, _ := rows(t, "begin")
	type kind struct {
		name   string
		change func(answer, passage string) (string, bool)
		n, hit int
	}
	kinds := []*kind{{name: "one number changed", change: otherDigits}, {name: "one negation put in", change: negated},
		{name: "one name replaced by one that the passage lacks", change: renamed},
		{name: "one name replaced by another of the passage", change: confused}}
	supported, n := 0, 0
	for _, r := range half(all) {
		if r.Labels["begin"] != "Fully attributable" {
			continue
		}
		ruled := func(text string) judge.Verdict {
			f, err := question.Support.Ask(
				background(), p.judge, judge.Subject{Question: r.Question}, question.SupportInput{
					Claims: []judge.Claim{{Text: text}}, Sources: []judge.Source{{Text: r.Contexts[0]}},
				},
			)
			check(t, err)
			return f[0].Verdict
		}
		n++
		if ruled(r.Answer) != judge.Supported {
			continue
		}
		supported++
		for _, k := range kinds {
			if text, ok := k.change(r.Answer, r.Contexts[0]); ok {
				k.n++
				if ruled(text) != judge.Supported {
					k.hit++
				}
			}
		}
	}
	fmt.Fprintf(p, "\n## Subtle errors\n\nOf %d replies of BEGIN's test half that people found fully attributable, the judge finds %d "+
		"supported. One thing is then changed in those, by rule, and the judge asked again. The first three are what it has rules for: real "+
		"errors are more varied, and the fourth shows what it has none for.\n\n| change | n | no longer supported "+
		"|\n|---|---|---|\n", n, supported)
	for _, k := range kinds {
		fmt.Fprintf(p, "| %s | %d | %.3f |\n", k.name, k.n, float64(k.hit)/float64(max(1, k.n)))
	}
}

func (p *page) nomiracl(t *testing.T) {
	all, hash := rows(t, "nomiracl")
	test := half(all)
	for _, set := range []string{"nomiracl-en", "nomiracl-zh"} {
		var labels []bool
		var questions []string
		var own, words, cosine, terms []float64
		llm := map[string][]float64{}
		for i := range test {
			r := &test[i]
			if r.Dataset != set {
				continue
			}
			labels, questions = append(labels, r.Labels["answerable"] == true), append(questions, r.Question)
			own, words = append(own, p.best(t, p.judge, r)), append(words, p.best(t, p.words, r))
			x := exampleOf(t, p.judge, "nomiracl", r)
			cosine, terms = append(cosine, x.feature("cosine", true)), append(terms, x.feature("window terms", true))
			for _, m := range []string{"gpt-4-azure", "gpt-3.5-turbo-azure", "llama-2-70b-chat"} {
				llm[m] = append(llm[m], indicator(strings.HasPrefix(strings.ToLower(strings.TrimSpace(r.Outputs[m])), "yes")))
			}
		}
		fmt.Fprintf(p, "\n## NoMIRACL, %s: is there an answer among the passages?\n\nData `answers/nomiracl.jsonl` `%s`. Test half: %d "+
			"questions with ten passages each, of which people found an answer in some for %d and in none for the others; all were retrieved for "+
			"the question. The score is that of the best passage. Three models' replies are in the data.\n",
			map[string]string{"nomiracl-en": "English", "nomiracl-zh": "Chinese"}[set], hash, len(labels), trues(labels))
		list := []scorer{{"**offline judge** (best `Relevance`)", own}, {"offline judge without an embedder", words},
			{"feature: largest cosine with the question", cosine}, {"feature: share of the question's terms in three sentences", terms}}
		if set == "nomiracl-zh" {
			list = append(list[:2:2], list[3])
		}
		for _, m := range []string{"gpt-4-azure", "gpt-3.5-turbo-azure", "llama-2-70b-chat"} {
			list = append(list, scorer{m + " (yes or no)", llm[m]})
		}
		p.table(questions, list, auroc(labels), balanced(labels, levels[1]))
	}
}

func (p *page) clapnq(t *testing.T) {
	all, hash := rows(t, "clapnq_dev")
	test := half(all)
	var labels []bool
	var questions []string
	var own, words, cosine []float64
	for i := range test {
		r := &test[i]
		labels, questions = append(labels, r.Labels["answerable"] == true), append(questions, r.Question)
		own, words = append(own, p.best(t, p.judge, r)), append(words, p.best(t, p.words, r))
		cosine = append(cosine, exampleOf(t, p.judge, "clapnq_dev", r).feature("cosine", true))
	}
	fmt.Fprintf(p, "\n## ClapNQ: does the passage answer?\n\nData `answers/clapnq_dev.jsonl` `%s`. Test half: %d questions with one passage "+
		"each, %d with an answer in it.\n", hash, len(labels), trues(labels))
	p.table(questions, []scorer{{"**offline judge** (`Relevance`)", own}, {"offline judge without an embedder", words},
		{"feature: largest cosine with the question", cosine}}, auroc(labels), balanced(labels, levels[1]))
}

// best is the degree of the most relevant passage.
func (p *page) best(t *testing.T, j *Judge, r *row) float64 {
	var passages []judge.Source
	for _, c := range r.Contexts {
		passages = append(passages, judge.Source{Text: c})
	}
	grades, err := question.Grade.Ask(background(), j, judge.Subject{Question: r.Question}, passages)
	check(t, err)
	top := 0.0
	for _, g := range grades {
		top = math.Max(top, g.Degree)
	}
	return top
}

func (p *page) nq301(t *testing.T) {
	all, hash := rows(t, "nq301")
	test := half(all)
	var labels []bool
	var questions []string
	var own, f1, cosine, recall, gpt []float64
	for i := range test {
		r := &test[i]
		labels, questions = append(labels, r.Labels["acceptable"] == "Yes"), append(questions, r.Question)
		ruling, err := question.Compare.Ask(
			background(), p.judge, judge.Subject{Question: r.Question}, question.CompareInput{Answer: r.Answer, References: r.References},
		)
		check(t, err)
		own = append(own, ruling.Degree)
		x := exampleOf(t, p.judge, "nq301", r)
		f1, cosine, recall = append(f1, x.feature("f1", true)), append(cosine, x.feature("cosine", true)),
			append(recall, x.feature("recall", true))
		g := math.NaN()
		if v := r.Auto["gpt-4"]; v == "Yes" || v == "No" {
			g = indicator(v == "Yes")
		}
		gpt = append(gpt, g)
	}
	fmt.Fprintf(p, "\n## NQ-301: is the answer acceptable?\n\nData `answers/nq301.jsonl` `%s`. Test half: %d answers to %d questions, %d of "+
		"them acceptable to people. GPT-4's rulings are in the data.\n", hash, len(labels), count2(questions), trues(labels))
	p.table(questions, []scorer{
		{"**offline judge** (`Equivalent`)", own}, {"GPT-4 (yes or no)", gpt},
		{"feature: F1 of terms beyond the question", f1}, {"feature: recall of terms beyond the question", recall},
		{"feature: cosine with the reference", cosine},
	}, auroc(labels), agreement(labels, equivalentFrom))
	p.systems(test, labels, own, recall)
	p.probed(t)
}

func (p *page) ragchecker(t *testing.T) {
	all, hash := rows(t, "ragchecker_pairs")
	n := len(all)
	questions, cover, recall, length := make([]string, n), make([]float64, n), make([]float64, n), make([]float64, n)
	people := map[string][]float64{}
	for i := range all {
		r := &all[i]
		questions[i] = r.Question
		for _, k := range []string{"completeness", "correctness", "overall"} {
			people[k] = append(people[k], r.mean(k))
		}
		of := func(name, answer string) float64 {
			x := *r
			x.Answer = answer
			c, res := x.caseOf(t, p.judge)
			v := value(scored(t, p.judge, name, c, res), 0)
			if math.IsNaN(v) {
				return 0
			}
			return v
		}
		cover[i] = of("completeness", r.Answer2) - of("completeness", r.Answer1)
		recall[i] = of("factual_correctness", r.Answer2) - of("factual_correctness", r.Answer1)
		length[i] = math.Log1p(float64(len(r.Answer2))) - math.Log1p(float64(len(r.Answer1)))
	}
	fmt.Fprintf(p, "\n## RAGChecker: which of two answers?\n\nData `answers/ragchecker_pairs.jsonl` `%s`. All %d pairs, as nothing was "+
		"fitted to them: the difference of two answers' scores against the mean preference of two people. The points are the sentences of the "+
		"reference.\n", hash, n)
	for _, k := range []string{"completeness", "correctness", "overall"} {
		fmt.Fprintf(p, "\n%s:\n", strings.ToUpper(k[:1])+k[1:])
		p.table(questions, []scorer{{"offline judge (`completeness`)", cover}, {"offline judge (`factual_correctness`)", recall},
			{"length of the answer", length}}, spearman(people[k]))
	}
}

// questions asks which stand-in for reversed questions tells the question of an
// answer from another question of the same data.
func (p *page) questions(t *testing.T) {
	var pairs []row
	for _, name := range []string{"mtrag", "clapnq_dev"} {
		all, _ := rows(t, name)
		for _, r := range half(all) {
			if name == "clapnq_dev" {
				r.Answer = r.Reference
			}
			if hasWord(r.Answer) && (name != "mtrag" || r.Model == "gpt-4o") {
				pairs = append(pairs, r)
			}
		}
	}
	var labels []bool
	var clusters []string
	scores := map[string][]float64{}
	for i, r := range pairs {
		reversed, err := question.Reverse.Ask(background(), p.judge, judge.Subject{}, question.ReverseInput{Answer: r.Answer, Count: 3})
		check(t, err)
		var sentences []string
		for _, q := range reversed {
			sentences = append(sentences, q.Question)
		}
		for _, of := range []struct {
			question string
			own      bool
		}{{r.Question, true}, {pairs[(i+1)%len(pairs)].Question, false}} {
			labels, clusters = append(labels, of.own), append(clusters, r.Question)
			for name, texts := range map[string][]string{"sentences": sentences, "template": {template(r.Answer)}, "answer": {r.Answer}} {
				v, err := p.judge.vectors(background(), "test", append([]string{of.question}, texts...))
				check(t, err)
				sum := 0.0
				for _, x := range v[1:] {
					sum += dot(v[0], x)
				}
				scores[name] = append(scores[name], sum/float64(len(texts)))
			}
		}
	}
	fmt.Fprintf(p, "\n## Questions that an answer answers\n\n`answer_relevance` needs questions written from the answer. Three stand-ins, "+
		"by how well their cosine tells an answer's question from the next one in the data, which in MT-RAG is most often of the same "+
		"conversation: %d answers of MT-RAG (GPT-4o) and ClapNQ (references), test halves.\n", len(pairs))
	p.table(clusters, []scorer{{"**offline judge**: the first three claims", scores["sentences"]},
		{"template: “What about” and eight terms", scores["template"]}, {"the whole answer", scores["answer"]}}, auroc(labels))
}

// template makes a question of an answer's first terms that are no question's.
func template(answer string) string {
	var kept []string
	for _, w := range words(answer) {
		if !known().function[w] && len(kept) < 8 {
			kept = append(kept, w)
		}
	}
	return "What about " + strings.Join(kept, " ") + "?"
}

// only leaves out the items that are not in.
func only(list []scorer, in []bool) []scorer {
	var out []scorer
	for _, s := range list {
		x := scorer{s.name, append([]float64{}, s.scores...)}
		for i := range x.scores {
			if !in[i] {
				x.scores[i] = math.NaN()
			}
		}
		out = append(out, x)
	}
	return out
}

func not(v []bool) []bool {
	out := make([]bool, len(v))
	for i, x := range v {
		out[i] = !x
	}
	return out
}

func trues(v []bool) int { return count(v) }

func count2(v []string) int {
	seen := map[string]bool{}
	for _, x := range v {
		seen[x] = true
	}
	return len(seen)
}

// claimless is the score of a reply without claims.
func claimless(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}
