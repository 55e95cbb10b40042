"""Decides by the protocol, from the probabilities of train.py and the baselines.

usage: evaluate.py SHARED FOLDER RUN   writes tables and the decision as Markdown. FOLDER has baselines.jsonl of
       baselines.py and seen.jsonl of pack.py, RUN has search.jsonl, final.npz and full.npz of train.py
"""

import json
import pathlib
import sys
import textwrap

import numpy as np

import baselines
import pack
import sources
from train import auroc

RESAMPLES = 2000
ALL_FAMILIES = sources.FAMILIES | sources.UNTOUCHED
CHINESE = "uhgeval_zh"
DECIDING = [s for f in "AE" for s in sources.FAMILIES[f] if s != CHINESE]
KINDS = ["role", "modal", "number", "name", "negation", "quantifier", "time", "template role"]


class Evaluated:
    """Everything that is scored, as columns; `scores[family][variant]` is P(supported) by a model without a family."""

    def __init__(self, shared, folder, run):
        self.items = pack.evaluated(shared)
        ids = [i.id for i in self.items]
        if [json.loads(line) for line in (folder / "seen.jsonl").open()] != ids:
            raise SystemExit(f"{folder}/seen.jsonl lists other items than {shared} gives: run pack.py and train.py again")

        def column(of):
            return np.array([of(i) for i in self.items])

        self.source, self.family, self.kind = column(lambda i: i.source), column(lambda i: i.family), column(lambda i: i.kind)
        self.group, self.positive = column(lambda i: f"{i.source} {i.group}"), column(lambda i: i.positive)
        self.english = column(lambda i: i.language == "en")
        people = len(sources.read(shared, pack.SEED)) + len(sources.read_untouched(shared))
        self.probe = np.arange(len(ids)) >= people
        self.kept = column(lambda i: i.kept) & ~self.probe & (self.family != "F")
        rows = {r["id"]: [r[b] for b in baselines.NAMES] for r in map(json.loads, (folder / "baselines.jsonl").open())}
        self.base = np.array([rows[i] for i in ids]).T
        self.scores = {}
        for name, says in [("final", "seed {}".format), ("full", "all weights, rate {:g}".format)]:
            made = np.load(run / f"{name}.npz")
            for (left, variant), p in zip(json.loads(str(made["facts"]))["models"], made["p"]):
                family = "F" if left is None else pack.FAMILIES[left]
                self.scores.setdefault(family, {})[says(variant)] = p[:, 0].astype(float)

    def of(self, *sets):
        """Which items by people are of these sources."""
        return ~self.probe & np.isin(self.source, sets)

    def trained(self, family):
        """Which items of the kept fifth come from what the model without a family was trained on."""
        return self.kept & (self.family != family)


def resampled(e, at, columns):
    """AUROC of each column in RESAMPLES resamples of whole groups, as an array (column, resample)."""
    groups = {}
    for n in np.nonzero(at)[0]:
        groups.setdefault(e.group[n], []).append(n)
    members, rng = [np.array(g) for g in groups.values()], np.random.default_rng(1)
    out = np.empty((len(columns), RESAMPLES))
    for r in range(RESAMPLES):
        drawn = np.concatenate([members[k] for k in rng.integers(0, len(members), len(members))])
        out[:, r] = [auroc(c[drawn], e.positive[drawn]) for c in columns]
    return out


def interval(v):
    return np.nanquantile(v, 0.025), np.nanquantile(v, 0.975)


def share(hits, groups):
    """A share with its interval from resamples of whole groups."""
    _, group = np.unique(groups, return_inverse=True)
    sums = np.stack([np.bincount(group, hits), np.bincount(group)], 1)
    rng = np.random.default_rng(1)
    draws = np.array([sums[rng.integers(0, len(sums), len(sums))].sum(0) for _ in range(RESAMPLES)])
    return np.mean(hits), *interval(draws[:, 0] / draws[:, 1])


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return [*lines, *("| " + " | ".join(r) + " |" for r in rows), ""]


def statistic_1(e, say):
    """The tables of AUROC; whether all five intervals lie above 0 on A and E, and on F."""
    points, draws, rows = {}, {}, []
    for f, sets in ALL_FAMILIES.items():
        for s in sets:
            at, columns = e.of(s), [*e.scores[f].values(), *e.base]
            names = [*e.scores[f], *baselines.NAMES]
            points[s] = dict(zip(names, (auroc(c[at], e.positive[at]) for c in columns)))
            draws[s] = dict(zip(names, resampled(e, at, columns)))
            lo, hi = interval(draws[s]["seed 1"] - draws[s]["formula"])
            values = [points[s][n] for n in ["seed 1", *baselines.NAMES]]
            counts = [f, s, str(at.sum()), str(len(set(e.group[at])))]
            less = f"{values[0] - values[-1]:+.3f} ({lo:+.3f}…{hi:+.3f})"
            rows.append([*counts, *(f"{v:.3f}" for v in values), less])
    say += table(["family", "left-out source", "n", "groups", "model", *baselines.NAMES, "model − formula"], rows)
    rows, holds = [], {}
    seen = [s for f in "BCD" for s in sources.FAMILIES[f]]
    sets_of = [("A and E", "A", DECIDING), ("F", "F", sources.UNTOUCHED["F"]), ("B, C and D", "B", seen), ("Chinese", "E", [CHINESE])]
    for title, family, sets in sets_of:
        macro = {n: np.mean([points[s][n] for s in sets]) for n in points[sets[0]]}
        drawn = {n: np.nanmean([draws[s][n] for s in sets], 0) for n in macro}
        rows.append([f"{title}: baselines", "", *(f"{macro[b]:.3f}" for b in baselines.NAMES)])
        for variant in e.scores[family]:
            less = {b: (macro[variant] - macro[b], *interval(drawn[variant] - drawn[b])) for b in baselines.NAMES}
            if variant == "seed 1":
                holds[title] = all(lo > 0 for _, lo, _ in less.values())
            cells = [f"{d:+.3f} ({lo:+.3f}…{hi:+.3f})" for d, lo, hi in less.values()]
            rows.append([f"{title}: {variant}", f"{macro[variant]:.3f}", *cells])
    say += [
        "Mean AUROC over the sources (A and E: the eight English ones), and each model minus each baseline with its 95 % interval:",
        "",
        *table(["sources and model", "mean", *baselines.NAMES], rows),
    ]
    return holds


def within(e, say):
    rows = []
    for f in e.scores:
        for variant, p in e.scores[f].items():
            of = []
            for s in sources.FAMILY:
                at = e.trained(f) & (e.source == s)
                if min(e.positive[at].sum(), (~e.positive[at]).sum()) >= 20:
                    of.append([auroc(c[at], e.positive[at]) for c in [p, *e.base]])
            rows.append([f"without {f}", variant, str(len(of)), *(f"{v:.3f}" for v in np.mean(of, 0))])
    say += ["Within: mean AUROC on the kept fifth of the sources in training (those with at least 20 items of each label)", ""]
    say += table(["model", "variant", "sources", "AUROC", *baselines.NAMES], rows)


def thresholds(e, f, p):
    """The 5th percentile of P(supported) among the supported items of three kinds."""
    own, supported = e.family == f, e.positive & e.english
    parts = {"training sources": e.trained(f), "left-out sources": own & ~e.probe, "unaltered claims": own & e.probe}
    return {title: np.quantile(p[at & supported], 0.05) for title, at in parts.items() if (at & supported).any()}


def caught(e, p, t, at):
    """The share below a threshold, as a cell."""
    if at.sum() < 10:
        return "–"
    v, lo, hi = share(p[at] < t, e.group[at])
    return f"{v:.0%} ({lo:.0%}…{hi:.0%}, n {at.sum()})"


def statistic_2(e, say):
    """The tables of contrasts; whether seed 1 holds."""
    rows, pooled, holds = [], [], {}
    for f in "AEB":
        p = e.scores[f]["seed 1"]
        own = (e.family == f) & e.english
        for title, t in thresholds(e, f, p).items():
            v, lo, hi = share(p[own & ~e.probe & e.positive] < t, e.group[own & ~e.probe & e.positive])
            cells = [caught(e, p, t, own & e.probe & (e.kind == k)) for k in KINDS]
            flagged = np.mean(p[own & e.probe & e.positive] < t)
            rows.append([f, title, f"{t:.4f}", f"{v:.1%} ({lo:.1%}…{hi:.1%})", *cells, f"{flagged:.1%}"])
    say += ["The share below the threshold (seed 1; B was seen in the search):", ""]
    say += table(["without", "threshold from", "threshold", "false alarms", *KINDS, "unaltered, flagged"], rows)
    columns = [(v, {f: e.scores[f][v] for f in "AE"}) for v in e.scores["A"]]
    columns += [(b, dict.fromkeys("AE", c)) for b, c in zip(baselines.NAMES, e.base)]  # With a threshold of their own.
    for name, p in columns:
        for title in ["training sources", "left-out sources"][: 1 + (name in e.scores["A"])]:
            below = np.zeros(len(e.items), bool)
            for f in "AE":
                below |= (e.family == f) & (p[f] < thresholds(e, f, p[f])[title])
            own = np.isin(e.family, ["A", "E"]) & e.english
            parts = [own & e.probe & (e.kind == k) for k in ("role", "modal")] + [own & ~e.probe & e.positive]
            rates = [share(below[at], e.group[at]) for at in parts]
            pooled.append([name, title, *(f"{v:.1%} ({lo:.1%}…{hi:.1%}, n {at.sum()})" for (v, lo, hi), at in zip(rates, parts))])
            holds[name, title] = rates[0][0] >= 0.8 and rates[1][0] >= 0.8 and rates[2][0] <= 0.05 and rates[2][2] <= 0.1
    say += ["A and E together:", ""]
    say += table(["scored by", "threshold from", "role, caught", "modal, caught", "false alarms"], pooled)
    rows = []
    for f in "AE":
        for k in ["role", "template role", "modal", "negation", "number", "name"]:
            at = (e.family == f) & e.english & e.probe & (e.positive | (e.kind == k))
            columns = [*e.scores[f].values(), *e.base]
            rows.append([f, k, *(f"{auroc(c[at], e.positive[at]):.3f}" for c in columns)])
    say += ["English contrasts, AUROC of unaltered against altered claims:", ""]
    say += table(["without", "changed", *e.scores["A"], *baselines.NAMES], rows)
    zh, cells = (e.family == "E") & ~e.english & e.probe, []
    for k in ["number", "negation", "quantifier", "modal", "time", "template role"]:
        at = zh & (e.positive | (e.kind == k))
        cells.append(f"{k} {auroc(e.scores['E']['seed 1'][at], e.positive[at]):.2f}")
    say += ["Chinese contrasts, AUROC in the same way, seed 1: " + ", ".join(cells) + ".", ""]
    return holds["seed 1", "training sources"]


def hans(e, say):
    p, at = e.scores["D"]["seed 1"], e.of("nli_hans")
    t = thresholds(e, "D", p)["training sources"]
    say += ["nli_hans, left out with D: the share flagged at the threshold from training sources", ""]
    for title, label in [("supported", e.positive), ("not supported", ~e.positive)]:
        parts = [(k, p[at & label & (e.kind == k)]) for k in sorted(set(e.kind[at & label]))]
        say.append(f"- {title}: " + ", ".join(f"{k.split(':')[1]} {np.mean(v < t):.0%} of {len(v)}" for k, v in parts))
    say.append("")


def corrected(e, say):
    """What the model adds to the formula when it only corrects it."""
    degree, rows = odds(e.base[baselines.NAMES.index("formula")]), []
    for weight in [0, 0.02, 0.05, 0.1, 0.2, 0.5, 1]:
        of = {}
        for f, sets in ALL_FAMILIES.items():
            for s in sets:
                at = e.of(s)
                of[s] = auroc((degree + weight * odds(e.scores[f]["seed 1"]))[at], e.positive[at])
        parts = [DECIDING, sources.UNTOUCHED["F"], [s for f in "BCD" for s in sources.FAMILIES[f]]]
        rows.append([f"{weight:g}", *(f"{np.mean([of[s] for s in sets]):.3f}" for sets in parts)])
    say += ["Mean AUROC of the formula's log odds plus a weight times the model's (added after the decision):", ""]
    say += table(["weight", "A and E", "F", "B, C and D"], rows)


def odds(p):
    p = np.clip(p, 0.001, 0.999)
    return np.log(p / (1 - p))


def searched(run, say):
    rows, names = [], list(sources.FAMILY)
    for r in map(json.loads, (run / "search.jsonl").open()):
        head = "words, formula" if r["read"][2] else "words"
        of = [f"{n} {r['auroc'][str(names.index(n))]:.3f}" for n in sources.FAMILIES["B"]]
        chosen = [str(r["rank"]), f"{r['rate']:g}", f"{r['contrasts']:.0%}", head]
        values = [r["people"], r["auroc"]["role"], r["auroc"]["modal"], r["score"], r["kept"]]
        rows.append([*chosen, ", ".join(of), *(f"{v:.3f}" for v in values)])
    say += ["The search: trained on C and D, AUROC on B", ""]
    say += table(
        ["rank", "rate", "contrasts", "the head reads", "by people", "their mean", "role", "modal", "score", "within C and D"], rows
    )


def main():
    shared, folder, run = sys.argv[1:4]
    run, say = pathlib.Path(run), []
    e = Evaluated(shared, pathlib.Path(folder), run)
    first = statistic_1(e, say)
    within(e, say)
    second = statistic_2(e, say)
    hans(e, say)
    corrected(e, say)
    searched(run, say)
    said = {True: "holds", False: "fails"}
    yes = first["A and E"] and first["F"] and second
    say += [
        f"Statistic 1 {said[first['A and E']]} on A and E and {said[first['F']]} on F; statistic 2 {said[second]}. "
        f"Decision: {'yes' if yes else 'no'}."
    ]
    for line in say:
        print(line if line.startswith("|") else textwrap.fill(line, 120, subsequent_indent="  " * line.startswith("-")))


if __name__ == "__main__":
    main()
