"""What is read of a model's probabilities and texts, and of a judge's rulings."""

import collections
import json
import lzma
import re

import numpy as np


def lines(path):
    with (lzma.open if path.endswith(".xz") else open)(path, "rt", encoding="utf-8") as f:
        return [json.loads(line) for line in f]


class Model:
    """The probabilities that score.py read."""

    def __init__(self, path):
        self.said = {}
        for s in lines(path):
            for when in s["when"]:
                self.said[s["id"], s["task"], s["version"], s["read"], when] = s

    def chances(self, item, task, version, when, read="verdict"):
        s = self.said.get((item["id"], task, version, read, when))
        if s is None:
            return None
        p = np.exp(np.array(s["logs"]) - max(s["logs"]))
        return p / p.sum()

    def mass(self, item, task, version, when, read="verdict"):
        """Returns how likely it is that the model writes one of the verdicts."""
        return np.exp(self.said[item["id"], task, version, read, when]["logs"]).sum()

    def text(self, item, task, version, when):
        s = self.said.get((item["id"], task, version, "text", when))
        return None if s is None else s["text"]


class Rulings:
    """What a judge ruled before and after."""

    def __init__(self, before, after):
        self.said = {(s["id"], s["task"], when): s.get("ruling") for when, p in (("before", before), ("after", after)) for s in lines(p)}

    def of(self, item, task, when):
        return self.said.get((item["id"], task, when))

    def reader(self, task, parts=0.0):
        """Returns what reads a degree, the highest of a list; a claim that sources say in part has parts of one."""

        def degree(item, when):
            ruling = self.of(item, task, when)
            every = ruling if isinstance(ruling, list) else [ruling]
            known = [r for r in every if r and r.get("Known", True) and r.get("Verdict") != "unknown"]
            return max((r["Credit"] if "Credit" in r else r["Degree"] + (parts if r.get("Parts") else 0) for r in known), default=None)

        return degree

    def field(self, name):
        """Returns what reads a field of a comparison."""
        return lambda item, when: (self.of(item, "evaluate_response_comparison", when) or {}).get(name)


# Texts that are written.

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
WORD = re.compile(r"\w+")
FIELD = r'\s*:\s*"((?:[^"\\]|\\.)*)("|$)'


def unquoted(s):
    try:
        return json.loads(f'"{s}"', strict=False)
    except json.JSONDecodeError:
        return s


def claims_of(text):
    """Returns the claims of a reply that began with sentence 1, by sentence. A reply that breaks off
    in a claim has its beginning."""
    out = collections.defaultdict(list)
    sentence = 1
    for m in re.finditer(r'"sentence"\s*:\s*(\d+)|"claim"' + FIELD, text):
        if m.group(1):
            sentence = int(m.group(1))
        else:
            out[sentence].append(unquoted(m.group(2)))
    return out


def points_of(text):
    """Returns the points and quotes of a reply that began in the quote of the first point."""
    text = '"quote":"' + text
    return [unquoted(m[0]) for m in re.findall('"point"' + FIELD, text)], [unquoted(m[0]) for m in re.findall('"quote"' + FIELD, text)]


def numbered(sentences, claims):
    """Returns how many sentences have numbers, and of how many of these all are in their claims."""
    have = covered = 0
    for n, s in enumerate(sentences, 1):
        numbers = set(NUMBER.findall(s))
        if numbers:
            have += 1
            covered += numbers <= set(NUMBER.findall(" ".join(claims.get(n, []))))
    return covered, have


def worded(points, answer):
    """Returns how many of an answer's words points have, and how many it has."""
    want = set(WORD.findall(answer.lower()))
    return len(want & set(WORD.findall(" ".join(points).lower()))), len(want)


def quoted(quotes, source):
    """Returns how many quotes a source has, and how many there are."""
    flat = " ".join(source.split())
    return sum(" ".join(q.split()) in flat for q in quotes), len(quotes)


def claimed(rulings, when):
    """Returns what reads the claims of a text, by sentence."""

    def claims(item):
        ruling = rulings.of(item, "claims", when)
        if ruling is None:
            return None
        out = collections.defaultdict(list)
        for c in ruling["Claims"] or []:
            out[c["sentence"]].append(c["claim"])
        return out

    return claims
