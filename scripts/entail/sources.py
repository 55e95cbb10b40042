"""Items labelled by people, their families and their split."""

import dataclasses
import hashlib
import json
import pathlib
import random
import re

FAMILIES = {
    "A": ["fever_symmetric", "sufficient_facts", "fm2"],
    "B": ["q2_wow", "dialfact_small", "begin"],
    "C": ["nli_breaking", "nli_counterfactual", "nli_negation", "nli_scone"],
    "D": ["nli_hans", "nli_med", "nli_conj"],
    "E": ["wice", "summedits", "finegrained_qa", "kqa_nuggets", "summhay_coverage", "uhgeval_zh"],
}
# Nothing is trained or chosen on these.
UNTOUCHED = {"F": ["scifact", "mtrag"]}
FAMILY = {s: f for f, sets in (FAMILIES | UNTOUCHED).items() for s in sets}

# In these sets "not_supported" includes what is contradicted.
BINARY = {
    "summedits",
    "q2_wow",
    "nli_med",
    "nli_hans",
    "nli_scone",
    "begin",
    "uhgeval_zh",
    "finegrained_qa",
    "kqa_nuggets",
}

OF_BEGIN = 1500


@dataclasses.dataclass
class Item:
    id: str
    source: str  # the data set
    group: str  # what is resampled and split together
    document: str
    claim: str
    label: str  # supported, not_supported, contradicted, or not: either of the last two
    kind: str = ""  # of a contrast, or the phenomenon of a probe
    verdict: str = ""  # the label before it was mapped
    language: str = "en"

    @property
    def family(self):
        return FAMILY.get(self.source, "")

    @property
    def positive(self):
        return self.label == "supported"

    @property
    def kept(self):
        """Whether the item is in the fifth that no model is trained on."""
        return hashlib.sha256(f"entail {self.source} {self.group}".encode()).digest()[0] < 51


def label_of(source, label):
    if label == "supported":
        return label
    if label == "contradicted":
        return label
    return "not" if source in BINARY else "not_supported"


def read(shared, seed=1):
    """All items, in the order of the files."""
    data = pathlib.Path(shared) / "data"
    out = []
    for source in (s for sets in FAMILIES.values() for s in sets if s != "begin"):
        for line in (data / "support" / f"{source}.jsonl").open(encoding="utf-8"):
            r = json.loads(line)
            meta = r["meta"]
            claim = r.get("claim") or r["answer"]
            if source == "uhgeval_zh":
                claim = claim.replace("【", " 【")
            kind = meta.get("phenomenon", "")
            # SCONE has a handful of lexical groups; a pair of words is the finest that does not split.
            group = " ".join(meta["lex"]) if source == "nli_scone" else str(meta["group"])
            language = "zh" if r["language"].startswith("zh") else "en"
            out.append(
                Item(
                    r["id"],
                    source,
                    group,
                    r["context"],
                    claim,
                    label_of(source, r["label"]),
                    kind,
                    r["label"],
                    language,
                )
            )
    rows = [json.loads(line) for line in (data / "answers" / "begin.jsonl").open(encoding="utf-8")]
    rows = random.Random(seed).sample(rows, OF_BEGIN)
    for r in rows:
        said = "supported" if r["labels"]["begin"] == "Fully attributable" else "not_supported"
        document = "\n".join(r["contexts"])
        group = hashlib.sha256(document.encode()).hexdigest()[:12]
        out.append(Item(r["id"], "begin", group, document, r["answer"], label_of("begin", said), "", r["labels"]["begin"]))
    return out


def read_untouched(shared):
    """The items of the untouched sources: SciFact's claims with the abstracts they cite, MTRAG's rated answers."""
    data = pathlib.Path(shared) / "data"

    def rows(*at):
        return [json.loads(line) for line in data.joinpath(*at).open(encoding="utf-8")]

    said = {"SUPPORT": "supported", "CONTRADICT": "contradicted"}
    abstracts = {r["_id"]: r["text"] for r in rows("retrieval", "scifact", "corpus.jsonl")}
    out = []
    for r in rows("retrieval", "scifact", "claims_train.jsonl") + rows("retrieval", "scifact", "claims_dev.jsonl"):
        for cited in sorted({*map(str, r["cited_doc_ids"]), *r["evidence"]} & abstracts.keys()):
            # A cited abstract without evidence neither supports nor denies the claim.
            label = said[r["evidence"][cited][0]["label"]] if cited in r["evidence"] else "not_supported"
            out.append(Item(f"scifact-{r['id']}-{cited}", "scifact", cited, abstracts[cited], r["claim"], label))
    for r in rows("answers", "mtrag.jsonl"):
        rated = r["labels"].get("faithfulness")
        if r["contexts"] and rated:
            label = "supported" if sum(rated) / len(rated) >= 3.5 else "not"
            out.append(Item(r["id"], "mtrag", r["id"].split("<")[0], "\n".join(r["contexts"]), r["answer"], label))
    return out


def read_texts(shared, avoid):
    """English passages without labels, as items without a claim; none shares a sentence with the documents of avoid."""
    data = pathlib.Path(shared) / "data"
    known = {" ".join(words(s)) for i in avoid for s in sentences(i.document) if len(s) > 30}
    texts = []
    for line in (data / "retrieval" / "xquad_en" / "corpus.jsonl").open(encoding="utf-8"):
        texts.append(("xquad", json.loads(line)["text"]))
    for line in (data / "answers" / "clapnq_dev.jsonl").open(encoding="utf-8"):
        texts.extend(("clapnq", t) for t in json.loads(line)["contexts"])
    for line in (data / "answers" / "nomiracl.jsonl").open(encoding="utf-8"):
        r = json.loads(line)
        if r["dataset"] == "nomiracl-en":
            texts.extend(("nomiracl", t.split(": ", 1)[-1]) for t in r["contexts"])
    out = []
    for n, (source, text) in enumerate(dict.fromkeys(texts)):
        if not any(" ".join(words(s)) in known for s in sentences(text)):
            out.append(Item(f"{source}-{n}", source, f"{source}-{n}", text, "", ""))
    return out


WORD = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*", re.UNICODE)
HAN = re.compile(r"[\u3400-\u9fff]")
END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")


def words(text):
    """Words in lower case; of Chinese, each character."""
    out = []
    for w in WORD.findall(text.lower()):
        if HAN.search(w):
            out.extend(w)
        else:
            out.append(w)
    return out


def sentences(text):
    return [s.strip() for s in END.split(text) if s and words(s)]
