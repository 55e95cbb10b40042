"""Contrasts for training, in large numbers: each change in both directions, and roles first.

contrasts.py has the changes and makes the ones that are evaluated. The verbs of those are in no template here.
"""

import itertools
import random
import re

from contrasts import NAME, TIMES, around, changed, changed_chinese, reworded
from sources import HAN, Item, sentences

PER_DOCUMENT, LIMITS = 6, [0, 150, 300, 800]
# The reverse of these is a change too; "will" for "may" or "all" for "some" is not undone so.
BOTH_WAYS = {"role", "number", "name", "negation", "time"}
VERBS = [
    (v, v)
    for v in """
    sued hired defeated praised followed bought invited replaced criticised taught paid attacked admired advised
    approached arrested assisted avoided backed blamed called contacted convinced cured defended described deceived
    disappointed dismissed encouraged endorsed financed fired greeted helped ignored influenced insulted interviewed
    joined killed liked mentioned nominated notified outranked overtook persuaded promoted protected pursued
    recognised recommended recruited rejected represented saved supported tested thanked trained trusted visited
""".split()
]
NAMES = re.compile(r"\b[A-Z][a-z]+(?: [A-Z][a-z]+)*")


def role_swaps(s):
    """Every exchange of two different names that more than a list's comma or "and" separates."""
    found = [m for m in NAMES.finditer(s) if len(m.group()) > 3 and (m.start() > 0 or " " in m.group())]
    out = []
    for x, y in itertools.combinations(found, 2):
        between = s[x.end() : y.start()]
        if x.group() == y.group() or not any(len(w) > 3 for w in re.findall(r"[a-z]+", between)):
            continue
        out.append(s[: x.start()] + y.group() + between + x.group() + s[y.end() :])
    return out


def forms(x, y, did, done):
    """Ways to say that x did it to y."""
    return [f"{x} {did} {y}", f"{y} was {done} by {x}", f"It was {x} who {did} {y}", f"It was {y} who was {done} by {x}"]


def template(rng, names):
    """A sentence of our own, another that says the same, and two that swap the roles."""
    x, y = rng.sample(names, 2)
    did, done = rng.choice(VERBS)
    rest = rng.choice([*(" " + t for t in TIMES), "", ""])
    said = rng.choice(forms(x, y, did, done)) + rest + "."
    same = rng.choice(forms(x, y, did, done)) + rng.choice([rest, ""]) + "."
    wrong = [rng.choice(forms(y, x, did, done)) + rng.choice([rest, ""]) + "." for _ in range(2)]
    return said, same, wrong


def of_sentence(i, s, rng, local, everywhere):
    """(kind, document, claim, label) of one sentence of a document."""
    limit = rng.choice(LIMITS)

    def at(new):
        return around(i.document, s, new, rng, limit)

    if i.language == "zh":
        for kind, source, claim, label in changed_chinese(s, rng):
            yield kind, at(source), claim, label
        yield "same", at(s), s, "supported"
        return
    few = len(set(local)) > 2 and rng.random() < 0.7
    options = changed(s, rng, local if few else rng.sample(everywhere, min(20, len(everywhere))))
    swaps = role_swaps(s)
    roles = [("role", s, c, "not") for c in rng.sample(swaps, min(3, len(swaps)))]
    rare = [o for o in options if o[0] in ("modal", "time", "quantifier")]
    rest = [o for o in options if o not in rare and o[0] != "role"]
    for kind, source, claim, label in roles + rare + rng.sample(rest, min(2, len(rest))):
        yield kind, at(source), claim, label
        if kind in BOTH_WAYS and rng.random() < 0.5:
            yield kind, at(claim), source, label
        if rng.random() < 0.4:
            yield "same", at(claim), claim, "supported"
        if source != s:
            yield "same", at(source), source, "supported"
    yield "same", at(s), s, "supported"
    other = reworded(s, rng)
    if other:
        yield "reworded", at(s), other, "supported"


def make(items, seed):
    """Contrasts of every document of items, in their order."""
    rng = random.Random(f"many {seed}")
    documents = list({i.document: i for i in reversed(items)}.values())[::-1]
    by_source = {}
    for i in documents:
        if i.language == "en":
            by_source.setdefault(i.source, {}).update((m.group(), 0) for m in NAME.finditer(i.document) if len(m.group()) > 3)
    names = {s: sorted(n) for s, n in by_source.items()}
    out = []

    def add(i, kind, document, claim, label):
        if document.strip() and claim.strip():
            out.append(Item(f"{i.id}/{kind}/{len(out)}", i.source, i.group, document, claim, label, kind, label, i.language))

    for i in documents:
        chinese = i.language == "zh"
        parts = [s for s in sentences(i.document) if (15 <= len(s) <= 90 if chinese else 6 <= len(s.split()) <= 40 and not HAN.search(s))]
        local = [] if chinese else [m.group() for m in NAME.finditer(i.document) if len(m.group()) > 3]
        everywhere = names.get(i.source, [])
        for s in rng.sample(parts, min(PER_DOCUMENT, len(parts))):
            for row in of_sentence(i, s, rng, local, everywhere):
                add(i, *row)
        if parts and len(everywhere) > 20:
            for _ in range(2):
                said, same, wrong = template(rng, everywhere)
                s = rng.choice(parts)
                document = around(i.document, s, rng.choice([said, f"{said} {s}", f"{s} {said}"]), rng, rng.choice(LIMITS))
                add(i, "template", document, same, "supported")
                add(i, "template", document, said, "supported")
                for w in wrong:
                    add(i, "template role", document, w, "not")
    return out
