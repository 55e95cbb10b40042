package catalog_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
)

// coveredBy names the package whose tests compute a worked case.
var coveredBy = map[string]string{
	"tie_order": "dataset/trec", "agg_missing_query": "metric/treceval",
	"trec_q1": "metric/retrieval", "trec_q1_level2": "metric/retrieval", "ndcg_exponential": "metric/retrieval", "err": "metric/retrieval",
	"rbp": "metric/retrieval", "judged": "metric/retrieval", "short_list_precision": "metric/retrieval", "ap_denominators": "metric/retrieval",
	"empty_ground_truth": "metric/retrieval", "alpha_ndcg": "metric/retrieval", "set_f_beta": "metric/retrieval",
	"source_level":        "metric/retrieval",
	"passage_credit_once": "metric/retrieval",
	"text_containment":    "internal/text", "passage_coverage": "internal/text", "keyword_recall": "internal/text",
	"mixed_tokens":   "internal/text",
	"signflip_exact": "stats", "signflip_zero_inflated": "stats", "holm_bh": "stats", "cluster_se": "stats", "cluster_signflip": "stats",
	"binomial_ci": "stats",
	"squad_f1_em": "metric/text", "rouge": "metric/text", "sentence_bleu": "metric/text", "chrf_pp": "metric/text",
	"bertscore_like": "metric/text",
	"ragchecker":     "metric/judged", "faithfulness_0": "metric/judged", "faithfulness_1": "metric/judged", "faithfulness_2": "metric/judged",
	"faithfulness_3":    "metric/judged",
	"context_precision": "metric/judged", "context_recall": "metric/judged", "factual_correctness": "metric/judged",
	"answer_correctness": "metric/judged",
	"answer_relevancy":   "metric/judged", "context_entity_recall": "metric/judged", "nuggets": "metric/judged",
	"nuggets_no_vital": "metric/judged", "citations_alce": "metric/judged", "citations_trec": "metric/judged", "abstention": "metric/judged",
	"ideal_answer":   "metric/judged",
	"umbrela_binary": "metric/judged", "rubric_two_judges": "judge", "rubric_judge_failed": "judge",
	"majority_3": "stats", "majority_5": "stats", "majority_7": "stats", "majority_mixed_items": "stats", "seq_vote": "stats",
	"kappa": "stats", "kappa_paradox": "stats",
	"kappa_undefined": "stats", "weighted_kappa": "stats", "krippendorff_textbook": "stats", "auroc_threshold": "stats", "brier_ece": "stats",
	"ppi_pp": "stats", "ppi_lambda_1_and_0": "stats",
	"t_quantiles": "stats", "paired_t": "stats", "wilcoxon_sign": "stats", "mcnemar": "stats", "gate_0": "stats",
	"gate_1": "stats", "gate_2": "stats", "confidence_sequence": "stats",
	"sentence_support": "metric/text", "k_precision": "metric/text", "number_agreement": "metric/text", "negation": "metric/text",
	"wer_basic": "metric/speech", "wer_tiebreak": "metric/speech", "wer_empty_reference": "metric/speech",
	"wer_corpus_pooling": "metric/speech",
	"normalise":          "metric/speech", "mixed_error_rate": "metric/speech", "cer_chinese": "metric/speech",
	"oracle_ladder": "summary", "nugget_funnel": "summary", "first_failing_stage": "metric/stage", "filter_stage": "metric/stage",
}

// unused are the worked cases of procedures that no command offers, with the
// reason.
var unused = map[string]string{
	"bootstrap_exhaustive":    "intervals of means are Student's, Wilson's or those of the sign-flip test",
	"geval_weighted":          "a weighted score needs the probabilities of tokens, which providers are not asked for",
	"judge_noise_components":  "the spread of repeated draws is that of target and judge together",
	"mde_table":               "what so many cases detect is found from their own differences and the test that is used",
	"n_mcnemar":               "what so many cases detect is given for every metric from the spread that was seen",
	"n_needed":                "how many cases decide is found from their own differences and the test that is used",
	"obrien_fleming_spending": "a run in progress shows a confidence sequence, which needs no planned looks",
	"rogan_gladen":            "PPI++ corrects by the same labels, and supposes nothing of the judge's error rates",
	"position_bias":           "no question shows a judge two answers side by side",
	"shapley_two_stages":      "the ladder replaces stages in the order of the pipeline; all orders would take 2^n runs a case",
	"spearman_brown":          "the votes and panels of judges are measured, not predicted",
}

// Every worked case of the shared file is computed by a test or listed as unused:
// a new one fails here until it has a place.
func TestEveryWorkedCaseHasAPlace(t *testing.T) {
	t.Parallel()
	inFile := map[string]bool{}
	for _, c := range requiretest.WorkedCases(t) {
		inFile[c.ID] = true
		if (coveredBy[c.ID] == "") == (unused[c.ID] == "") {
			t.Errorf("the worked case %q must be in exactly one of the two tables", c.ID)
		}
	}
	for _, id := range slices.Concat(slices.Collect(maps.Keys(coveredBy)), slices.Collect(maps.Keys(unused))) {
		if !inFile[id] {
			t.Errorf("there is no worked case %q", id)
		}
	}
}

// The package that is said to cover a case names it in its tests.
func TestCoveredCasesAreTested(t *testing.T) {
	t.Parallel()
	tests := map[string]string{}
	for _, pkg := range slices.Sorted(maps.Values(coveredBy)) {
		if tests[pkg] != "" {
			continue
		}
		files, err := filepath.Glob(filepath.Join(requiretest.Root(), pkg, "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no tests (%v)", pkg, err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			tests[pkg] += string(b)
		}
	}
	for id, pkg := range coveredBy {
		if !strings.Contains(tests[pkg], `"`+id+`"`) {
			t.Errorf("no test of %s names the worked case %q", pkg, id)
		}
	}
}
