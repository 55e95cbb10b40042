"""Objects with the interfaces of real models. Their score is the share of the claim's words that the document has."""


def share(document, claim):
    words = claim.lower().split()
    return sum(w in document.lower().split() for w in words) / len(words) if words else 0.0


class Tensor:
    """What torch returns, as far as it is read."""

    def __init__(self, values):
        self.values, self.ndim = values, 1

    def tolist(self):
        return self.values


class HHEM:
    """vectara/hallucination_evaluation_model: predict(pairs) returns a tensor."""

    def predict(self, pairs):
        return Tensor([share(document, claim) for document, claim in pairs])


class CrossEncoder:
    """sentence_transformers.CrossEncoder of an NLI model: predict(pairs) returns a row of logits for each."""

    def predict(self, sentences):
        return Tensor([[0.0, 4 * share(document, claim), 1.0] for document, claim in sentences])


class MiniCheck:
    """minicheck.minicheck.MiniCheck: score(docs, claims) returns labels, probabilities, and more of each chunk."""

    def score(self, docs, claims, chunk_size=None):
        p = [share(d, c) for d, c in zip(docs, claims)]
        return [int(x > 0.5) for x in p], p, [[d] for d in docs], [[x] for x in p]


class AlignScore:
    """alignscore.AlignScore: score(contexts, claims) returns a list."""

    def score(self, contexts, claims):
        return [share(d, c) for d, c in zip(contexts, claims)]


def labelled(documents, claims):
    out = []
    for d, c in zip(documents, claims):
        p = share(d, c)
        out.append({"entailment": p, "contradiction": (1 - p) / 2, "neutral": (1 - p) / 2})
    return out


def plain(documents, claims):
    print("a line of a library")
    return [share(d, c) for d, c in zip(documents, claims)]


def short(documents, claims):
    return [0.5] * (len(claims) - 1)


def beyond(documents, claims):
    return [1.5 for _ in claims]


def text(documents, claims):
    return ["yes" for _ in claims]


def raises(documents, claims):
    if "bad" in claims:
        raise ValueError("a bad claim")
    return [1.0 for _ in claims]


hhem, cross_encoder, minicheck, alignscore = HHEM(), CrossEncoder(), MiniCheck(), AlignScore()
number = 3
