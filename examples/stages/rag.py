"""A system of four stages that tells what each of them did, for assay's exec adapter.

usage: assay run --adapter exec --command "python3 rag.py" --dataset gold.json
       python3 rag.py --filter fair    the same with a filter that does no harm

The filter has a fault, which the waterfall shows: it takes long passages for bad ones.
"""
import json
import pathlib
import re
import sys

def library():
    """The paragraphs of docs/, without their headings."""
    for path in sorted(pathlib.Path(__file__).with_name("docs").glob("*.md")):
        for n, text in enumerate(path.read_text(encoding="utf-8").strip().split("\n\n")[1:], 1):
            yield {"id": f"{path.name}#{n}", "document": path.name, "text": text}


LIBRARY = list(library())
COMMON = set("a an and are as at by does for from how in is it many may of on only or the their them to what when where which who with".split())
FAIR = "fair" in sys.argv


def words(text):
    return {word.rstrip("s") for word in re.findall(r"[a-z]+", text.lower())} - COMMON


def decompose(question):
    parts = [part.strip(" ?") for part in question.split(", and ")]
    return [part[0].upper() + part[1:] + "?" for part in parts]


def retrieve(question):
    ranked = sorted(LIBRARY, key=lambda p: -len(words(question) & words(p["text"])))
    return ranked[:4]


def relevance(question, passage):
    score = 10 * len(words(question) & words(passage["text"])) / len(words(question))
    if not FAIR and len(passage["text"].split()) > 20:
        score /= 2  # the fault: "long passages are noise"
    return round(score, 1)


def keep(question, passages):
    scored = [dict(p, score=relevance(question, p)) for p in passages]
    return scored, [p for p in scored if p["score"] >= 5]


def generate(passages):
    return " ".join(f"{p['text']} [{n}]" for n, p in enumerate(passages, 1)) or "The library's papers do not say."


for line in sys.stdin:
    asked = json.loads(line)
    questions = decompose(asked["question"])
    stages = [{"name": "decompose", "input": asked["question"], "output": questions}]
    kept = []
    for n, question in enumerate(questions, 1):
        found = retrieve(question)
        scored, good = keep(question, found)
        stages.append({"name": "retrieve", "sub_question": n, "input": question, "output": found})
        stages.append({"name": "filter", "sub_question": n, "input": scored, "output": good})
        kept += [p for p in good if p["id"] not in {k["id"] for k in kept}]
    answer = generate(kept[:3])  # the prompt has room for three
    stages.append({"name": "generate", "input": kept[:3], "output": answer})
    print(json.dumps({"seq": asked["seq"], "answer": answer, "passages": kept, "stages": stages}), flush=True)
