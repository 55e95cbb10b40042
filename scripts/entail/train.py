"""Trains adapters: `search` tries configurations, `final` trains one model without a family.

usage: train.py search SHARED MODEL FOLDER N        (the configuration by its place in TRIED)
       train.py final SHARED MODEL FOLDER FAMILY   (A to E, or none: on everything)
"""

import json
import pathlib
import random
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

import baselines
import contrasts
import sources
from model import LABELS, CrossEncoder

SEED = 1
BATCH, TOKENS = 32, 160
CONTRASTS = 4000
# What the search tried; search.jsonl has the results.
TRIED = [
    {"rank": 8, "first": 0, "rate": 1e-3, "shares": 2, "epochs": 3},
    {"rank": 16, "first": 3, "rate": 1e-3, "shares": 2, "epochs": 3},
]
# The better one. The final training sets are twice as large, so two epochs take more steps than three of the search.
CHOSEN = TRIED[0] | {"epochs": 2}


class Encoder:
    """Texts as token ids, with MiniLM's own vocabulary."""

    def __init__(self, folder):
        self.tokenizer = Tokenizer.from_file(str(pathlib.Path(folder) / "tokenizer.json"))
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        self.first, self.last = self.tokenizer.token_to_id("[CLS]"), self.tokenizer.token_to_id("[SEP]")

    def ids(self, texts):
        return [e.ids for e in self.tokenizer.encode_batch(texts, add_special_tokens=False)]

    def windows(self, document, claim, size):
        """Token ids and kinds of each window of the document with the claim; half overlapping."""
        claim = claim[: size // 2]
        room = size - 3 - len(claim)
        starts = [0]
        while starts[-1] + room < len(document):
            starts.append(starts[-1] + room // 2)
        out = []
        for s in starts:
            part = document[s : s + room]
            ids = [self.first, *part, self.last, *claim, self.last]
            out.append((ids, [0] * (len(part) + 2) + [1] * (len(claim) + 1)))
        return out


def shares(item):
    return [baselines.overlap(item.document, item.claim), baselines.rouge_l(item.document, item.claim)[0]]


def target(label):
    """1 for each class that the label allows."""
    return [float(label == l or label == "not" and l != "supported") for l in LABELS]


def padded(rows):
    n = max(len(ids) for ids, _ in rows)
    ids, kinds, mask = (torch.zeros(len(rows), n, dtype=torch.long) for _ in range(3))
    for i, (a, b) in enumerate(rows):
        ids[i, : len(a)], kinds[i, : len(a)], mask[i, : len(a)] = torch.tensor(a), torch.tensor(b), 1
    return ids, kinds, mask


def probabilities(model, encoder, items, size=256, batch_tokens=8192):
    """P(supported) and P(contradicted) of each item: those of the window with the largest P(supported)."""
    model.eval()
    rows = []
    for n, (i, d, c) in enumerate(
        zip(items, encoder.ids([i.document for i in items]), encoder.ids([i.claim for i in items]))
    ):
        s = shares(i) if model.shares else []
        rows.extend((n, w, s) for w in encoder.windows(d, c, size))
    rows.sort(key=lambda r: len(r[1][0]))
    out = np.zeros((len(items), 2))
    at = 0
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        while at < len(rows):
            end = at + max(1, batch_tokens // len(rows[min(at + 64, len(rows) - 1)][1][0]))
            part = rows[at:end]
            p = (
                model(*padded([r[1] for r in part]), torch.tensor([r[2] for r in part]))
                .float()
                .softmax(-1)
                .double()
                .numpy()
            )
            for (n, _, _), q in zip(part, p):
                if q[0] >= out[n][0]:
                    out[n] = q[0], q[2]
            at = end
    return out


def fit(model, encoder, items, rate, epochs, seed, log):
    """Trains the adapters and the head on items; long documents are cut to the window nearest to the claim."""
    rows = []
    for i, d, c in zip(items, encoder.ids([i.document for i in items]), encoder.ids([i.claim for i in items])):
        asked = set(c)
        windows = encoder.windows(d, c, TOKENS)
        window = max(windows, key=lambda w: len(asked & set(w[0][: w[1].index(1)])))
        rows.append((window, target(i.label), shares(i) if model.shares else []))
    rng = random.Random(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    steps = epochs * (len(rows) // BATCH + 1)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda s: min((s + 1) / (0.06 * steps), max(0.02, 1 - s / steps))
    )
    model.train()
    began = time.time()
    for epoch in range(epochs):
        rng.shuffle(rows)
        # Batches of similar length, in random order.
        batches = []
        for at in range(0, len(rows), BATCH * 32):
            part = sorted(rows[at : at + BATCH * 32], key=lambda r: len(r[0][0]))
            batches.extend(part[k : k + BATCH] for k in range(0, len(part), BATCH))
        rng.shuffle(batches)
        total = 0.0
        for n, batch in enumerate(batches):
            with torch.autocast("cpu", torch.bfloat16):
                logits = model(*padded([r[0] for r in batch]), torch.tensor([r[2] for r in batch]))
            allowed = torch.tensor([r[1] for r in batch])
            loss = -(F.log_softmax(logits.float(), -1) + (allowed + 1e-9).log()).logsumexp(-1).mean()
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total += loss.item()
            if n % 50 == 49:
                print(
                    f"epoch {epoch} batch {n + 1} of {len(batches)} loss {total / (n + 1):.4f} {time.time() - began:.0f} s",
                    file=log,
                    flush=True,
                )


def auroc(scores, positive):
    """The probability that a positive scores above a negative; ties count half."""
    scores, positive = np.asarray(scores, float), np.asarray(positive, bool)
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    p = positive.sum()
    n = len(positive) - p
    return (ranks[positive].sum() - p * (p + 1) / 2) / (p * n) if p and n else float("nan")


def training_set(items, families, most):
    own = [i for i in items if i.family in families and not i.kept]
    return own + contrasts.make(own, SEED, most=most)


def search(items, encoder, folder, out, config, log):
    data = training_set(items, "CD", 2000)
    judged = [i for i in items if i.family == "B"]
    torch.manual_seed(SEED)
    model = CrossEncoder(folder, config["rank"], config["first"], config["shares"])
    began = time.time()
    fit(model, encoder, data, config["rate"], config["epochs"], SEED, log)
    p = probabilities(model, encoder, judged)[:, 0]
    of = {
        s: auroc([x for x, i in zip(p, judged) if i.source == s], [i.positive for i in judged if i.source == s])
        for s in sources.FAMILIES["B"]
    }
    row = config | {
        "auroc": {s: round(v, 4) for s, v in of.items()},
        "mean": round(sum(of.values()) / len(of), 4),
        "seconds": round(time.time() - began),
        "items": len(data),
    }
    with (out / "search.jsonl").open("a") as f:
        f.write(json.dumps(row) + "\n")


def final(items, encoder, folder, out, family, log):
    families = [f for f in sources.FAMILIES if f != family]
    data = training_set(items, families, CONTRASTS)
    torch.manual_seed(SEED)
    model = CrossEncoder(folder, CHOSEN["rank"], CHOSEN["first"], CHOSEN["shares"])
    fit(model, encoder, data, CHOSEN["rate"], CHOSEN["epochs"], SEED, log)
    torch.save(
        {"trained": model.trained(), "config": CHOSEN, "families": families, "items": len(data)},
        out / f"without-{family}.pt",
    )


def main():
    what, shared, folder, out, which = sys.argv[1:6]
    torch.set_num_threads(1)  # Two trainings beside each other are faster than one with two threads.
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    items, encoder = sources.read(shared, SEED), Encoder(folder)
    name = f"search-{which}" if what == "search" else f"without-{which}"
    with (out / f"{name}.log").open("a") as log:
        if what == "search":
            search(items, encoder, folder, out, TRIED[int(which)], log)
        else:
            final(items, encoder, folder, out, which, log)


if __name__ == "__main__":
    main()
