"""Scores answers against their references sentence by sentence with sacreBLEU and
rouge-score, as their documentation does, and prints the mean of each metric."""
import json
import re
import string
import sys
from collections import Counter

cases, responses, metrics = sys.argv[1], sys.argv[2], sys.argv[3].split(",")


def squad(text):
    # evaluate-v2.0.py of SQuAD
    text = "".join(c for c in text.lower() if c not in set(string.punctuation))
    return re.sub(r"\b(a|an|the)\b", " ", text).split()


def token_f1(answer, reference):
    a, r = squad(answer), squad(reference)
    common = sum((Counter(a) & Counter(r)).values())
    return 2 * common / (len(a) + len(r)) if common else 0.0


scorers = {
    "token_f1": token_f1,
    "exact_match": lambda answer, reference: float(squad(answer) == squad(reference)),
}
if "bleu" in metrics:
    from sacrebleu.metrics import BLEU

    bleu = BLEU(effective_order=True)
    scorers["bleu"] = lambda answer, reference: bleu.sentence_score(answer, [reference]).score
if "chrf" in metrics:
    from sacrebleu.metrics import CHRF

    chrf = CHRF(word_order=2)
    scorers["chrf"] = lambda answer, reference: chrf.sentence_score(answer, [reference]).score
rouge = {"rouge_1": "rouge1", "rouge_2": "rouge2", "rouge_l": "rougeL"}
wanted = [rouge[m] for m in metrics if m in rouge]
if wanted:
    from rouge_score import rouge_scorer

    scorer = rouge_scorer.RougeScorer(wanted)

references = {}
with open(cases) as f:
    for line in f:
        case = json.loads(line)
        references[case["id"]] = case["ground_truth"]
sums, n = Counter(), 0
with open(responses) as f:
    for line in f:
        said = json.loads(line)
        answer, reference = said["answer"], references[said["id"]]
        n += 1
        for m in metrics:
            if m in scorers:
                sums[m] += scorers[m](answer, reference)
        if wanted:
            scores = scorer.score(reference, answer)
            for m in metrics:
                if m in rouge:
                    sums[m] += scores[rouge[m]].fmeasure
for m in metrics:
    print(f"{m}\tall\t{sums[m] / n:.9f}")
