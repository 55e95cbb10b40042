

class Scorer:
    """Has one object score pairs of a document and a claim, in the form that it takes.

    Such objects are: one with predict(pairs), as cross-encoders and HHEM have; one with
    score, that takes docs and claims, as MiniCheck, or contexts and claims, as AlignScore;
    and a function of a list of documents and a list of claims.
    """

    def __init__(self, target):
        self.target = target
        self.turns = threading.Lock()  # tokenizers of such models serve one thread at a time
        for self.method in ("predict", "score", "__call__"):
            if callable(getattr(target, self.method, None)):
                break
        else:
            raise Refusal("%s is %s: expected an object with predict or score, or a function of documents and claims" % (
                hello["path"], kind_of(target)))
        self.call = target if self.method == "__call__" else getattr(target, self.method)
        self.takes = parameters(self.call)

    def leaks(self):
        return []

    def form(self):
        """How the object is asked, for the report."""
        return self.method

    def ask(self, request):
        """The scores: a number, or a row of numbers or named numbers, for each pair."""
        documents, claims = [pair[0] for pair in request["pairs"]], [pair[1] for pair in request["pairs"]]
        with self.turns:
            if self.method == "predict":
                result = self.call(list(zip(documents, claims)))
            elif "docs" in self.takes and "claims" in self.takes:
                result = self.call(docs=documents, claims=claims)
            elif "contexts" in self.takes and "claims" in self.takes:
                result = self.call(contexts=documents, claims=claims)
            else:
                result = self.call(documents, claims)
            result = settle(result)
        # MiniCheck returns labels, probabilities and further lists.
        if isinstance(result, tuple) and len(result) > 1:
            if all(isinstance(part, (list, tuple)) or getattr(part, "ndim", 0) for part in result[:2]):
                result = result[1]
        return result
