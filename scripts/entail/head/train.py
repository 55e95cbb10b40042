#!/usr/bin/env python3
"""Fits the head of crossencoder.py: a logistic regression on the features of pairs, by the
labels of people in the support data. It prints how well the head orders pairs of groups
that it was not fitted to.

usage: train.py MODEL_FOLDER SUPPORT_DATA OUTPUT [ROWS]

ROWS is the most rows of a data set, 120 unless given. Rows and halves are chosen by hashes,
so that the head is the same each time.
"""
import hashlib
import json
import pathlib
import sys

import numpy as np

import crossencoder

# Data sets that do not ask whether a text supports a claim, and those in Chinese, which
# MiniLM cannot read.
LEFT = {"feedbackqa", "sas_equivalence", "finegrained_qa", "uhgeval_zh"}
STEPS, RATE, PENALTY = 400, 0.5, 3.0


def chance(*names):
    """A number from 0 to 1 that only the names decide."""
    return int.from_bytes(hashlib.sha256("\0".join(names).encode()).digest()[:8], "big") / 2**64


def read(folder, most):
    rows = []
    for path in sorted(pathlib.Path(folder).glob("*.jsonl")):
        if path.stem in LEFT:
            continue
        own = [json.loads(line) for line in path.read_text().splitlines()]
        own = [r for r in own if r.get("claim") and r["label"] in ("supported", "not_supported", "contradicted")]
        own.sort(key=lambda r: chance("row", r["id"]))
        rows += [(path.stem, str(r["meta"]["group"]), r["context"], r["claim"], float(r["label"] == "supported")) for r in own[:most]]
    return rows


def fit(x, y):
    """Weights of a logistic regression with a quadratic penalty, by accelerated gradients."""
    w, b = np.zeros(x.shape[1]), 0.0
    momentum_w, momentum_b = np.zeros_like(w), 0.0
    rate = RATE / np.mean((x**2).sum(axis=1)) * 4
    for step in range(STEPS):
        beta = step / (step + 3)
        ahead_w, ahead_b = w + beta * momentum_w, b + beta * momentum_b
        miss = 1 / (1 + np.exp(-(x @ ahead_w + ahead_b))) - y
        new_w = ahead_w - rate * (x.T @ miss / len(y) + PENALTY * ahead_w)
        new_b = ahead_b - rate * miss.mean()
        momentum_w, momentum_b, w, b = new_w - w, new_b - b, new_w, new_b
    return w, b


def auroc(scores, labels):
    """The share of pairs of a supported and another claim that are in the right order."""
    yes, no = scores[labels == 1], scores[labels == 0]
    if len(yes) == 0 or len(no) == 0:
        return float("nan")
    return float(((yes[:, None] > no).mean() + 0.5 * (yes[:, None] == no).mean()))


def overlap(document, claim):
    words = set(document.lower().split())
    asked = claim.lower().split()
    return sum(w in words for w in asked) / max(1, len(asked))


def main(model, data, output, most=120):
    encoder = crossencoder.Encoder(model)
    rows = read(data, most)
    x = np.array([encoder.features(r[2], r[3]) for r in rows])
    y = np.array([r[4] for r in rows])
    held = np.array([chance("half", r[0], r[1]) < 0.5 for r in rows])
    mean, scale = x[~held].mean(axis=0), x[~held].std(axis=0) + 1e-6
    w, b = fit((x[~held] - mean) / scale, y[~held])
    head = {"mean": mean.tolist(), "scale": scale.tolist(), "weights": w.tolist(), "bias": float(b)}
    p = ((x - mean) / scale) @ w + b
    words = np.array([overlap(r[2], r[3]) for r in rows])
    print(f"{(~held).sum()} rows fitted, {held.sum()} rows of other groups: AUROC {auroc(p[held], y[held]):.3f}, "
          f"of the share of words {auroc(words[held], y[held]):.3f}; on the fitted rows {auroc(p[~held], y[~held]):.3f}", file=sys.stderr)
    pathlib.Path(output).write_text(json.dumps(head))


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:4], *map(int, sys.argv[4:]))
