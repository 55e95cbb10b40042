"""Claims made from sentences of documents: unaltered, reworded, or with one thing changed.

Everything is drawn from a generator with a seed, so that the same data give the same
contrasts.
"""

import itertools
import random
import re

from sources import HAN, Item, sentences

NAME = re.compile(r"(?<=[a-z,] )(?:[A-Z][a-z]+(?: [A-Z][a-z]+)*)")
NUMBER = re.compile(r"\b\d{1,4}\b(?![.,]\d)")

WEAKENED = [
    ("will", "may"),
    ("must", "may"),
    ("is", "may be"),
    ("are", "may be"),
    ("was", "may have been"),
    ("were", "may have been"),
    ("has", "may have"),
    ("have", "might have"),
]
STRENGTHENED = [
    ("may", "will"),
    ("might", "will"),
    ("could", "will"),
    ("can", "must"),
    ("may", "must"),
    ("might", "must"),
    ("could", "must"),
]
QUANTIFIED = [
    ("all", "no", "contradicted"),
    ("every", "no", "contradicted"),
    ("some", "all", "not_supported"),
    ("many", "few", "contradicted"),
    ("most", "few", "contradicted"),
    ("most", "all", "not_supported"),
    ("several", "all", "not_supported"),
    ("both", "neither", "contradicted"),
    ("more than", "less than", "contradicted"),
    ("at least", "at most", "not_supported"),
    ("first", "last", "contradicted"),
    ("often", "never", "contradicted"),
    ("usually", "always", "not_supported"),
    ("only", "not only", "contradicted"),
    ("a few", "most", "not_supported"),
]
ORDERED = [
    ("before", "after"),
    ("after", "before"),
    ("until", "since"),
    ("since", "until"),
    ("earlier", "later"),
    ("later", "earlier"),
    ("began", "ended"),
    ("started", "stopped"),
    ("started", "ended"),
    ("opened", "closed"),
    ("previous", "next"),
    ("following", "preceding"),
]
AUXILIARY = re.compile(r"\b(is|are|was|were|has|have|had|can|will|could|would|should|did|does|do)\b(?! not\b|n't)")
DENIED = re.compile(r"\b(is|are|was|were|has|have|had|can|will|could|would|should|did|does|do)( not|n't)\b")

# Active and participle. many.py has the verbs that models are trained on.
VERBS = [
    ("accused", "accused"),
    ("employed", "employed"),
    ("acquired", "acquired"),
    ("beat", "beaten"),
    ("rescued", "rescued"),
    ("warned", "warned"),
    ("married", "married"),
    ("succeeded", "succeeded"),
]
TIMES = [
    "last year",
    "in 1987",
    "in the spring",
    "after a long dispute",
    "twice",
    "in Geneva",
    "over a contract",
    "without notice",
]

ZH_VERBS = ["指控了", "邀请了", "取代了"]
ZH_NAMES = [
    "华光公司",
    "东海集团",
    "王建国",
    "李文静",
    "张伟",
    "陈晓明",
    "北岭大学",
    "南山医院",
    "长河基金",
    "新城俱乐部",
]
ZH_CHANGED = {
    "negation": [
        ("不是", "是"),
        ("没有", "有"),
        ("是", "不是"),
        ("可以", "不可以"),
        ("已经", "尚未"),
        ("能够", "不能"),
    ],
    "quantifier": [
        ("所有", "部分"),
        ("全部", "部分"),
        ("部分", "所有"),
        ("多数", "少数"),
        ("超过", "不到"),
        ("以上", "以下"),
        ("首次", "再次"),
    ],
    "modal": [
        ("可能", "必定"),
        ("也许", "必定"),
        ("将", "可能会"),
        ("预计", "已经"),
        ("有望", "必将"),
        ("应当", "可以"),
    ],
    "time": [
        ("之前", "之后"),
        ("之后", "之前"),
        ("以前", "以后"),
        ("以来", "以前"),
        ("上午", "下午"),
        ("开始", "结束"),
    ],
}


def word(w):
    return re.compile(rf"\b{w}\b")


def replaced(s, old, new):
    return word(old).sub(new, s, count=1)


def change_number(s, rng):
    found = list(NUMBER.finditer(s))
    if not found:
        return None
    m = rng.choice(found)
    n = int(m.group())
    other = n + rng.choice([-7, -3, -2, -1, 1, 2, 3, 4, 9]) if rng.random() < 0.7 else int(str(n)[::-1])
    if other == n or other < 0:
        other = n + 3
    return s[: m.start()] + str(other) + s[m.end() :]


def change_name(s, rng, others):
    found = [m for m in NAME.finditer(s) if len(m.group()) > 3]
    others = [o for o in others if o not in s]
    if not found or not others:
        return None
    m = rng.choice(found)
    return s[: m.start()] + rng.choice(others) + s[m.end() :]


def swap_roles(s):
    """Exchanges the first two names that a verb or more stands between."""
    found = [m for m in re.finditer(r"\b[A-Z][a-z]+(?: [A-Z][a-z]+)*", s) if len(m.group()) > 3]
    # The first word of a sentence is a name only if it has a second one or stands elsewhere too.
    found = [m for m in found if (m.start() > 0 or " " in m.group()) and s[m.start() - 1 : m.start()] != "["]
    for x, y in itertools.pairwise(found):
        between = s[x.end() : y.start()]
        content = [w for w in re.findall(r"[a-z]+", between) if len(w) > 3]
        if (
            x.group() != y.group()
            and len(content) >= 1
            and re.search(r"\b\w+(?:ed|es|ts|ve|was|is|were)\b|\b(?:to|from|by|of|over|than|after|before)\b", between)
            and not re.fullmatch(r"[\s,]*(?:and|or|,|&)[\s,]*", between)
        ):
            return s[: x.start()] + y.group() + between + x.group() + s[y.end() :]
    return None


def reworded(s, rng):
    """The same statement in other words or another order, None if no rule fits."""
    m = re.fullmatch(r"(In|On|At|During|After|Before) ([^,]{3,40}), (.{15,})([.!])", s)
    if m and rng.random() < 0.8:
        body = m[3] if re.match(r"[A-Z][a-z]+ [A-Z]", m[3]) else m[3][0].upper() + m[3][1:]
        return f"{body} {m[1].lower()} {m[2]}{m[4]}"
    if s[-1] in ".!" and rng.random() < 0.4:
        return rng.choice(["It is stated that ", "According to the text, ", "The text says that "]) + s
    m = re.fullmatch(r"(.{20,}?), (?:which|who|where|although|while|but) .{8,}([.!])", s)
    return m[1] + m[2] if m else None


def changed(s, rng, others):
    """(kind, sentence of the document, claim, label) for whatever can be changed in a sentence."""
    out = []

    def add(kind, claim, label, source=s):
        if claim and claim != source:
            out.append((kind, source, claim, label))

    add("number", change_number(s, rng), "contradicted")
    add("name", change_name(s, rng, others), "not_supported")
    add("role", swap_roles(s), "not")
    if DENIED.search(s):
        add("negation", DENIED.sub(lambda m: "can" if m[1] == "ca" else m[1], s, count=1), "contradicted")
    elif AUXILIARY.search(s):
        add("negation", AUXILIARY.sub(lambda m: m[1] + " not", s, count=1), "contradicted")
    fits = [x for x in QUANTIFIED if word(x[0]).search(s)]
    if fits:
        old, new, label = rng.choice(fits)
        add("quantifier", replaced(s, old, new), label)
    fits = [x for x in STRENGTHENED if word(x[0]).search(s)]
    if fits:
        old, new = rng.choice(fits)
        add("modal", replaced(s, old, new), "not_supported")
    else:
        fits = [x for x in WEAKENED if word(x[0]).search(s)]
        if fits:
            old, new = rng.choice(fits)
            add("modal", s, "not_supported", source=replaced(s, old, new))
    fits = [x for x in ORDERED if word(x[0]).search(s)]
    if fits:
        add("time", replaced(s, *rng.choice(fits)), "contradicted")
    return out


def changed_chinese(s, rng):
    out = []
    n = change_number(s, rng)
    if n:
        out.append(("number", s, n, "contradicted"))
    for kind, pairs in ZH_CHANGED.items():
        fits = [p for p in pairs if p[0] in s]
        if fits:
            old, new = rng.choice(fits)
            out.append((kind, s, s.replace(old, new, 1), "not"))
    return out


def around(document, sentence, new, rng, limit):
    """The document with the sentence replaced, cut to its neighbours."""
    parts = sentences(document)
    at = parts.index(sentence)
    first, last, size = at, at, len(sentence)
    while True:
        grown = False
        if first > 0 and size + len(parts[first - 1]) <= limit:
            first -= 1
            size += len(parts[first])
            grown = True
        if last + 1 < len(parts) and size + len(parts[last + 1]) <= limit:
            last += 1
            size += len(parts[last])
            grown = True
        if not grown:
            break
    kept = parts[first : last + 1]
    kept[at - first] = new
    return " ".join(kept)


def template(rng, names):
    """A role in a sentence of our own about names of the texts: claims that hold and claims that do not."""
    x, y = rng.sample(names, 2)
    did, done = rng.choice(VERBS)
    rest = rng.choice(TIMES)
    active, passive = f"{x} {did} {y} {rest}.", f"{y} was {done} by {x} {rest}."
    wrong, wrong_passive = f"{y} {did} {x} {rest}.", f"{x} was {done} by {y} {rest}."
    said, same = rng.choice(
        [
            (active, passive),
            (passive, active),
            (active, active),
            (passive, passive),
            (active, f"{x} {did} {y}."),
            (passive, f"{x} {did} {y}."),
        ]
    )
    return said, same, rng.choice([wrong, wrong_passive, f"{y} {did} {x}."])


def make(items, seed, per_document=3, limit=300):
    """Contrasts for the evaluation, from the documents of items. Those of one document share its group."""
    rng = random.Random(f"contrasts {seed} False")  # The first attempt's string: these are the same contrasts.
    seen, out = set(), []
    documents = []
    for i in items:
        if i.document not in seen:
            seen.add(i.document)
            documents.append(i)
    by_source = {}
    for i in documents:
        if i.language == "en":
            by_source.setdefault(i.source, set()).update(m.group() for m in NAME.finditer(i.document) if len(m.group()) > 3)
    names = {s: sorted(n) for s, n in by_source.items()}

    def add(i, kind, document, claim, label):
        out.append(Item(f"{i.id}/{kind}/{len(out)}", i.source, i.group, document, claim, label, kind, label, i.language))

    for i in documents:
        chinese = i.language == "zh"
        parts = [s for s in sentences(i.document) if (15 <= len(s) <= 90 if chinese else 6 <= len(s.split()) <= 35 and not HAN.search(s))]
        if not parts:
            continue
        local = [m.group() for m in NAME.finditer(i.document) if len(m.group()) > 3] if not chinese else []
        everywhere = names.get(i.source, [])
        for s in rng.sample(parts, min(per_document, len(parts))):
            if chinese:
                options = changed_chinese(s, rng)
            else:
                others = local if len(set(local)) > 2 and rng.random() < 0.7 else rng.sample(everywhere, min(20, len(everywhere)))
                options = changed(s, rng, others)
            # Roles and modals are rarer than the rest.
            chosen = [o for o in options if o[0] in ("role", "modal", "time", "quantifier")]
            rest = [o for o in options if o not in chosen]
            chosen += rng.sample(rest, min(1, len(rest)))
            for kind, source, claim, label in chosen:
                add(i, kind, around(i.document, s, source, rng, limit), claim, label)
            # What holds: the sentence itself, or with a modal as the document has it.
            add(i, "same", around(i.document, s, s, rng, limit), s, "supported")
            other = None if chinese else reworded(s, rng)
            if other:
                add(i, "reworded", around(i.document, s, s, rng, limit), other, "supported")
            weak = [o for o in chosen if o[0] == "modal" and o[1] != s]
            if weak:
                add(i, "same", around(i.document, s, weak[0][1], rng, limit), weak[0][1], "supported")
        if chinese:
            x, y = rng.sample(ZH_NAMES, 2)
            did = rng.choice(ZH_VERBS)
            said = f"{x}{did}{y}。"
            document = around(i.document, parts[0], parts[0] + said, rng, limit)
            add(i, "template", document, said, "supported")
            add(i, "template role", document, f"{y}{did}{x}。", "not")
        elif len(everywhere) > 20 and rng.random() < 0.5:
            said, same, wrong = template(rng, everywhere)
            at = rng.choice(parts)
            document = around(i.document, at, rng.choice([said, f"{said} {at}", f"{at} {said}"]), rng, limit)
            add(i, "template", document, same, "supported")
            add(i, "template role", document, wrong, "not")
    return out
