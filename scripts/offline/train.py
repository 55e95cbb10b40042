"""Fit the weights of the offline judge and write judge/offline/weights.go.

usage: train.py FEATURES.jsonl judge/offline/weights.go judge/offline/swapped_test.go

The features come from the Go code itself (TestFeatures in judge/offline,
see train.sh), so that what is fitted is what runs.
Only rows of the training half are used; the halves are made by Go, by a hash of
the question or the conversation. The second file holds the weights of "support"
with the halves swapped, so that a test can score every row by weights that have
not seen it.

Every model is a ridge logistic regression whose weights may not have the wrong
sign: more of a claim found in the passages never lowers the estimate. Labels are
of whole items: the estimate of an answer is the mean over its claims, that of a
list of passages, or of references, the best one's.
"""

import json
import sys

import numpy as np
from scipy.optimize import minimize

RIDGE = 1e-3
# Weight of the sharpness by which the best row of an item counts for it.
SHARP = 4.0


def mean(z, start, size):
    """The mean probability of each item's rows, and its derivative by z."""
    group = np.repeat(np.arange(len(size)), size)
    p = 1 / (1 + np.exp(-z))
    return np.add.reduceat(p, start) / size, p * (1 - p) / size[group]


def best(z, start, size):
    """The probability of each item's best row, made smooth."""
    group = np.repeat(np.arange(len(size)), size)
    e = np.exp(SHARP * (z - np.maximum.reduceat(z, start)[group]))
    soft = e / np.add.reduceat(e, start)[group]
    top = np.add.reduceat(soft * z, start)
    p = 1 / (1 + np.exp(-top))
    return p, (p * (1 - p))[group] * soft * (1 + SHARP * (z - top[group]))


def fit(items, features, pool):
    """The bias and a weight for each feature; features map to 1, -1 or 0 for
    the sign that a weight must have, 0 being either."""
    at = [items[0]["features"].index(f) for f in features]
    x = np.concatenate([np.array(i["rows"])[:, at] for i in items])
    size = np.array([len(i["rows"]) for i in items])
    start = np.concatenate([[0], np.cumsum(size)[:-1]])
    group = np.repeat(np.arange(len(items)), size)
    y = np.array([i["y"] for i in items])

    def loss(t):
        p, slope = pool(t[0] + x @ t[1:], start, size)
        p = np.clip(p, 1e-9, 1 - 1e-9)
        dz = ((p - y) / (p * (1 - p)))[group] * slope / len(items)
        value = -(y * np.log(p) + (1 - y) * np.log(1 - p)).mean() + RIDGE * (t[1:] ** 2).sum()
        return value, np.concatenate([[dz.sum()], x.T @ dz + 2 * RIDGE * t[1:]])

    bounds = [(None, None)] + [{1: (0, None), -1: (None, 0), 0: (None, None)}[s] for s in features.values()]
    return minimize(loss, np.zeros(len(features) + 1), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 2000}).x


SUPPORT = {
    "cosine": 1, "sentence terms": 1, "window terms": 1, "all terms": 1, "all words": 1, "pairs": 1, "run": 1, "subsequence": 1,
    "numbers": 1, "unsupported numbers": -1, "names": 1, "unsupported names": -1, "negation": -1, "personal": -1,
}
RELEVANCE = {
    "cosine": 1, "mean cosine": 0, "sentence terms": 1, "window terms": 1, "all terms": 1, "pairs": 1, "run": 1, "names": 1, "numbers": 1,
    "number wanted, near": 1, "number wanted, missing": -1, "name wanted, near": 1, "name wanted, missing": -1, "question repeated": -1,
}
# Only what an answer has of the reference: what it adds (precision, F1, the cosine of
# the whole) would mark down the system that gives longer answers, which people prefer.
EQUIVALENCE = {
    "contained": 1, "recall": 1, "words": 1, "run": 1, "numbers": 1, "other number": -1, "names": 1, "last word": 1, "negation": -1,
}


def without_vectors(features):
    return {f: s for f, s in features.items() if "cosine" not in f}


def table(f, indent, variable, title, weights, features):
    f.write(f"{indent}{variable} = model{{\"{title}\", {weights[0]:.3f}, []weight{{\n")
    for feature, value in zip(features, weights[1:]):
        if abs(value) >= 0.0005:
            f.write(f"{indent}\t{{\"{feature}\", {value:.3f}}},\n")
    f.write(f"{indent}}}}}\n")


def main(features, target, swapped):
    everything = [json.loads(line) for line in open(features, encoding="utf-8")]
    everything = [i for i in everything if i["rows"]]
    for i in everything:
        labels = i["labels"]
        # MT-RAG's raters gave 1 to 4.
        i["y"] = (labels["faithfulness"] - 1) / 3 if i["set"] == "mtrag" else labels.get("faithfulness", labels.get("answerable", labels.get("acceptable")))
    items = [i for i in everything if i["train"]]
    others = [i for i in everything if not i["train"] and i["task"] == "support" and i["vectors"]]
    task = lambda t: [i for i in items if i["task"] == t]
    read = lambda t: [i for i in task(t) if i["vectors"]]
    models = [
        ("support", "support", fit(read("support"), SUPPORT, mean), SUPPORT, read("support")),
        ("supportByWords", "support by words", fit(task("support"), w := without_vectors(SUPPORT), mean), w, task("support")),
        ("relevance", "relevance", fit(read("relevance"), RELEVANCE, best), RELEVANCE, read("relevance")),
        ("relevanceByWords", "relevance by words", fit(task("relevance"), w := without_vectors(RELEVANCE), best), w, task("relevance")),
        ("equivalence", "equivalence", fit(task("equivalence"), EQUIVALENCE, best), EQUIVALENCE, task("equivalence")),
    ]
    with open(target, "w", encoding="utf-8") as f:
        f.write("package offline\n\n// Code generated by scripts/offline/train.sh; DO NOT EDIT.\n\n")
        f.write("// The weights were fitted to the training half of the data; README.md in\n// scripts/offline tells how. Features whose weight came out as 0 are left out.\nvar (\n")
        for name, title, t, use, of in models:
            sets = ", ".join(f"{sum(i['set'] == s for i in of)} of {s}" for s in dict.fromkeys(i["set"] for i in of))
            f.write(f"\t// {name} is fitted to {len(of)} items: {sets}.\n")
            table(f, "\t", name, title, t, use)
        f.write(")\n\n// models are all weights, for the hash of the method.\nvar models = []*model{")
        f.write(", ".join("&" + m[0] for m in models) + "}\n")
    with open(swapped, "w", encoding="utf-8") as f:
        f.write("//go:build results\n\npackage offline\n\n// Code generated by scripts/offline/train.sh; DO NOT EDIT.\n\n// swapped is support, fitted to the other half of the data.\n")
        table(f, "", "var swapped", "support", fit(others, SUPPORT, mean), SUPPORT)


main(*sys.argv[1:])
