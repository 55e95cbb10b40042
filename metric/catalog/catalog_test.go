package catalog_test

import (
	"slices"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/catalog"
	"github.com/assay-eval/assay/metric/metrictest"
)

// Every metric keeps the promises of package metric.
func TestConformance(t *testing.T) {
	t.Parallel()
	for _, def := range catalog.All().Defs() {
		t.Run(def.Name, func(t *testing.T) {
			t.Parallel()
			metrictest.Run(t, def, pairsFor(def)...)
		})
	}
}

// pairsFor gives inputs of which one is plainly better for a metric of the
// definition's group.
func pairsFor(def *metric.Def) []metrictest.Pair {
	if def.Group == metric.Answer || def.Group == metric.Grounding {
		return answerPairs
	}
	return retrievalPairs
}

const (
	right  = "The tower was built in 1889 by Gustave Eiffel."
	nearly = "The tower was built in 1887 by Eiffel."
	wrong  = "Cats sleep for sixteen hours a day."
)

func answered(answer string) metric.Input {
	return metric.Input{
		Case: &assay.Case{ID: "a", Question: "Who built it?", Want: assay.Want{
			Answers: []string{wrong[:4] + " are not asked for.", right}, Keywords: []string{"1889", "Eiffel", "tower"},
		}},
		Response: &assay.Response{Answer: answer, Passages: []assay.Passage{{ID: "1", Document: "1", Text: right + " It is tall."}}},
		Embedder: metrictest.Embedder(), MaxGrade: 1,
	}
}

var answerPairs = []metrictest.Pair{
	{Worse: answered(wrong), Better: answered(right)},
	{Worse: answered(wrong), Better: answered(nearly)},
	{Worse: answered(nearly), Better: answered(right)},
	{Worse: answered(""), Better: answered(right)},
}

var passageTexts = map[string]string{
	"a": "The tower was built in 1889 by Gustave Eiffel and his company.",
	"b": "It is made of iron, painted brown, and 330 metres tall today.",
	"c": "Cats sleep for sixteen hours a day, and dogs for about twelve.",
	"d": "The committee has not met since the spring of the year before.",
}

func retrieved(documents ...string) metric.Input {
	in := metric.Input{
		Case: &assay.Case{ID: "r", Question: "Who built it?", Want: assay.Want{
			Documents: map[string]int{"a": 2, "b": 1, "c": 0},
			Passages:  []string{passageTexts["a"], passageTexts["b"]}, Keywords: []string{"Eiffel", "iron"},
		}},
		Response: &assay.Response{Passages: []assay.Passage{}}, MaxGrade: 2,
	}
	for _, d := range documents {
		in.Response.Passages = append(in.Response.Passages, assay.Passage{ID: d, Document: d, Source: d, Text: passageTexts[d]})
	}
	return in
}

// An exchange of two neighbours that puts the higher grade first never makes a
// ranking worse, and neither does a relevant document in place of another.
var retrievalPairs = []metrictest.Pair{
	{Worse: retrieved("c", "a", "b"), Better: retrieved("a", "c", "b")},
	{Worse: retrieved("a", "c", "b"), Better: retrieved("a", "b", "c")},
	{Worse: retrieved("b", "a", "c"), Better: retrieved("a", "b", "c")},
	{Worse: retrieved("c"), Better: retrieved("a")},
	{Worse: retrieved("c", "b"), Better: retrieved("a", "b")},
	{Worse: retrieved(), Better: retrieved("a", "b")},
}

func TestGroupsAreInOrder(t *testing.T) {
	t.Parallel()
	at := -1
	for _, d := range catalog.All().Defs() {
		g := slices.Index(metric.Groups(), d.Group)
		if g < at {
			t.Errorf("%s of group %q stands after a later group", d.Name, d.Group)
		}
		at = g
	}
}

// The names are a contract: product.md promises these.
func TestPromisedNames(t *testing.T) {
	t.Parallel()
	names := []string{
		"precision@5", "recall@10", "hit@3", "mrr", "mrr@10", "map", "ndcg@10", "r_precision", "bpref", "rbp", "err@20", "judged@10",
		"keyword_recall",
		"exact_match", "token_f1", "rouge_l", "bleu", "chrf", "semantic_similarity", "support",
		"token_precision", "token_recall", "rouge_1", "rouge_2", "rouge_l(part=r)", "answer_keyword_recall", "k_precision", "rouge_2_precision",
		"number_agreement",
		"lost_at.not_in_index", "lost_at.transcribe", "lost_at.decompose", "lost_at.retrieve", "lost_at.filter", "lost_at.pack",
		"lost_at.generate", "lost_at.present",
		"evidence_survival", "chunk_precision", "chunk_recall", "chunk_f1", "chunk_precision(stage=filter)", "chunk_recall(filter)",
		"retrieval_delta", "sub_question_recall",
		"semantic_similarity(threshold=0.85)", "support(stat=min)", "support(share,tau=0.8)",
	}
	metrics, err := catalog.All().ParseAll(names)
	if err != nil {
		t.Fatal(err)
	}
	if len(metrics) != len(names) {
		t.Errorf("%d names give %d metrics: two of them mean the same", len(names), len(metrics))
	}
}
