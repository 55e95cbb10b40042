"""Scores a run with pytrec_eval as its README does, and prints the official
measures over all queries in the format of trec_eval."""
import sys

import pytrec_eval

OFFICIAL = {"num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"}

with open(sys.argv[1]) as f:
    qrels = pytrec_eval.parse_qrel(f)
with open(sys.argv[2]) as f:
    run = pytrec_eval.parse_run(f)
results = pytrec_eval.RelevanceEvaluator(qrels, OFFICIAL).evaluate(run)
print(f"num_q\tall\t{len(results)}")
for measure in sorted(next(iter(results.values()))):
    value = pytrec_eval.compute_aggregated_measure(measure, [q[measure] for q in results.values()])
    print(f"{measure}\tall\t{value:.0f}" if measure.startswith("num_") else f"{measure}\tall\t{value:.4f}")
