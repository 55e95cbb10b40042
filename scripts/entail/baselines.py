"""Formulas that the model has to beat.

usage: baselines.py SHARED MODEL FOLDER   writes FOLDER/baselines.jsonl: the baselines of every item that is evaluated.
       FOLDER has pairs-N.jsonl of pack.py and pairs-N.out of formula/
"""

import json
import pathlib
import sys

from sources import sentences, words

NAMES = ["overlap", "rouge_l_f1", "rouge_l_precision", "cosine", "formula"]


def overlap(document, claim):
    """The share of the claim's words that the document has."""
    have, asked = set(words(document)), words(claim)
    return sum(w in have for w in asked) / len(asked) if asked else 0.0


def common(a, b):
    """The length of the longest common subsequence, with the bits of an integer as a row (Hyyrö 2004)."""
    places = {}
    for i, w in enumerate(a):
        places[w] = places.get(w, 0) | 1 << i
    full = (1 << len(a)) - 1
    row = full
    for w in b:
        match = row & places.get(w, 0)
        row = (row + match | row & ~match) & full
    return len(a) - row.bit_count()


def rouge_l(document, claim):
    """Precision of the claim, and F1 (Lin 2004)."""
    d, c = words(document), words(claim)
    if not d or not c:
        return 0.0, 0.0
    n = common(c, d)
    p, r = n / len(c), n / len(d)
    return p, 2 * p * r / (p + r) if n else 0.0


def cosines(items, embed):
    """The largest cosine of each claim with a sentence of its document; embed gives unit vectors of texts."""
    parts = {i.document: sentences(i.document) or [i.document] for i in items}
    texts = sorted({s for p in parts.values() for s in p} | {i.claim for i in items})
    vectors = dict(zip(texts, embed(texts)))
    return [max(float(vectors[s] @ vectors[i.claim]) for s in parts[i.document]) for i in items]


def bare(folder, tokens=6000):
    """A function that gives the unit vectors of texts by MiniLM as it is: the mean of the hidden states."""
    import numpy as np
    import torch

    from model import CrossEncoders
    from pack import Encoder
    from train import FIRST, LAST

    encoder, model = Encoder(folder), CrossEncoders(pathlib.Path(folder) / "model.safetensors").eval()

    def embed(texts):
        ids = [[FIRST, *x[:254], LAST] for x in encoder.ids(texts)]
        order = sorted(range(len(ids)), key=lambda n: len(ids[n]))
        out, at = np.zeros((len(ids), model.words.shape[1]), np.float32), 0
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            while at < len(order):
                end = at + max(1, tokens // len(ids[order[min(at + 128, len(order) - 1)]]))
                part = order[at:end]
                size = max(len(ids[n]) for n in part)
                padded = torch.tensor([[ids[n] + [0] * (size - len(ids[n])) for n in part]])
                mask = (torch.arange(size) < torch.tensor([[len(ids[n])] for n in part]))[None].long()
                v, m = model.states(padded, torch.zeros_like(padded), mask), mask.unsqueeze(-1).float()
                out[part] = torch.nn.functional.normalize((v * m).sum(2) / m.sum(2), dim=-1)[0].numpy()
                at = end
        return out

    return embed


def main():
    import pack

    shared, model, folder = sys.argv[1:4]
    folder, items = pathlib.Path(folder), pack.evaluated(shared)
    degrees = pack.degrees(folder)
    with (folder / "baselines.jsonl").open("w") as out:
        for i, cosine in zip(items, cosines(items, bare(model))):
            precision, f1 = rouge_l(i.document, i.claim)
            made = [overlap(i.document, i.claim), f1, precision, cosine, degrees[i.document, i.claim]]
            out.write(json.dumps({"id": i.id} | dict(zip(NAMES, made))) + "\n")


if __name__ == "__main__":
    main()
