"""The smallest system that assay's exec adapter can ask: a line in, a line out.

usage: assay run --adapter exec --command "python3 rag.py" --dataset ../gold.jsonl
"""
import json
import sys

LIBRARY = {
    "leave.md": "In the first year everybody has 24 days of leave.",
    "equipment.md": "The service desk replaces a broken laptop within two days.",
}


def words(text):
    return {word.strip(".,?!").lower() for word in text.split()}


for line in sys.stdin:
    asked = json.loads(line)
    question = words(asked["question"])
    found = sorted(LIBRARY, key=lambda name: -len(question & words(LIBRARY[name])))[: asked["top_k"] or 1]
    # Whatever is no reply goes to standard error.
    print("found", found, file=sys.stderr)
    reply = {
        "seq": asked["seq"],
        "answer": LIBRARY[found[0]],
        "passages": [{"document": name, "text": LIBRARY[name]} for name in found],
    }
    print(json.dumps(reply), flush=True)
