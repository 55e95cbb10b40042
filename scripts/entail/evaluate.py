"""Scores items by a model and the baselines, and decides by the protocol.

usage: evaluate.py baselines SHARED MODEL FOLDER         cosine and formula of every item, once
       evaluate.py scores SHARED MODEL FOLDER FAMILY     the model trained without a family
       evaluate.py decide SHARED MODEL FOLDER            tables and the decision, as Markdown
"""

import json
import pathlib
import subprocess
import sys

import numpy as np
import torch

import baselines
import contrasts
import sources
from model import CrossEncoder
from train import SEED, Encoder, auroc, padded, probabilities

RESAMPLES = 2000
FORMULAS = ["overlap", "rouge_l_f1", "rouge_l_precision", "cosine", "formula"]
HERE = pathlib.Path(__file__).resolve().parent
PROBES = 1500


def bare(folder, encoder):
    """The unit vectors of texts by MiniLM as it is: the mean of the hidden states."""
    model = CrossEncoder(folder, rank=0).eval()

    def embed(texts, tokens=6000):
        ids = [[encoder.first, *x[:254], encoder.last] for x in encoder.ids(texts)]
        order = sorted(range(len(ids)), key=lambda n: len(ids[n]))
        out = np.zeros((len(ids), model.words.shape[1]), np.float32)
        at = 0
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            while at < len(order):
                end = at + max(1, tokens // len(ids[order[min(at + 128, len(order) - 1)]]))
                part = order[at:end]
                tokens_, kinds, mask = padded([(ids[n], [0] * len(ids[n])) for n in part])
                v = model.states(tokens_, kinds, mask)
                m = mask.unsqueeze(-1).float()
                v = torch.nn.functional.normalize((v * m).sum(1) / m.sum(1), dim=-1)
                out[part] = v.numpy()
                at = end
        return out

    return embed


def formula(items):
    lines = "".join(json.dumps({"document": i.document, "claim": i.claim}) + "\n" for i in items)
    done = subprocess.run(
        ["go", "run", "./scripts/entail/formula"],
        cwd=HERE.parent.parent,
        input=lines,
        capture_output=True,
        text=True,
        check=True,
    )
    return [float(x) for x in done.stdout.split()]


def write(path, rows):
    path.write_text("".join(json.dumps(r) + "\n" for r in rows))


def load(path):
    return {r["id"]: r for r in map(json.loads, path.read_text().splitlines())}


def probes(items, family):
    """Contrasts of a family for the evaluation: with verbs that no training set has."""
    made = contrasts.make([i for i in items if i.family == family], SEED + 1, train=False)
    few = {"same", "reworded"}
    out = [i for i in made if i.kind not in few]
    return out[:: max(1, len(out) // PROBES)] + [i for i in made if i.kind in few][:: max(1, 2 * len(made) // PROBES)]


def score(items, encoder, folder, out, family):
    kept = torch.load(out / f"without-{family}.pt")
    model = CrossEncoder(folder, kept["config"]["rank"], kept["config"]["first"], kept["config"]["shares"])
    model.load_state_dict(kept["trained"], strict=False)
    judged = [i for i in items if i.family == family or i.kept]
    extra = probes(items, family)
    p = probabilities(model, encoder, judged + extra)
    write(
        out / f"scores-{family}.jsonl",
        [{"id": i.id, "p": a, "contradicted": b} for i, (a, b) in zip(judged + extra, p)],
    )


def resampled(items, columns, seed):
    """AUROC of each column in RESAMPLES resamples of whole groups, as an array (resamples, columns)."""
    groups = {}
    for n, i in enumerate(items):
        groups.setdefault(i.group, []).append(n)
    members = [np.array(g) for g in groups.values()]
    positive = np.array([i.positive for i in items])
    rng = np.random.default_rng(seed)
    out = np.empty((RESAMPLES, len(columns)))
    for r in range(RESAMPLES):
        at = np.concatenate([members[k] for k in rng.integers(0, len(members), len(members))])
        out[r] = [auroc(c[at], positive[at]) for c in columns]
    return out


def interval(v):
    v = v[~np.isnan(v)]
    return np.quantile(v, 0.025), np.quantile(v, 0.975)


def rate_interval(hits, groups):
    """A share with its interval from resamples of whole groups."""
    hits, by = np.asarray(hits, float), {}
    for n, g in enumerate(groups):
        by.setdefault(g, []).append(n)
    sums = np.array([[hits[m].sum(), len(m)] for m in by.values()])
    rng = np.random.default_rng(1)
    draws = [sums[rng.integers(0, len(sums), len(sums))].sum(0) for _ in range(RESAMPLES)]
    return hits.mean(), *interval(np.array([a / b for a, b in draws]))


def decide(items, out):
    base = load(out / "baselines.jsonl")
    lines = []
    say = lines.append
    families = [f for f in sources.FAMILIES if (out / f"scores-{f}.jsonl").exists()]
    scores = {f: load(out / f"scores-{f}.jsonl") for f in families}

    def held(f):
        return [i for i in items if i.family == f]

    draws, points = {}, {}
    say("| family | held-out source | n | groups | model | " + " | ".join(FORMULAS) + " | model − formula |")
    say("|---|---|---|---|---|" + "---|" * len(FORMULAS) + "---|")
    for f in families:
        for s in sources.FAMILIES[f]:
            own = [i for i in held(f) if i.source == s]
            columns = [np.array([scores[f][i.id]["p"] for i in own])] + [
                np.array([base[i.id][b] for i in own]) for b in FORMULAS
            ]
            points[s] = np.array([auroc(c, [i.positive for i in own]) for c in columns])
            draws[s] = resampled(own, columns, 1)
            lo, hi = interval(draws[s][:, 0] - draws[s][:, -1])
            say(
                f"| {f} | {s} | {len(own)} | {len({i.group for i in own})} | "
                + " | ".join(f"{v:.3f}" for v in points[s])
                + f" | {points[s][0] - points[s][-1]:+.3f} ({lo:+.3f}…{hi:+.3f}) |"
            )
    say("")

    def macro(names, title):
        point, draw = np.mean([points[s] for s in names], 0), np.nanmean([draws[s] for s in names], 0)
        say(f"{title}: mean AUROC of {len(names)} sources, and the model minus each formula with its 95 % interval")
        say("")
        say("| model | " + " | ".join(FORMULAS) + " |")
        say("|---|" + "---|" * len(FORMULAS))
        cells, all_above = [f"{point[0]:.3f}"], True
        for k in range(1, len(point)):
            lo, hi = interval(draw[:, 0] - draw[:, k])
            all_above &= bool(lo > 0)
            cells.append(f"{point[k]:.3f}, {point[0] - point[k]:+.3f} ({lo:+.3f}…{hi:+.3f})")
        say("| " + " | ".join(cells) + " |")
        say("")
        return all_above

    untouched = [f for f in "AE" if f in families]
    made = {f: probes(items, f) for f in families}
    first = macro(
        [s for f in untouched for s in sources.FAMILIES[f] if s != "uhgeval_zh"],
        "A and E, untouched until the final run",
    )
    rest = [f for f in "BCD" if f in families]
    if rest:
        macro([s for f in rest for s in sources.FAMILIES[f]], f"{', '.join(rest)}, seen in the search")

    say(
        "Within: AUROC on the kept fifth of the sources in training (macro over sources with at least 20 items of each label)"
    )
    say("")
    for f in families:
        rows = [i for i in items if i.kept and i.family != f]
        of = []
        for s in sources.FAMILY:
            own = [i for i in rows if i.source == s]
            if min(sum(i.positive for i in own), sum(not i.positive for i in own)) >= 20:
                of.append(
                    [auroc([scores[f][i.id]["p"] for i in own], [i.positive for i in own])]
                    + [auroc([base[i.id][b] for i in own], [i.positive for i in own]) for b in FORMULAS]
                )
        m = np.mean(of, 0)
        say(
            f"- without {f}, {len(of)} sources: model {m[0]:.3f}, "
            + ", ".join(f"{b} {v:.3f}" for b, v in zip(FORMULAS, m[1:]))
        )
    say("")

    say(
        "| without | threshold from | threshold | false alarms on supported items left out | role | modal | "
        "number | name | negation | quantifier | time | template role | reworded or same, flagged |"
    )
    say("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    pooled = {"role": [], "modal": [], "alarm": [], "groups": {"role": [], "modal": [], "alarm": []}}
    for f in families:
        extra = made[f]
        p = scores[f]
        english = [i for i in extra if i.language == "en"]
        supported = [i for i in held(f) if i.positive and i.language == "en"]
        unaltered = [i for i in english if i.positive]
        calibration = [p[i.id]["p"] for i in items if i.kept and i.family != f and i.positive and i.language == "en"]
        for title, from_ in [
            ("training sources", calibration),
            ("left-out sources", [p[i.id]["p"] for i in supported]),
            ("unaltered claims", [p[i.id]["p"] for i in unaltered]),
        ]:
            t = float(np.quantile(from_, 0.05))
            alarms = [p[i.id]["p"] < t for i in supported]
            cells = []
            for kind in ["role", "modal", "number", "name", "negation", "quantifier", "time", "template role"]:
                own = [i for i in english if i.kind == kind]
                caught = [p[i.id]["p"] < t for i in own]
                if len(own) < 10:
                    cells.append("–")
                    continue
                v, lo, hi = rate_interval(caught, [i.group for i in own])
                cells.append(f"{v:.0%} ({lo:.0%}…{hi:.0%}, n {len(own)})")
                if title == "training sources" and f in untouched and kind in ("role", "modal"):
                    pooled[kind] += caught
                    pooled["groups"][kind] += [i.source + i.group for i in own]
            v, lo, hi = rate_interval(alarms, [i.group for i in supported])
            if title == "training sources" and f in untouched:
                pooled["alarm"] += alarms
                pooled["groups"]["alarm"] += [i.source + i.group for i in supported]
            flagged = np.mean([p[i.id]["p"] < t for i in unaltered])
            say(
                f"| {f} | {title} | {t:.4f} | {v:.1%} ({lo:.1%}…{hi:.1%}) | "
                + " | ".join(cells)
                + f" | {flagged:.1%} |"
            )
    say("")
    second = True
    for kind in ["role", "modal"]:
        v, lo, hi = rate_interval(pooled[kind], pooled["groups"][kind])
        second &= bool(v >= 0.8)
        say(f"- A and E together, {kind}: {v:.1%} caught ({lo:.1%}…{hi:.1%}, n {len(pooled[kind])})")
    v, lo, hi = rate_interval(pooled["alarm"], pooled["groups"]["alarm"])
    second &= bool(v <= 0.05 and hi <= 0.10)
    say(f"- false alarms among their {len(pooled['alarm'])} supported items: {v:.1%} ({lo:.1%}…{hi:.1%})")
    # A formula at the same false alarms, on the same contrasts.
    for b in FORMULAS:
        cells = []
        for kind in ["role", "modal"]:
            caught = []
            for f in untouched:
                t = np.quantile(
                    [base[i.id][b] for i in items if i.kept and i.family != f and i.positive and i.language == "en"],
                    0.05,
                )
                caught += [base[i.id][b] < t for i in made[f] if i.kind == kind and i.language == "en"]
            cells.append(f"{kind} {np.mean(caught):.1%}")
        say(f"- {b} with its own threshold of that kind: " + ", ".join(cells))
    say("")
    say("English contrasts, AUROC of unaltered against altered claims (added after the decision):")
    say("")
    say("| without | changed | model | " + " | ".join(FORMULAS) + " |")
    say("|---|---|---|" + "---|" * len(FORMULAS))
    for f in untouched:
        unaltered = [i for i in made[f] if i.positive and i.language == "en"]
        for kind in ["role", "modal", "negation", "number", "name"]:
            own = unaltered + [i for i in made[f] if i.kind == kind and i.language == "en"]
            positive = [i.positive for i in own]
            columns = [[scores[f][i.id]["p"] for i in own]] + [[base[i.id][b] for i in own] for b in FORMULAS]
            say(f"| {f} | {kind} | " + " | ".join(f"{auroc(c, positive):.3f}" for c in columns) + " |")
    say("")
    if "E" in families:
        zh = [i for i in made["E"] if i.language == "zh"]
        cells = []
        for kind in ["number", "negation", "quantifier", "modal", "time", "template role"]:
            own = [i for i in zh if i.kind in (kind, "same", "template")]
            cells.append(f"{kind} {auroc([scores['E'][i.id]['p'] for i in own], [i.positive for i in own]):.2f}")
        say("- Chinese contrasts, AUROC in the same way: " + ", ".join(cells))
    if "D" in families:
        say("")
        say("nli_hans, left out with D: share flagged at the threshold from training sources")
        say("")
        t = float(
            np.quantile(
                [
                    scores["D"][i.id]["p"]
                    for i in items
                    if i.kept and i.family != "D" and i.positive and i.language == "en"
                ],
                0.05,
            )
        )
        for k in sorted({i.kind for i in items if i.source == "nli_hans"}):
            own = [i for i in items if i.source == "nli_hans" and i.kind == k]
            say(f"- {k} ({own[0].verdict}): {np.mean([scores['D'][i.id]['p'] < t for i in own]):.0%} of {len(own)}")
    say("")
    said = {True: "holds", False: "fails"}
    decision = "yes" if first and second else "no"
    say(f"Statistic 1 {said[first]}; statistic 2 {said[second]}. Decision: {decision}.")
    return "\n".join(lines) + "\n"


def main():
    what, shared, folder, out = sys.argv[1:5]
    torch.set_num_threads(1)
    out = pathlib.Path(out)
    items, encoder = sources.read(shared, SEED), Encoder(folder)
    if what == "baselines":
        everything = items + [i for f in "AE" for i in probes(items, f)]
        cosine, degree = baselines.cosines(everything, bare(folder, encoder)), formula(everything)
        rows = []
        for i, c, d in zip(everything, cosine, degree):
            precision, f1 = baselines.rouge_l(i.document, i.claim)
            rows.append(
                {
                    "id": i.id,
                    "overlap": baselines.overlap(i.document, i.claim),
                    "rouge_l_f1": f1,
                    "rouge_l_precision": precision,
                    "cosine": c,
                    "formula": d,
                }
            )
        write(out / "baselines.jsonl", rows)
    elif what == "scores":
        score(items, encoder, folder, out, sys.argv[5])
    else:
        print(decide(items, out), end="")


if __name__ == "__main__":
    main()
