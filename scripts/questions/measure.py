"""Compares what judges say before and after a change, and writes tables.

usage: measure.py ITEMS SCORES offline=BEFORE,AFTER [NAME=BEFORE,AFTER …] >tables.md

SCORES is a file of score.py, also as .xz, or - for none; BEFORE and AFTER are what `ask rulings`
wrote, of the offline judge and of models. The measures are fixed in README.md.
"""

import collections
import functools
import os
import sys

import numpy as np

from estimate import balanced, counted, ordered, resamples
from replies import Model, Rulings, claimed, claims_of, lines, numbered, points_of, quoted, worded

# FEW is the least number of items of a data set that has a row of its own, GROUPS that of the groups of a
# row that has an interval.
FEW, GROUPS = 20, 10
HEAD = "| judge | data set | items | measure | before | after | difference | 95 % interval | verdict |\n" + "|---" * 9 + "|"


def row(judge, dataset, groups, name, before, after, same=""):
    """Prints a row: the difference of a measure on the same items, with its interval."""
    weights = resamples(groups)
    was, now = before(weights), after(weights)
    if np.isnan(was[0]) or np.isnan(now[0]):
        return
    low, high = np.nanpercentile((now - was)[1:], [2.5, 97.5])
    if not same and not np.any(np.nan_to_num(now - was)):
        same = "same rulings"
    few = not same and len(set(groups)) < GROUPS
    verdict = same or ("too few groups" if few else "worse" if high < 0 else "better" if low > 0 else "no difference shown")
    interval = "–" if same or few else f"{low:+.3f}…{high:+.3f}"
    moved = "0" if same else f"{now[0] - was[0]:+.3f}"
    cells = [judge, dataset, len(groups), name, f"{was[0]:.3f}", f"{now[0]:.3f}", moved, interval, verdict]
    print(f"| {' | '.join(map(str, cells))} |".replace(" -0.", " −0.").replace("…-0.", "…−0."))


def weighed(model, task, version, weights, read="verdict"):
    """Returns what a degree is read by: the sum of the verdicts' probabilities times their weights."""

    def degree(item, when):
        p = model.chances(item, task, version, when, read)
        # The last bits of a product depend on the machine, and equal degrees must be ties on all.
        return None if p is None else round(float(p @ np.array(weights, float)), 9)

    return degree


def both(items, before, after):
    """Returns the items with a degree before and after, and the degrees."""
    out = [(x, before(x, "before"), after(x, "after")) for x in items]
    out = [x for x in out if x[1] is not None and x[2] is not None]
    return [x for x, _, _ in out], [b for _, b, _ in out], [a for _, _, a in out]


def rated(judge, items, before, after, yes, same="", parts=True):
    """Prints the rows of a question whose items have labels."""
    for language in sorted({x["language"] for x in items}):
        some, b, a = both([x for x in items if x["language"] == language], before, after)
        if not some:
            continue
        b, a = np.array(b), np.array(a)
        said = same or ("same rulings" if np.array_equal(a, b) else "")
        label, groups = np.array([x["label"] for x in some]), np.array([x["group"] for x in some])
        sets = np.array([x["dataset"] for x in some])
        hold = label >= yes
        name = f"all, {language}"
        row(judge, name, groups, "AUROC", ordered(b, hold), ordered(a, hold), said)
        row(judge, name, groups, "balanced accuracy", balanced(b, hold, groups), balanced(a, hold, groups), said)
        for s in np.unique(sets):
            at = sets == s
            if len(set(label[at])) > 2:
                row(judge, s, groups[at], "pairs in order", ordered(b[at], label[at]), ordered(a[at], label[at]), said)
            if parts and len(set(sets)) > 1 and at.sum() >= FEW:
                row(judge, s, groups[at], "AUROC", ordered(b[at], hold[at]), ordered(a[at], hold[at]), said)


def compared(judge, items, field, before, after):
    """Prints the row of a field of which people said which of two answers is better."""
    pairs = collections.defaultdict(list)
    for x in items:
        pairs[x["of"]].append(x)
    groups, agreed, asked = [], ([], []), []
    for pair in pairs.values():
        found, b, a = both(pair, before, after)
        if len(found) != 2:
            continue
        wanted = [np.sign(v) for v in pair[0]["people"][field] if v]
        for out, d in zip(agreed, (b, a)):
            said = np.sign(d[1] - d[0])
            out.append(sum(0.5 if said == 0 else float(said == w) for w in wanted))
        groups.append(pair[0]["group"])
        asked.append(len(wanted))
    if groups:
        row(judge, "ragchecker, en", np.array(groups), field.replace("_", " "), counted(agreed[0], asked), counted(agreed[1], asked))


def shares(judge, items, name, before, after):
    """Prints a row of a share that is counted of each item, before and after."""
    found = [(x["group"], before(x), after(x)) for x in items]
    found = [f for f in found if f[1] is not None and f[2] is not None]
    if not found:
        return
    b, a = (np.array([f[k] for f in found], float) for k in (1, 2))
    row(judge, "clapnq-dev, en", np.array([f[0] for f in found]), name, counted(*b.T), counted(*a.T))


def given(f, count):
    """Returns what counts a text that f reads, None if there is none."""

    def share(item):
        said = f(item)
        return None if said is None else count(item, said)

    return share


def table(title):
    print(f"\n### {title}\n\n{HEAD}")


def absent(judge, items, before, after):
    """Prints the rows of lists of passages: the highest degree of a list before and after."""
    lists = collections.defaultdict(list)
    for x in items:
        lists[x["dataset"], x["of"]].append(x)
    for dataset in sorted({d for d, _ in lists}):
        found = []
        for whole, *each in (some for (d, _), some in lists.items() if d == dataset):
            now = [after(x, "after") for x in each]
            if None not in now:
                found.append((whole, before(whole, "before"), max(now)))
        if not found:
            continue
        label, groups = [x["label"] for x, _, _ in found], np.array([x["group"] for x, _, _ in found])
        new = ordered([a for _, _, a in found], label)
        if all(b is not None for _, b, _ in found):
            row(judge, dataset, groups, "AUROC", ordered([b for _, b, _ in found], label), new)
            continue
        got = new(resamples(groups))
        low, high = np.nanpercentile(got[1:], [2.5, 97.5])
        print(f"| {judge} | {dataset} | {len(found)} | AUROC | not asked | {got[0]:.3f} | – | after: {low:.3f}…{high:.3f} | – |")


def lengths(judge, items, before, after, yes):
    """Prints what the lengths of passages alone tell, and what degrees tell beyond a line through their logarithm."""
    some, b, a = both(items, before, after)
    if not some:
        return
    groups, hold = np.array([x["group"] for x in some]), np.array([x["label"] for x in some]) >= yes
    size = np.log([len(x["sources"][0]) for x in some])
    row("length", some[0]["dataset"], groups, "AUROC", ordered(size, hold), ordered(size, hold), "no judge")
    beyond = (np.array(d) - np.polyval(np.polyfit(size, d, 1), size) for d in (b, a))
    row(judge, some[0]["dataset"], groups, "AUROC beyond length", *(ordered(d, hold) for d in beyond))


def batch(model, weights):
    """Returns the highest grade of a list of passages that are graded in one call."""
    reads = [weighed(model, "relevance", "v2", weights, f"verdict {n + 1}") for n in range(10)]

    def degree(item, when):
        grades = [read(item, when) for read in reads[: len(item["sources"])]]
        return None if None in grades else max(grades)

    return degree


COMPARISON = "evaluate_response_comparison"
FIELDS = {"completeness": "Completeness", "factual_accuracy": "FactualAccuracy"}


GRADE = np.arange(4) / 3

# QUESTIONS are those on items that people labelled: the title, the study, the least label that is yes, the
# task, its version before and after with the weights of the verdicts, and what a claim that the sources say
# in part has.
QUESTIONS = (
    ("support", "claim", 1, "support", ("v2", [1, 0, 0]), ("v4", [1, 0, 1, 0, 0]), 0),
    ("citation_support", "claim", 1, "support", ("v2", [1, 0, 0]), ("v4", [1, 0, 1, 0.5, 0]), 0.5),
    ("equivalence", "answer", 1, "equivalence", ("v2", [1, 0]), None, 0),
    ("true_false", "answer", 1, "true_false", ("v1", [1, 0]), None, 0),
    ("assign", "point", 1, "assign", ("v2", [1, 0, 0]), None, 0),
    ("relevance", "passage", 0.5, "relevance", ("v2", GRADE), None, 0),
)
IMPORTANCE = ("points", ("v1", [1, 0])), ("importance", ("v1", [1, 0]))


def labelled(items, model, judges):
    """Prints the tables of questions on items that people labelled."""
    read = functools.partial(weighed, model)
    for title, study, yes, task, was, now, parts in QUESTIONS:
        table(title)
        whole = parts == 0
        rated("SmolLM2", items[study], read(task, *was), read(task, *(now or was)), yes, "" if now else "same prompt", whole)
        for name, rulings in judges.items():
            rated(name, items[study], rulings.reader(task, parts), rulings.reader(task, parts), yes, parts=whole)
            if task == "relevance":
                lists = [x | {"language": "NoMIRACL " + x["language"]} for x in items["absent"]]
                rated(name, lists, rulings.reader(task), rulings.reader(task), 1)
    table("umbrela beside relevance")
    grades = read("relevance", "v2", GRADE), read("umbrela", "v1", GRADE)
    rated("SmolLM2", items["passage"], *grades, 0.5)
    lengths("SmolLM2", [x for x in items["passage"] if x["dataset"] == "feedbackqa"], *grades, 0.5)
    absent("SmolLM2", items["absent"], batch(model, GRADE), grades[1])
    for name, rulings in judges.items():
        rated(name, items["passage"], rulings.reader("relevance"), rulings.reader("umbrela"), 0.5)
        absent(name, items["absent"], rulings.reader("relevance"), rulings.reader("umbrela"))
    table(COMPARISON)
    for field, of in FIELDS.items():
        was, now = read(COMPARISON, "v1", np.arange(11) / 10, field), read(COMPARISON, "v2", np.arange(5) / 4, field)
        compared("SmolLM2", items["pair"], field, was, now)
        for name, rulings in judges.items():
            compared(name, items["pair"], field, rulings.field(of), rulings.field(of))
    table("importance")
    rated("SmolLM2", items["importance"], *(read(task, *how) for task, how in IMPORTANCE), 1)


def readings(items, model):
    """Prints how well the small model's degrees order the items of a question, and how likely its verdicts are."""
    print("\n### how the small model reads\n\n| question | version | items | AUROC | 95 % interval | verdicts | spread | values |\n" + "|---" * 8 + "|")
    asked = []
    for _, study, yes, task, was, now, parts in QUESTIONS:
        if parts == 0:
            asked += [(study, yes, task, how, when) for how, when in ((was, "before"), (now, "after")) if how]
    asked.append(("passage", 0.5, "umbrela", ("v1", GRADE), "after"))
    asked += [("importance", 1, task, how, when) for (task, how), when in zip(IMPORTANCE, ("before", "after"))]
    for study, yes, task, how, when in asked:
        version, degree = how[0], weighed(model, task, *how)
        for language in sorted({x["language"] for x in items[study]}):
            found = [x for x in items[study] if x["language"] == language and degree(x, when) is not None]
            if not found:
                continue
            degrees, hold = [degree(x, when) for x in found], np.array([x["label"] for x in found]) >= yes
            got = ordered(degrees, hold)(resamples(np.array([x["group"] for x in found])))
            low, high = np.nanpercentile(got[1:], [2.5, 97.5])
            mass = np.median([model.mass(x, task, version, when) for x in found])
            cells = f"{task}, {language}", version, len(found), f"{got[0]:.3f}", f"{low:.3f}…{high:.3f}", f"{mass:.2g}"
            print(f"| {' | '.join(map(str, cells))} | {np.std(degrees):.2f} | {len(set(degrees))} |")


def written(items, model, judges):
    """Prints the tables of what judges write."""
    sentences = claimed(judges["offline"], "before")

    def numbers(item, claims):
        parts = sentences(item)
        return numbered([" ".join(parts.get(n, [])) for n in range(1, max(parts, default=0) + 1)], claims)

    table("claims")

    def taken(version, when):
        return given(lambda x: model.text(x, "claims", version, when), lambda x, t: numbers(x, claims_of(t)))

    shares("SmolLM2", items, "numbers in claims", taken("v2", "before"), taken("v3", "after"))
    for name, rulings in judges.items():
        shares(name, items, "numbers in claims", *(given(claimed(rulings, when), numbers) for when in ("before", "after")))
    table("points")

    def made(version, when, count):
        return given(lambda x: model.text(x, "points", version, when), lambda x, t: count(x, *points_of(t)))

    for name, count in (
        ("quotes in the source", lambda x, _, quotes: quoted(quotes, x["sources"][0])),
        ("words of the answer", lambda x, points, _: worded(points, x["text"])),
    ):
        shares("SmolLM2", items, name, made("v1", "before", count), made("v2", "after", count))
    for name, rulings in judges.items():

        def listed(when, rulings=rulings):
            return given(lambda x: rulings.of(x, "points", when), lambda x, points: worded([p["Text"] for p in points], x["text"]))

        shares(name, items, "words of the answer", listed("before"), listed("after"))


def main():
    if len(sys.argv) < 4 or not sys.argv[3].startswith("offline="):
        raise SystemExit(__doc__)
    items = collections.defaultdict(list)
    for x in lines(sys.argv[1]):
        items[x["study"]].append(x)
    judges = {}
    for arg in sys.argv[3:]:
        name, _, paths = arg.partition("=")
        judges[name] = Rulings(*paths.split(","))
    model = Model(sys.argv[2] if sys.argv[2] != "-" else os.devnull)
    labelled(items, model, judges)
    readings(items, model)
    written(items["text"], model, judges)


if __name__ == "__main__":
    main()
