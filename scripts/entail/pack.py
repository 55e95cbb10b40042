"""Tokens and numbers of every item and contrast in one file, so that training needs no text.

usage: pack.py pairs SHARED MODEL FOLDER   writes the pairs that formula/ has to rate: FOLDER/pairs-0.jsonl and pairs-1.jsonl
       pack.py data SHARED MODEL FOLDER    reads what formula/ answered (pairs-N.out), writes data.npz.xz and seen.jsonl
"""

import json
import lzma
import pathlib
import random
import sys

import numpy as np
from tokenizers import Tokenizer

import baselines
import contrasts
import many
import sources

SEED, SIZE, TEXTS, PROBES = 1, 384, 2200, 1500
FAMILIES = [*sources.FAMILIES, "F", ""]


class Encoder:
    """Texts as token ids, with MiniLM's own vocabulary."""

    def __init__(self, folder):
        self.tokenizer = Tokenizer.from_file(str(pathlib.Path(folder) / "tokenizer.json"))
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()

    def ids(self, texts):
        return [e.ids for e in self.tokenizer.encode_batch(texts, add_special_tokens=False)]


def windows(document, claim, size=SIZE):
    """The tokens of each window of the document, half overlapping, and those of the claim."""
    claim = claim[: size // 2]
    room = size - 3 - len(claim)
    starts = [0]
    while starts[-1] + room < len(document):
        starts.append(starts[-1] + room // 2)
    return [(document[s : s + room], claim) for s in starts]


def nearest(found):
    return max(found, key=lambda w: len(set(w[1]) & set(w[0])))


def target(label):
    """A bit for each class that the label allows."""
    return {"supported": 1, "not_supported": 2, "contradicted": 4, "not": 6}[label]


def probes(items, family):
    """Contrasts of a family for the evaluation: with verbs that no training set has."""
    made = contrasts.make([i for i in items if i.family == family], SEED + 1)
    few = {"same", "reworded"}
    out = [i for i in made if i.kind not in few]
    return out[:: max(1, len(out) // PROBES)] + [i for i in made if i.kind in few][:: max(1, 2 * len(made) // PROBES)]


def evaluated(shared):
    """What is scored: every item by people, and the contrasts of A, B and E."""
    items = sources.read(shared, SEED)
    return items + sources.read_untouched(shared) + [p for f in "ABE" for p in probes(items, f)]


def drilled(shared):
    """The contrasts of all training texts."""
    items = sources.read(shared, SEED)
    texts = sources.read_texts(shared, [*items, *sources.read_untouched(shared)])
    texts = random.Random(SEED).sample(texts, TEXTS)
    return many.make([i for i in items if not i.kept], SEED) + many.make(texts, SEED + 1)


def degrees(folder):
    """What formula/ answered about each pair of a document and a claim."""
    rated = {}
    for part in sorted(folder.glob("pairs-*.jsonl")):
        with part.open() as pairs, part.with_suffix(".out").open() as answers:
            for line, degree in zip(pairs, answers):  # Pairs without an answer have no degree.
                r = json.loads(line)
                rated[r["document"], r["claim"]] = float(degree)
    return rated


def numbers(i, degree):
    return [baselines.overlap(i.document, i.claim), baselines.rouge_l(i.document, i.claim)[0], degree]


class Table:
    """Rows of tokens with columns of numbers, as arrays."""

    def __init__(self):
        self.tokens, self.lengths, self.columns = [], [], {}

    def add(self, window, **columns):
        for part in window:
            self.tokens.append(np.array(part, np.uint16))
        self.lengths.append([len(window[0]), len(window[1])])
        for n, v in columns.items():
            self.columns.setdefault(n, []).append(v)

    def arrays(self, name):
        out = {"tokens": np.concatenate(self.tokens), "lengths": np.array(self.lengths, np.uint16)}
        for n, v in self.columns.items():
            out[n] = np.array(v, np.float16 if n == "numbers" else np.int32)
        return {f"{name}_{n}": a for n, a in out.items()}


def pack(shared, model, folder):
    encoder = Encoder(model)
    rated = degrees(folder)
    train, seen, names = Table(), Table(), list(sources.FAMILY)

    def encoded(items):
        at = 4096
        for k in range(0, len(items), at):
            part = items[k : k + at]
            yield from zip(part, encoder.ids([i.document for i in part]), encoder.ids([i.claim for i in part]))

    def columns(i):
        source = names.index(i.source) if i.source in names else -1
        made = numbers(i, rated.get((i.document, i.claim), -1))
        return {"family": FAMILIES.index(i.family), "source": source, "target": target(i.label), "numbers": made}

    items, all_seen = sources.read(shared, SEED), evaluated(shared)
    first_probe = len(items) + len(sources.read_untouched(shared))
    own = [i for i in items if not i.kept]
    for n, (i, d, c) in enumerate(encoded(own + drilled(shared))):
        train.add(nearest(windows(d, c)), human=int(n < len(own)), **columns(i))
    for n, (i, d, c) in enumerate(encoded(all_seen)):
        probe = n >= first_probe
        kind = {"role": 1, "modal": 2}.get(i.kind, 0 if i.positive else 3) if probe else 0
        for w in windows(d, c):
            seen.add(w, item=n, kept=int(i.kept and not probe), probe=int(probe), kind=kind, **columns(i))
    path = folder / "data.npz"
    np.savez(path, **train.arrays("train"), **seen.arrays("seen"))
    (folder / "data.npz.xz").write_bytes(lzma.compress(path.read_bytes(), preset=9))
    (folder / "seen.jsonl").write_text("".join(json.dumps(i.id) + "\n" for i in all_seen))
    print(len(own), len(train.lengths), len(all_seen), len(seen.lengths), np.mean(train.columns["numbers"], 0))


def main():
    what, shared, model, folder = sys.argv[1:5]
    folder = pathlib.Path(folder)
    if what == "data":
        pack(shared, model, folder)
        return
    everything = evaluated(shared) + drilled(shared)
    for n in range(2):
        lines = (json.dumps({"document": i.document, "claim": i.claim}) + "\n" for i in everything[n::2])
        (folder / f"pairs-{n}.jsonl").write_text("".join(lines))


if __name__ == "__main__":
    main()
