"""Formulas that the model has to beat."""

from sources import words


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
    from sources import sentences

    parts = {i.document: sentences(i.document) or [i.document] for i in items}
    texts = sorted({s for p in parts.values() for s in p} | {i.claim for i in items})
    vectors = dict(zip(texts, embed(texts)))
    return [max(float(vectors[s] @ vectors[i.claim]) for s in parts[i.document]) for i in items]
