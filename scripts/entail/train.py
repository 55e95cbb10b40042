"""Searches for a configuration and trains the final models beside each other, on one GPU.

usage: train.py FOLDER OUT SECONDS [TINY]   FOLDER has data.npz.xz (pack.py) and minilm.safetensors; results go to OUT

SECONDS is all the time there is: each phase measures its steps and takes as many as fit. TINY is for a try on a CPU.
"""

import io
import json
import lzma
import pathlib
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

from model import FEATURES, CrossEncoders

BEGAN = time.time()
CUDA = torch.cuda.is_available()
DEVICE, DTYPE = ("cuda", torch.bfloat16) if CUDA else ("cpu", torch.float32)
FIRST, LAST = 101, 102  # [CLS] and [SEP]
BUCKETS = [48, 80, 128, 192, 256, 384]
TOKENS = 160_000  # in a step, of all models together
A, B, C, D, E, UNTOUCHED, TEXTS = range(7)
LOSS_OF_DEGREE = 0.15  # how often the head does not see the formula in training
BOTH, WORDS = [1] * FEATURES, [1, 1, 0, 0, 0]
BASE = {"rank": 32, "rate": 1e-3, "contrasts": 0.5, "read": BOTH}
# What the search tries.
TRIED = [
    BASE,
    BASE | {"rank": 8},
    BASE | {"rank": 64},
    BASE | {"rate": 3e-4},
    BASE | {"rate": 3e-3},
    BASE | {"rank": 8, "rate": 3e-3},
    BASE | {"rank": 64, "rate": 3e-4},
    BASE | {"contrasts": 0.2},
    BASE | {"contrasts": 0.8},
    BASE | {"read": WORDS},
    BASE | {"rank": 64, "contrasts": 0.2, "rate": 3e-4},
    BASE | {"rank": 64, "contrasts": 0.8},
]
ALL = [A, B, C, D, E]
# The final models: the family left out (None: none) and the seed.
FINAL = [(f, s) for s in (1, 2, 3) for f in (A, E, None)] + [(B, 1), (C, 1), (D, 1)]
FULL = [(f, rate) for rate in (5e-5, 2e-4) for f in (A, E)]


def auroc(scores, positive):
    """The probability that a positive scores above a negative; ties count half."""
    scores, positive = np.asarray(scores, float), np.asarray(positive, bool)
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    p = positive.sum()
    n = len(positive) - p
    return (ranks[positive].sum() - p * (p + 1) / 2) / (p * n) if p and n else float("nan")


class Rows:
    """Token ids, kinds and numbers of rows, on the device, by bucket of length."""

    def __init__(self, data, name, most=None):
        column = {n.split("_", 1)[1]: data[n] for n in data.files if n.startswith(name + "_")}
        lengths, self.n = column["lengths"].astype(np.int64), len(column["lengths"])
        start = np.concatenate([[0], np.cumsum(lengths.sum(1))])[:-1]
        if most and self.n > most:
            chosen = np.sort(np.random.default_rng(1).permutation(self.n)[:most])
            lengths, start, self.n = lengths[chosen], start[chosen], most
            column = {k: v if k in ("tokens", "lengths") else v[chosen] for k, v in column.items()}
        self.column = {k: v for k, v in column.items() if k not in ("tokens", "lengths")}
        total = lengths.sum(1) + 3
        self.bucket = np.searchsorted(BUCKETS, total)
        self.place = np.zeros(self.n, np.int64)
        self.ids, self.kinds, self.mask = [], [], []
        tokens = column["tokens"].astype(np.int32)
        for b, size in enumerate(BUCKETS):
            at = np.nonzero(self.bucket == b)[0]
            self.place[at] = np.arange(len(at))
            d, c = lengths[at, 0][:, None], lengths[at, 1][:, None]
            p = np.arange(size)[None, :]
            of_document, of_claim = (p >= 1) & (p <= d), (p >= d + 2) & (p < d + 2 + c)
            where = start[at][:, None] + np.where(of_document, p - 1, np.where(of_claim, p - 2, 0))
            ids = np.where(of_document | of_claim, tokens[np.minimum(where, len(tokens) - 1)], 0)
            ids[:, 0] = FIRST
            ids = np.where((p == d + 1) | (p == d + c + 2), LAST, ids)
            self.ids.append(torch.from_numpy(ids.astype(np.int16 if ids.max(initial=0) < 2**15 else np.int32)).to(DEVICE))
            self.kinds.append(torch.from_numpy((p >= d + 2) & (p <= d + c + 2)).to(DEVICE))
            self.mask.append(torch.from_numpy(p <= d + c + 2).to(DEVICE))
        raw = torch.from_numpy(self.column["numbers"].astype(np.float32))
        has = (raw[:, 2:] >= 0).float()
        degree = raw[:, 2:].clamp(0.002, 0.998)
        self.numbers = torch.cat([raw[:, :2], has * degree, has * torch.logit(degree) / 3, has], 1).to(DEVICE)
        bits = torch.from_numpy(self.column["target"].astype(np.int64))
        self.target = torch.stack([(bits >> k) & 1 for k in range(3)], 1).float().to(DEVICE)

    def batch(self, b, rows):
        """Of rows (model, item) of bucket b: what a model reads, and the targets."""
        at = torch.from_numpy(self.place[rows]).to(DEVICE)
        rows = torch.from_numpy(rows).to(DEVICE)
        read = self.ids[b][at].long(), self.kinds[b][at].long(), self.mask[b][at].long(), self.numbers[rows]
        return read, self.target[rows]


class Optimizer:
    """AdamW with a rate for each model, and each model's gradient clipped to norm 1."""

    def __init__(self, model, rates, decay=0.01):
        self.params = [p for p in model.parameters() if p.requires_grad]
        self.first = [torch.zeros_like(p) for p in self.params]
        self.second = [torch.zeros_like(p) for p in self.params]
        self.rates = torch.tensor(rates, device=DEVICE)
        self.decay, self.step_number = decay, 0

    @torch.no_grad()
    def step(self, factor):
        self.step_number += 1
        n = len(self.rates)
        grads = [p.grad for p in self.params]
        norm = torch.stack([(g.reshape(n, -1) ** 2).sum(1) for g in grads]).sum(0).sqrt()
        clip = (1 / norm.clamp(min=1e-6)).clamp(max=1.0).nan_to_num(0.0)
        even = (1 - 0.999**self.step_number) ** 0.5 / (1 - 0.9**self.step_number)
        for p, g, m, v in zip(self.params, grads, self.first, self.second):
            shape = (n,) + (1,) * (p.dim() - 1)
            g = g.nan_to_num(0.0) * clip.view(shape)
            rate = self.rates.view(shape) * factor
            m.lerp_(g, 0.1)
            v.lerp_(g * g, 0.001)
            p.mul_(1 - rate * self.decay).sub_(rate * even * m / (v.sqrt() + 1e-8))
            p.grad = None


class Sampler:
    """Batches for all models: a bucket of length, and rows of each model's own pools in it."""

    def __init__(self, rows, pools, shares, tokens, seed):
        self.rows, self.rng = rows, np.random.default_rng(seed)
        human = rows.column["human"].astype(bool)
        self.own, self.made, weights = [], [], np.zeros(len(BUCKETS))
        self.share = np.zeros((len(pools), len(BUCKETS)))
        for k, (families, share) in enumerate(zip(pools, shares)):
            inside = np.isin(rows.column["family"], families)
            of = [[np.nonzero(inside & (human == h) & (rows.bucket == b))[0] for b in range(len(BUCKETS))] for h in (True, False)]
            counts = np.array([[len(x) for x in side] for side in of], float)
            counts *= np.array([[1 - share], [share]]) / counts.sum(1, keepdims=True)
            weights += counts.sum(0)
            self.share[k] = counts[0] / counts.sum(0).clip(1e-12)
            self.own.append(of[0])
            self.made.append(of[1])
        self.size = [max(2, tokens // (len(pools) * s)) for s in BUCKETS]
        self.weights = weights / self.size / (weights / self.size).sum()
        self.items = float(self.weights @ self.size)

    def draw(self):
        b = self.rng.choice(len(BUCKETS), p=self.weights)
        out = []
        for own, made, share in zip(self.own, self.made, self.share[:, b]):
            n = self.rng.binomial(self.size[b], share) if len(own[b]) and len(made[b]) else self.size[b] * bool(len(own[b]))
            if not len(own[b]) and not len(made[b]):  # Nothing of this length: another pool's rows must not come in.
                return self.draw()
            part = [self.rng.choice(p[b], m) for p, m in ((own, n), (made, self.size[b] - n)) if m]
            out.append(np.concatenate(part))
        read, target = self.rows.batch(b, np.stack(out))
        seen = torch.rand(read[3].shape[:2], device=DEVICE) >= LOSS_OF_DEGREE
        numbers = torch.cat([read[3][..., :2], read[3][..., 2:] * seen[..., None]], -1)
        return (*read[:3], numbers), target


@torch.no_grad()
def probabilities(model, n, rows, chosen, tokens):
    """P(supported) and P(contradicted) of the chosen rows by each model: (model, row, 2)."""
    model.eval()
    out = np.zeros((n, rows.n, 2), np.float32)
    for b, size in enumerate(BUCKETS):
        at = chosen[rows.bucket[chosen] == b]
        step = max(1, tokens // (n * size))
        for k in range(0, len(at), step):
            part = at[k : k + step]
            read, _ = rows.batch(b, part[None])
            logits = model(*(t.expand(n, *t.shape[1:]) for t in read))
            out[:, part] = logits.softmax(-1)[..., [0, 2]].float().cpu().numpy()
    model.train()
    return out


def items_of(seen, p):
    """Of each item the window with the largest P(supported): (model, item, 2)."""
    item = seen.column["item"]
    out = np.full((p.shape[0], item.max() + 1, 2), np.nan, np.float32)
    for n in np.argsort(p[..., 0].mean(0), kind="stable"):
        more = ~(p[:, n, 0] < out[:, item[n], 0])
        out[more, item[n]] = p[more, n]
    return out


def per_item(seen, name):
    out = np.zeros(seen.column["item"].max() + 1, int)
    out[seen.column["item"]] = seen.column[name]
    return out


def kept_score(seen, p, families):
    """The mean AUROC over the sources of families in the kept fifth, of one model's items."""
    kept, source, family = (per_item(seen, n) for n in ("kept", "source", "family"))
    positive = per_item(seen, "target") == 1
    of = [
        auroc(p[at], positive[at])
        for s in np.unique(source)
        for at in [(source == s) & (kept == 1) & np.isin(family, families)]
        if at.sum() >= 40
    ]
    return float(np.nanmean(of)) if of else 0.0


def fit(model, sampler, rates, until, log, curve=None, most=10**9):
    """Trains all models until a time; the rates rise over 6 % of the steps and fall to 2 %."""
    optimizer = Optimizer(model, rates)
    model.train()
    began, step, steps, marks = time.time(), 0, None, [0.4, 0.7]
    settled = began
    while step < most:
        now = time.time()
        if step == 15:
            if CUDA:
                torch.cuda.synchronize()
            settled = time.time()
        if step == 75 and steps is None:
            if CUDA:
                torch.cuda.synchronize()
            steps = step + int((until - time.time()) / ((time.time() - settled) / 60))
        done = (now - began) / max(1e-9, until - began)
        if most < 10**9:
            done = step / most
        elif steps:
            done = max(done, step / steps)
        if done >= 1:
            break
        if curve and marks and done > marks[0]:
            marks.pop(0)
            curve(done)
        read, target = sampler.draw()
        logits = model(*read)
        each = -(F.log_softmax(logits.float(), -1) + (target + 1e-9).log()).logsumexp(-1)
        each.mean(1).sum().backward()
        optimizer.step(min(done / 0.06 + 0.01, max(0.02, 1 - done)))
        step += 1
        if step % 100 == 0:
            now = [round(v, 3) for v in each.detach().mean(1).tolist()]
            print(f"step {step} of {steps} loss {now} {time.time() - BEGAN:.0f} s", file=log, flush=True)
    return step


def build(folder, configs, seeds, full=False):
    ranks = [0 if full else c["rank"] for c in configs]
    path = folder / "minilm.safetensors"
    return CrossEncoders(path, ranks, seeds, [c["read"] for c in configs], full, dtype=DTYPE).to(DEVICE)


def search(folder, rows, seen, out, until, log, tokens, most):
    """Trains on C and D and texts, judges by B; the chosen configuration."""
    model = build(folder, TRIED, [1] * len(TRIED))
    sampler = Sampler(rows, [[C, D, TEXTS]] * len(TRIED), [c["contrasts"] for c in TRIED], tokens, 1)
    steps = fit(model, sampler, [c["rate"] for c in TRIED], until, log, most=most)
    judged = np.nonzero((seen.column["family"] == B) | ((seen.column["kept"] == 1) & np.isin(seen.column["family"], [C, D])))[0]
    p = items_of(seen, probabilities(model, len(TRIED), seen, judged, 2 * tokens))[..., 0]
    family, source, probe, kind = (per_item(seen, n) for n in ("family", "source", "probe", "kind"))
    positive, b = per_item(seen, "target") == 1, family == B
    found = []
    for k, config in enumerate(TRIED):
        by_people = b & (probe == 0)
        of = {int(s): auroc(p[k][at], positive[at]) for s in np.unique(source[by_people]) for at in [by_people & (source == s)]}
        unaltered = b & (probe == 1) & positive
        for name, number in (("role", 1), ("modal", 2)):
            at = unaltered | (b & (probe == 1) & (kind == number))
            of[name] = auroc(p[k][at], positive[at])
        people = float(np.mean([v for s, v in of.items() if isinstance(s, int)]))
        score = (3 * people + (of["role"] + of["modal"]) / 2) / 4
        found.append(config | {"auroc": {str(s): round(v, 4) for s, v in of.items()}, "people": round(people, 4),
                               "score": round(score, 4), "kept": round(kept_score(seen, p[k], [C, D]), 4),
                               "steps": steps, "items": round(steps * sampler.items)})  # fmt: skip
    (out / "search.jsonl").write_text("".join(json.dumps(r) + "\n" for r in found))
    best = TRIED[int(np.argmax([r["score"] for r in found]))]
    print("chosen", best, f"{time.time() - BEGAN:.0f} s", flush=True)
    return best


def save(out, name, seen, model, n, tokens, facts):
    p = items_of(seen, probabilities(model, n, seen, np.arange(seen.n), 2 * tokens))
    np.savez_compressed(out / f"{name}.npz", p=p.astype(np.float16), facts=json.dumps(facts))
    return p


def final(folder, rows, seen, out, config, until, log, tokens, most):
    model = build(folder, [config] * len(FINAL), [s for _, s in FINAL])
    pools = [[f for f in ALL if f != left] + [TEXTS] for left, _ in FINAL]
    sampler = Sampler(rows, pools, [config["contrasts"]] * len(FINAL), tokens, 2)
    facts = {"models": FINAL, "config": config, "curve": []}
    kept = np.nonzero(seen.column["kept"])[0]

    def curve(done):
        p = items_of(seen, probabilities(model, len(FINAL), seen, kept, 2 * tokens))[..., 0]
        facts["curve"].append([done, [kept_score(seen, x, pool) for x, pool in zip(p, pools)]])
        print("kept", json.dumps(facts["curve"][-1]), file=log, flush=True)

    facts["steps"] = fit(model, sampler, [config["rate"]] * len(FINAL), until, log, curve, most)
    facts["items"] = facts["steps"] * sampler.items
    p = save(out, "final", seen, model, len(FINAL), tokens, facts)
    print("kept", json.dumps([1.0, [kept_score(seen, x, pool) for x, pool in zip(p[..., 0], pools)]]), file=log, flush=True)
    print("final", json.dumps(facts), file=log, flush=True)
    whole = FINAL.index((None, 1))
    trained = {n: v[whole].detach().cpu().numpy().astype(np.float16) for n, v in model.named_parameters()}
    np.savez_compressed(out / "adapters.npz", **trained)


def upper(folder, rows, seen, out, config, until, log, tokens, most):
    """All weights are trained: what adapters could reach at most."""
    model = build(folder, [config] * len(FULL), [1] * len(FULL), full=True)
    pools = [[f for f in ALL if f != left] + [TEXTS] for left, _ in FULL]
    sampler = Sampler(rows, pools, [config["contrasts"]] * len(FULL), tokens, 3)
    steps = fit(model, sampler, [rate for _, rate in FULL], until, log, most=most)
    save(out, "full", seen, model, len(FULL), tokens, {"models": FULL, "config": config, "steps": steps, "items": steps * sampler.items})


def main():
    folder, out, seconds = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), float(sys.argv[3])
    tiny = len(sys.argv) > 4
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(1)
    torch.set_float32_matmul_precision("high")
    data = np.load(io.BytesIO(lzma.open(folder / "data.npz.xz").read()))
    rows, seen = Rows(data, "train", 3000 if tiny else None), Rows(data, "seen", 80 if tiny else None)
    tokens, most = (3000, 2) if tiny else (TOKENS, 10**9)
    print(f"{rows.n} rows to train, {seen.n} to score, {DEVICE}, {time.time() - BEGAN:.0f} s", flush=True)
    log = sys.stdout
    best = search(folder, rows, seen, out, BEGAN + 0.30 * seconds, log, tokens, most)
    final(folder, rows, seen, out, best, BEGAN + 0.80 * seconds, log, tokens, most)
    upper(folder, rows, seen, out, best, BEGAN + 0.94 * seconds, log, tokens, most)
    print(f"done, {time.time() - BEGAN:.0f} s", flush=True)


if __name__ == "__main__":
    main()
